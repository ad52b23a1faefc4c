package mcp

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

// TestPlainText holds that what is taken for plain is what the long way would
// have left as it is.
func TestPlainText(t *testing.T) {
	for r := range rune(128) {
		if want := unicode.IsOneOf(visible, r) && !unicode.Is(invisible, r); harmless(r) != want {
			t.Errorf("harmless(%q) is not %v", r, want)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		b := make([]byte, r.IntN(8))
		for i := range b {
			b[i] = " \t\nab~\x7f\x00"[r.IntN(8)]
		}
		kept := strings.Map(func(r rune) rune {
			if r == 0x7f || r == 0 {
				return -1
			}
			return r
		}, string(b))
		if got, want := line(string(b), 100), strings.Join(strings.Fields(kept), " "); got != want {
			t.Fatalf("line(%q) is %q, want %q", b, got, want)
		}
	}
}
