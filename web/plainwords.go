package web

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"steelyard/metrics"
)

// plainWords says what a headline's interval and p-value mean, without the
// words of statistics. There are none while the declared window runs, when a
// p-value means less, nor where the methods disagree.
func plainWords(m *metrics.MetricReport) []string {
	h := m.Headline
	if m.Disagree || m.Looks != nil || h.Estimate == nil {
		return nil
	}
	var out []string
	if h.Low != nil && h.High != nil {
		among := "no change at all is among it"
		if h.ExcludesNoChange() {
			among = "no change at all is not among it"
		}
		out = append(out, fmt.Sprintf("Anything from %s to %s would fit this data; %s.",
			metrics.FormatEffect(*h.Low, h.Unit, h.SE), metrics.FormatEffect(*h.High, h.Unit, h.SE), among))
	}
	if h.P != nil {
		out = append(out, "If nothing had changed, a difference this large or larger would still come up by chance in a share of "+oftenWords(*h.P)+" of all such comparisons.")
	}
	return out
}

// oftenWords is a probability as the report writes it, as a share.
func oftenWords(p float64) string {
	text := metrics.FormatP(p)
	if share, ok := strings.CutPrefix(text, "p < "); ok {
		return "less than " + share
	}
	return strings.TrimPrefix(text, "p = ")
}

// maxNamed bounds the units that the column beside the reasons names.
const maxNamed = 12

// sideFacts name the teams of both sides, of those that are large enough to
// stand alone. A report counts them; which they are, its definition knows.
func (d *dashboard) sideFacts(ctx context.Context, p metrics.Pilot) ([]fact, error) {
	if d.Editor == nil || p.Level != metrics.LevelPullRequests {
		return nil, nil
	}
	large, err := d.Editor.Teams(ctx)
	if err != nil {
		return nil, fmt.Errorf("list teams: %w", err)
	}
	var treated, compared []string
	for _, a := range p.Treated {
		treated = append(treated, a.Unit)
	}
	names := p.Comparison
	every := len(names) == 0
	if every {
		names = large
	}
	for _, n := range names {
		if !slices.Contains(treated, n) {
			compared = append(compared, n)
		}
	}
	text := named(compared, large)
	if every {
		text = "every other team: " + text
	}
	return []fact{{Term: "With the assistant", Texts: []string{named(treated, large)}}, {Term: "Compared with", Texts: []string{text}}}, nil
}

// named lists those of names that may stand alone and counts the rest.
func named(names, large []string) string {
	var shown []string
	for _, n := range names {
		if slices.Contains(large, n) && len(shown) < maxNamed {
			shown = append(shown, n)
		}
	}
	slices.Sort(shown)
	if rest := len(names) - len(shown); rest > 0 && len(shown) == 0 {
		return some(rest, "team")
	} else if rest > 0 {
		shown = append(shown, some(rest, "other"))
	}
	return list(shown)
}
