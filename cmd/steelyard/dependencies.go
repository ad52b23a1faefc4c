package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"steelyard/internal/config"
	"steelyard/internal/gittree"
	"steelyard/lint"
	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
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
	return `Compares the manifests and lockfiles of two trees and asks the registries about each name that is new, where the ecosystem's own client would ask. Nothing is installed or executed. A package is judged block, ask, legal, unverified or ok, with the reasons; "steelyard explain DP001" says more. With sarif, findings do not change the exit code.

    steelyard dependencies --base origin/main
    steelyard dependencies --base before --head after --offline
    steelyard dependencies --base origin/main --fail-on block,ask --require-verified
    steelyard dependencies check npm:left-pad`
}

func (c *compareDependencies) Run(ctx context.Context, p *program) error {
	if c.Cap < 1 {
		return errors.New("--cap must be 1 or more")
	}
	t, err := c.open(ctx)
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

// compared are the two trees of a comparison.
type compared struct {
	base, head fs.FS
	// baseCommitted and headCommitted say that a tree is a commit's.
	baseCommitted, headCommitted bool
	dir                          string // the head's folder, for messages
	closers                      []func() error
}

func (t *compared) close() error {
	var all error
	for _, c := range t.closers {
		all = errors.Join(all, c())
	}
	return all
}

// open opens both trees.
func (c *compareDependencies) open(ctx context.Context) (*compared, error) {
	t := &compared{dir: "."}
	var err error
	switch {
	case c.Head == "" || isFolder(c.Head):
		if c.Head != "" {
			t.dir = c.Head
		}
		t.head, err = openTree(t.dir)
	default:
		t.headCommitted = true
		t.head, err = t.commit(ctx, ".", c.Head, false)
	}
	if err != nil {
		return nil, fmt.Errorf("--head: %w", err)
	}
	switch {
	case c.All:
		t.base = nothing{}
	case c.Base != "" && isFolder(c.Base):
		t.base, err = openTree(c.Base)
	case c.Base != "":
		t.baseCommitted = true
		t.base, err = t.commit(ctx, t.dir, c.Base, !t.headCommitted)
	default:
		t.baseCommitted = true
		t.base, err = t.commit(ctx, t.dir, "HEAD", false)
		if err != nil {
			err = withHint(fmt.Errorf("there is nothing to compare with: %w", err), "name it: --base REV or --base DIR; --all judges every dependency")
		}
	}
	if err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

// commit opens the tree of a revision, or of what it has in common with the
// commit that is checked out.
func (t *compared) commit(ctx context.Context, dir, rev string, common bool) (fs.FS, error) {
	repository, err := gittree.Open(ctx, dir)
	if errors.Is(err, gittree.ErrNoRepository) {
		return nil, withHint(fmt.Errorf("%s is neither a folder, nor a revision: there is no git repository here", shellWord(rev)), "name a folder, or run it in the repository")
	}
	if err != nil {
		return nil, err
	}
	find := repository.Resolve
	if common {
		find = repository.MergeBase
	}
	name, err := find(ctx, rev)
	if err != nil {
		return nil, err
	}
	tree, err := repository.Tree(ctx, name)
	if err != nil {
		return nil, err
	}
	t.closers = append(t.closers, tree.Close)
	return tree, nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// nothing is an empty tree.
type nothing struct{}

// Open finds the root alone.
func (nothing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir lists nothing.
func (nothing) ReadDir(string) ([]fs.DirEntry, error) { return nil, nil }

// judge compares, asks and writes.
func (c *compareDependencies) judge(ctx context.Context, p *program, t *compared) error {
	settings, err := p.treeSettings(t.head, t.dir, c.setting())
	if err != nil {
		return err
	}
	policy := dependencyPolicy(settings, p)
	if err := policy.Licences.Validate(); err != nil {
		return fmt.Errorf("dependencies.licences.allow: %w", err)
	}
	reg, addresses, err := p.registry(c.askingFlags, p.trustedRegistries(t, settings), reviewedNPMRC(t.base))
	if err != nil {
		return err
	}
	read := dependencies.ReadOptions{Exclude: settings.Lint.Exclude, Public: addresses.Public(ctx), Private: addresses.Private(ctx)}
	base, err := readDependencies(ctx, t.base, t.baseCommitted, read, lintConfig(settings, p))
	if err != nil {
		return err
	}
	head, err := readDependencies(ctx, t.head, t.headCommitted, read, lintConfig(settings, p))
	if err != nil {
		return err
	}
	names, err := dependencies.NewNames()
	if err != nil {
		return err
	}
	change := dependencies.Compare(base, head)
	a := dependencies.Assess(ctx, change, reg, names, policy, dependencies.Options{Transitive: c.Transitive, Cap: c.Cap})
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.write(ctx, p, t, settings, a); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	if c.Format != "sarif" && a.Fails(c.failOn(settings)) {
		return errFindings
	}
	return nil
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
		return a.JSON(p.stdout)
	case "markdown":
		return a.Markdown(p.stdout)
	case "sarif":
		return c.sarif(ctx, p, t, settings, a)
	}
	if err := a.Text(p.stdout); err != nil {
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

// trustedRegistries are the addresses of the settings, by variable. Those of
// the tree itself count as they were before the change: a change that names
// its own registry would be judged by it.
func (p *program) trustedRegistries(t *compared, settings *config.Config) map[string]string {
	if p.configFile == "" {
		if _, none := t.base.(nothing); !none {
			before, err := p.load(t.base, config.Sources{})
			if err != nil {
				return nil // settings that cannot be read name nothing
			}
			settings = before
		}
	}
	return registryAddresses(settings)
}

// reviewedNPMRC is the repository's own .npmrc before the change.
func reviewedNPMRC(base fs.FS) string {
	const most = 64 << 10
	info, err := fs.Stat(base, ".npmrc")
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return "" // none, or none that npm would read
	}
	text, err := fs.ReadFile(base, ".npmrc")
	if err != nil {
		return ""
	}
	return string(text)
}

func registryAddresses(settings *config.Config) map[string]string {
	addresses := map[string]string{}
	for name, address := range settings.Dependencies.Registries {
		switch name {
		case "depsdev":
			addresses[registry.EnvDepsDev] = address
		case "osv":
			addresses[registry.EnvOSV] = address
		default:
			addresses[registry.Environment(dependencies.Ecosystem(name))] = address
		}
	}
	return addresses
}

// registry is the way to ask, with its cache.
func (p *program) registry(f askingFlags, explicit map[string]string, npmrc string) (*registry.Registry, *registry.Addresses, error) {
	cache, err := registryCache(f.CacheDir)
	if err != nil {
		return nil, nil, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // a user without a home has no settings there
	}
	world := registry.World{Env: p.env, Home: home, Run: registry.RunClient, Remember: cache, Now: p.now, NPMRC: npmrc}
	addresses := registry.Discover(world, explicit)
	token, _ := p.env("GITHUB_TOKEN")
	return registry.New(registry.Options{
		Addresses: addresses, Offline: f.Offline, Cache: cache, Now: p.now, Sleep: sleepUnlessDone, GitHubToken: token,
		Agent: "steelyard/" + readBuild().Version + " (dependency check)",
	}), addresses, nil
}

// registryCache is a folder of files; one that cannot be made is said where it
// was asked for, and else done without.
func registryCache(dir string) (registry.Cache, error) {
	if dir == registry.Off {
		return &registry.Memory{}, nil
	}
	asked := dir != ""
	if !asked {
		user, err := os.UserCacheDir()
		if err != nil {
			return &registry.Memory{}, nil
		}
		dir = filepath.Join(user, "steelyard", "registries")
	}
	folder, err := registry.NewFolder(dir)
	if err != nil && asked {
		return nil, fmt.Errorf("--cache-dir: %w", err)
	}
	if err != nil {
		return &registry.Memory{}, nil
	}
	return folder, nil
}

func sleepUnlessDone(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// dependencyPolicy is what the settings decide.
func dependencyPolicy(settings *config.Config, p *program) dependencies.Policy {
	days := func(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }
	t := settings.Dependencies.Thresholds
	policy := dependencies.Policy{
		Thresholds: dependencies.Thresholds{
			Young: days(t.YoungDays), LookalikeAge: days(t.LookalikeDays), LookalikeUse: int64(t.LookalikeDownloads),
			FewDownloads: int64(t.FewDownloads), FewDownloadAge: days(t.FewDownloadsDays),
		},
		Licences: dependencies.LicencePolicy{Allow: settings.Dependencies.Licences},
		Today:    p.now(),
	}
	source := settings.File
	if p.configFile == "" {
		source = config.FileName // findings name paths from the tree's root
	}
	for _, d := range settings.Dependencies.Allow {
		var judgements []dependencies.Judgement
		for _, j := range d.For {
			judgements = append(judgements, dependencies.Judgement(j))
		}
		policy.Decisions = append(policy.Decisions, dependencies.Decision{
			Package: d.Package, For: judgements, Reason: d.Reason, Owner: d.Owner, Until: d.Until, Source: source, Line: d.Line,
		})
	}
	return policy
}

type checkDependency struct {
	askingFlags
	Package string `arg:"" name:"PACKAGE" help:"ECOSYSTEM:NAME or ECOSYSTEM:NAME@VERSION. Ecosystems: npm, pypi, go, cargo, gem, nuget, maven, actions, docker."`
	Format  string `enum:"text,json" default:"text" help:"text or json."`
}

// Help shows how it is used.
func (c *checkDependency) Help() string {
	return `Asks the registry about one name and says what it would be judged as in a manifest. Settings come from steelyard.yaml in the working directory.

    steelyard dependencies check npm:left-pad
    steelyard dependencies check pypi:requests@2.32.3 --format json`
}

func (c *checkDependency) Run(ctx context.Context, p *program) error {
	q, err := dependencies.ParsePackage(c.Package)
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	settings, err := p.settings(c.setting())
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	policy := dependencyPolicy(settings, p)
	if err := policy.Licences.Validate(); err != nil {
		return fmt.Errorf("dependencies.licences.allow: %w", err)
	}
	reg, _, err := p.registry(c.askingFlags, registryAddresses(settings), "")
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	names, err := dependencies.NewNames()
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	v := dependencies.Check(ctx, q, reg, names, policy)
	if c.Format == "json" {
		err = v.JSON(p.stdout)
	} else {
		err = v.Text(p.stdout)
	}
	if err != nil {
		return fmt.Errorf("dependencies check: %w", err)
	}
	if slices.Contains(c.failOn(settings), v.Judgement) {
		return errFindings
	}
	return nil
}
