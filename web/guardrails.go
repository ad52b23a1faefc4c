package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"steelyard/lint"
	"steelyard/rules"
)

// findingsPerPage bounds one page of findings.
const findingsPerPage = 50

// guardrailsView is the page of findings.
type guardrailsView struct {
	Bold, Rest string
	Rules      []ruleRow
	// Quiet are the rules without a finding: "looked for and not found" is an
	// answer, but one that needs no row each.
	Quiet        []ruleRow
	Repositories []lint.ScanSummary // those of the page
	Scanned      int                // all of them
	RepoPages    pages
	Matrix       *figure // nil where what assistants read is not known
	Trends       bool
	// Files is the address of downloads of the findings below, without its
	// ending.
	FindingsFile func(ext string) string
	Findings     []lint.StoredFinding
	Total        int
	// Filters say what the list below is narrowed to, each with the address
	// that lifts it.
	Filters    []choice
	Prev, Next string
	From, To   int
}

// ruleRow counts one rule's findings.
type ruleRow struct {
	rules.Page
	N     int
	Where []string
	Link  string
	// Trend draws the weekly counts, Before is the count eight weeks ago; ""
	// where they are not known.
	Trend, Before string
}

func (d *dashboard) guardrails(c echo.Context) error {
	if d.Findings == nil {
		return d.render(c, http.StatusOK, noScanPage(d.shell("Guardrails", "/guardrails")))
	}
	ctx := c.Request().Context()
	scans, err := d.Findings.Scans(ctx)
	if err != nil {
		return fmt.Errorf("read scans: %w", err)
	}
	if len(scans) == 0 {
		return d.render(c, http.StatusOK, noScanPage(d.shell("Guardrails", "/guardrails")))
	}
	pages, err := d.Rules()
	if err != nil {
		return fmt.Errorf("read rules: %w", err)
	}
	q, err := readGuardQuery(c)
	if err != nil {
		return err
	}
	found, err := d.Findings.Findings(ctx, lint.FindingFilter{
		Repository: q.Repository, Rule: q.Rule, Severity: rules.Severity(q.Severity),
		Limit: findingsPerPage, Offset: (q.Page - 1) * findingsPerPage,
	})
	if err != nil {
		return fmt.Errorf("read findings: %w", err)
	}
	if q.Page > 1 && len(found.Findings) == 0 {
		return echo.ErrNotFound // the list is not that long
	}
	v := guardrailsView{Scanned: len(scans), Findings: found.Findings, Total: found.Total, Filters: q.filters(), FindingsFile: q.file}
	v.Rules = ruleRows(scans, pages)
	trends, err := d.trends(ctx)
	if err != nil {
		return err
	}
	addTrends(v.Rules, trends)
	v.Trends = len(trends.Ends) > 0
	shown := scans
	if q.Repository != "" {
		shown = slices.DeleteFunc(slices.Clone(scans), func(s lint.ScanSummary) bool { return s.Repository != q.Repository })
	}
	v.RepoPages = pagesOf(q.Repos, matrixPerPage, len(shown), func(n int) string { return q.with(func(g *guardQuery) { g.Repos = n }) })
	if v.RepoPages.From > 0 {
		shown = shown[v.RepoPages.From-1 : v.RepoPages.To]
		v.Repositories = shown
	}
	if d.Overview != nil && len(v.Repositories) > 0 {
		f, err := d.matrixFigure(ctx, v.Repositories, q.Repos)
		if err != nil {
			return err
		}
		if q.Repository != "" {
			f.Base = "" // downloads are of whole pages
		}
		v.Matrix = &f
	}
	first := slices.IndexFunc(v.Rules, func(r ruleRow) bool { return r.N == 0 })
	if first >= 0 {
		v.Rules, v.Quiet = v.Rules[:first], v.Rules[first:]
	}
	sum := sumScans(scans)
	v.Bold = capital(some(sum.total, "finding")) + ","
	v.Rest = some(sum.severity[rules.Error], "error") + " among them, in " + some(len(scans), "repository") + "."
	if sum.total == 0 {
		v.Bold, v.Rest = "No finding", "in "+some(len(scans), "repository")+"."
	}
	v.From = (q.Page-1)*findingsPerPage + 1
	v.To = v.From + len(found.Findings) - 1
	if q.Page > 1 {
		v.Prev = q.with(func(n *guardQuery) { n.Page-- })
	}
	if v.To < found.Total && len(found.Findings) > 0 {
		v.Next = q.with(func(n *guardQuery) { n.Page++ })
	}
	return d.render(c, http.StatusOK, guardrailsPage(d.shell("Guardrails", "/guardrails"), v))
}

// guardQuery is the state of the findings page, all of it in its address.
type guardQuery struct {
	Repository, Rule, Severity string
	Page                       int // of findings
	Repos                      int // page of repositories
}

func readGuardQuery(c echo.Context) (guardQuery, error) {
	q := guardQuery{Repository: c.QueryParam("repository"), Rule: c.QueryParam("rule"), Page: pageParam(c, "page"), Repos: pageParam(c, "repositories")}
	var severities []namedChoice
	for _, s := range []rules.Severity{rules.Error, rules.Warning, rules.Note} {
		severities = append(severities, namedChoice{string(s), string(s)})
	}
	return q, choose(c, filter{"severity", severities, &q.Severity})
}

// pageParam is the number of a page, 1 where the address says nothing else.
func pageParam(c echo.Context, name string) int {
	n, err := strconv.Atoi(c.QueryParam(name))
	if err != nil {
		return 1
	}
	return min(max(n, 1), 1_000_000)
}

// file is the address of a download of the findings.
func (q guardQuery) file(ext string) string {
	q.Page, q.Repos = 1, 1
	if v := q.values(); len(v) > 0 {
		return "/guardrails/findings" + ext + "?" + v.Encode()
	}
	return "/guardrails/findings" + ext
}

func (q guardQuery) String() string {
	v := q.values()
	switch {
	case len(v) == 0:
		return "/guardrails#findings"
	case q.Repos > 1 && q.Page <= 1:
		return "/guardrails?" + v.Encode() + "#matrix"
	}
	return "/guardrails?" + v.Encode() + "#findings"
}

func (q guardQuery) values() url.Values {
	v := url.Values{}
	for k, s := range map[string]string{"repository": q.Repository, "rule": q.Rule, "severity": q.Severity} {
		if s != "" {
			v.Set(k, s)
		}
	}
	if q.Page > 1 {
		v.Set("page", strconv.Itoa(q.Page))
	}
	if q.Repos > 1 {
		v.Set("repositories", strconv.Itoa(q.Repos))
	}
	return v
}

// with is the address after a change.
func (q guardQuery) with(change func(*guardQuery)) string {
	change(&q)
	return q.String()
}

func (q guardQuery) filters() []choice {
	var out []choice
	if q.Repository != "" {
		out = append(out, choice{Title: "repository " + q.Repository, Link: q.with(func(n *guardQuery) { n.Repository, n.Page = "", 1 })})
	}
	if q.Rule != "" {
		out = append(out, choice{Title: "rule " + q.Rule, Link: q.with(func(n *guardQuery) { n.Rule, n.Page = "", 1 })})
	}
	if q.Severity != "" {
		out = append(out, choice{Title: "severity " + q.Severity, Link: q.with(func(n *guardQuery) { n.Severity, n.Page = "", 1 })})
	}
	return out
}

// ruleRows counts findings by rule: worst severity first, then most findings.
// Rules without a finding come last.
func ruleRows(scans []lint.ScanSummary, pages []rules.Page) []ruleRow {
	rows := make([]ruleRow, 0, len(pages))
	at := map[string]int{} // by rule
	add := func(p rules.Page) {
		at[p.ID] = len(rows)
		rows = append(rows, ruleRow{Page: p, Link: guardQuery{Rule: p.ID}.String()})
	}
	for _, p := range pages {
		add(p)
	}
	for _, s := range scans {
		for id, n := range s.ByRule {
			if _, known := at[id]; !known {
				add(rules.Page{ID: id, Title: "Rule of another version"})
			}
			if n > 0 {
				row := &rows[at[id]]
				row.N += n
				row.Where = append(row.Where, s.Repository)
			}
		}
	}
	worst := map[rules.Severity]int{rules.Error: 0, rules.Warning: 1, rules.Note: 2}
	slices.SortFunc(rows, func(a, b ruleRow) int {
		if (a.N > 0) != (b.N > 0) {
			return b2i(b.N > 0) - b2i(a.N > 0)
		}
		if d := worst[a.Severity] - worst[b.Severity]; d != 0 {
			return d
		}
		if a.N != b.N {
			return b.N - a.N
		}
		return strings.Compare(a.ID, b.ID)
	})
	return rows
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// where names up to three repositories, else counts them.
func where(names []string) string {
	if len(names) > 3 {
		return some(len(names), "repository")
	}
	return list(names)
}

// scannedWords is the heading of the repositories.
func scannedWords(n int) string {
	if n == 1 {
		return "One repository, by its newest scan"
	}
	return capital(count(n)) + " repositories, each by its newest scan"
}
