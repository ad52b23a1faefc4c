package mcp

import (
	"fmt"
	"slices"
	"strings"

	"steelyard/metrics"
)

// shorten leaves parts out, least needed first, until the structured content
// fits its budget, and says which. A number never loses its interval or its
// caveats: where they do not fit, the metric goes as a whole.
func (o *getPilotReportOut) shorten() {
	for _, step := range []func(*getPilotReportOut) string{
		dropOthersOf("other metrics", metrics.RoleSecondary, metrics.RoleCounter),
		dropSampleDetails,
		dropWhy,
		dropOthersOf("the primary metric", metrics.RolePrimary),
		boundLeftOut,
		boundVerdict,
		dropFacts,
	} {
		if size(o) <= maxBytes {
			return
		}
		if what := step(o); what != "" {
			o.Shortened = append(o.Shortened, what)
		}
	}
	o.dropMetrics()
	if size(o) > maxBytes { // hostile lengths
		o.boundStrings()
	}
}

func dropOthersOf(whose string, roles ...metrics.Role) func(*getPilotReportOut) string {
	return func(o *getPilotReportOut) string {
		n := 0
		for i, m := range o.Metrics {
			if o.detail || slices.Contains(roles, metrics.Role(m.Role)) {
				n += len(m.Others)
				o.Metrics[i].Others = []effect{}
			}
		}
		return counted(n, "results of other methods for "+whose)
	}
}

func dropSampleDetails(o *getPilotReportOut) string {
	n := 0
	for i, m := range o.Metrics {
		n += len(m.Sample.LeftOut)
		o.Metrics[i].Sample.LeftOut = []string{}
	}
	return counted(n, "notes on what single metrics leave out")
}

func dropWhy(o *getPilotReportOut) string {
	n := len(o.Why)
	o.Why = []string{}
	return counted(n, "reasons for the method")
}

func boundLeftOut(o *getPilotReportOut) string {
	n := max(0, len(o.LeftOut)-3)
	o.LeftOut = o.LeftOut[:len(o.LeftOut)-n]
	return counted(n, "notes on what the report leaves out")
}

func boundVerdict(o *getPilotReportOut) string {
	reasons := max(0, len(o.Verdict.Reasons)-3)
	changes := max(0, len(o.Verdict.WouldChange)-2)
	o.Verdict.Reasons = o.Verdict.Reasons[:len(o.Verdict.Reasons)-reasons]
	o.Verdict.WouldChange = o.Verdict.WouldChange[:len(o.Verdict.WouldChange)-changes]
	return counted(reasons+changes, "reasons of the verdict")
}

func dropFacts(o *getPilotReportOut) string {
	n := len(o.Facts)
	o.Facts = []string{}
	return counted(n, "facts")
}

// dropMetrics leaves out whole metrics from the end, the secondary ones first,
// never the first.
func (o *getPilotReportOut) dropMetrics() {
	var gone []string
	for size(o) > maxBytes-200 && len(o.Metrics) > 1 { // 200: room to name them
		last := len(o.Metrics) - 1
		for i := last; i > 0; i-- {
			if o.Metrics[i].Role == string(metrics.RoleSecondary) {
				last = i
				break
			}
		}
		gone = append(gone, o.Metrics[last].ID)
		o.Metrics = slices.Delete(o.Metrics, last, last+1)
	}
	if len(gone) > 0 {
		slices.Reverse(gone)
		o.dropped = gone
		o.Shortened = append(o.Shortened, cut("metrics "+strings.Join(gone, ", "), 190))
	}
}

// boundStrings keeps the answer within its budget whatever the texts' length.
func (o *getPilotReportOut) boundStrings() {
	o.Shortened = append(o.Shortened, "the ends of long texts")
	for limit := 300; size(o) > maxBytes && limit > 10; limit /= 2 {
		bound(o, limit)
	}
}

func counted(n int, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%d)", what, n)
}
