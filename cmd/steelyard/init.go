package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"steelyard/internal/config"
	"steelyard/lint"
	"steelyard/rules"
)

type initCommand struct {
	Dir   string `arg:"" optional:"" default:"." name:"DIR" help:"Folder to write steelyard.yaml into."`
	Force bool   `help:"Replace a steelyard.yaml that is there already."`

	Policy bool `help:"Begin with a policy for steelyard check, a pull-request template and the lines that CODEOWNERS lacks. Nothing that is there is changed: what is missing in it is shown."`
}

// Help shows how it is used.
func (c *initCommand) Help() string {
	return `The file holds every setting with its default, commented out, so it changes nothing until it is edited. An existing file is never replaced without --force.

    steelyard init
    steelyard init --policy
    steelyard init services/payments`
}

func (c *initCommand) Run(ctx context.Context, p *program) error {
	tree, err := openTree(c.Dir)
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	found, err := discover(ctx, tree)
	if err != nil {
		return fmt.Errorf("init %s: %w", c.Dir, err)
	}
	path := filepath.Join(c.Dir, config.FileName)
	if c.Policy {
		return c.policy(ctx, p, tree, path, found)
	}
	if err := writeNew(path, config.Starter(found), c.Force); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "wrote %s: found %s and %s\n", path,
		counted(len(found.MCP), "MCP configurations"), counted(len(found.Instructions), "instruction files"))
	p.next("\"steelyard lint %s\" checks what was found", shellWord(c.Dir))
	if found.Database != "" {
		p.next("\"steelyard serve\" shows what %s holds", found.Database)
	} else {
		p.next("\"steelyard demo\" shows the whole product on bundled data; \"steelyard import --help\" says how to bring your own")
	}
	return err
}

// writeNew writes a file that must not be there yet, unless force is set.
func writeNew(path string, text []byte, force bool) error {
	if force {
		return writeAtomic(path, text)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return withHint(fmt.Errorf("%s exists already", path), "--force replaces it")
	}
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("init: write %s: %w", path, err), os.Remove(path))
	}
	return nil
}

// discover lists what lies in a tree already, as the lint sees it.
func discover(ctx context.Context, tree fs.FS) (config.Found, error) {
	var found config.Found
	// A rule that only looks: the lint knows which files are governed.
	look := lint.Rule{ID: "MC001", Check: func(pass *lint.Pass) {
		found.MCP = filePaths(pass.Files(rules.MCP))
		found.Instructions = filePaths(pass.Files(rules.Instructions, rules.Tasks))
		if owners := filePaths(pass.Files(rules.Ownership)); len(owners) > 0 {
			found.Owners = owners[0]
		}
	}}
	if _, err := lint.Run(ctx, tree, []lint.Rule{look}, lint.Config{}); err != nil {
		return found, err
	}
	if info, err := fs.Stat(tree, "steelyard.db"); err == nil && info.Mode().IsRegular() {
		found.Database = "sqlite:steelyard.db"
	}
	return found, nil
}

func filePaths(files []*lint.File) []string {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	return paths
}
