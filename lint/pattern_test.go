package lint_test

import (
	"strings"
	"testing"

	"steelyard/lint"
)

func TestSpelled(t *testing.T) {
	for pattern, want := range map[string]bool{
		"**/*.{ts,tsx}": true, "{a,b}/{c,d}/{e,f}": true, `\{a,b\}`: true, strings.Repeat("a,", 5000): true, "": true,
		strings.Repeat("{a,b}", 9): true, strings.Repeat("{a,b}", 10): false, strings.Repeat("{a,b", 10): false,
		"{" + strings.Repeat("a,", 2000) + "a}": false, "{a,{b,{c,d}}}": true,
	} {
		if got := lint.Spelled(pattern); got != want {
			t.Errorf("%.40q is %v, want %v", pattern, got, want)
		}
	}
}
