package web

import (
	"context"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v4"

	"steelyard/lint"
	"steelyard/metrics"
	"steelyard/rules"
	"steelyard/web/chart"
)

// homeView is what the first page shows.
type homeView struct {
	Bold, Rest string // the headline
	Cards      []card
	Table      metrics.Table
	Guard      guardView
}

// card is one pilot on the first page.
type card struct {
	metrics.Summary
	Strip, Spark string
	// EffectLabel says what the strip's axis counts, SparkLabel what the line
	// shows, Against who was compared with whom, Started when.
	EffectLabel, SparkLabel, Against, Started string
}

func (d *dashboard) home(c echo.Context) error {
	ctx := c.Request().Context()
	all, err := d.Reports.Summaries(ctx)
	if err != nil {
		return fmt.Errorf("read summaries: %w", err)
	}
	g, err := d.guard(ctx)
	if err != nil {
		return err
	}
	v := homeView{Cards: cards(all), Table: summaryTable(all), Guard: g}
	v.Bold, v.Rest = homeHeadline(all)
	return d.render(c, http.StatusOK, homePage(d.shell("Pilots", "/"), v))
}

// homeFigure serves the numbers of the first page: /figures/pilots.csv.
func (d *dashboard) homeFigure(c echo.Context) error {
	file := c.Param("file")
	ext := path.Ext(file)
	if strings.TrimSuffix(file, ext) != "pilots" {
		return echo.ErrNotFound
	}
	all, err := d.Reports.Summaries(c.Request().Context())
	if err != nil {
		return fmt.Errorf("read summaries: %w", err)
	}
	return sendTable(c, "pilots", ext, summaryTable(all))
}

// homeHeadline counts the verdicts in words.
func homeHeadline(all []metrics.Summary) (bold, rest string) {
	said := []struct {
		value     metrics.VerdictValue
		one, many string
	}{
		{metrics.VerdictImproved, "improved", "improved"},
		{metrics.VerdictImprovedAtACost, "improved at a cost", "improved at a cost"},
		{metrics.VerdictWorsened, "got worse", "got worse"},
		{metrics.VerdictRose, "rose", "rose"},
		{metrics.VerdictFell, "fell", "fell"},
		{metrics.VerdictNoClearChange, "shows no clear change", "show no clear change"},
		{metrics.VerdictCannotSayYet, "cannot be judged yet", "cannot be judged yet"},
		{"", "could not be computed", "could not be computed"},
	}
	var parts []string
	for _, s := range said {
		n := 0
		for _, p := range all {
			v := p.Verdict.Value
			if p.Error != "" {
				v = ""
			}
			if v == s.value {
				n++
			}
		}
		switch {
		case n == 1:
			parts = append(parts, "one "+s.one)
		case n > 1:
			parts = append(parts, count(n)+" "+s.many)
		}
	}
	if len(parts) == 0 {
		return "No pilot yet.", "Steelyard weighs an AI-assistance pilot against teams that went without it; first it needs data."
	}
	if len(all) == 1 {
		return "One pilot:", sentence(strings.TrimPrefix(parts[0], "one "))
	}
	if len(parts) == 1 {
		verdict := strings.TrimPrefix(parts[0], count(len(all))+" ")
		none, every := "None of the "+count(len(all))+" pilots", "All "+count(len(all))+" pilots"
		if len(all) == 2 {
			none, every = "Neither pilot", "Both pilots"
		}
		if all[0].Verdict.Value == metrics.VerdictCannotSayYet && all[0].Error == "" {
			return none, "can be judged yet."
		}
		return every, sentence(verdict)
	}
	bold = "Of " + count(len(all)) + " pilots, " + parts[0]
	return bold + ",", sentence(list(parts[1:]))
}

// cards draws the strips of one unit on one shared axis.
func cards(all []metrics.Summary) []card {
	type axis struct {
		unit   metrics.EffectUnit
		suffix string
	}
	effects := map[axis][]chart.Interval{}
	of := func(s metrics.Summary) axis { return axis{s.Headline.Unit, suffix(s.Headline.Unit, "")} }
	for _, s := range all {
		effects[of(s)] = append(effects[of(s)], interval(s.Headline))
	}
	var out []card
	for i, s := range all {
		k := card{Summary: s}
		if s.Error == "" {
			id := fmt.Sprintf("pilot-%d", i+1)
			span := chart.SharedSpan(unitOf(s.Headline.Unit), suffix(s.Headline.Unit, ""), effects[of(s)])
			k.Strip = chart.Strip(chart.Head{
				ID:    id + "-effect",
				Title: s.Primary + ": " + orNone(s.Headline.EstimateText),
				Desc:  sentence(orNone(s.Headline.Text)),
			}, span, interval(s.Headline), nil, "")
			k.Spark = chart.Spark(chart.Head{
				ID: id + "-gap", Title: "Gap between pilot and comparison, " + s.Primary,
				Desc: "One point a period; the horizontal line is no gap.",
			}, s.Spark)
			k.EffectLabel = s.Primary + ", " + unitWords(s.Headline.Unit) + ", " + strings.Trim(better(s.Better), "←→ ")
			k.SparkLabel = "Gap over time"
			k.Against = against(s.Design, "unit")
			k.Started = started(s.Design)
		}
		out = append(out, k)
	}
	return out
}

// against says who was compared with whom.
func against(d metrics.Design, unit string) string {
	return some(d.TreatedUnits, unit) + " against " + metrics.FormatCount(d.ComparisonUnits)
}

// started says when, for one start or several.
func started(d metrics.Design) string {
	switch n := len(d.Starts); n {
	case 0:
		return ""
	case 1:
		return when(d.Starts[0])
	case 2:
		return when(d.Starts[0]) + " and " + when(d.Starts[1])
	default:
		return when(d.Starts[0]) + " to " + when(d.Starts[n-1]) + ", " + some(n, "start")
	}
}

// summaryTable is the first page's numbers.
func summaryTable(all []metrics.Summary) metrics.Table {
	t := metrics.Table{
		ID: "pilots", Title: "Pilots", Caption: "Each pilot's primary effect with its 95\u202f% interval.",
		Columns: []metrics.Column{
			{Name: "pilot", Title: "Pilot"}, {Name: "verdict", Title: "Verdict"}, {Name: "metric", Title: "Metric"},
			{Name: "unit", Title: "Unit"}, {Name: "estimate", Title: "Estimate", Numeric: true},
			{Name: "low", Title: "Low", Numeric: true}, {Name: "high", Title: "High", Numeric: true},
			{Name: "p", Title: "p", Numeric: true}, {Name: "through", Title: "Data to"},
		},
	}
	text := func(s string) metrics.Cell { return metrics.Cell{Value: s, Text: s} }
	for _, s := range all {
		e := s.Headline
		number := func(x *float64) metrics.Cell {
			if x == nil {
				return metrics.Cell{Text: "–"}
			}
			return metrics.Cell{Value: *x, Text: metrics.FormatEffect(*x, e.Unit, e.SE)}
		}
		p := metrics.Cell{Text: "–"}
		if e.P != nil {
			p = metrics.Cell{Value: *e.P, Text: strings.TrimPrefix(metrics.FormatP(*e.P), "p = ")}
		}
		word := s.Verdict.Word
		if s.Error != "" {
			word = "could not be computed"
		}
		t.Rows = append(t.Rows, []metrics.Cell{
			text(s.ID), text(word), text(s.Primary), text(string(e.Unit)),
			number(e.Estimate), number(e.Low), number(e.High), p, text(s.Through),
		})
	}
	return t
}

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
		newGlance("errors", sum.severity[rules.Error], sum.total, pick(sum.severity[rules.Error], "finding is an error", "findings are errors")+"; "+some(sum.severity[rules.Warning], "warning")+", "+some(sum.severity[rules.Note], "note"), "/guardrails?severity=error"),
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
	return v, nil
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
	return capital(count(errors)) + pick(errors, " error needs", " errors need") + " a person, in " + some(s.failing, "repository")
}
