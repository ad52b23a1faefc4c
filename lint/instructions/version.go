package instructions

import (
	"slices"
	"strconv"
	"strings"
)

// version is a version's numbers, as many as were written.
type version []int

func parseVersion(s string) (version, bool) {
	var v version
	for part := range strings.SplitSeq(s, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || len(v) == 4 {
			return nil, false
		}
		v = append(v, n)
	}
	return v, len(v) > 0
}

// compare orders two versions; numbers that are not written count as 0.
func (v version) compare(o version) int {
	for i := range max(len(v), len(o)) {
		a, b := 0, 0
		if i < len(v) {
			a = v[i]
		}
		if i < len(o) {
			b = o[i]
		}
		if a != b {
			return a - b
		}
	}
	return 0
}

// next is the first version behind all that begin with v[:n].
func (v version) next(n int) version {
	n = min(max(n, 1), len(v))
	up := slices.Clone(v[:n])
	up[n-1]++
	return up
}

// interval holds the versions from Low up to but without High; nil is open.
type interval struct{ low, high version }

func (i interval) meets(o interval) bool {
	return (i.high == nil || o.low == nil || o.low.compare(i.high) < 0) &&
		(o.high == nil || i.low == nil || i.low.compare(o.high) < 0)
}

// span is a set of versions.
type span []interval

func (s span) meets(i interval) bool {
	return slices.ContainsFunc(s, func(o interval) bool { return o.meets(i) })
}

// low is the lowest version of the set, nil where it is open.
func (s span) low() version {
	var lowest version
	for n, i := range s {
		if i.low == nil {
			return nil
		}
		if n == 0 || i.low.compare(lowest) < 0 {
			lowest = i.low
		}
	}
	return lowest
}

// maxRange bounds the text of a version range.
const maxRange = 200

var comparator = compile(`^(\^|~>|~=|~|>=|<=|==|!=|>|<|=)?\s*v?(\d+(?:\.\d+){0,3})?((?:\.[xX*]){0,2})`)

// parseRange reads a version range as npm, Composer, Bundler and pip write it.
// ok is false for what is no range of numbers.
func parseRange(s string) (set span, ok bool) {
	if s = strings.TrimSpace(s); s == "" || len(s) > maxRange {
		return nil, false
	}
	for alternative := range strings.SplitSeq(strings.ReplaceAll(s, "||", "|"), "|") {
		i, ok := parseComparators(alternative)
		if !ok {
			return nil, false
		}
		set = append(set, i)
	}
	return set, true
}

func parseComparators(s string) (interval, bool) {
	var all interval
	s = strings.TrimSpace(strings.ReplaceAll(s, ",", " "))
	if low, high, ok := strings.Cut(s, " - "); ok {
		s = ">=" + strings.TrimSpace(low) + " <=" + strings.TrimSpace(high)
	}
	found := false
	for s != "" {
		m := comparator.FindStringSubmatch(s)
		if m == nil || m[2] == "" {
			return interval{}, false
		}
		v, _ := parseVersion(m[2])
		all, found = all.narrow(comparators(m[1], v, m[3] != "")), true
		s = s[len(m[0]):]
		if i := strings.IndexByte(s, ' '); i >= 0 {
			s = strings.TrimSpace(s[i:]) // a pre-release's name is left out
		} else {
			s = ""
		}
	}
	return all, found
}

func (i interval) narrow(o interval) interval {
	if o.low != nil && (i.low == nil || o.low.compare(i.low) > 0) {
		i.low = o.low
	}
	if o.high != nil && (i.high == nil || o.high.compare(i.high) < 0) {
		i.high = o.high
	}
	return i
}

func comparators(op string, v version, wild bool) interval {
	switch op {
	case "^":
		n := 1
		for n < len(v) && v[n-1] == 0 {
			n++
		}
		return interval{v, v.next(n)}
	case "~":
		return interval{v, v.next(2)}
	case "~>", "~=":
		return interval{v, v.next(max(len(v)-1, 1))}
	case ">=":
		return interval{low: v}
	case ">":
		return interval{low: v.next(len(v))}
	case "<":
		return interval{high: v}
	case "<=":
		return interval{high: v.next(len(v))}
	case "!=":
		return interval{}
	}
	_ = wild // "1.x" and "1" are the same set
	return interval{v, v.next(len(v))}
}
