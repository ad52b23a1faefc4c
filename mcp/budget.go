package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The budget of a default answer: a model reads every character of it.
const (
	maxText  = 1990      // characters of text, under 2,000
	maxBytes = 8<<10 - 1 // bytes of structured content, under 8 KiB
)

// piece is a part of a text that stays whole or is left out.
type piece struct {
	text string
	// rank says what is left out first: the highest; 0 stays.
	rank int
	// what names the piece where it is left out: "a caveat".
	what string
}

// compose joins pieces, one a line, within budget characters. Where some must
// be left out, or something is gone already, it ends with a line that names it
// all and says where it is.
func compose(pieces []piece, gone []string, budget int, where string) string {
	kept := make([]bool, len(pieces))
	for i := range kept {
		kept[i] = true
	}
	for {
		text := render(pieces, kept, gone, where)
		last := leastNeeded(pieces, kept)
		if utf8.RuneCountInString(text) <= budget || last < 0 {
			return cut(text, budget)
		}
		kept[last] = false
	}
}

// leastNeeded is the index of the last kept piece of the highest rank above 0,
// or −1.
func leastNeeded(pieces []piece, kept []bool) int {
	last, rank := -1, 0
	for i, p := range pieces {
		if kept[i] && p.rank > 0 && p.rank >= rank {
			last, rank = i, p.rank
		}
	}
	return last
}

func render(pieces []piece, kept []bool, gone []string, where string) string {
	var b strings.Builder
	missing := slices.Clone(gone)
	count := make(map[string]int)
	for i, p := range pieces {
		if kept[i] {
			b.WriteString(p.text)
			b.WriteByte('\n')
			continue
		}
		if count[p.what] == 0 {
			missing = append(missing, p.what)
		}
		count[p.what]++
	}
	if len(missing) > 0 {
		for i, what := range missing {
			if n := count[what]; n > 1 {
				missing[i] = fmt.Sprintf("%s (%d)", what, n)
			}
		}
		fmt.Fprintf(&b, "Left out here to stay short: %s. %s\n", strings.Join(missing, ", "), where)
	}
	return strings.TrimRight(b.String(), "\n")
}

// size is the length of v as JSON, in bytes.
func size(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return maxBytes + 1 // the SDK reports it
	}
	return len(b)
}
