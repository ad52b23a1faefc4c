package did

import "slices"

// split marks untreated rows and drops units that have too few of them.
func (m *imputer) split() error {
	t := m.t
	m.untreated = make([]bool, t.rows())
	m.kept = make([]bool, t.rows())
	treated, untreated := 0, 0
	for u, g := range t.first {
		for i := t.start[u]; i < t.start[u+1]; i++ {
			m.untreated[i] = t.periods[t.period[i]] < g
			m.kept[i] = !m.untreated[i]
			if m.kept[i] {
				treated++
			} else {
				untreated++
			}
		}
	}
	if treated == 0 {
		return refuse(ErrNoTreated, "no row is treated")
	}
	if untreated == 0 {
		return refuse(ErrNoComparison, "every row is treated: nothing is left to impute from")
	}
	m.dropSingletons()
	return nil
}

// dropSingletons leaves out rows whose unit or period has no other untreated
// row, until none is left; with keepSingle only those without any.
func (m *imputer) dropSingletons() {
	none := Drop{Reason: "the unit has no untreated row, so its effect cannot be told from the unit itself"}
	one := Drop{Reason: "the unit has exactly one untreated row, which its own effect uses up"}
	never := Drop{Reason: "the unit is never treated and has a single row, which its own effect uses up"}
	lone := Drop{Reason: "the row is the only untreated one of its period"}
	byBlock, byPeriod := m.countUntreated()
	few := 1
	if m.keepSingle {
		few = 0
	}
	gone := make([]bool, len(byBlock))
	for changed := true; changed; {
		changed = false
		for b, rows := range byBlock {
			if gone[b] || rows > few {
				continue
			}
			gone[b], changed = true, true
			switch {
			case rows == 0:
				m.dropBlock(b, &none, byPeriod)
			case m.hasTreated(b):
				m.dropBlock(b, &one, byPeriod)
			default:
				m.dropBlock(b, &never, byPeriod)
			}
		}
		for b := range byBlock {
			for i := m.start[b]; i < m.start[b+1]; i++ {
				if p := m.t.period[i]; m.untreated[i] && byPeriod[p] <= few {
					m.untreated[i], changed = false, true
					byBlock[b]--
					byPeriod[p] = 0
					lone.Rows++
				}
			}
		}
	}
	m.drop(none, one, never, lone)
}

func (m *imputer) countUntreated() (byBlock, byPeriod []int) {
	byBlock = make([]int, len(m.start)-1)
	byPeriod = make([]int, len(m.t.periods))
	for b := range byBlock {
		for i := m.start[b]; i < m.start[b+1]; i++ {
			if m.untreated[i] {
				byBlock[b]++
				byPeriod[m.t.period[i]]++
			}
		}
	}
	return byBlock, byPeriod
}

// unitsOf is the range of units of block b.
func (m *imputer) unitsOf(b int) (from, to int) {
	from, _ = slices.BinarySearch(m.t.start, m.start[b])
	to, _ = slices.BinarySearch(m.t.start, m.start[b+1])
	return from, to
}

// hasTreated reports whether a unit of block b is treated by the last period.
func (m *imputer) hasTreated(b int) bool {
	from, to := m.unitsOf(b)
	return slices.ContainsFunc(m.t.first[from:to], m.t.treated)
}

// dropBlock leaves out all rows of b and counts them.
func (m *imputer) dropBlock(b int, d *Drop, byPeriod []int) {
	from, to := m.unitsOf(b)
	d.Units += to - from
	for i := m.start[b]; i < m.start[b+1]; i++ {
		if m.untreated[i] {
			byPeriod[m.t.period[i]]--
			d.Rows++
		}
		if m.kept[i] {
			d.Rows++
			d.TreatedRows++
		}
		m.untreated[i], m.kept[i] = false, false
	}
}

func (m *imputer) drop(drops ...Drop) {
	for _, d := range drops {
		if d.Rows > 0 || d.Units > 0 {
			m.result.Dropped = append(m.result.Dropped, d)
		}
	}
}

// keepConnected drops treated rows whose period has no untreated row, or none
// that is connected with those of the unit.
func (m *imputer) keepConnected() {
	t := m.t
	d := Drop{Reason: "no untreated row connects the unit with the period, so there is nothing to impute from"}
	for b := range len(m.start) - 1 {
		own, dropped, left := -1, 0, 0
		for i := m.start[b]; i < m.start[b+1]; i++ {
			if m.untreated[i] {
				own = m.first.component[t.period[i]]
				break
			}
		}
		for i := m.start[b]; i < m.start[b+1]; i++ {
			if m.kept[i] && m.first.component[t.period[i]] != own {
				m.kept[i] = false
				dropped++
			}
			if m.kept[i] {
				left++
			}
		}
		d.Rows += dropped
		d.TreatedRows += dropped
		if dropped > 0 && left == 0 {
			from, to := m.unitsOf(b)
			d.Units += to - from
		}
	}
	m.drop(d)
}
