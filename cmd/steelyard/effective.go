package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"steelyard/lint"
	"steelyard/lint/instructions"
	"steelyard/rules"
)

type effectiveCommand struct {
	File    string `arg:"" name:"FILE" help:"File that is worked on, there or still to be made."`
	Surface string `required:"" placeholder:"SURFACE" help:"Where the assistant works: ${surfaces}."`
	Root    string `default:"." placeholder:"DIR" help:"Folder of the repository."`
	Format  string `enum:"text,json" default:"text" help:"text or json."`
}

// Help shows how it is used.
func (c *effectiveCommand) Help() string {
	return `Says which instruction files an assistant reads when it works on FILE, in which order, why, and how much of them; which it leaves out; and where they contradict each other. FILE is a path from the repository's root. What each assistant reads stands in rules/surfaces.yaml, with its source.

    steelyard effective --surface claude-code services/payments/main.go
    steelyard effective --surface copilot-review web/app.ts --format json | jq '.texts[].path'`
}

func (c *effectiveCommand) Run(ctx context.Context, p *program) error {
	surface, err := surfaceNamed(c.Surface)
	if err != nil {
		return fmt.Errorf("effective: %w", err)
	}
	if filepath.IsAbs(c.File) {
		return withHint(fmt.Errorf("effective: %s is not a path from the repository's root", c.File), "name the folder by --root and the file by its path in it")
	}
	tree, settings, err := p.openLinted(c.Root)
	if err != nil {
		return fmt.Errorf("effective: %w", err)
	}
	var reading instructions.Reading
	err = lint.Inspect(ctx, tree, lintConfig(settings, p), func(pass *lint.Pass) (err error) {
		reading, err = instructions.Effective(pass, surface, filepath.ToSlash(c.File))
		return err
	})
	if err != nil {
		return fmt.Errorf("effective: %w", err)
	}
	if c.Format == "json" {
		return printJSON(p.stdout, reading)
	}
	return printReading(p.stdout, reading)
}

func surfaceNamed(id string) (rules.Surface, error) {
	surfaces, err := rules.Surfaces()
	if err != nil {
		return rules.Surface{}, fmt.Errorf("read the surfaces: %w", err)
	}
	var ids []string
	for _, s := range surfaces {
		if s.ID == id {
			return s, nil
		}
		ids = append(ids, s.ID)
	}
	return rules.Surface{}, suggesting(fmt.Errorf("there is no surface %q", id), id, ids)
}

func printReading(w io.Writer, r instructions.Reading) error {
	if len(r.Texts) == 0 {
		if _, err := fmt.Fprintf(w, "%s reads no instructions for %s.\n", r.Surface.Title, r.File); err != nil {
			return err
		}
	} else if err := printTexts(w, r); err != nil {
		return err
	}
	if len(r.Left) > 0 {
		rows := [][]string{}
		for _, l := range r.Left {
			rows = append(rows, []string{"  " + l.Path, l.Because})
		}
		if _, err := fmt.Fprintln(w, "\nNot read:"); err != nil {
			return err
		}
		if err := printColumns(w, rows); err != nil {
			return err
		}
	}
	return printConflicts(w, r)
}

func printTexts(w io.Writer, r instructions.Reading) error {
	_, err := fmt.Fprintf(w, "%s reads for %s, in this order, %d bytes:\n", r.Surface.Title, r.File, r.Bytes)
	if err != nil {
		return err
	}
	rows := [][]string{}
	for i, t := range r.Texts {
		size := fmt.Sprintf("%d bytes", t.Bytes)
		if t.Read < t.Bytes {
			size = fmt.Sprintf("%d of %d bytes", t.Read, t.Bytes)
		}
		rows = append(rows, []string{"  " + strconv.Itoa(i+1), t.Path, size, t.Because})
	}
	return printColumns(w, rows)
}

func printConflicts(w io.Writer, r instructions.Reading) error {
	if len(r.Conflicts) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(w, "\nIn conflict:"); err != nil {
		return err
	}
	for _, c := range r.Conflicts {
		follows := "nothing says which holds"
		if c.Follows != "" {
			follows = c.Follows + " is nearer and overrides"
		}
		_, err := fmt.Fprintf(w, "  %s: %s\n    %s:%d  %s\n    %s:%d  %s\n", c.Topic, follows,
			c.First.Path, c.First.Line, c.First.Text, c.Then.Path, c.Then.Line, c.Then.Text)
		if err != nil {
			return err
		}
	}
	return nil
}

// surfaceNames lists the ids of the surfaces, for help.
func surfaceNames() string {
	surfaces, err := rules.Surfaces()
	if err != nil {
		return "see rules/surfaces.yaml"
	}
	var ids []string
	for _, s := range surfaces {
		ids = append(ids, s.ID)
	}
	return strings.Join(ids, ", ")
}
