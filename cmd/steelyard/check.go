package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"steelyard/internal/actions"
	"steelyard/internal/config"
	"steelyard/internal/gittree"
	"steelyard/internal/treediff"
	"steelyard/lint"
	"steelyard/lint/change"
	"steelyard/lint/change/tests"
	"steelyard/lint/families"
	"steelyard/lint/instructions"
	"steelyard/lint/output"
)

type checkCommand struct {
	Base     string   `placeholder:"REV|DIR" help:"What the change starts from: a folder, or a revision, which means the last commit that it has in common with the change. Default: in CI what the event says; else the default branch of origin, or what the branch that is checked out was made from."`
	Head     string   `placeholder:"REV|DIR" help:"The change: a folder or a revision. Default: in CI the commit that is checked out, else the working directory."`
	FailOn   string   `placeholder:"SEVERITY" help:"Least severity that makes the exit code 1: note, warning, error or never. Also $$STEELYARD_LINT_FAIL_ON or lint.fail_on in steelyard.yaml; error otherwise."`
	Output   []string `sep:"none" placeholder:"FORMAT[:FILE]" help:"Write the result as text, json, sarif, github (annotations), summary (job summary), markdown (comment), junit or rdjson, into a file or to standard output; may be repeated. Default: text, in GitHub Actions annotations and the job summary as well."`
	Comment  string   `enum:"never,on-failure,always" default:"never" help:"Keep one comment on the pull request up to date: never, on-failure (begun only where the check fails) or always. Where the token may not, standard error says so and the job summary has the report."`
	Offline  bool     `help:"Ask neither a package registry nor GitHub."`
	CacheDir string   `placeholder:"DIR" help:"Folder for the answers of registries, instead of one below the user's cache folder; off keeps none."`
	Cap      int      `placeholder:"N" default:"300" help:"Most new dependencies to ask about; what is left out is said."`
}

// Help shows how it is used.
func (c *checkCommand) Help() string {
	return `Looks at what a change brings: findings of the lint that were not there before, wherever they stand (a lockfile that goes can break an instruction elsewhere), new dependencies, weakened tests, and the rules of the pull request that policy in steelyard.yaml sets. One run, one result, one exit code.

In GitHub Actions and GitLab CI it reads the event; a token in GITHUB_TOKEN lets it read reviews. Without one it does all that files can tell, and says what it left out. Nothing of the repository is executed.

    steelyard check
    steelyard check --base origin/main --fail-on warning
    steelyard check --output text --output sarif:steelyard.sarif
    steelyard check --base before --head after --offline`
}

func (c *checkCommand) Run(ctx context.Context, p *program) error {
	if c.Cap < 1 {
		return errors.New("--cap must be 1 or more")
	}
	if c.Offline && c.Comment != commentNever {
		return errors.New("--comment asks GitHub, and --offline asks nobody: choose one")
	}
	run, unread := actions.Read(p.env)
	if unread != nil && c.Base == "" {
		return fmt.Errorf("check: %w", eventHint(unread))
	}
	s, err := c.openSpan(ctx, run)
	if err != nil {
		return fmt.Errorf("check: %w", partialHint(err))
	}
	if unread != nil && !errors.Is(unread, actions.ErrUnknownEvent) {
		s.say("what the event says of the pull request: %v", unread)
	}
	err = c.check(ctx, p, s, run)
	if closing := s.close(); err == nil {
		err = closing
	}
	if err != nil && !errors.Is(err, errFindings) {
		return fmt.Errorf("check: %w", partialHint(err))
	}
	return err
}

// partialHint says how to get the files that a partial clone left out.
func partialHint(err error) error {
	if !errors.Is(err, gittree.ErrPartial) {
		return err
	}
	return &failure{err: err, hints: []string{
		"fetch it: git fetch --no-tags --refetch --no-filter origin",
		"in a workflow, give actions/checkout neither filter nor sparse-checkout",
	}}
}

// eventHint says what to do about an event that is not understood.
func eventHint(err error) error {
	if errors.Is(err, actions.ErrUnknownEvent) {
		return &failure{err: err, hints: []string{
			"the events pull_request, pull_request_target, pull_request_review, merge_group, push and workflow_dispatch say what a change starts from",
			"for another, name what the change starts from (--base REV; base: in the action), or look at everything (steelyard lint; command: lint in the action)",
		}}
	}
	return withHint(err, "GITHUB_EVENT_PATH must name the file that GitHub wrote for this run, unchanged; without one, name what the change starts from: --base REV")
}

// check runs everything over a change and writes the result.
func (c *checkCommand) check(ctx context.Context, p *program, s *span, run *actions.Run) error {
	targets, err := c.targets(run)
	if err != nil {
		return err
	}
	flag := config.Flag{Key: config.KeyLintFailOn, Name: "--fail-on", Value: c.FailOn}
	settings, err := p.treeSettings(s.head, s.dir, flag)
	if err != nil {
		return err
	}
	if err := p.heldTo(ctx, &s.compared, settings, flag); err != nil {
		return err
	}
	pull, err := c.findOut(ctx, p, s, run, settings)
	if err != nil {
		return err
	}
	cfg := lintConfig(settings, p)
	cfg.Committed = s.headCommitted || !inWorkingTree(s.dir)
	if r, ok := remote(s.dir); ok {
		cfg.Given = append(cfg.Given, r)
	}
	result, err := s.lint(ctx, cfg, s.given...)
	if err != nil {
		return err
	}
	if pull != nil {
		s.says = append(s.says, pull.LeftOut()...)
	}
	check := s.checked(run, result, settings.Lint.FailOn)
	o, err := p.outputOptions(s, run)
	if err != nil {
		return err
	}
	if err := write(p, run, targets, check, o); err != nil {
		return err
	}
	summarised := run != nil && slices.Contains(targets, output.Target{Format: "summary", File: run.SummaryFile})
	if err := p.comment(ctx, c.Comment, run, check, o, summarised); err != nil {
		return err
	}
	if check.Fails() {
		return errFindings
	}
	return nil
}

// findOut gathers what the rules about a change are given: which tests it
// weakens, what it brings in, and the pull request that it is.
func (c *checkCommand) findOut(ctx context.Context, p *program, s *span, run *actions.Run, settings *config.Config) (*change.Change, error) {
	changes, err := s.changes(ctx)
	if err != nil {
		return nil, fmt.Errorf("compare files: %w", err)
	}
	if err := s.findOwners(ctx); err != nil {
		return nil, err
	}
	s.unread(changes)
	s.takesCommands = slices.ContainsFunc(changes, takesCommands)
	asking := compareDependencies{askingFlags: askingFlags{Offline: c.Offline, CacheDir: c.CacheDir}, Cap: c.Cap}
	assessed, err := asking.assess(ctx, p, &s.compared, settings)
	if err != nil {
		return nil, err
	}
	pull, err := c.pullRequest(ctx, p, s, run, settings, changes)
	if err != nil {
		return nil, err
	}
	s.given = append(s.given, assessed, tests.Findings(tests.Compare(testFiles(changes))))
	if pull != nil {
		s.given = append(s.given, pull)
	}
	return pull, nil
}

// takesCommands reports whether a change takes away a file that says which
// commands there are.
func takesCommands(c treediff.Change) bool {
	return c.Deleted && instructions.NamesCommands(c.Path) || c.OldPath != "" && instructions.NamesCommands(c.OldPath)
}

// testFiles are the changed files as the rules about tests take them: what was a
// test before comes first, then the small files, so that a change which is too
// large for these rules cannot crowd out what they are about.
func testFiles(changes []treediff.Change) []tests.File {
	var files []tests.File
	for _, c := range changes {
		if c.Unread == "" {
			files = append(files, tests.File{Path: c.Path, OldPath: c.OldPath, Old: c.Old, New: c.New})
		}
	}
	later := func(f tests.File) int {
		if f.OldPath != "" && change.KindOf(f.OldPath, nil, nil) == change.Test {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(files, func(a, b tests.File) int {
		return cmp.Or(cmp.Compare(later(a), later(b)), cmp.Compare(len(a.Old)+len(a.New), len(b.Old)+len(b.New)))
	})
	return files
}

// unread says which changed files were not read.
func (s *span) unread(changes []treediff.Change) {
	const most = 5
	n := 0
	for _, c := range changes {
		if c.Unread == "" {
			continue
		}
		if n++; n <= most {
			s.say("%s was not compared line by line: %s", c.Path, c.Unread)
		}
	}
	if n > most {
		s.say("%s more were not compared line by line", counted(n-most, "files"))
	}
}

// lint runs every rule over the head, given what was found out about the
// change, and leaves out what the base has already.
func (s *span) lint(ctx context.Context, cfg lint.Config, given ...any) (lint.Result, error) {
	base := cfg
	cfg.Given = slices.Concat(cfg.Given, given, s.above.head)
	base.Given, base.Suppressions = slices.Concat(base.Given, s.above.base), beforehand(base.Suppressions)
	result, err := s.lintHead(ctx, cfg)
	if err != nil || !result.Full && len(result.Findings)+len(result.Answered) == 0 {
		return result, err
	}
	base.Committed = s.baseCommitted || base.Committed
	before, err := lint.Run(ctx, s.base, families.All(), base)
	if err != nil {
		return result, fmt.Errorf("lint the base: %w", err)
	}
	if result.Full && !before.Full {
		return result, withHint(errors.New("the change makes the tree larger than can be looked at, and could hide anything in the rest"), "%s", fullHint(result))
	}
	s.leaveOld(before, &result)
	return result, nil
}

// fullHint says which bound a tree has met.
func fullHint(result lint.Result) string {
	for _, s := range result.Skipped {
		if strings.HasSuffix(s.Reason, "the rest was not looked at") {
			return s.Path + ": " + s.Reason
		}
	}
	return "bring it in parts"
}

// beforehand are the suppressions that counted before the change.
func beforehand(list []lint.ConfigSuppression) []lint.ConfigSuppression {
	return slices.DeleteFunc(slices.Clone(list), func(s lint.ConfigSuppression) bool { return s.Held })
}

// lintHead runs every rule over the head. Where the change takes commands away,
// the base stands by for the question which there were.
func (s *span) lintHead(ctx context.Context, cfg lint.Config) (result lint.Result, err error) {
	if !s.takesCommands {
		return lint.Run(ctx, s.head, families.All(), cfg)
	}
	base := lint.Config{Exclude: cfg.Exclude, Committed: s.baseCommitted || cfg.Committed, Today: cfg.Today}
	err = lint.Inspect(ctx, s.base, base, func(before *lint.Pass) error {
		cfg.Given = append(cfg.Given, instructions.Before{Pass: before})
		result, err = lint.Run(ctx, s.head, families.All(), cfg)
		return err
	})
	return result, err
}
