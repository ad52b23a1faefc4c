package mcp

import (
	"fmt"
	"slices"
	"strings"

	"steelyard/metrics"
)

// pilotReportText says the report in words, the verdict and the primary metric
// whatever the length of the rest.
func pilotReportText(o getPilotReportOut) string {
	pieces := []piece{{text: fmt.Sprintf("%s (%s)", o.Title, o.Pilot)}}
	for _, h := range o.ReadFirst {
		pieces = append(pieces, piece{text: "Read first: " + cut(h, 300)})
	}
	pieces = append(pieces, piece{text: cut(joined(". ", o.Verdict.Word, o.Verdict.Sentence), 500)})
	for i, m := range o.Metrics {
		if i == 0 {
			m.Against = unsaid(m.Against, o)
		}
		pieces = append(pieces, metricPieces(m, i == 0, o.detail)...)
	}
	for i, r := range o.Verdict.Reasons {
		if !strings.HasSuffix(r, o.Verdict.Sentence) { // said above
			pieces = append(pieces, piece{text: "Reason: " + r, rank: min(2+i, 4), what: "reasons"})
		}
	}
	for i, c := range o.Verdict.WouldChange {
		rank := 4
		if i == 0 { // that is what people ask after "cannot say yet"
			rank = 2
		}
		pieces = append(pieces, piece{text: "Would change it: " + c, rank: rank, what: "what else would change the verdict"})
	}
	pieces = append(pieces, piece{text: "Method: " + o.Method + ". Data through " + o.Through + ".", rank: 2, what: "method"})
	for _, f := range o.Facts {
		pieces = append(pieces, piece{text: f, rank: 6, what: "facts"})
	}
	for _, l := range o.LeftOut {
		pieces = append(pieces, piece{text: l, rank: 5, what: "what was left out"})
	}
	var gone []string
	where := "The structured content has it"
	if !o.detail {
		where = "Ask again with metric set to one id"
		for _, id := range o.dropped {
			gone = append(gone, "metric "+id)
		}
		if o.others {
			gone = append(gone, "results of other methods")
		}
	}
	if o.URL != "" {
		pieces = append(pieces, piece{text: "Full report: " + o.URL})
		where += ", or open the full report"
	}
	return compose(pieces, gone, maxText, where+".")
}

// unsaid leaves out what the verdict's own reasons say already.
func unsaid(against []string, o getPilotReportOut) []string {
	return slices.DeleteFunc(slices.Clone(against), func(a string) bool {
		return slices.Contains(o.Verdict.Reasons, a) || strings.HasSuffix(a, o.Verdict.Sentence)
	})
}

// metricPieces are the lines on one metric: its three numbers, and what speaks
// against them where it is the primary one or the one asked for.
func metricPieces(m metricPart, first, detail bool) []piece {
	three := fmt.Sprintf("- %s [%s, %s, %s]: %s %s; %s %s; difference %s", m.Title, m.ID,
		joined(", ", m.Role, m.Measure), betterText(m.Better),
		m.Pilot.Label, m.Pilot.Text, m.Comparison.Label, m.Comparison.Text, m.Difference)
	if m.Words != "" {
		three += " It " + sentence(m.Words)
	}
	if m.Disagree {
		three += " The methods disagree."
	}
	rank := 3
	switch {
	case first:
		rank = 0
	case m.Role == string(metrics.RoleCounter):
		rank = 1
	}
	pieces := []piece{{text: three, rank: rank, what: "metric " + m.ID}}
	if !first {
		return pieces
	}
	for _, a := range m.Against {
		pieces = append(pieces, piece{text: "  Against it: " + a, rank: 4, what: "what speaks against the number"})
	}
	if m.PreTrend.Text != "" {
		pieces = append(pieces, piece{text: "  Before the start: " + sentence(m.PreTrend.Text), rank: 5, what: "pre-trend test"})
	}
	if m.CouldSee != "" {
		pieces = append(pieces, piece{text: "  Could have seen: " + sentence(m.CouldSee), rank: 5, what: "detectable effect"})
	}
	if m.Bend != "" && !slices.ContainsFunc(m.Against, func(a string) bool { return strings.HasSuffix(a, m.Bend) }) {
		pieces = append(pieces, piece{text: "  Trends: " + m.Bend, rank: 5, what: "how far trends may bend"})
	}
	if m.Looks != "" {
		pieces = append(pieces, piece{text: "  While the window runs: " + m.Looks, rank: 4, what: "what may be looked at"})
	}
	if detail {
		pieces = append(pieces, detailPieces(m)...)
	}
	return pieces
}

// detailPieces are the lines only an answer on one metric has.
func detailPieces(m metricPart) []piece {
	var pieces []piece
	for _, e := range m.Others {
		pieces = append(pieces, piece{text: "  " + joined(": ", e.Method, e.String()), rank: 3, what: "other methods"})
	}
	s := m.Sample
	text := fmt.Sprintf("  Rests on %d treated and %d comparison units, %d observations", s.TreatedUnits, s.ComparisonUnits, s.Observations)
	if s.PullRequests > 0 {
		text += fmt.Sprintf(", %d pull requests by %d authors, %d of them not ended when last seen", s.PullRequests, s.Authors, s.Censored)
	}
	pieces = append(pieces, piece{text: text + ".", rank: 2, what: "sample"})
	for _, l := range s.LeftOut {
		pieces = append(pieces, piece{text: "  " + l, rank: 5, what: "what was left out"})
	}
	return pieces
}
