package lint

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"

	"steelyard/rules"
)

// Result is what a run found.
type Result struct {
	// Findings are sorted by path, line, column and rule; never nil.
	Findings []Finding
	// Suppressed counts the findings that a suppression answered; Answered holds
	// them, sorted as Findings are.
	Suppressed int
	Answered   []Finding
	// Known counts the findings that the caller left out because a baseline or
	// an earlier revision has them already.
	Known int
	// Files counts the governed files; Paths names them, in order.
	Files int
	Paths []string
	// Inventory is what [Config.Observe] saw.
	Inventory Inventory
	// Skipped is what was not looked at and why, in path order; never nil.
	// Ignored and excluded paths are not among it.
	Skipped []Skip
	// Full says that a bound on how many files there are, or how deep, was met, so
	// that the rest of the tree was not looked at.
	Full bool
}

// Skip is a path that a run left out because of a bound or an error.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Run checks a repository against rules. The result is the same, byte for
// byte, for the same tree, rules and configuration. An error means that the
// run itself failed: a bad configuration, a tree that cannot be listed at all,
// a cancelled context.
func Run(ctx context.Context, fsys fs.FS, list []Rule, cfg Config) (Result, error) {
	if err := cfg.Validate(); err != nil {
		return Result{}, fmt.Errorf("read lint configuration: %w", err)
	}
	active, err := activate(list, cfg)
	if err != nil {
		return Result{}, err
	}
	t, err := walk(ctx, fsys, cfg)
	if err != nil {
		return Result{}, err
	}
	t.cache[givenKey{}] = cfg.Given
	var drafts []*draft
	for _, r := range active {
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("run rule %s: %w", r.page.ID, err)
		}
		if r.Check != nil {
			drafts = append(drafts, check(t, r)...)
		}
	}
	drafts, answered := suppress(t, cfg, drafts)
	inventory := observe(t, cfg.Observe)
	return Result{
		Inventory:  inventory,
		Suppressed: len(answered),
		Answered:   finish(answered),
		Findings:   finish(append(drafts, aboutSuppressions(t, active, cfg)...)),
		Files:      len(t.files),
		Paths:      t.names(),
		Skipped:    t.sortedSkips(),
		Full:       t.full,
	}, nil
}

// maxFindings bounds the findings of one rule in one file.
const maxFindings = 500

// check runs one rule.
func check(t *tree, r activeRule) []*draft {
	var drafts []*draft
	perFile := map[string]int{}
	r.Check(&Pass{tree: t, rule: r.page, report: func(d *draft) {
		n := perFile[d.Path]
		perFile[d.Path]++
		switch {
		case n < maxFindings:
			drafts = append(drafts, d)
		case n == maxFindings:
			t.skip(d.Path, "more than %d findings of %s: the rest is not shown", maxFindings, r.page.ID)
		}
	}})
	return drafts
}

// activeRule is a rule that is not switched off, with the severity it has in
// this run.
type activeRule struct {
	Rule
	page rules.Page
}

// activate pairs each rule with its page, in ID order.
func activate(list []Rule, cfg Config) ([]activeRule, error) {
	if _, err := rules.All(); err != nil {
		return nil, fmt.Errorf("load rule pages: %w", err)
	}
	var active []activeRule
	for _, r := range list {
		page, ok := rules.Get(r.ID)
		if !ok {
			return nil, fmt.Errorf("rule %s has no page in package rules", r.ID)
		}
		if page.Severity = cfg.severity(page); page.Severity != Off {
			active = append(active, activeRule{r, page})
		}
	}
	slices.SortFunc(active, func(a, b activeRule) int { return cmp.Compare(a.page.ID, b.page.ID) })
	return active, nil
}

// finish hides secrets, adds source lines and sorts.
func finish(drafts []*draft) []Finding {
	findings := make([]Finding, 0, len(drafts))
	for _, d := range drafts {
		d.Message = d.file.maskText(d.Message)
		for i := range d.Related {
			d.Related[i].Message = d.file.maskText(d.Related[i].Message)
		}
		if !d.whole {
			d.Snippet = d.file.snippet(d.Line)
		}
		findings = append(findings, d.Finding)
	}
	slices.SortStableFunc(findings, Order)
	return slices.CompactFunc(findings, func(a, b Finding) bool {
		return a.Rule == b.Rule && a.String() == b.String()
	})
}

// Order compares findings as [Result.Findings] has them.
func Order(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
}
