package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"steelyard/lint"
	"steelyard/metrics"
	"steelyard/rules"
	"steelyard/web/chart"
)

// trendOf are the weekly counts of a rule, nil where none are known.
func trendOf(t lint.Trends, rule string) []int {
	i := slices.IndexFunc(t.Rules, func(r lint.RuleTrend) bool { return r.Rule == rule })
	if i < 0 {
		return make([]int, len(t.Ends))
	}
	return t.Rules[i].Counts
}

// eightWeeks is how far back the column beside the trend looks.
const eightWeeks = 8

// addTrends draws the trend of each row, all on one scale.
func addTrends(rows []ruleRow, t lint.Trends) {
	unknown := unscanned(t)
	if unknown == len(t.Ends) {
		return
	}
	most := 0
	for _, r := range rows {
		most = max(most, slices.Max(trendOf(t, r.ID)))
	}
	for i := range rows {
		counts := trendOf(t, rows[i].ID)
		if before := len(counts) - 1 - eightWeeks; before >= unknown {
			rows[i].Before = metrics.FormatCount(counts[before])
		}
		if rows[i].N == 0 {
			continue // has no row of its own
		}
		rows[i].Trend = chart.Steps(chart.Head{
			ID: "trend-" + rows[i].ID, Title: fmt.Sprintf("%s: from %d to %d findings in %d weeks", rows[i].ID, counts[unknown], counts[len(counts)-1], len(counts)-unknown),
			Desc: "Weekly counts over all repositories scanned by then; " + trendList(counts, unknown),
		}, counts, unknown, most)
	}
}

// unscanned is how many of the first weeks nothing is known of: no repository
// had been scanned, which is not the same as no finding.
func unscanned(t lint.Trends) int {
	i := slices.IndexFunc(t.Repositories, func(n int) bool { return n > 0 })
	if i < 0 {
		return len(t.Ends)
	}
	return i
}

func trendList(counts []int, unknown int) string {
	words := make([]string, len(counts))
	for i, n := range counts {
		words[i] = strconv.Itoa(n)
		if i < unknown {
			words[i] = "–"
		}
	}
	return strings.Join(words, ", ") + "."
}

func rulesTable(rows []ruleRow, t lint.Trends) metrics.Table {
	table := metrics.Table{
		ID: "rules", Title: "Findings by rule", Caption: "The newest scan of each repository, and the weekly counts of the last half year, the oldest first.",
		Columns: []metrics.Column{
			{Name: "rule", Title: "Rule"},
			{Name: "name", Title: "Name"},
			{Name: "severity", Title: "Severity"},
			{Name: "findings", Title: "Findings", Numeric: true},
			{Name: "repositories", Title: "Repositories", Numeric: true},
			{Name: "weeks", Title: "Weekly counts"},
		},
	}
	for _, r := range rows {
		weeks := ""
		if len(t.Ends) > 0 {
			weeks = strings.TrimSuffix(trendList(trendOf(t, r.ID), unscanned(t)), ".")
		}
		table.Rows = append(table.Rows, []metrics.Cell{
			wordCell(r.ID), wordCell(r.Name), wordCell(string(r.Severity)), countCell(r.N), countCell(len(r.Where)), wordCell(weeks),
		})
	}
	return table
}

func repositoriesTable(scans []lint.ScanSummary) metrics.Table {
	t := metrics.Table{
		ID: "repositories", Title: "Findings by repository", Caption: "The newest scan of each.",
		Columns: []metrics.Column{
			{Name: "repository", Title: "Repository"},
			{Name: "commit", Title: "Commit"},
			{Name: "files", Title: "Governed files", Numeric: true},
			{Name: "errors", Title: "Errors", Numeric: true},
			{Name: "warnings", Title: "Warnings", Numeric: true},
			{Name: "notes", Title: "Notes", Numeric: true},
			{Name: "scanned", Title: "Scanned"},
		},
	}
	for _, s := range scans {
		t.Rows = append(t.Rows, []metrics.Cell{
			wordCell(s.Repository), wordCell(s.Commit), countCell(s.Files), countCell(s.Findings[rules.Error]), countCell(s.Findings[rules.Warning]), countCell(s.Findings[rules.Note]), wordCell(machine(s.At)),
		})
	}
	return t
}

// storeStep is how many rows of a long file are read at a time.
const storeStep = 500

// sendFindings sends all findings that a query selects, the worst first.
func (d *dashboard) sendFindings(c echo.Context, ext string, q guardQuery) error {
	t := metrics.Table{
		ID: "findings", Title: "Findings", Caption: "Worst first.",
		Columns: []metrics.Column{
			{Name: "repository", Title: "Repository"},
			{Name: "rule", Title: "Rule"},
			{Name: "severity", Title: "Severity"},
			{Name: "path", Title: "Path"},
			{Name: "line", Title: "Line", Numeric: true},
			{Name: "message", Title: "Message"},
		},
	}
	ctx, from := c.Request().Context(), 0
	return d.sendLong(c, "guardrails-"+t.ID, ext, t, func() (rows [][]metrics.Cell, more bool, err error) {
		page, err := d.Findings.Findings(ctx, lint.FindingFilter{Repository: q.Repository, Rule: q.Rule, Severity: rules.Severity(q.Severity), Limit: storeStep, Offset: from})
		if err != nil {
			return nil, false, fmt.Errorf("read findings: %w", err)
		}
		for _, f := range page.Findings {
			rows = append(rows, []metrics.Cell{
				wordCell(f.Repository), wordCell(f.Rule), wordCell(string(f.Severity)), wordCell(f.Path), countCell(f.Line), wordCell(f.Message),
			})
		}
		from += storeStep
		return rows, from < page.Total, nil
	})
}

// pages says which part of a list stands on a page, with the addresses of its
// neighbours.
type pages struct {
	From, To, Total int // 1-based; From 0 where there is nothing
	Prev, Next      string
}

// pageAddress is the address of page n of a list with its filters; those that
// are empty are left out, as is the first page's number.
func pageAddress(path string, n int, filters map[string]string) string {
	v := url.Values{}
	for name, value := range filters {
		if value != "" {
			v.Set(name, value)
		}
	}
	if n > 1 {
		v.Set("page", strconv.Itoa(n))
	}
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// pagesOf is page n of a list of total entries; at is the address of a page.
func pagesOf(n, size, total int, at func(int) string) pages {
	p := pages{Total: total}
	if total == 0 || (n-1)*size >= total {
		return p
	}
	p.From, p.To = (n-1)*size+1, min(n*size, total)
	if n > 1 {
		p.Prev = at(n - 1)
	}
	if p.To < total {
		p.Next = at(n + 1)
	}
	return p
}
