package ingest

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"steelyard/metrics"
)

// checkWhole holds the file as a whole to what no single line can show.
func (p *panelReader) checkWhole() error {
	if err := p.zeros.check(p.file, p.spec.FirstTreatedCol); err != nil {
		return err
	}
	if p.weekdays.offBeat(p.periods.kind) {
		return p.offBeat()
	}
	for _, name := range slices.Sorted(slices.Values(p.spec.OnlyUnits)) {
		if err := p.units.has(p.file, name, "as one to keep"); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.starts)) {
		if err := p.units.has(p.file, name, "as treated"); err != nil {
			return err
		}
	}
	for _, name := range p.spec.Pilot.Comparison {
		if err := p.units.has(p.file, name, "as a comparison"); err != nil {
			return err
		}
	}
	return nil
}

// offBeat names the first unit of a weekly panel that starts inside a week.
func (p *panelReader) offBeat() error {
	for _, name := range p.units.names() {
		u := p.units.byName[name]
		if u.first == metrics.Never || weekday(u.first)&p.weekdays.rows != 0 {
			continue
		}
		day := metrics.PeriodDay
		beat := u.first
		for weekday(beat)&p.weekdays.rows == 0 {
			beat--
		}
		return &LineError{
			File: p.file, Line: u.firstLine, Column: p.spec.FirstTreatedCol, Value: day.Label(u.first),
			Problem: fmt.Sprintf("is a %s, and the weeks of the file start on a %s", day.Start(u.first).Weekday(), day.Start(beat).Weekday()),
			Cure:    fmt.Sprintf("write the first day of unit %q's first treated week: %s, or %s", shown(name), day.Label(beat), day.Label(beat+7)),
		}
	}
	return nil
}

// summary is what is remembered of the import.
func (p *panelReader) summary(now time.Time) metrics.Import {
	out := metrics.Import{
		File: filepath.Base(p.file), SHA256: p.source.sum(), Rows: p.kept, LeftOut: p.filters.leftOut(), At: now.UTC(),
		Exposure: p.spec.ExposureCol,
	}
	if p.otherUnits > 0 {
		out.LeftOut = append(out.LeftOut, metrics.LeftOut{
			Count: p.otherUnits, What: "rows", Reason: "their unit is not one of those chosen for this comparison",
		})
	}
	return out
}
