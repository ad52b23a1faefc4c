package metrics

import (
	"regexp"
	"slices"
	"strings"

	"steelyard/metrics/did"
)

// choice is what the design of an outcome makes of every method; it is empty
// where there is nothing to choose for.
type choice struct {
	design  did.Design
	methods []did.MethodChoice
}

// newChoice reads the design off a panel of the outcome. complete fills in what
// a panel does not say.
func newChoice(p did.Panel, complete func(*did.Design)) choice {
	design, err := did.DesignOf(p)
	if err != nil {
		return choice{}
	}
	design.Level = level
	complete(&design)
	methods, err := did.Choose(design)
	if err != nil {
		return choice{}
	}
	return choice{design, methods}
}

// headline is the method that speaks, "" where none does.
func (c choice) headline() string {
	if len(c.methods) > 0 && c.methods[0].Role == did.Headline {
		return c.methods[0].Method
	}
	return ""
}

func (c choice) of(method string) did.MethodChoice {
	for _, m := range c.methods {
		if m.Method == method {
			return m
		}
	}
	return did.MethodChoice{Method: method}
}

// shows reports whether a method is shown: as the headline or beside it. Without
// a choice nothing is held back.
func (c choice) shows(method string) bool {
	role := c.of(method).Role
	return len(c.methods) == 0 || role == did.Headline || role == did.Beside
}

// kind names the shape of a design with one start by what speaks in it.
func (c choice) kind(of DesignKind) DesignKind {
	if of != DesignStaggered && (c.headline() == "two-by-two" || c.headline() == "poisson") {
		return DesignSeveralTreated
	}
	return of
}

// panelOf lays units and periods out for the estimators: periods numbered from 0
// without gaps, as if the others did not exist, and every value that there is.
// Units without one are left out; rows counts those kept, by unit.
func (f *frame) panelOf(units, periods []int, value func(u, t int) (float64, bool)) (p did.Panel, kept []int) {
	for _, u := range slices.Sorted(slices.Values(units)) {
		before := len(p.Y)
		for i, t := range periods {
			if y, ok := value(u, t); ok {
				p.Unit, p.Time, p.Y = append(p.Unit, len(p.First)), append(p.Time, i), append(p.Y, y)
			}
		}
		if len(p.Y) == before {
			continue
		}
		kept = append(kept, u)
		first := did.Never
		if start := f.units[u].first; start != Never {
			if i, _ := slices.BinarySearch(periods, start); i < len(periods) {
				first = i
			}
		}
		p.First = append(p.First, first)
	}
	return p, kept
}

// choose is the choice for an outcome with one start.
func (c *comparison) choose() choice {
	panel, _ := c.f.panelOf(slices.Concat(c.treated, c.others), slices.Concat(c.before, c.after), func(u, t int) (float64, bool) { return c.sideAt([]int{u}, t) })
	return newChoice(panel, func(d *did.Design) {
		if r, ok := c.spread(); ok { // units may miss periods
			d.SpreadRatio = r
			d.UnitSpread = did.UnitSpread(c.eachBefore(c.treated), c.eachBefore(c.others))
		}
		if c.d.counts != nil {
			newCountComparison(c.f, c.d).describe(d)
		}
	})
}

// choose is the choice for counts with one start.
func (c *countComparison) choose() choice {
	panel, _ := c.f.panelOf(slices.Concat(c.f.treated, c.f.comparison), slices.Concat(c.d.over(c.f.before), c.d.over(c.f.after)), c.d.series.point)
	return newChoice(panel, c.describe)
}

// describe says what counts are made of.
func (c *countComparison) describe(d *did.Design) {
	t := c.table
	d.Outcome, d.Events = did.Counted, min(t.TreatedAfter, t.TreatedBefore, t.ComparisonAfter, t.ComparisonBefore)
	if times, beyond := c.dispersion(); beyond {
		d.Clumped = times
	}
}

// methodTitles name the methods of package did for people.
var methodTitles = map[string]string{
	"two-by-two": "2×2", "twfe": "Two-way fixed effects", "event-study": "the event study of two-way fixed effects",
	"goodman-bacon": "the Goodman-Bacon decomposition", "sun-abraham": "Sun–Abraham", "callaway-santanna": "Callaway–Sant’Anna",
	"imputation": "imputation", "two-stage": "two stages (Gardner)", "synthetic-control": "synthetic control", "synthetic-did": "synthetic DiD",
	"poisson": "the Poisson ratio", "exact-count": "the exact interval of counts", "quantile": "the quantile comparison", "kaplan-meier": "Kaplan–Meier",
	"cross-fit-t": "the cross-fit t", "donald-lang": "Donald–Lang", "conformal": "the conformal test", "placebo": "the placebo rank",
	"randomization": "randomisation on t", "wild-bootstrap": "the wild cluster bootstrap", "honest-did": "the breakdown value of trends",
	"randomized": "the comparison of tasks assigned by lot", "power": "the smallest effect that could be seen",
}

// besides are the methods that a report can show beside its headline, in order.
var besides = []string{"donald-lang", "placebo", "synthetic-did", "randomization", "callaway-santanna", "imputation", "exact-count", "honest-did"}

// why gives the reasons of a choice in the pilot's words: those for the headline,
// then what stands beside it.
func (c choice) why(p Pilot) []string {
	out := []string{}
	m := c.of(c.headline())
	if len(c.methods) > 0 && m.Role != did.Headline {
		m = c.of(methodCrossFit) // shown without its interval, and why
	}
	for _, r := range m.Reasons {
		out = append(out, inWords(r, p))
	}
	if m := c.of("wild-bootstrap"); m.Role == did.Beside {
		out = append(out, inWords("The wild cluster bootstrap tests it. "+m.Reasons[0], p))
	}
	for _, method := range besides {
		if m := c.of(method); m.Role == did.Beside {
			stands := " stands beside the headline. "
			if method == "honest-did" {
				stands = " stands beside a conclusion. "
			}
			out = append(out, inWords(upperFirst(methodTitles[method])+stands+m.Reasons[0], p))
		}
	}
	return out
}

var unitWord, periodWord = regexp.MustCompile(`\b([Uu])nit(s?)\b`), regexp.MustCompile(`\bperiod(s?)\b`)

// inWords puts a reason of package did into the pilot's words: its units are
// teams, its periods weeks.
func inWords(s string, p Pilot) string {
	swap := func(expression *regexp.Regexp, noun string) {
		s = expression.ReplaceAllStringFunc(s, func(found string) string {
			out := noun
			if strings.HasSuffix(found, "s") {
				out = plural(2, noun)
			}
			if found[0] == 'U' {
				out = upperFirst(out)
			}
			return out
		})
	}
	swap(unitWord, p.UnitNoun)
	swap(periodWord, p.PeriodNoun)
	return strings.ReplaceAll(s, "'", "’")
}

// expected reports whether one might have expected a method in a design: those
// made for another kind of outcome, or for tasks assigned by lot, need no words.
func (c choice) expected(method string) bool {
	counted := c.design.Outcome == did.Counted
	measured := !counted || slices.Contains([]string{"cross-fit-t", "two-by-two"}, c.headline())
	switch method {
	case "randomized", "kaplan-meier", "quantile", "power":
		return false
	case "poisson", "exact-count":
		return counted
	case "callaway-santanna":
		return measured || c.design.Starts > 1
	}
	return measured
}

// notUsed lists the methods that no metric's design calls for, those with the
// same reason together.
func notUsed(p Pilot, metrics []MetricReport) []NotUsed {
	out := []NotUsed{}
	asked := map[string]int{} // of how many metrics, by method
	for _, m := range metrics {
		for _, c := range m.choice.methods {
			if !m.choice.expected(c.Method) {
				continue
			}
			asked[c.Method]++
			if c.Role == did.Headline || c.Role == did.Beside {
				continue
			}
			why := inWords(strings.Join(c.Reasons, " "), p)
			out = addNotUsed(out, NotUsed{Methods: []string{c.Method}, Refused: c.Role == did.Refused, Why: why, Metrics: []string{m.Outcome.ID}})
		}
	}
	return gatherNotUsed(out, asked)
}

// addNotUsed adds a method of one metric to the others it has its reason with.
func addNotUsed(in []NotUsed, n NotUsed) []NotUsed {
	i := slices.IndexFunc(in, func(o NotUsed) bool {
		return o.Methods[0] == n.Methods[0] && o.Why == n.Why && o.Refused == n.Refused
	})
	if i < 0 {
		return append(in, n)
	}
	in[i].Metrics = append(in[i].Metrics, n.Metrics...)
	return in
}

// gatherNotUsed joins methods with one reason for the same metrics, and names
// no metric where it is all that might have used them.
func gatherNotUsed(in []NotUsed, asked map[string]int) []NotUsed {
	out := []NotUsed{}
	for _, n := range in {
		if len(n.Metrics) == asked[n.Methods[0]] {
			n.Metrics = nil
		}
		i := slices.IndexFunc(out, func(o NotUsed) bool {
			return o.Why == n.Why && o.Refused == n.Refused && slices.Equal(o.Metrics, n.Metrics)
		})
		if i < 0 {
			out = append(out, n)
			continue
		}
		out[i].Methods = append(out[i].Methods, n.Methods...)
	}
	for i := range out {
		if len(out[i].Methods) > 1 {
			out[i].Why = ofEach(out[i].Why)
		}
		titles := make([]string, len(out[i].Methods))
		for k, method := range out[i].Methods {
			titles[k] = methodTitles[method]
		}
		out[i].Title = upperFirst(list(titles))
	}
	slices.SortStableFunc(out, func(a, b NotUsed) int { return refusedFirst(a) - refusedFirst(b) })
	return out
}

// ofEach says of several methods what was said of one: "Each needs …".
func ofEach(why string) string {
	for one, each := range map[string]string{"It ": "Each ", "Its ": "Their "} {
		if rest, ok := strings.CutPrefix(why, one); ok {
			return each + rest
		}
	}
	return strings.Replace(why, " it ", " each ", 1)
}

func refusedFirst(n NotUsed) int {
	if n.Refused {
		return 0
	}
	return 1
}

// MethodsNotUsed are the methods that the report does not show, and why, as
// sentences.
func (r *Report) MethodsNotUsed() []string {
	var out []string
	for _, n := range r.Design.NotUsed {
		out = append(out, n.line(r))
	}
	return out
}

// line says which methods are not used and why: "Two-way fixed effects: …", and
// whether they answer when asked.
func (n NotUsed) line(r *Report) string {
	out := n.Title
	if len(n.Metrics) > 0 {
		var titles []string
		for _, m := range r.Metrics {
			if slices.Contains(n.Metrics, m.Outcome.ID) {
				titles = append(titles, upperFirst(m.Outcome.Title))
			}
		}
		out += " (" + list(titles) + ")"
	}
	if !n.Refused {
		return out + ", on request: " + n.Why
	}
	return out + ": " + n.Why
}
