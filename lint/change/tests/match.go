package tests

import (
	"maps"
	"slices"
	"strings"
)

// Shares of words in common from which two tests are taken for one.
const (
	sameName   = 0.3  // and the same name elsewhere in the change
	sameBody   = 0.55 // under another name
	rewritten  = 0.25 // under another name in the same file
	merged     = 0.7  // of an old test's distinct words in a test that grew
	scattered  = 0.85 // of them in what was added to one file
	twin       = 0.8  // of the words of a test that is new or has grown
	copied     = 0.97 // of the words of one that stays as it was
	candidates = 24   // tests that are looked at for one
)

// match gives each old test the new one that it became, over the whole change.
func (c *change) match() {
	var olds, news []*test
	for _, p := range c.files {
		if p.old != nil {
			olds = append(olds, p.old.tests...)
		}
		if p.new != nil {
			news = append(news, p.new.tests...)
		}
		if p.old != nil && p.new != nil {
			byName(p.old.tests, p.new.tests, func(t *test) string { return t.full })
			byName(p.old.tests, p.new.tests, func(t *test) string { return t.name })
			byName(p.old.tests, p.new.tests, func(t *test) string { return loose(t.name) })
			byName(p.old.tests, p.new.tests, func(t *test) string { return loose(sameWithout(t.name)) })
			handedOn(p.old.tests, p.new.tests)
		}
	}
	c.scopeNames = map[string]bool{}
	for _, p := range c.files {
		if p.new != nil {
			for _, g := range p.new.scopes {
				c.scopeNames[g.name] = true
			}
		}
	}
	elsewhere(olds, news)
	byBody(olds, news)
	c.newTests = map[string]bool{}
	for _, t := range news {
		if _, taken := t.suite.overrides[t.name]; t.mate == nil && !taken {
			c.newTests[t.name] = true
		}
		t.open = t.mate == nil || len(t.print) > len(t.mate.print)
	}
	c.index(news)
	for _, t := range olds {
		for _, a := range t.asserts {
			c.before[a.text]++
		}
	}
	for _, t := range news {
		for _, a := range t.asserts {
			c.after[a.text]++
		}
	}
}

// helpers takes the functions of a test file that check something, in both of
// its versions, for tests.
func (c *change) helpers() {
	c.helperTests = map[*pair][]*test{}
	all := func(int) bool { return true }
	for _, p := range c.files {
		if p.old == nil || p.new == nil || !p.test {
			continue
		}
		names := maps.Clone(p.new.checks)
		maps.Copy(names, p.old.checks)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			before, ok := p.old.helpers[name]
			if _, also := p.new.helpers[name]; !ok || !also || len(c.helperTests[p]) >= 200 {
				continue
			}
			o := &test{suite: p.old, name: name, full: name, whole: before, body: before}
			n := &test{suite: p.new, name: name, full: name, whole: p.new.helpers[name], body: p.new.helpers[name]}
			for _, t := range []*test{o, n} {
				t.asserts = append(t.suite.assertions(t.body, all), t.suite.failing[name]...)
				t.fingerprint()
				for _, a := range t.asserts {
					if t == o {
						c.before[a.text]++
					} else {
						c.after[a.text]++
					}
				}
			}
			link(o, n)
			c.helperTests[p] = append(c.helperTests[p], n)
		}
	}
}

// index makes the tests of the new files findable by their words.
func (c *change) index(news []*test) {
	var open []*test
	for _, t := range news {
		if t.open {
			open = append(open, t)
		}
	}
	c.open, c.all = indexOf(open), indexOf(news)
}

func link(a, b *test) { a.mate, b.mate = b, a }

// loose is a name without case and separators: a framework's other spelling.
func loose(name string) string {
	lower := strings.ToLower(name)
	lower = strings.TrimPrefix(strings.TrimPrefix(lower, "test_"), "test")
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x80 {
			return r
		}
		return -1
	}, lower)
}

// byName links tests of the same name, the first to the first.
func byName(olds, news []*test, key func(*test) string) {
	free := map[string][]*test{}
	for _, t := range news {
		if t.mate == nil {
			free[key(t)] = append(free[key(t)], t)
		}
	}
	for _, t := range olds {
		k := key(t)
		if list := free[k]; t.mate == nil && len(list) > 0 {
			link(t, list[0])
			free[k] = list[1:]
		}
	}
}

// Shares of words by which a name was handed on to another test.
const (
	handed  = 0.9 // with the test that has the name now
	foreign = 0.8 // with the one that had it, at most
)

// handedOn corrects links by name where a test is gone and the next one of a
// numbered row has its name now.
func handedOn(olds, news []*test) {
	left := unmatched(olds)
	if len(left) == 0 || len(left) > 200 {
		return
	}
	ix := indexOf(news)
	for _, t := range left {
		for t != nil { // each correction may free the next
			n := t.heir(ix)
			if n == nil {
				break
			}
			freed := n.mate
			link(t, n)
			freed.mate, t = nil, freed
		}
	}
}

// heir is the new test that is an old one under the name of another, nil
// without one.
func (t *test) heir(ix index) *test {
	for _, n := range ix.near(t) {
		if n.mate == nil || n.mate == t || len(t.print) < 6 {
			continue
		}
		if l := likeness(t, n); (l >= handed || l >= foreign && t.sameBody(n)) && likeness(n.mate, n) <= min(foreign, l-0.05) {
			return n
		}
	}
	return nil
}

// sameBody reports whether two tests have the same tokens.
func (t *test) sameBody(n *test) bool {
	if t.body.len() != n.body.len() || t.body.len() > maxPrint {
		return false
	}
	for i := range t.body.len() {
		if t.suite.src.value(t.body.from+i) != n.suite.src.value(n.body.from+i) {
			return false
		}
	}
	return true
}

// elsewhere links tests of the same name in other files of the change.
func elsewhere(olds, news []*test) {
	free := map[string][]*test{}
	for _, t := range news {
		if t.mate == nil {
			free[loose(t.name)] = append(free[loose(t.name)], t)
		}
	}
	for _, t := range olds {
		if t.mate != nil {
			continue
		}
		best, most := (*test)(nil), sameName
		list := free[loose(t.name)]
		for _, n := range list[:min(len(list), candidates)] {
			if l := likeness(t, n); n.mate == nil && l >= most {
				best, most = n, l
			}
		}
		if best != nil {
			link(t, best)
		}
	}
}

// index finds tests by the words that few have.
type index map[uint32][]*test

// maxPosting is how many tests may have a word for it to tell them apart.
const maxPosting = 48

func indexOf(tests []*test) index {
	ix := index{}
	for _, t := range tests {
		for i, h := range t.print {
			if (i == 0 || t.print[i-1] != h) && len(ix[h]) <= maxPosting {
				ix[h] = append(ix[h], t)
			}
		}
	}
	return ix
}

// near are the tests that share the most rare words with t.
func (ix index) near(t *test) []*test {
	counts := map[*test]int{}
	var order []*test
	for i, h := range t.print {
		if list := ix[h]; (i == 0 || t.print[i-1] != h) && len(list) <= maxPosting {
			for _, n := range list {
				if counts[n] == 0 {
					order = append(order, n)
				}
				counts[n]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b *test) int { return counts[b] - counts[a] })
	return order[:min(len(order), candidates)]
}

func unmatched(tests []*test) []*test {
	var list []*test
	for _, t := range tests {
		if t.mate == nil {
			list = append(list, t)
		}
	}
	return list
}

// byBody links tests of other names by what is in them, the most alike first.
func byBody(olds, news []*test) {
	left := unmatched(olds)
	if len(left) == 0 {
		return
	}
	ix := indexOf(unmatched(news))
	type candidate struct {
		old, new *test
		likeness float64
	}
	var list []candidate
	for _, t := range left {
		for _, n := range ix.near(t) {
			l := likeness(t, n)
			if l >= sameBody || l >= rewritten && t.suite.src.lang == n.suite.src.lang && n.suite.path == t.suite.path {
				list = append(list, candidate{t, n, l})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		switch {
		case a.likeness > b.likeness:
			return -1
		case a.likeness < b.likeness:
			return 1
		}
		return 0
	})
	for _, c := range list {
		if c.old.mate == nil && c.new.mate == nil {
			link(c.old, c.new)
		}
	}
}
