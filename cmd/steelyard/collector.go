package main

import "runtime/debug"

// A service answers many small requests out of little memory: what they leave
// behind is collected when it is twice what stays, and not as soon as it is as
// much, which costs a seventh of the processor time. A large computation makes
// that a lot, and therefore all together stays under heapLimit as far as it can.
const (
	leftBehind = 200 // percent
	heapLimit  = 350 << 20
)

// collectLess lets the collector wait until undo is called, unless the
// environment says how it should work.
func (p *program) collectLess() (undo func()) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if _, set := p.env(name); set {
			return func() {}
		}
	}
	percent, limit := debug.SetGCPercent(leftBehind), debug.SetMemoryLimit(heapLimit)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}
