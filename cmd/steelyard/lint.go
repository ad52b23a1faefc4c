package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"steelyard/internal/config"
	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/rules"
)

type lintCommand struct {
	Path          string   `arg:"" optional:"" default:"." name:"PATH" help:"Folder to check."`
	Format        string   `enum:"text,json,sarif,github,summary,markdown,junit,rdjson" default:"text" help:"text, json, sarif, github (annotations), summary (job summary), markdown, junit or rdjson."`
	Output        []string `sep:"none" placeholder:"FORMAT[:FILE]" help:"Write the result in this format into a file or to standard output, instead of --format; may be repeated."`
	FailOn        string   `placeholder:"SEVERITY" help:"Least severity that makes the exit code 1: note, warning, error or never. Also $$STEELYARD_LINT_FAIL_ON or lint.fail_on in steelyard.yaml; error otherwise."`
	Strict        bool     `help:"Report as well what is often done on purpose, such as a nearer file that overrides a farther one."`
	Base          string   `placeholder:"REV" xor:"known" help:"Report only what is new since the last commit that is common with this revision, such as origin/main."`
	Baseline      string   `placeholder:"FILE" xor:"known" help:"Report only what is not in this file. In CI, a pull request is held to the file from before it."`
	WriteBaseline string   `placeholder:"FILE" xor:"known" help:"Write what is found into a file for --baseline and report nothing."`
	Fix           bool     `xor:"mend" help:"Mend what can be mended safely, then report the rest."`
	Diff          bool     `xor:"mend" help:"Show what --fix would change; secrets are starred. The exit code is 1 if it would change anything."`
	StdinFilename string   `placeholder:"FILE" help:"Check standard input as the text of this file in the folder, and report about it alone: for editors."`
}

// Help shows how it is used.
func (c *lintCommand) Help() string {
	return `Nothing in the folder is executed, nothing outside it is read but what git knows of the clone and, for a folder of a repository, the repository's CODEOWNERS, and no database or network is used. Settings come from steelyard.yaml in the folder itself; with --base, and for a pull request in CI, from before the change, so that no change frees itself. A finding is answered by mending it, or by a suppression with a reason: see "steelyard explain". With sarif, findings do not change the exit code: whoever reads the file decides.

    steelyard lint
    steelyard lint --fail-on warning services/payments
    steelyard lint --base origin/main
    steelyard lint --write-baseline steelyard-baseline.json
    steelyard lint --diff
    steelyard lint --format sarif > steelyard.sarif
    steelyard lint --output text --output junit:steelyard.xml
    steelyard lint --format json | jq '.findings[].rule'`
}

// garbage is how many percent of what is in use a run may leave behind before
// it is collected: it ends before that is worth more often.
// From memory bytes on it is collected more often, whatever garbage says.
const (
	garbage = 400
	memory  = 192 << 20
)

func (c *lintCommand) Run(ctx context.Context, p *program) error {
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	if limit := debug.SetMemoryLimit(-1); limit > memory {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	}
	if c.StdinFilename != "" && (c.Fix || c.Diff || c.Base != "" || c.WriteBaseline != "") {
		return errors.New("--stdin-filename reports about one file as it is typed: it goes with no --fix, --diff, --base or --write-baseline")
	}
	failOn := config.Flag{Key: config.KeyLintFailOn, Name: "--fail-on", Value: c.FailOn}
	tree, settings, err := p.openLinted(c.Path, failOn)
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	own := *settings
	s, err := c.changeOf(ctx, p, tree)
	if err == nil && s.held() {
		err = p.heldTo(ctx, &s.compared, settings, failOn)
	}
	if err != nil {
		err = c.unheld(ctx, p, s, settings, err, failOn)
	}
	if err == nil {
		err = c.lint(ctx, p, s, settings, &own)
	}
	if closing := s.close(); err == nil {
		err = closing
	}
	if err != nil && !errors.Is(err, errFindings) {
		return fmt.Errorf("lint %s: %w", c.Path, partialHint(err))
	}
	return err
}

// config is how the folder is linted by some settings.
func (c *lintCommand) config(p *program, settings *config.Config) lint.Config {
	cfg := lintConfig(settings, p)
	cfg.Strict, cfg.Committed = c.Strict, !inWorkingTree(c.Path)
	cfg.Given = append(cfg.Given, given(c.Path)...)
	return cfg
}

// lint checks the folder, which is the head of s, by settings that it is held to;
// own are those that stand in it.
func (c *lintCommand) lint(ctx context.Context, p *program, s *span, settings, own *config.Config) error {
	cfg, tree := c.config(p, settings), s.head
	if c.Fix || c.Diff {
		mended, err := c.mend(ctx, p, tree, cfg)
		if err != nil || c.Diff {
			return err
		}
		tree = mended
	}
	if c.StdinFilename != "" {
		typed, err := c.typed(p, tree)
		if err != nil {
			return err
		}
		tree = typed
	}
	result, err := lint.Run(ctx, tree, families.All(), cfg)
	if err != nil {
		return err
	}
	if c.WriteBaseline != "" {
		return c.writeBaseline(p, result)
	}
	if c.StdinFilename != "" {
		if _, governed := slices.BinarySearch(result.Paths, c.typedName()); !governed {
			p.say("note: %s steers no assistant by its name and place, or is ignored or excluded", c.StdinFilename)
			result.Files = 0 // the others were read for its sake
		}
		c.keepTyped(&result)
	}
	if s.held() && c.Base == "" && !reflect.DeepEqual(own, settings) {
		if err := c.leaveSilenced(ctx, s, tree, cfg, c.config(p, own), &result); err != nil {
			return err
		}
	}
	if err := c.leaveKnown(ctx, p, s, cfg, &result); err != nil {
		return err
	}
	if err := c.write(p, s, result, settings.Lint.FailOn); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	if c.Format != "sarif" && fails(result.Findings, settings.Lint.FailOn) {
		return errFindings
	}
	return nil
}

// maxTyped bounds standard input: a file of one more byte is over the lint's
// own limit.
const maxTyped = 4<<20 + 1

// typed is the tree with standard input in place of one file.
func (c *lintCommand) typed(p *program, tree fs.FS) (fs.FS, error) {
	name := c.typedName()
	if !fs.ValidPath(name) || name == "." {
		return nil, withHint(fmt.Errorf("--stdin-filename %q is no file of the folder", c.StdinFilename), "name it relative to the folder that is checked, such as .mcp.json")
	}
	text, err := io.ReadAll(io.LimitReader(p.stdin, maxTyped))
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	return lint.Overlay{Below: tree, Files: map[string][]byte{name: text}}, nil
}

func (c *lintCommand) typedName() string {
	return path.Clean(strings.ReplaceAll(c.StdinFilename, `\`, "/"))
}

// keepTyped leaves only what is about the file on standard input.
func (c *lintCommand) keepTyped(result *lint.Result) {
	name := c.typedName()
	result.Findings = slices.DeleteFunc(result.Findings, func(f lint.Finding) bool { return f.Path != name })
	result.Skipped = slices.DeleteFunc(result.Skipped, func(s lint.Skip) bool { return s.Path != name })
}

// openLinted opens a folder to lint and the settings that stand in it.
func (p *program) openLinted(dir string, flags ...config.Flag) (fs.FS, *config.Config, error) {
	tree, err := openTree(dir)
	if err != nil {
		return nil, nil, err
	}
	settings, err := p.treeSettings(tree, dir, flags...)
	return tree, settings, err
}

// lint runs every rule over a folder, and lists what is there, to be kept.
func (p *program) lint(ctx context.Context, dir string, tree fs.FS, settings *config.Config) (lint.Result, error) {
	cfg := observing(lintConfig(settings, p))
	cfg.Committed = !inWorkingTree(dir)
	cfg.Given = append(cfg.Given, given(dir)...)
	return lint.Run(ctx, tree, families.All(), cfg)
}

// inWorkingTree reports whether a folder lies in a git working tree. Where it
// does not (an archive that was unpacked), ignore files hide nothing: all that
// is there was given to somebody.
func inWorkingTree(dir string) bool {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
	}
	return err != nil
}

// lintConfig is what the settings say, for the engine.
func lintConfig(settings *config.Config, p *program) lint.Config {
	source := settings.File
	if p.configFile == "" {
		// It stands at the tree's root, and findings name paths from there.
		source = config.FileName
	}
	c := lint.Config{
		Severities: map[string]rules.Severity{},
		Exclude:    settings.Lint.Exclude,
		Today:      p.now(),
		Given:      policyGiven(settings, source, p.now()),
	}
	for _, r := range settings.Lint.Rules {
		c.Severities[r.Rule] = rules.Severity(r.Severity)
	}
	for _, s := range settings.Lint.Suppressions {
		c.Suppressions = append(c.Suppressions, lint.ConfigSuppression{
			Rule: s.Rule, Path: s.Path, Line: s.Finding, Until: s.Until, Reason: s.Reason,
			Source: source, SourceLine: s.Line, Held: s.Held,
		})
	}
	return c
}

// fails reports whether a finding is at least as bad as least.
func fails(findings []lint.Finding, least string) bool {
	order := []rules.Severity{rules.Note, rules.Warning, rules.Error}
	at := slices.Index(order, rules.Severity(least))
	return at >= 0 && slices.ContainsFunc(findings, func(f lint.Finding) bool {
		return slices.Index(order, f.Severity) >= at
	})
}
