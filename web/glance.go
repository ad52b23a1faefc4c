package web

import (
	"context"
	"fmt"

	"steelyard/lint"
	"steelyard/metrics"
	"steelyard/rules"
	"steelyard/web/chart"
)

// guardView is the guardrails at a glance.
type guardView struct {
	Heading  string
	Scanned  bool // at least one repository
	Glances  []glance
	Findings []lint.StoredFinding
	Total    int
}

// glance is one count with its squares.
type glance struct {
	N, Of   int // Of is 0 where the whole is not known
	Squares string
	Text    string
	Link    string
}

// guard reads what the first page shows of the guardrails.
func (d *dashboard) guard(ctx context.Context) (guardView, error) {
	if d.Findings == nil {
		return guardView{}, nil
	}
	scans, err := d.Findings.Scans(ctx)
	if err != nil {
		return guardView{}, fmt.Errorf("read scans: %w", err)
	}
	if len(scans) == 0 {
		return guardView{}, nil
	}
	page, err := d.Findings.Findings(ctx, lint.FindingFilter{Limit: 8})
	if err != nil {
		return guardView{}, fmt.Errorf("read findings: %w", err)
	}
	pages, err := d.Rules()
	if err != nil {
		return guardView{}, fmt.Errorf("read rules: %w", err)
	}
	v := guardView{Scanned: true, Findings: page.Findings, Total: page.Total}
	sum := sumScans(scans)
	v.Heading = guardHeading(sum, len(scans))
	v.Glances = []glance{
		newGlance("repositories", sum.failing, len(scans), pick(sum.failing, "repository has an error", "repositories have an error"), "/guardrails"),
		newGlance("errors", sum.severity[rules.Error], sum.total, pick(sum.severity[rules.Error], "finding is an error", "findings are errors")+otherSeverities(sum), "/guardrails?severity=error"),
	}
	// The three faults that the first page names, as the rules that find them.
	for _, g := range []struct{ name, one, many string }{
		{"unowned-governed-file", "governed file has no owner; anyone may change what assistants are told", "governed files have no owner; anyone may change what assistants are told"},
		{"mcp-unpinned-server", "MCP server entry is not pinned; its code can change unseen", "MCP server entries are not pinned; their code can change unseen"},
		{"mcp-literal-secret", "secret stands in an MCP configuration", "secrets stand in MCP configurations"},
	} {
		if r, ok := ruleNamed(pages, g.name); ok {
			n, of := sum.rule[r.ID], 0
			if g.name == "unowned-governed-file" {
				of = sum.files
			}
			v.Glances = append(v.Glances, newGlance(g.name, n, of, pick(n, g.one, g.many), "/guardrails?rule="+r.ID))
		}
	}
	return v, d.newGlances(ctx, &v)
}

// newGlances adds the new dependencies that wait for a person, where they are
// watched.
func (d *dashboard) newGlances(ctx context.Context, v *guardView) error {
	if d.Dependencies == nil {
		return nil
	}
	p, err := d.Dependencies.NewDependencies(ctx, lint.DependencyFilter{Today: d.today(), Limit: 1})
	if err != nil {
		return fmt.Errorf("read new dependencies: %w", err)
	}
	n := p.States[lint.StateWaiting] + p.States[lint.StateRefused]
	v.Glances = append(v.Glances, newGlance("dependencies", n, p.Total-p.States[lint.StateGone], pick(n, "new dependency waits for a person", "new dependencies wait for a person"), "/dependencies?state=waiting"))
	return nil
}

// otherSeverities names the findings that are no errors.
func otherSeverities(s scanSums) string {
	var parts []string
	if n := s.severity[rules.Warning]; n > 0 {
		parts = append(parts, some(n, "warning"))
	}
	if n := s.severity[rules.Note]; n > 0 {
		parts = append(parts, some(n, "note"))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; beside them " + list(parts)
}

// ruleNamed finds a rule by its name.
func ruleNamed(pages []rules.Page, name string) (rules.Page, bool) {
	for _, p := range pages {
		if p.Name == name {
			return p, true
		}
	}
	return rules.Page{}, false
}

func newGlance(id string, n, of int, text, link string) glance {
	g := glance{N: n, Of: of, Text: text, Link: link}
	if of > 0 || n > 0 {
		title := fmt.Sprintf("%s of %s", metrics.FormatCount(n), metrics.FormatCount(max(of, n)))
		g.Squares = chart.Squares(chart.Head{ID: "glance-" + id, Title: title, Desc: "One square each; solid squares need a person."}, n, max(of, n))
	}
	return g
}

func pick(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// scanSums adds up the newest scans.
type scanSums struct {
	total, files, failing int
	severity              map[rules.Severity]int
	rule                  map[string]int
}

func sumScans(scans []lint.ScanSummary) scanSums {
	s := scanSums{severity: map[rules.Severity]int{}, rule: map[string]int{}}
	for _, scan := range scans {
		s.files += scan.Files
		if scan.Findings[rules.Error] > 0 {
			s.failing++
		}
		for sev, n := range scan.Findings {
			s.severity[sev] += n
			s.total += n
		}
		for rule, n := range scan.ByRule {
			s.rule[rule] += n
		}
	}
	return s
}

func guardHeading(s scanSums, repositories int) string {
	errors := s.severity[rules.Error]
	switch {
	case s.total == 0:
		return "Nothing needs a person: no finding in " + some(repositories, "repository")
	case errors == 0:
		return "No error; " + some(s.total, "finding") + " to look at when there is time"
	}
	return capital(count(errors)) + pick(errors, " error needs", " errors need") + " a person, in " + count(s.failing) + pick(s.failing, " repository", " repositories")
}
