package mcp

import (
	"strings"
	"testing"
)

// TestReasonIsSaidOnce gives a pilot whose verdict says already why there is no
// number.
func TestReasonIsSaidOnce(t *testing.T) {
	missing := "no value before the start"
	p := pilotLine{Says: "Cannot say yet. There is no value before the start.", Effect: &effect{Missing: missing, Text: "no estimate: " + missing}}
	if got := listPilotsText(listPilotsOut{Pilots: []pilotLine{p}, Total: 1}); strings.Count(got, missing) != 1 {
		t.Errorf("said %d times: %s", strings.Count(got, missing), got)
	}
	p.Says = "Cannot say yet."
	if got := listPilotsText(listPilotsOut{Pilots: []pilotLine{p}, Total: 1}); strings.Count(got, missing) != 1 {
		t.Errorf("said %d times: %s", strings.Count(got, missing), got)
	}
}
