package did

import "slices"

// selection is who takes part in the comparison, and until when.
type selection struct {
	t            *table
	anticipation int
	keep         []bool // by unit
	until        int    // index of the first period that is not used
	latest       int    // when the last cohort starts
	drops        []Drop
	warnings     []string
}

// early says that first treatment g leaves no period before it.
func (s *selection) early(g int) bool { return g <= s.t.periods[0]+s.anticipation }

// treated says that first treatment g, or its anticipation, lies in the panel.
func (s *selection) treated(g int) bool { return g <= s.t.lastPeriod()+s.anticipation }

// choose fills keep and until.
func (s *selection) choose(control Control) error {
	t := s.t
	s.keep = make([]bool, t.units())
	early := Drop{Reason: "the unit is treated in or before the first period, so it has no period before treatment"}
	if s.anticipation > 0 {
		early.Reason = "the unit is treated, or expects to be, in or before the first period, so it has no period before treatment"
	}
	never, treated := 0, 0
	for u, g := range t.first {
		switch {
		case s.early(g):
			early.Units++
			early.Rows += t.size(u)
			early.TreatedRows += t.treatedRows(u)
			continue
		case s.treated(g):
			treated++
			s.latest = max(s.latest, g)
		default:
			never++
		}
		s.keep[u] = true
	}
	if early.Units > 0 {
		s.drops = append(s.drops, early)
	}
	if treated == 0 {
		return refuse(ErrNoTreated, "no unit is first treated after the first period (%d) and by the last (%d)", t.periods[0], t.lastPeriod())
	}
	if never > 0 {
		return nil
	}
	if control == NeverTreated {
		return refuse(ErrNoComparison, "every unit is treated in the end: compare with units not treated yet")
	}
	// As in R's did: without a never-treated unit the last cohort is the
	// comparison, and periods in which it is treated are not used.
	s.until, _ = slices.BinarySearch(t.periods, s.latest-s.anticipation)
	if drop := s.cut(); drop.Rows > 0 {
		s.drops = append(s.drops, drop)
	}
	s.warnings = append(s.warnings, "No unit is never treated: the last cohort serves as the comparison until it starts.")
	if s.until < 2 {
		return refuse(ErrTooFewPeriods, "every unit is treated by period %d: fewer than 2 periods have a comparison", s.latest)
	}
	return nil
}

// used counts the rows of unit u in the periods used.
func (s *selection) used(u int) int {
	n := 0
	for i := s.t.start[u]; i < s.t.start[u+1] && s.t.period[i] < s.until; i++ {
		n++
	}
	return n
}

// cut counts the rows of kept units from period index until on, and stops
// keeping units that have no row before.
func (s *selection) cut() Drop {
	drop := Drop{Reason: "every unit is treated by then, so nobody is left to compare with"}
	for u := range s.keep {
		if !s.keep[u] {
			continue
		}
		before := s.used(u)
		drop.Rows += s.t.size(u) - before
		if before == 0 {
			drop.Units++
			s.keep[u] = false
		}
	}
	return drop
}

// balance stops keeping units that miss a period.
func (s *selection) balance() error {
	drop := Drop{Reason: "the unit misses a period, and a panel without gaps was asked for"}
	left := 0
	for u := range s.keep {
		switch {
		case !s.keep[u]:
		case s.used(u) < s.until:
			s.keep[u] = false
			drop.Units++
			drop.Rows += s.used(u)
			drop.TreatedRows += s.t.treatedRows(u)
		default:
			left++
		}
	}
	if drop.Units > 0 {
		s.drops = append(s.drops, drop)
	}
	if left == 0 {
		return refuse(ErrTooFewUnits, "no unit is seen in all %d periods: allow a panel with gaps", s.until)
	}
	return nil
}
