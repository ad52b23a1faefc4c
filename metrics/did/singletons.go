package did

// leaveOutSingletons unmarks rows that are the only ones of their unit or
// period, until none is left: their own effect uses them up, so that they say
// nothing, but would count in small-sample factors.
func leaveOutSingletons(t *table, used []bool) []Drop {
	unit := Drop{Reason: "the unit has a single row, which its own effect uses up"}
	period := Drop{Reason: "the row is the only one of its period, whose effect uses it up"}
	byUnit := make([]int, t.units())
	byPeriod := make([]int, len(t.periods))
	for u := range byUnit {
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if used[i] {
				byUnit[u]++
				byPeriod[t.period[i]]++
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for u, rows := range byUnit {
			if rows == 0 {
				continue
			}
			for i := t.start[u]; i < t.start[u+1]; i++ {
				if !used[i] {
					continue
				}
				d := &unit
				switch {
				case byUnit[u] == 1:
				case byPeriod[t.period[i]] == 1:
					d = &period
				default:
					continue
				}
				used[i], changed = false, true
				byUnit[u]--
				byPeriod[t.period[i]]--
				d.Rows++
				if t.periods[t.period[i]] >= t.first[u] {
					d.TreatedRows++
				}
				if byUnit[u] == 0 {
					d.Units++
				}
			}
		}
	}
	var drops []Drop
	for _, d := range []Drop{unit, period} {
		if d.Rows > 0 {
			drops = append(drops, d)
		}
	}
	return drops
}
