package tests

import (
	"maps"
	"slices"
	"strings"

	"steelyard/lint"
)

// rowsLost is TS001 for a list of what tests are run with that lost entries and
// got none. An entry whose subject is gone, or that stands elsewhere now, is no
// loss.
func rowsLost(c *change) {
	for _, p := range c.files {
		if p.old == nil || p.new == nil || !p.test || c.has(p) {
			continue
		}
		before := p.old.caseLists()
		if len(before) == 0 {
			continue
		}
		after := p.new.caseLists()
		for _, key := range slices.Sorted(maps.Keys(before)) {
			old := before[key]
			now, ok := after[key]
			if !ok || has(before, key+"'") != has(after, key+"'") || p.old.inTable(old.at) {
				continue
			}
			lost := lostEntries(old.texts(p.old), now.texts(p.new))
			if len(lost) == 0 || c.rowsGone(p, lost) {
				continue
			}
			c.report("TS001", p.Path, p.new.src.line(now.at), []lint.Related{was(p.old, old.at, "the list before")}, "tests run without %s, %d of %d in %q", short(lost[0]), len(lost), len(old.texts(p.old)), strings.TrimRight(key, "'"))
			break
		}
	}
}

// lostEntries are what the second list has no more, nothing where it has
// something else or nothing at all. Both are sorted.
func lostEntries(old, now []string) []string {
	if len(now) == 0 || len(now) >= len(old) {
		return nil
	}
	var lost []string
	j := 0
	for _, e := range old {
		if j < len(now) && now[j] == e {
			j++
			continue
		}
		lost = append(lost, e)
	}
	if j < len(now) {
		return nil
	}
	return lost
}

// rowsGone reports whether what entries are about is gone, or they moved: product
// code says less of it, or another file of tests more.
func (c *change) rowsGone(p *pair, lost []string) bool {
	joined := map[*suite]string{}
	text := func(s *suite) string {
		if s == nil {
			return ""
		}
		if _, ok := joined[s]; !ok {
			joined[s] = s.src.join(span{0, len(s.src.tokens)})
		}
		return joined[s]
	}
	for _, e := range lost[:min(len(lost), maxAsked)] {
		if strings.Count(text(p.new), e) >= strings.Count(text(p.old), e) {
			return true
		}
		core := strings.Trim(e, `"'`+"`")
		words := strings.Fields(e)
		for _, q := range c.files {
			if q == p {
				continue
			}
			if q.test && len(e) > 8 && strings.Count(text(q.new), e) > strings.Count(text(q.old), e) {
				return true
			}
			if q.test || len(core) < 2 {
				continue
			}
			if strings.Count(string(q.New), core) < strings.Count(string(q.Old), core) {
				return true
			}
			for _, w := range words[:min(len(words), 12)] {
				w = strings.Trim(w, `"'`+"`:")
				if len(w) > 3 && strings.Contains(string(q.Old), w) && !strings.Contains(string(q.New), w) {
					return true
				}
			}
		}
		for _, w := range words {
			if c.vanished[strings.Trim(w, `"'`+"`:")] {
				return true
			}
		}
	}
	return false
}

// inTable reports whether a list stands in a test whose rows are counted.
func (s *suite) inTable(at int) bool {
	for _, t := range s.tests {
		if t.body.has(at) && t.cases >= 2 {
			return true
		}
	}
	return false
}

func has(lists map[string]caseList, key string) bool {
	_, ok := lists[key]
	return ok
}
