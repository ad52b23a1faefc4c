package web

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/lint"
	"steelyard/metrics"
)

// depQuery is the state of the page, all of it in its address.
type depQuery struct {
	Repository, Ecosystem, Judgement, State string
	Page                                    int
}

func readDepQuery(c echo.Context) (depQuery, error) {
	q := depQuery{Repository: c.QueryParam("repository"), Page: pageParam(c, "page")}
	err := choose(c, filter{"state", depStateChoices(), &q.State}, filter{"judgement", judgementChoices(), &q.Judgement}, filter{"ecosystem", ecosystemChoices(), &q.Ecosystem})
	return q, err
}

func depStateChoices() []namedChoice {
	return []namedChoice{{"", "all"}, {"waiting", "waits for a person"}, {"refused", "refused, still there"}, {"allowed", "allowed, not committed"}, {"ok", "nothing to do"}, {"gone", "gone"}}
}

func judgementChoices() []namedChoice {
	return []namedChoice{{"", "all"}, {"block", "block"}, {"ask", "ask"}, {"legal", "legal"}, {"unverified", "unverified"}, {"ok", "ok"}}
}

func ecosystemChoices() []namedChoice {
	return []namedChoice{{"", "all"}, {"npm", "npm"}, {"pypi", "PyPI"}, {"go", "Go"}, {"cargo", "crates.io"}, {"gem", "RubyGems"}, {"nuget", "NuGet"}, {"maven", "Maven"}, {"actions", "GitHub Actions"}, {"docker", "container images"}}
}

func (q depQuery) on(address string) string {
	return pageAddress(address, q.Page, map[string]string{"repository": q.Repository, "ecosystem": q.Ecosystem, "judgement": q.Judgement, "state": q.State})
}

func (q depQuery) filter(today time.Time) lint.DependencyFilter {
	return lint.DependencyFilter{Repository: q.Repository, Ecosystem: q.Ecosystem, Judgement: q.Judgement, State: lint.DependencyState(q.State), Today: today}
}

// depsView is the page of new dependencies.
type depsView struct {
	Bold, Rest string
	Query      depQuery
	Rows       []lint.StoredDependency
	Watched    int
	Since      time.Time // the first scan of all
	Pages      pages
	MayDecide  bool
	Now        time.Time
}

func (d *dashboard) dependencies(c echo.Context) error {
	q, err := readDepQuery(c)
	if err != nil {
		return err
	}
	v := depsView{Query: q, MayDecide: d.Decisions != nil, Now: d.today()}
	shell := d.shell("Dependencies", "/dependencies")
	if d.Dependencies == nil {
		return d.render(c, http.StatusOK, dependenciesPage(shell, v))
	}
	ctx := c.Request().Context()
	watched, err := d.Dependencies.DependencyScans(ctx)
	if err != nil {
		return fmt.Errorf("read watched dependencies: %w", err)
	}
	v.Watched = len(watched)
	for _, w := range watched {
		if v.Since.IsZero() || w.Since.Before(v.Since) {
			v.Since = w.Since
		}
	}
	f := v.Query.filter(v.Now)
	f.Limit, f.Offset = listPerPage, (v.Query.Page-1)*listPerPage
	page, err := d.Dependencies.NewDependencies(ctx, f)
	if err != nil {
		return fmt.Errorf("read new dependencies: %w", err)
	}
	all, err := d.Dependencies.NewDependencies(ctx, lint.DependencyFilter{Today: v.Now, Limit: 1})
	if err != nil {
		return fmt.Errorf("read new dependencies: %w", err)
	}
	if v.Query.Page > 1 && len(page.Dependencies) == 0 {
		return echo.ErrNotFound // the list is not that long
	}
	v.Rows = page.Dependencies
	v.Pages = pagesOf(v.Query.Page, listPerPage, page.Total, func(n int) string {
		q := v.Query
		q.Page = n
		return q.on("/dependencies")
	})
	v.Bold, v.Rest = depHeadline(all)
	return d.render(c, http.StatusOK, dependenciesPage(shell, v))
}

// depHeadline says how many wait.
func depHeadline(p lint.DependencyPage) (bold, rest string) {
	if p.Total == 0 {
		return "No dependency is new", "since each repository’s first scan."
	}
	waiting, refused := p.States[lint.StateWaiting], p.States[lint.StateRefused]
	bold = capital(waitWords(waiting)) + " for a person"
	if waiting == 0 {
		bold = "None waits for a person"
	}
	rest = "among " + some(p.Total, "new dependency") + "."
	if refused > 0 {
		rest = "among " + some(p.Total, "new dependency") + "; " + count(refused) + pick(refused, " was refused and is still there.", " were refused and are still there.")
	}
	return bold, rest
}

// stateWords says what is left to do.
func stateWords(s lint.StoredDependency) string {
	switch s.State {
	case lint.StateWaiting:
		if s.Decision != nil {
			return "waits again: the decision is over, or does not answer this"
		}
		return "waits for a person"
	case lint.StateRefused:
		return "refused, and still there"
	case lint.StateAllowed:
		return "allowed, not committed yet"
	case lint.StateGone:
		return "gone since " + metrics.FormatDate(s.Gone)
	}
	if s.Committed != nil {
		return "allowed by the repository’s settings"
	}
	return "nothing to do"
}

// needsPerson reports whether a row is set in bold.
func needsPerson(s lint.DependencyState) bool {
	return s == lint.StateWaiting || s == lint.StateRefused
}

// firstPublished is a package's age in words.
func firstPublished(s lint.StoredDependency, now time.Time) string {
	switch {
	case s.Published.IsZero():
		return "not known"
	case now.IsZero():
		return metrics.FormatDate(s.Published)
	}
	days := int(now.Sub(s.Published) / (24 * time.Hour))
	if days < 60 {
		return some(max(days, 0), "day")
	}
	if days < 730 {
		return some(days*12/365, "month")
	}
	return some(days*100/36525, "year")
}

// monthlyUse is how often a package is downloaded, in words.
func monthlyUse(n *int64) string {
	switch {
	case n == nil:
		return "not known"
	case *n >= 1_000_000:
		return metrics.FormatCount(int(*n/1_000_000)) + " million a month"
	}
	return metrics.FormatCount(int(*n)) + " a month"
}

// licenceWords are a package's licences in the registry's words.
func licenceWords(s lint.StoredDependency) string {
	switch {
	case len(s.Licences) > 0:
		return strings.Join(s.Licences, ", ")
	case s.LicenceKnown:
		return "none"
	}
	return "not known"
}

// asWritten is a dependency's name as the manifest has it, with what it stands
// for.
func asWritten(s lint.StoredDependency) string {
	if s.ResolvedName != "" {
		return s.Name + " (really " + s.ResolvedName + ")"
	}
	return s.Name
}

// committedWords says what a repository's own settings decided.
func committedWords(d *lint.CommittedDecision) string {
	if d == nil {
		return "–"
	}
	text := "approved"
	if d.Owner != "" {
		text += " by " + d.Owner
	}
	if d.Until != "" {
		text += " until " + when(d.Until)
	}
	return text + ": " + d.Reason
}

// decidedWords says who decided what, and for how long.
func decidedWords(d lint.Decision) string {
	text := string(d.Verdict) + " by " + d.Owner
	if !d.Until.IsZero() {
		text += " until " + metrics.FormatDate(d.Until)
	}
	return text + ": " + d.Reason
}

func place(path string, line int) string { return fmt.Sprintf("%s:%d", path, line) }

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func moving(version string) string {
	if version == "" {
		return "no version"
	}
	return "moves: " + version
}

// dependenciesFile serves the table as a file, filtered like the page.
func (d *dashboard) dependenciesFile(ext string) echo.HandlerFunc {
	return func(c echo.Context) error {
		if d.Dependencies == nil {
			return echo.ErrNotFound
		}
		q, err := readDepQuery(c)
		if err != nil {
			return err
		}
		ctx, from := c.Request().Context(), 0
		return d.sendLong(c, "dependencies", ext, dependenciesTable(), func() (rows [][]metrics.Cell, more bool, err error) {
			f := q.filter(d.today())
			f.Limit, f.Offset = storeStep, from
			page, err := d.Dependencies.NewDependencies(ctx, f)
			if err != nil {
				return nil, false, fmt.Errorf("read new dependencies: %w", err)
			}
			for _, s := range page.Dependencies {
				rows = append(rows, dependencyCells(s))
			}
			from += storeStep
			return rows, from < page.Total, nil
		})
	}
}

// dependenciesTable is the list as numbers, without its rows.
func dependenciesTable() metrics.Table {
	return metrics.Table{
		ID: "dependencies", Title: "New dependencies", Caption: "Those that wait for a person first.",
		Columns: []metrics.Column{
			{Name: "repository", Title: "Repository"},
			{Name: "package", Title: "Package"},
			{Name: "version", Title: "Version"},
			{Name: "path", Title: "Path"},
			{Name: "line", Title: "Line", Numeric: true},
			{Name: "source", Title: "Source"},
			{Name: "state", Title: "State"},
			{Name: "judgement", Title: "Judgement"},
			{Name: "evidence", Title: "Evidence"},
			{Name: "published", Title: "First published"},
			{Name: "downloads", Title: "Downloads a month", Numeric: true},
			{Name: "licence", Title: "Licence"},
			{Name: "decided_by", Title: "Decided by"},
			{Name: "since", Title: "New since"},
		},
	}
}

func dependencyCells(s lint.StoredDependency) []metrics.Cell {
	published, uses, decided := "", metrics.Cell{Text: "–"}, ""
	if !s.Published.IsZero() {
		published = machine(s.Published)
	}
	if s.Downloads != nil {
		uses = countCell(int(*s.Downloads))
	}
	if s.Decision != nil {
		decided = s.Decision.Owner
	} else if s.Committed != nil {
		decided = s.Committed.Owner
	}
	return []metrics.Cell{
		wordCell(s.Repository), wordCell(s.Subject), wordCell(s.Version), wordCell(s.Path), countCell(s.Line), wordCell(s.Source), wordCell(string(s.State)), wordCell(s.Judgement),
		wordCell(strings.Join(s.Evidence, "; ")), wordCell(published), uses, wordCell(licenceWords(s)), wordCell(decided), wordCell(machine(s.Since)),
	}
}
