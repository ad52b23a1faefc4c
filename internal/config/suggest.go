package config

import "strings"

// Suggest returns the word of valid that word most likely meant, or "" where
// none is close: at most a third of its letters differ (a swap of neighbours
// counts once), or it is a beginning of exactly one of them, which goes before
// likeness where the word would have to change by more than a letter. Case is
// ignored.
func Suggest(word string, valid []string) string {
	word = strings.ToLower(word)
	if len(word) > 64 {
		return ""
	}
	best, distance := "", len(word)/3+1
	prefix, prefixed := "", 0
	for _, v := range valid {
		low := strings.ToLower(v)
		if d := editDistance(word, low); d < distance || d == distance && best == "" {
			best, distance = v, d
		}
		if len(word) >= 3 && strings.HasPrefix(low, word) {
			prefix, prefixed = v, prefixed+1
		}
	}
	if prefixed == 1 && (best == "" || distance > 1) {
		return prefix
	}
	return best
}

// editDistance is the optimal string alignment distance: insertions,
// deletions, replacements and swaps of neighbours.
func editDistance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(next[j-1]+1, row[j]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
