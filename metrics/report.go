package metrics

import "time"

// ReportVersion is the version of the report's JSON form. Fields are only
// added within a version.
const ReportVersion = 1

// Report is the whole answer for one pilot, computed once. Every number a
// page, a tool or a file shows stands in it, with the words that go with it.
// A *float64 that is nil does not exist; the field beside it says why. No
// field is ever NaN or infinite.
type Report struct {
	Version int `json:"version"`
	// Health holds what must be read first: made-up data, an incomplete
	// import, a definition that changed after the start.
	Health     []string   `json:"health"`
	Definition Definition `json:"definition"`
	Verdict    Verdict    `json:"verdict"`
	Design     Design     `json:"design"`
	// Metrics in the order of the pilot's outcomes, the primary one first.
	Metrics []MetricReport `json:"metrics"`
	LeftOut []LeftOut      `json:"left_out"`
	// Exposure, Use, Felt and Spent describe and decide nothing; see Beside.
	Exposure *Exposure `json:"exposure,omitempty"`
	Use      *Use      `json:"use,omitempty"`
	Felt     *Felt     `json:"felt,omitempty"`
	Spent    []Spent   `json:"spent,omitempty"`
	// Facts are the frame of the comparison for people: started, before,
	// after, against, data through, definition.
	Facts []Fact `json:"facts"`
	// Computed answers "how was this computed": sample, method, scale, left
	// out, definition, seed.
	Computed []Fact `json:"computed"`
	// Import is the newest import the report rests on.
	Import *Import `json:"import,omitempty"`
	// Seed and Command let anyone print the same report.
	Seed    uint64 `json:"seed"`
	Command string `json:"command"`
}

// Fact is a named line of a report: "Started", "3 Aug 2026".
type Fact struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// DesignKind names the shape of a comparison; it decides the method.
type DesignKind string

// The designs.
const (
	// DesignOneTreated is one treated unit against one or more.
	DesignOneTreated DesignKind = "one_treated"
	// DesignFewTreated is several treated units with one common start but too
	// few units for asymptotic errors; their mean is treated as one unit.
	DesignFewTreated DesignKind = "few_treated"
	// DesignSeveralTreated is several treated units with one common start and
	// enough units, on both sides, for their own changes to show the noise.
	DesignSeveralTreated DesignKind = "several_treated"
	// DesignStaggered is treated units with several starts.
	DesignStaggered DesignKind = "staggered"
)

// Design says what was compared with what.
type Design struct {
	Kind DesignKind `json:"kind"`
	// Method is the headline method's id, MethodTitle its name for people.
	Method      string `json:"method"`
	MethodTitle string `json:"method_title"`
	// Why gives the reasons for this method and those beside it, as sentences.
	Why []string `json:"why"`
	// NotUsed are the methods that are not shown, and why, those that would
	// mislead or cannot answer first.
	NotUsed []NotUsed `json:"not_used"`

	TreatedUnits    int `json:"treated_units"`
	ComparisonUnits int `json:"comparison_units"`
	// Starts are the distinct first treated periods, in order, as labels.
	Starts      []string `json:"starts"`
	FirstPeriod string   `json:"first_period"`
	LastPeriod  string   `json:"last_period"`
	// Through is the last day that the data covers, "2026-08-23", or the last
	// period where periods are months, years or numbers.
	Through string `json:"through"`
	// Span is how many periods lie between the first and the last, both
	// included; Periods is how many of them are used.
	Span          int `json:"span"`
	Periods       int `json:"periods"`
	PeriodsBefore int `json:"periods_before,omitempty"` // one start only
	PeriodsAfter  int `json:"periods_after,omitempty"`
}

// NotUsed are methods that a report does not show for one reason.
type NotUsed struct {
	// Methods are ids, as “steelyard estimate --method” takes them; Title names
	// them for people.
	Methods []string `json:"methods"`
	Title   string   `json:"title"`
	// Refused is true where they would mislead, or cannot answer; else they
	// answer when they are asked for.
	Refused bool   `json:"refused"`
	Why     string `json:"why"`
	// Metrics are the outcomes that the reason is about; empty for all.
	Metrics []string `json:"metrics,omitempty"`
}

// VerdictValue is the one-word answer.
type VerdictValue string

// The verdicts, by the fixed rules of [Decide].
const (
	VerdictCannotSayYet    VerdictValue = "cannot_say_yet"
	VerdictImproved        VerdictValue = "improved"
	VerdictImprovedAtACost VerdictValue = "improved_at_a_cost"
	VerdictWorsened        VerdictValue = "worsened"
	VerdictRose            VerdictValue = "rose"
	VerdictFell            VerdictValue = "fell"
	VerdictNoClearChange   VerdictValue = "no_clear_change"
)

// Verdict is the answer on the primary outcome with its reasons.
type Verdict struct {
	Value VerdictValue `json:"value"`
	// Word is the verdict for people: "Cannot say yet".
	Word string `json:"word"`
	// Sentence completes the headline after the word, with its own full stop.
	Sentence string `json:"sentence"`
	// Reasons, weightiest first; the first is the rule that decided.
	Reasons []Reason `json:"reasons"`
	// WouldChange says what would have to be seen for another verdict.
	WouldChange []string `json:"would_change"`
}

// Reason is one argument, in words a person can say aloud in a meeting.
type Reason struct {
	Code  string `json:"code"` // stable, lower-case with underscores
	Title string `json:"title"`
	Text  string `json:"text"`
}

// EffectUnit is the unit of an effect and its interval.
type EffectUnit string

// The units of effects. They are never mixed within one figure row.
const (
	// UnitPoints is the difference of two percentage changes.
	UnitPoints EffectUnit = "points"
	// UnitPercent is 100·(exp(b) − 1) of an effect b on the log scale.
	UnitPercent EffectUnit = "percent"
	// UnitRatio is a ratio of ratios; 1 is no change.
	UnitRatio EffectUnit = "ratio"
	// UnitLevel is the outcome's own unit.
	UnitLevel EffectUnit = "level"
)

// NoChange is the value of an effect in u when nothing changed.
func (u EffectUnit) NoChange() float64 {
	if u == UnitRatio {
		return 1
	}
	return 0
}

// Effect is an estimate with its uncertainty, by one method.
type Effect struct {
	// Method is the id ("cross-fit-t"), Title its name for people.
	Method string     `json:"method"`
	Title  string     `json:"title"`
	Unit   EffectUnit `json:"unit"`
	// Estimate, Low and High are in Unit. Low and High bound the interval of
	// Level (0.95).
	Estimate *float64 `json:"estimate"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	Level    float64  `json:"level"`
	P        *float64 `json:"p"`
	// Raw is the estimate and SE its standard error on the scale the method
	// works on (for log scales the coefficient b), at full precision.
	Raw *float64 `json:"raw,omitempty"`
	SE  *float64 `json:"se,omitempty"`
	DF  *float64 `json:"df,omitempty"`
	// Centre is the middle of the interval where that is not the estimate.
	Centre *float64 `json:"centre,omitempty"`
	// Open is "low" or "high" where that end of the interval is unbounded.
	Open string `json:"open,omitempty"`
	// Admissible is true where the verdict may rest on, or be stopped by, this
	// method in this design.
	Admissible bool `json:"admissible"`
	// Missing says why a number does not exist.
	Missing string `json:"missing,omitempty"`
	// Notes are caveats, as sentences.
	Notes []string `json:"notes,omitempty"`
	// Text is the whole effect in words: "−17 points, 95 % interval −41 to +9,
	// p = 0.11".
	Text string `json:"text"`
	// EstimateText and IntervalText are its parts: "−17 points", "−41 to +9".
	EstimateText string `json:"estimate_text"`
	IntervalText string `json:"interval_text"`
}

// ExcludesNoChange reports whether the interval exists and excludes no change.
func (e Effect) ExcludesNoChange() bool {
	n := e.Unit.NoChange()
	return e.Low != nil && *e.Low > n || e.High != nil && *e.High < n
}

// Change is what one side did from before to after.
type Change struct {
	// Label names the side: "Payments", "comparison".
	Label  string   `json:"label"`
	Before *float64 `json:"before"`
	After  *float64 `json:"after"`
	// Value is the change in the unit of the metric's Changes (percent, ratio
	// or the outcome's own unit).
	Value   *float64 `json:"value"`
	Missing string   `json:"missing,omitempty"`
	// Text is "18 h → 12 h", ValueText "−33 %". Before, After and Text are
	// empty where several starts leave no single before and after.
	Text      string `json:"text"`
	ValueText string `json:"value_text"`
}

// Test is a test of the design's assumptions.
type Test struct {
	Title     string   `json:"title"`
	Statistic *float64 `json:"statistic"`
	DF        *float64 `json:"df,omitempty"`
	DF2       *float64 `json:"df2,omitempty"`
	P         *float64 `json:"p"`
	Missing   string   `json:"missing,omitempty"`
	Notes     []string `json:"notes,omitempty"`
	Text      string   `json:"text"`

	// limited is true where the notes speak against the test.
	limited bool
}

// Sample counts what a metric rests on.
type Sample struct {
	TreatedUnits    int `json:"treated_units"`
	ComparisonUnits int `json:"comparison_units"`
	Observations    int `json:"observations"` // unit-periods used
	// PullRequests, Authors and Censored are 0 at LevelPanel.
	PullRequests int       `json:"pull_requests,omitempty"`
	Authors      int       `json:"authors,omitempty"`
	Censored     int       `json:"censored,omitempty"` // the duration had not ended when last seen
	LeftOut      []LeftOut `json:"left_out"`
}

// MetricReport is one outcome's part of the report.
type MetricReport struct {
	Outcome Outcome `json:"outcome"`
	// Measure says what a value is: "median hours", "share of closed", "count".
	Measure string `json:"measure"`
	// Words compare the two sides of a count: "rose for the pilot only"; empty
	// for all else.
	Words string `json:"words,omitempty"`
	// Finding says in one sentence what the three numbers show.
	Finding string `json:"finding"`
	// ChangeUnit is the unit of both Change.Value: percent, ratio or level.
	ChangeUnit EffectUnit `json:"change_unit"`
	// Pilot and Comparison are the first two numbers, Headline the third.
	Pilot      Change `json:"pilot"`
	Comparison Change `json:"comparison"`
	Headline   Effect `json:"headline"`
	// Ratio is the ratio of ratios on the log scale, nil where the headline
	// is already on it or a value is not positive.
	Ratio *Effect `json:"ratio,omitempty"`
	// Others are the other methods, shown beside the headline.
	Others []Effect `json:"others"`
	// Disagree is true where an admissible method's interval excludes no
	// change on the side opposite to the headline estimate; the headline's own
	// interval can, too.
	Disagree bool `json:"disagree"`
	// Against is what speaks against the number.
	Against  []Reason `json:"against"`
	PreTrend Test     `json:"pre_trend"`
	// Detectable is the smallest effect this design would have seen in 8 cases
	// of 10, in the unit of the headline; DetectableText says it in words.
	Detectable     *float64 `json:"detectable"`
	DetectableText string   `json:"detectable_text"`
	// Breakdown is how far trends may bend before the conclusion goes; nil for
	// counts, and where there is no estimate.
	Breakdown *Breakdown `json:"breakdown,omitempty"`
	// Looks is what may be looked at in every period while the declared window
	// is not over; nil once it is.
	Looks *Looks `json:"looks,omitempty"`
	// HolmP is the headline p-value adjusted for the secondary metrics; nil
	// for the primary one.
	HolmP      *float64    `json:"holm_p,omitempty"`
	Sample     Sample      `json:"sample"`
	Trend      *Trend      `json:"trend,omitempty"`
	EventStudy *EventStudy `json:"event_study,omitempty"`
	Placebo    *Placebo    `json:"placebo,omitempty"`
	Spread     *Spread     `json:"spread,omitempty"`

	// choice is what the design makes of every method.
	choice choice
	// early is true while the declared window is not over: an interval that
	// excludes no change at one of many looks is no finding.
	early bool
	// unmeasured is true where the data does not have what it would be
	// computed from.
	unmeasured bool
	// refused is true where the whole report has no numbers, for the reason that
	// stands with the verdict.
	refused bool
}

// Trend is both groups over time.
type Trend struct {
	Finding string `json:"finding"`
	Caption string `json:"caption"`
	// AxisTitle names the vertical axis: "hours, weekly median".
	AxisTitle string       `json:"axis_title"`
	Points    []TrendPoint `json:"points"`
	// StartIndex is the index in Points of the first treated period; −1 where
	// starts are staggered.
	StartIndex int `json:"start_index"`
	// Window means: the values drawn as thick lines; nil where staggered.
	PilotBefore      *float64 `json:"pilot_before"`
	PilotAfter       *float64 `json:"pilot_after"`
	ComparisonBefore *float64 `json:"comparison_before"`
	ComparisonAfter  *float64 `json:"comparison_after"`
}

// TrendPoint is one period of a trend; nil where a group has no value.
type TrendPoint struct {
	Label      string    `json:"label"`
	Start      time.Time `json:"start,omitzero"` // zero for integer periods
	Pilot      *float64  `json:"pilot"`
	Comparison *float64  `json:"comparison"`
	// ComparisonLow and ComparisonHigh hold the middle half of the comparison
	// units; nil under four of them or where starts are staggered.
	ComparisonLow  *float64 `json:"comparison_low,omitempty"`
	ComparisonHigh *float64 `json:"comparison_high,omitempty"`
	// LeftOut names why the period is in neither window; empty where it is.
	LeftOut string `json:"left_out,omitempty"`
	// Adopted is how many treated units had started by this period.
	Adopted int `json:"adopted"`
}

// EventStudy is the effect by time since the start.
type EventStudy struct {
	Finding string     `json:"finding"`
	Caption string     `json:"caption"`
	Method  string     `json:"method"`
	Unit    EffectUnit `json:"unit"`
	// PeriodNoun is what Event counts: "month", "4 weeks". Step is how many
	// periods that is, and AxisTitle names the axis: "Months from the start",
	// "Time from the start, in steps of 4 weeks".
	PeriodNoun string       `json:"period_noun"`
	Step       int          `json:"step"`
	AxisTitle  string       `json:"axis_title"`
	Points     []EventPoint `json:"points"`
	// Average is the headline over the periods after the start.
	Average *float64 `json:"average"`
}

// EventPoint is the effect Event periods after the start (negative: before).
type EventPoint struct {
	Event    int      `json:"event"`
	Estimate *float64 `json:"estimate"`
	Low      *float64 `json:"low"` // pointwise 95 %
	High     *float64 `json:"high"`
	// BandLow and BandHigh hold for all points at once.
	BandLow  *float64 `json:"band_low"`
	BandHigh *float64 `json:"band_high"`
	// Baseline marks the reference period, whose effect is 0 by definition; one
	// treated unit has none, it is compared with the whole time before.
	Baseline bool   `json:"baseline,omitempty"`
	Missing  string `json:"missing,omitempty"`
	Units    int    `json:"units,omitempty"` // treated units behind the point
}

// Placebo is every unit's effect as if it had been the treated one.
type Placebo struct {
	Finding string      `json:"finding"`
	Caption string      `json:"caption"`
	Unit    EffectUnit  `json:"unit"`
	Units   []PlaceboAt `json:"units"` // by effect, ascending
	Rank    int         `json:"rank"`  // of the treated unit by size, 1 = largest
	P       *float64    `json:"p"`
	// Floor is the smallest p this many units can give, 1/G.
	Floor float64 `json:"floor"`
}

// PlaceboAt is one unit's placebo effect. Comparison units are numbered, not
// named, where the pilot's units are people or small teams.
type PlaceboAt struct {
	Unit    string  `json:"unit"`
	Effect  float64 `json:"effect"`
	Treated bool    `json:"treated,omitempty"`
}

// Summary is what a list of pilots shows of one.
type Summary struct {
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	Subject  string       `json:"subject"`
	MadeUp   bool         `json:"made_up"`
	Verdict  Verdict      `json:"verdict"`
	Primary  string       `json:"primary"` // title of the primary outcome
	Better   Better       `json:"better"`
	Headline Effect       `json:"headline"`
	Counter  *CounterNote `json:"counter,omitempty"`
	Design   Design       `json:"design"`
	// UnitNoun is what the design counts: "team".
	UnitNoun string `json:"unit_noun"`
	// Through is the last day that the data covers, "2026-08-23", or the last
	// period where periods are months, years or numbers.
	Through string `json:"through"`
	// Disagree is true where the methods point to opposite sides, so that
	// Headline is one of several answers and none of them is taken.
	Disagree   bool      `json:"disagree,omitempty"`
	ImportedAt time.Time `json:"imported_at,omitzero"`
	// Error says why the report could not be made; all else but ID and Title
	// is zero then.
	Error string `json:"error,omitempty"`
	// Spark is the primary outcome's gap (pilot minus comparison) by period.
	Spark []*float64 `json:"spark"`
}

// CounterNote is the most worrying counter-metric in a line.
type CounterNote struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// DataHealth says what all numbers rest on.
type DataHealth struct {
	DataSets     []DataSet          `json:"data_sets"` // by pilot id
	PullRequests PullRequestSummary `json:"pull_requests"`
	// Ingest says how far GitHub is known; nil where nothing is read from it.
	Ingest *Ingest `json:"ingest,omitempty"`
	// Use says how far GitHub's own figures on the use of Copilot are known, by
	// organisation.
	Use []UseSource `json:"use,omitempty"`
}

// DataSet is the data of one pilot.
type DataSet struct {
	Pilot   string   `json:"pilot"`
	Title   string   `json:"title"`
	Level   Level    `json:"level"`
	Sources []Source `json:"sources"`
	Import  *Import  `json:"import,omitempty"`
	Units   int      `json:"units"`
	// Periods lie between First and Last, both included; Used is how many of
	// them the windows use. Last is the last day covered, as Summary.Through.
	Periods int    `json:"periods"`
	Used    int    `json:"used"`
	First   string `json:"first"`
	Last    string `json:"last"`
	// UnitNoun and PeriodNoun say what Units and Periods count.
	UnitNoun   string    `json:"unit_noun"`
	PeriodNoun string    `json:"period_noun"`
	LeftOut    []LeftOut `json:"left_out"`
	Error      string    `json:"error,omitempty"`
}
