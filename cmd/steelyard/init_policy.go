package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"steelyard/internal/config"
	"steelyard/lint"
	"steelyard/lint/mcpconfig"
	"steelyard/lint/owners"
	"steelyard/rules"
)

const (
	templateFile = ".github/pull_request_template.md"
	ownersFile   = ".github/CODEOWNERS"
)

// setup is what a policy is started from.
type setup struct {
	config.PolicyFound
	templates []*lint.File
	unowned   []string
	owners    string // the CODEOWNERS file, "" for none
}

// policy writes what is not there yet, and shows what is missing in what is.
func (c *initCommand) policy(ctx context.Context, p *program, tree fs.FS, path string, found config.Found) error {
	have, err := lookAround(ctx, tree)
	if err != nil {
		return fmt.Errorf("init %s: %w", c.Dir, err)
	}
	found.Policy = &have.PolicyFound
	for _, step := range []func() error{
		func() error { return c.policySettings(p, tree, path, found) },
		func() error { return c.template(p, have) },
		func() error { return c.owners(p, have) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	p.next("\"steelyard check\" holds a change to it; docs/ci.md says how it runs for every pull request")
	return nil
}

func (c *initCommand) policySettings(p *program, tree fs.FS, path string, found config.Found) error {
	err := writeNew(path, config.Starter(found), c.Force)
	if err == nil {
		_, err = fmt.Fprintf(p.stdout, "wrote %s with a policy\n", path)
		return err
	}
	if _, there := fs.Stat(tree, config.FileName); there != nil {
		return err
	}
	settings, err := p.treeSettings(tree, c.Dir)
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	if settings.Policy.Set() {
		_, err = fmt.Fprintf(p.stdout, "%s has a policy already\n", path)
		return err
	}
	return show(p, path+" is there already; a policy to add to it", string(config.PolicyStart(*found.Policy)))
}

// template writes a pull-request template, or shows the section that the one
// that is there lacks.
func (c *initCommand) template(p *program, have setup) error {
	if len(have.templates) == 0 {
		return c.place(p, templateFile, config.PullRequestTemplate)
	}
	heading, _, _ := strings.Cut(strings.TrimPrefix(config.DisclosureSection, "## "), "\n")
	for _, f := range have.templates {
		if text, err := f.Bytes(); err != nil || strings.Contains(strings.ToLower(string(text)), strings.ToLower(heading)) {
			_, err := fmt.Fprintf(p.stdout, "%s is there already\n", f.Path)
			return err
		}
	}
	return show(p, have.templates[0].Path+" is there already; the section that it lacks", config.DisclosureSection)
}

// owners shows the lines that CODEOWNERS lacks. Who owns what is for people to
// say, so nothing is written.
func (c *initCommand) owners(p *program, have setup) error {
	if len(have.unowned) == 0 {
		return nil
	}
	who, title := have.Owner, have.owners+" lacks an owner for what steers assistants; lines for its end"
	if who == "" {
		who = "@ORGANISATION/TEAM"
	}
	if have.owners == "" {
		title = "there is no CODEOWNERS; a start for " + ownersFile + ", with the name of those who look after it"
	}
	var lines strings.Builder
	for _, name := range have.unowned {
		fmt.Fprintf(&lines, "/%s %s\n", strings.ReplaceAll(name, " ", `\ `), who)
	}
	return show(p, title, lines.String())
}

// place writes a file that is not there, with its folder.
func (c *initCommand) place(p *program, name, text string) error {
	full := filepath.Join(c.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return fmt.Errorf("init: %w", err)
	}
	if err := writeNew(full, []byte(text), false); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "wrote %s\n", full)
	return err
}

// show prints lines for people to put where they belong.
func show(p *program, title, text string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s:\n\n", oneLine(title))
	for line := range strings.Lines(text) {
		b.WriteString("    " + oneLine(strings.TrimSuffix(line, "\n")) + "\n")
	}
	_, err := fmt.Fprintln(p.stdout, b.String())
	return err
}

// lookAround finds what a policy would be about.
func lookAround(ctx context.Context, tree fs.FS) (setup, error) {
	var have setup
	known, place, err := owners.Find(tree)
	if err != nil {
		return have, err
	}
	have.owners = place
	if known != nil {
		have.Owner = commonOwner(known)
	}
	err = lint.Inspect(ctx, tree, lint.Config{}, func(pass *lint.Pass) error {
		have.Servers = mcpconfig.Names(pass)
		have.Risky = riskyFolders(pass)
		have.unowned = unowned(pass, known)
		for _, f := range pass.Files(rules.Review) {
			if strings.Contains(strings.ToLower(f.Path), "pull_request_template") {
				have.templates = append(have.templates, f)
			}
		}
		return nil
	})
	return have, err
}

// unowned are the files that steer assistants, and CODEOWNERS itself, that
// nobody owns.
func unowned(pass *lint.Pass, known *owners.Codeowners) []string {
	var names []string
	if known == nil {
		names = append(names, ownersFile)
	}
	names = append(names, unownedChecks(pass, known)...)
	for _, f := range pass.Files() {
		if f.Shared() {
			continue
		}
		if known != nil {
			if line, ok := known.Decides(f.Path); ok && line != nil && line.Owned() {
				continue
			}
		}
		names = append(names, f.Path)
	}
	return slices.Compact(names)
}

// unownedChecks are the files that decide what is checked and whether it is:
// the settings, which init writes where they are missing, the baseline that it
// suggests, and the workflows.
func unownedChecks(pass *lint.Pass, known *owners.Codeowners) []string {
	names := []string{config.FileName}
	workflows := false
	pass.EachPath(func(name string) bool {
		workflows = workflows || strings.HasPrefix(name, ".github/workflows/")
		return !workflows
	})
	if kind, _ := pass.Entry("steelyard-baseline.json"); kind != lint.Absent {
		names = append(names, "steelyard-baseline.json")
	}
	if workflows {
		names = append(names, ".github/workflows/")
	}
	return slices.DeleteFunc(names, func(name string) bool {
		if known == nil {
			return false
		}
		if strings.HasSuffix(name, "/") {
			name += "steelyard.yml"
		}
		line, ok := known.Decides(name)
		return ok && line != nil && line.Owned()
	})
}

// commonOwner is who stands in most lines; of several the first.
func commonOwner(known *owners.Codeowners) string {
	counts, best := map[string]int{}, ""
	for _, line := range known.Lines {
		for _, who := range line.Owners {
			if counts[who]++; strings.HasPrefix(who, "@") && (best == "" || counts[who] > counts[best]) {
				best = who
			}
		}
	}
	return best
}

// riskyNames are folders in which a mistake costs more than elsewhere.
var riskyNames = []string{"auth", "authentication", "authorization", "billing", "crypto", "deploy", "infra", "migrations", "payments", "security", "terraform"}

// riskyFolders are globs of such folders as far as there are any.
func riskyFolders(pass *lint.Pass) []string {
	found := map[string]bool{}
	pass.EachPath(func(name string) bool {
		dir := path.Dir(name)
		if strings.HasPrefix(name, ".github/workflows/") {
			found[".github/workflows/**"] = true
		}
		for segment := range strings.SplitSeq(dir, "/") {
			if slices.Contains(riskyNames, strings.ToLower(segment)) {
				found["**/"+segment+"/**"] = true
			}
		}
		return true
	})
	var globs []string
	for glob := range found {
		globs = append(globs, glob)
	}
	slices.Sort(globs)
	return globs
}
