package main

import (
	"runtime/debug"
	"testing"
)

// TestCollectLess holds that the collector works as before afterwards, and that
// whoever runs the program has the last word.
func TestCollectLess(t *testing.T) {
	now := func() int {
		percent := debug.SetGCPercent(100)
		debug.SetGCPercent(percent)
		return percent
	}
	before := now()
	p := &program{env: func(string) (string, bool) { return "", false }}
	undo := p.collectLess()
	if got := now(); got != leftBehind {
		t.Errorf("%d percent while serving", got)
	}
	undo()
	if got := now(); got != before {
		t.Errorf("%d percent afterwards, want %d", got, before)
	}
	p.env = func(name string) (string, bool) { return "50", name == "GOGC" }
	defer p.collectLess()()
	if got := now(); got != before {
		t.Errorf("%d percent against GOGC", got)
	}
}
