package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"steelyard/internal/config"
	"steelyard/lint"
	"steelyard/lint/dependencies"
	"steelyard/lint/mcpconfig"
	"steelyard/lint/output"
	"steelyard/rules"
)

// dependenciesCommand is "dependencies" alone, and "dependencies check".
type dependenciesCommand struct {
	Compare compareDependencies `cmd:"" default:"withargs" help:"Judge what a change brings in (the default)."`
	Check   checkDependency     `cmd:"" help:"Judge one package by its name."`
}

// askingFlags say how registries are asked.
type askingFlags struct {
	Offline         bool   `help:"Ask nobody; what is not in the cache is unverified."`
	RequireVerified bool   `help:"Exit with 1 if something is unverified: the same as unverified in --fail-on."`
	FailOn          string `placeholder:"JUDGEMENTS" help:"Judgements that make the exit code 1: block, ask, legal, unverified, separated by commas; or never. Also $$STEELYARD_DEPENDENCIES_FAIL_ON or dependencies.fail_on in steelyard.yaml; block otherwise."`
	CacheDir        string `placeholder:"DIR" help:"Folder for the answers of registries, instead of one below the user's cache folder; off keeps none."`
}

func (f askingFlags) setting() config.Flag {
	return config.Flag{Key: config.KeyDependenciesFailOn, Name: "--fail-on", Value: f.FailOn}
}

type compareDependencies struct {
	askingFlags
	Base       string `placeholder:"REV|DIR" xor:"base" help:"What the change is compared with: a folder, or a revision such as origin/main. Without --head, a revision means the last commit that it has in common with the one checked out. Default: the commit that is checked out."`
	Head       string `placeholder:"REV|DIR" help:"The change: a folder or a revision. Default: the working directory."`
	All        bool   `xor:"base" help:"Judge every dependency, not only what is new."`
	Transitive bool   `help:"Ask as well about what only other dependencies need."`
	Cap        int    `placeholder:"N" default:"300" help:"Most names to ask about; what is left out is said."`
	Format     string `enum:"text,json,sarif,markdown" default:"text" help:"text, json, sarif or markdown."`
}

// Help shows how it is used.
func (c *compareDependencies) Help() string {
	return `Compares the manifests and lockfiles of two trees and asks the registries about each name that is new, where the ecosystem's own client would ask. Nothing is installed or executed. A package is judged block, ask, legal, unverified or ok, with the reasons; "steelyard explain DP001" says more. With --base, decisions and registries of steelyard.yaml are those from before the change. With sarif, findings do not change the exit code.

    steelyard dependencies --base origin/main
    steelyard dependencies --base before --head after --offline
    steelyard dependencies --base origin/main --fail-on block,ask --require-verified
    steelyard dependencies check npm:left-pad`
}

func (c *compareDependencies) Run(ctx context.Context, p *program) error {
	if c.Cap < 1 {
		return errors.New("--cap must be 1 or more")
	}
	t, err := c.open(ctx, p)
	if err != nil {
		return fmt.Errorf("dependencies: %w", err)
	}
	err = c.judge(ctx, p, t)
	if closing := t.close(); err == nil {
		err = closing
	}
	if err != nil && !errors.Is(err, errFindings) {
		return fmt.Errorf("dependencies: %w", err)
	}
	return err
}

// judge compares, asks and writes.
func (c *compareDependencies) judge(ctx context.Context, p *program, t *compared) error {
	settings, err := p.treeSettings(t.head, t.dir, c.setting())
	if err != nil {
		return err
	}
	if c.Base != "" {
		err = p.heldTo(ctx, t, settings, c.setting())
	} else {
		err = p.holdRegistries(ctx, t, settings)
	}
	if err != nil {
		return err
	}
	a, err := c.assess(ctx, p, t, settings)
	if err != nil {
		return err
	}
	for _, one := range t.says {
		p.say("note: %s", one)
	}
	if err := c.write(ctx, p, t, settings, a); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	if c.Format != "sarif" && a.Fails(c.failOn(settings)) {
		return errFindings
	}
	return nil
}

// assess compares the trees and asks about what is new.
func (c *compareDependencies) assess(ctx context.Context, p *program, t *compared, settings *config.Config) (*dependencies.Assessment, error) {
	policy := dependencyPolicy(settings, p)
	if err := policy.Licences.Validate(); err != nil {
		return nil, fmt.Errorf("dependencies.licences.allow: %w", err)
	}
	if err := c.ownCache(t); err != nil {
		return nil, err
	}
	reg, addresses, err := p.registry(c.askingFlags, registryAddresses(settings), reviewedNPMRC(t.base))
	if err != nil {
		return nil, err
	}
	read := dependencies.ReadOptions{Exclude: settings.Lint.Exclude, Public: addresses.Public(ctx), Private: addresses.Private(ctx), UserNPMRC: addresses.UserNPMRC()}
	base, err := readDependencies(ctx, t.base, t.baseCommitted, read, lintConfig(settings, p))
	if err != nil {
		return nil, err
	}
	head, err := readDependencies(ctx, t.head, t.headCommitted, read, lintConfig(settings, p))
	if err != nil {
		return nil, err
	}
	names, err := dependencies.NewNames()
	if err != nil {
		return nil, err
	}
	change := dependencies.Compare(base, head)
	a := dependencies.Assess(ctx, change, reg, names, policy, dependencies.Options{Transitive: c.Transitive, Cap: c.Cap})
	return a, ctx.Err()
}

// readDependencies reads the manifests and lockfiles of a tree, and what its
// MCP servers fetch.
func readDependencies(ctx context.Context, tree fs.FS, committed bool, o dependencies.ReadOptions, cfg lint.Config) (dependencies.Tree, error) {
	o.Committed, cfg.Committed = committed, committed
	found, err := dependencies.Read(ctx, tree, o)
	if err != nil {
		return found, err
	}
	err = lint.Inspect(ctx, tree, cfg, func(pass *lint.Pass) error {
		for _, pkg := range mcpconfig.Packages(pass) {
			if d, ok := dependencies.Launched(pkg.File, pkg.Fetch); ok {
				found.Dependencies = append(found.Dependencies, d)
			}
		}
		return nil
	})
	return found, err
}

func (f askingFlags) failOn(settings *config.Config) []dependencies.Judgement {
	var on []dependencies.Judgement
	for _, j := range settings.Dependencies.FailOn {
		on = append(on, dependencies.Judgement(j))
	}
	if f.RequireVerified && !slices.Contains(on, dependencies.Unverified) {
		on = append(on, dependencies.Unverified)
	}
	return on
}

func (c *compareDependencies) write(ctx context.Context, p *program, t *compared, settings *config.Config, a *dependencies.Assessment) error {
	switch c.Format {
	case "json":
		return p.printMuted(a.JSON, output.MuteJSON)
	case "markdown":
		return p.printMuted(a.Markdown, muted)
	case "sarif":
		return c.sarif(ctx, p, t, settings, a)
	}
	if err := p.printMuted(a.Text, muted); err != nil {
		return err
	}
	for _, v := range a.Verdicts() {
		for _, e := range v.Evidence {
			if e.Rule != "" && e.Judgement != dependencies.Unverified {
				p.next("\"steelyard explain %s\" says why, and how to mend or allow it", e.Rule)
				return nil
			}
		}
	}
	return nil
}

// sarif reports the assessment through the rules of the lint, so that
// severities and suppressions of the settings count.
func (c *compareDependencies) sarif(ctx context.Context, p *program, t *compared, settings *config.Config, a *dependencies.Assessment) error {
	cfg := lintConfig(settings, p)
	cfg.Committed = t.headCommitted
	cfg.Given = append(cfg.Given, a)
	result, err := lint.Run(ctx, t.head, dependencies.Rules(), cfg)
	if err != nil {
		return err
	}
	all, err := rules.All()
	if err != nil {
		return err
	}
	pages := slices.DeleteFunc(all, func(page rules.Page) bool { return !strings.HasPrefix(page.ID, "DP") })
	return output.SARIF(p.stdout, result, output.SARIFOptions{Version: readBuild().Version, Rules: pages})
}
