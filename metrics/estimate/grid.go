package estimate

import (
	"fmt"
	"slices"
	"strings"

	"steelyard/metrics/did"
	"steelyard/metrics/ingest"
)

// maxCells bounds the cells that are laid out.
const maxCells = 200_000_000

// checkGrid wants one row of every unit in every period, and names the first
// cell without one or with two. Where whole is set a period between others
// without any row is an error, too.
func (d *Data) checkGrid(whole bool) error {
	if err := d.checkCells(); err != nil {
		return err
	}
	periods := d.periods()
	if whole {
		if err := d.checkGaps(periods); err != nil {
			return err
		}
	}
	missing := d.seenUnits()*len(periods) - d.rows()
	if missing == 0 {
		return nil
	}
	others := ""
	if missing > 1 {
		others = fmt.Sprintf(", and %d more cells have none", missing-1)
	}
	unit, period := d.firstHole(periods)
	return refuse(ErrUnbalanced,
		"read the units and periods without gaps alone (--only, --from, --to), or ask callaway-santanna, imputation or two-stage, which take them",
		"every unit needs a row in every period: unit %q has none in %s%s", d.units[unit], d.label(period), others)
}

// firstHole is the first unit without a row in a period, and the first such
// period.
func (d *Data) firstHole(periods []int) (unit, period int) {
	rows := make([]int, len(d.units))
	for _, u := range d.panel.Unit {
		rows[u]++
	}
	for rows[unit] == 0 || rows[unit] == len(periods) {
		unit++
	}
	seen := map[int]bool{}
	for i, u := range d.panel.Unit {
		if u == unit {
			seen[d.panel.Time[i]] = true
		}
	}
	for _, t := range periods {
		if !seen[t] {
			return unit, t
		}
	}
	return unit, periods[0]
}

// checkGaps names the first period between others that has no row.
func (d *Data) checkGaps(periods []int) error {
	for k := 1; k < len(periods); k++ {
		if before, t := periods[k-1], periods[k]; t != before+1 {
			return refuse(ErrGap, "neighbouring periods must be neighbours in time: add the rows, or read the time on one side of the gap alone with --from and --to",
				"no unit has a row in %s, between %s and %s", d.label(before+1), d.label(before), d.label(t))
		}
	}
	return nil
}

// duplicate is the error for two rows of one cell; it is on the later line.
func (d *Data) duplicate(earlier, i int) error {
	if d.line[i] < d.line[earlier] {
		earlier, i = i, earlier
	}
	return &ingest.LineError{
		File: d.file, Line: int(d.line[i]), Column: d.columns.Time, Value: d.label(d.panel.Time[i]),
		Problem: fmt.Sprintf("is the second row of unit %q in this period, after line %d", d.units[d.panel.Unit[i]], d.line[earlier]),
		Cure:    "keep one row a unit and period, sum them up, leave the other out with --drop, or say that rows are different observations with --repeated-cross-sections, where the method takes it",
	}
}

// checkCells refuses a second row of a unit in a period.
func (d *Data) checkCells() error {
	if len(d.panel.Time) == 0 {
		return nil
	}
	width := slices.Max(d.panel.Time) - d.base + 1
	if width <= maxCells/len(d.units) && width*len(d.units) <= 64*(d.rows()+1024) {
		seen := make([]uint64, width*len(d.units)/64+1)
		for i, u := range d.panel.Unit {
			cell := u*width + d.panel.Time[i] - d.base
			if seen[cell/64]&(1<<(cell%64)) != 0 {
				return d.duplicate(d.firstRow(u, d.panel.Time[i]), i)
			}
			seen[cell/64] |= 1 << (cell % 64)
		}
		return nil
	}
	type cell struct{ unit, time int }
	seen := make(map[cell]bool, d.rows())
	for i, u := range d.panel.Unit {
		c := cell{u, d.panel.Time[i]}
		if seen[c] {
			return d.duplicate(d.firstRow(u, c.time), i)
		}
		seen[c] = true
	}
	return nil
}

func (d *Data) firstRow(unit, time int) int {
	for i, u := range d.panel.Unit {
		if u == unit && d.panel.Time[i] == time {
			return i
		}
	}
	return 0
}

// oneStart is the first treated period of all units that start inside the
// panel.
func (d *Data) oneStart() (int, error) {
	periods := d.periods()
	first, last := periods[0], periods[len(periods)-1]
	start, found, never := 0, false, false
	has := d.withRows()
	for u, g := range d.panel.First {
		switch {
		case !has[u] || g <= first:
		case g > last:
			never = true
		case found && g != start:
			return 0, refuse(ErrStarts, d.leaveOutStart(max(g, start))+", or ask a method made for starts that differ, such as callaway-santanna",
				"units start in %s and in %s, and the method knows one start", d.label(min(g, start)), d.label(max(g, start)))
		default:
			start, found = g, true
		}
	}
	if !found {
		return 0, &did.Error{Code: did.ErrNoTreated, Detail: "no unit starts inside the panel's periods"}
	}
	if !never {
		return 0, &did.Error{Code: did.ErrNoComparison, Detail: "no unit is left to compare with: every one is treated by the last period"}
	}
	return start, nil
}

// leaveOutStart is how to read one of several starts alone.
func (d *Data) leaveOutStart(start int) string {
	if column := d.columns.FirstTreated; column != "" {
		return fmt.Sprintf("read one of the starts alone, with --drop %s for each other one", shellWord(column+"="+d.label(start)))
	}
	return "read one of the starts alone with --only"
}

// shellWord is s as one word of a command line.
func shellWord(s string) string {
	if !strings.ContainsAny(s, " \t\"'$`\\;&|<>()*?[]#~!{}") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// oneStart is the data as treated units and their comparison around one start;
// whole wants every period between the first and the last.
func (t *task) oneStart(whole bool) (*did.OneStart, error) {
	if err := t.d.checkGrid(whole); err != nil {
		return nil, err
	}
	if _, err := t.d.oneStart(); err != nil {
		return nil, err
	}
	s, err := did.NewOneStart(t.d.panel)
	if err != nil {
		return nil, err
	}
	t.dropped(s.Dropped)
	t.a.N = Counts{Rows: len(s.Units) * len(s.Periods), Units: len(s.Units), Periods: len(s.Periods)}
	return s, nil
}

// oneUnit is oneStart with a single treated unit.
func (t *task) oneUnit() (*did.OneStart, error) {
	s, err := t.oneStart(false)
	if err != nil {
		return nil, err
	}
	if n := len(s.Units) - len(s.Comparisons); n > 1 {
		return nil, &did.Error{Code: did.ErrShape, Detail: fmt.Sprintf("it is made for one treated unit; there are %d", n)}
	}
	return s, nil
}

// change is a series' mean from the start on less its mean before.
func change(y []float64, before int) float64 { return average(y[before:]) - average(y[:before]) }

func average(xs []float64) float64 {
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
