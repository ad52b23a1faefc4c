package tests

import "strings"

// turned reports whether an assertion now wants the opposite: the test is about
// another behaviour, and what followed from the old one goes with it.
func turned(o, n *assertion) bool {
	if o.level != truth || n.level != truth || o.subject != n.subject {
		return false
	}
	yes := func(a *assertion) bool {
		v := strings.ToLower(a.expected)
		if v == "" {
			v = strings.ToLower(a.name)
		}
		return strings.Contains(v, "true") || strings.Contains(v, "truthy")
	}
	no := func(a *assertion) bool {
		v := strings.ToLower(a.expected)
		if v == "" {
			v = strings.ToLower(a.name)
		}
		return strings.Contains(v, "false") || strings.Contains(v, "fals")
	}
	return yes(o) && no(n) || no(o) && yes(n)
}

// sourceGone reports whether what an assertion looks at can no longer be had:
// the variable came from something that product code no longer declares, or it
// was a mock and the new file has no such mock.
func (c *change) sourceGone(o, n *test, a *assertion) bool {
	root, _, _ := strings.Cut(strings.TrimPrefix(a.subject, "! "), " ")
	if root == "" || !isWordByte(root[0]) {
		return false
	}
	if n.suite.words == nil {
		n.suite.words = n.suite.src.count()
	}
	if n.suite.words[root] == 0 && strings.Contains(strings.ToLower(a.text), "called") {
		return true
	}
	src := o.suite.src
	for i := a.at - 1; i >= max(o.body.from, a.at-maxStatement); i-- {
		if !src.is(i, root) || src.is(i-1, ".") {
			continue
		}
		for j := i + 1; j < i+12 && j < a.at; j++ {
			if src.is(j, "=") || src.is(j, ":=") {
				return c.gone(src, src.statement(j, o.body)) != ""
			}
			if v := src.at(j); v != "," && !src.isWord(j) {
				break
			}
		}
	}
	return false
}

// Bounds on what is taken for an expected value that was moved.
const (
	minMoved = 20     // its length in bytes
	maxMoved = 20_000 // tokens of a test
)

// expectations tells whether an old assertion's expected value stands in the
// new test as often as in the old: as an argument of a function that asks for
// it, say.
func expectations(o, n *test) func(*assertion) bool {
	var before, after string
	asked := 0
	return func(a *assertion) bool {
		if asked++; asked > maxPairing || len(a.expected) < minMoved || o.body.len() > maxMoved || n.body.len() > maxMoved {
			return false
		}
		if before == "" {
			before, after = o.suite.src.join(o.body), n.suite.src.join(n.body)
		}
		now := strings.Count(after, a.expected)
		return now > 0 && now >= strings.Count(before, a.expected)
	}
}
