package ingest

import (
	"fmt"
	"slices"

	"steelyard/metrics"
)

// units remembers what was seen of each unit, to find a second row for a
// period and a first treated period that changes.
type units struct {
	limit  int
	byName map[string]*unit
}

type unit struct {
	name      string
	first     int // first treated period
	firstLine int
	// seen are the unit's periods in the order of the file while they ascend,
	// as they do in most files; later, once one does not, late holds them all.
	seen []seenAt
	late map[int32]uint32
}

type seenAt struct {
	period int32
	line   uint32
}

func newUnits(limit int) *units {
	return &units{limit: limit, byName: map[string]*unit{}}
}

// get returns the unit, nil where there would be too many.
func (u *units) get(name []byte, first, line int) *unit {
	if found, ok := u.byName[string(name)]; ok {
		return found
	}
	if len(u.byName) >= u.limit {
		return nil
	}
	n := &unit{name: string(name), first: first, firstLine: line}
	u.byName[n.name] = n
	return n
}

// add notes a row and returns the line of an earlier row of the same period,
// 0 where there is none.
func (u *unit) add(period, line int) (earlier int) {
	now := seenAt{int32(period), uint32(line)}
	if u.late != nil {
		return u.addLate(now)
	}
	if n := len(u.seen); n == 0 || u.seen[n-1].period < now.period {
		u.seen = append(u.seen, now)
		return 0
	}
	u.late = make(map[int32]uint32, 2*len(u.seen))
	for _, s := range u.seen {
		u.late[s.period] = s.line
	}
	u.seen = nil
	return u.addLate(now)
}

func (u *unit) addLate(now seenAt) (earlier int) {
	if line, ok := u.late[now.period]; ok {
		return int(line)
	}
	u.late[now.period] = now.line
	return 0
}

// names are the units' names in alphabetical order.
func (u *units) names() []string {
	out := make([]string, 0, len(u.byName))
	for name := range u.byName {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// has returns an error where a unit that was named is not in the file.
func (u *units) has(file, name, where string) error {
	if _, ok := u.byName[name]; ok {
		return nil
	}
	return noUnit(file, name, where, u.names())
}

// noUnit is the error for a unit that was named and is none of all.
func noUnit(file, name, where string, all []string) *LineError {
	cure := "name units as the file does"
	if near := nearest(name, all); near != "" {
		cure = fmt.Sprintf("did you mean %q?", near)
	}
	return &LineError{
		File: file, Value: shown(name),
		Problem: fmt.Sprintf("is no unit of the file (named %s); it has %s", where, list(all)), Cure: cure,
	}
}

// weekdays notes on which weekdays the days of a panel fall.
type weekdays struct{ rows, starts uint8 }

func weekday(day int) uint8 { return 1 << uint(((day%7)+7)%7) }

// offBeat reports whether the panel is weekly and a unit starts on another day
// than the weeks do.
func (w weekdays) offBeat(kind metrics.PeriodKind) bool {
	one := w.rows != 0 && w.rows&(w.rows-1) == 0
	return kind == metrics.PeriodDay && one && w.starts&^w.rows != 0
}
