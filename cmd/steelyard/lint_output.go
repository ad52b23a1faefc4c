package main

import (
	"errors"
	"os"
	"path/filepath"

	"steelyard/internal/actions"
	"steelyard/lint"
	"steelyard/lint/output"
	"steelyard/rules"
)

// write writes the findings everywhere they are to go.
func (c *lintCommand) write(p *program, s *span, result lint.Result, failOn string) error {
	targets := []output.Target{{Format: c.Format}}
	if len(c.Output) > 0 {
		if c.Format != "text" {
			return errors.New("--format goes with no --output; name both as --output")
		}
		var err error
		if targets, err = output.ParseTargets(c.Output); err != nil {
			return err
		}
	}
	pages, err := rules.All()
	if err != nil {
		return err
	}
	o := output.Options{Version: readBuild().Version, Rules: pages, Color: p.color(), Folder: repositoryFolder(c.Path)}
	summary, _ := p.env("GITHUB_STEP_SUMMARY")
	return write(p, &actions.Run{SummaryFile: summary}, targets, output.Check{Result: result, LeftOut: s.says, FailOn: failOn}, o)
}

// repositoryFolder is where a folder stands in the git working tree that holds
// it, slash-separated; empty for its root, and outside of any.
func repositoryFolder(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	for root := dir; ; root = filepath.Dir(root) {
		if _, err := os.Lstat(filepath.Join(root, ".git")); err == nil {
			below, err := filepath.Rel(root, dir)
			if err != nil || below == "." {
				return ""
			}
			return filepath.ToSlash(below)
		}
		if filepath.Dir(root) == root {
			return ""
		}
	}
}
