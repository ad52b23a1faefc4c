package did

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
// row, until none is left.
func (m *imputer) dropSingletons() {
	t := m.t
	none := Drop{Reason: "the unit has no untreated row, so its effect cannot be told from the unit itself"}
	one := Drop{Reason: "the unit has exactly one untreated row, which its own effect uses up"}
	never := Drop{Reason: "the unit is never treated and has a single row, which its own effect uses up"}
	lone := Drop{Reason: "the row is the only untreated one of its period"}
	byUnit, byPeriod := m.countUntreated()
	gone := make([]bool, t.units())
	for changed := true; changed; {
		changed = false
		for u := range t.units() {
			if gone[u] || byUnit[u] > 1 {
				continue
			}
			gone[u], changed = true, true
			switch {
			case byUnit[u] == 0:
				m.dropUnit(u, &none, byPeriod)
			case t.treated(t.first[u]):
				m.dropUnit(u, &one, byPeriod)
			default:
				m.dropUnit(u, &never, byPeriod)
			}
		}
		for u := range t.units() {
			for i := t.start[u]; i < t.start[u+1]; i++ {
				if p := t.period[i]; m.untreated[i] && byPeriod[p] == 1 {
					m.untreated[i], changed = false, true
					byUnit[u]--
					byPeriod[p] = 0
					lone.Rows++
				}
			}
		}
	}
	m.drop(none, one, never, lone)
}

func (m *imputer) countUntreated() (byUnit, byPeriod []int) {
	byUnit = make([]int, m.t.units())
	byPeriod = make([]int, len(m.t.periods))
	for u := range byUnit {
		for i := m.t.start[u]; i < m.t.start[u+1]; i++ {
			if m.untreated[i] {
				byUnit[u]++
				byPeriod[m.t.period[i]]++
			}
		}
	}
	return byUnit, byPeriod
}

// dropUnit leaves out all rows of u and counts them.
func (m *imputer) dropUnit(u int, d *Drop, byPeriod []int) {
	d.Units++
	for i := m.t.start[u]; i < m.t.start[u+1]; i++ {
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
	for u := range t.units() {
		own, dropped, left := -1, 0, 0
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if m.untreated[i] {
				own = m.first.component[t.period[i]]
				break
			}
		}
		for i := t.start[u]; i < t.start[u+1]; i++ {
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
			d.Units++
		}
	}
	m.drop(d)
}
