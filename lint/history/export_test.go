package history

// Bound sets how many answers are kept.
func (a *Answers) Bound(rows int) { a.max = rows }
