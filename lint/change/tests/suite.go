package tests

import "slices"

// suite is one version of a test file.
type suite struct {
	path  string
	old   bool
	src   *source
	tests []*test
	// scopes are describe blocks and classes of tests.
	scopes []*scope
	// helpers are functions that are no tests, by name, with their bodies.
	helpers map[string]span
	checks  map[string]bool // helpers that assert something
	// bare are assertions that a file of JavaScript took out of their module.
	bare map[string]bool
	// failing are the conditions by which helpers of Go fail a test.
	failing map[string][]assertion
	hooks   map[string]bool // helpers that run around tests
	// overrides are inherited tests that this file takes away.
	overrides map[string]marker
	words     map[string]int // how often each word stands in the file
	guarded   map[int]*guard // by brace
	broken    string         // why the file does not parse
	lines     map[string]int // how often each line stands in the file
	// squeezed is the text without white space, once it was asked for.
	squeezed string
	// joined is the same without a comma before a bracket.
	joined string
	// helperTexts are the assertions of helpers that were asked for.
	helperTexts map[string][]string
	skipping    map[string]bool // helpers that may skip
	inLists     map[string]bool // functions of Go that stand in lists, once asked for
	defined     map[string]span // values of names, once they were asked for
	calls       map[string]bool // functions that it calls, once asked for
	holders     map[string]bool // variables that hold an object with assertions, once asked for
}

// scope is a group of tests with a name.
type scope struct {
	name string
	body span
	mark []marker
}

// markerKind says what a marker does to a test.
type markerKind uint8

const (
	skips          markerKind = iota
	skipsIf                   // under a condition
	skipsMay                  // where the person asks for a short run
	expectsFailure            // runs, and its failure is what is wanted
	focuses
	retries
)

// marker is a word that keeps a test from running, or others.
type marker struct {
	kind  markerKind
	at    int    // token
	words string // as written, such as "@Disabled"
	count int    // of retries
	cond  string // under which it holds
	runs  bool   // cond is one under which the test runs
	lang  language
	// strict and lax marks expect a failure, and fail a test that passes or not.
	strict, lax bool
}

// test is one test in one version of a file.
type test struct {
	suite *suite
	name  string // its own, without the groups around it
	full  string
	whole span // from its first marker to its end
	body  span
	marks []marker
	// nested are the tests and groups inside, whose tokens are theirs.
	nested  []span
	groups  []*scope // around it, outermost first
	asserts []assertion
	// print holds the hashes of the words of the body, sorted.
	print []uint32
	cases int // rows of its table, 0 without one
	// set are local variables with what they are set to, once they were asked for.
	set map[string]string
	// values is what an annotation runs it with.
	values *valueSource
	mate   *test
	open   bool // may stand for more than one old test: it is new or has grown
}

func (t *test) line() int { return t.suite.src.line(t.head()) }

// head is the token that names the test.
func (t *test) head() int { return t.whole.from }

// own reports whether token i belongs to the test itself, not to one inside.
func (t *test) own(i int) bool {
	for _, r := range t.nested {
		if r.has(i) {
			return false
		}
	}
	return true
}

// Bounds on the tests of a file and on the groups around one.
const (
	maxTests  = 5000
	maxAround = 16
)

// read finds the tests of a file with their assertions.
func read(path string, content []byte, old bool) *suite {
	s := &suite{path: path, old: old, src: cut(string(content), languageOf(path)), helpers: map[string]span{}, checks: map[string]bool{}, hooks: map[string]bool{}, overrides: map[string]marker{}}
	switch s.src.lang {
	case golang:
		s.golang(content)
	case javascript:
		s.javascript()
	case python:
		s.python()
	case ruby:
		s.ruby()
	case java, csharp, rust, groovy:
		s.annotated()
	case kotlin:
		s.annotated()
		s.kotest()
	}
	if len(s.tests) > maxTests {
		s.tests = s.tests[:maxTests]
	}
	s.nest()
	s.conditions()
	s.findChecks()
	s.skipping = s.skippers()
	for _, t := range s.tests {
		t.asserts = append(t.asserts, s.assertions(t.body, t.own)...)
		t.asserts = append(t.asserts, s.spockConditions(t)...)
		s.inlineSkips(t)
		s.required(t)
		s.skipsTargets(t)
		t.marks = append(t.marks, s.triesAgain(t)...)
	}
	s.conditionsWritten()
	return s
}

// add keeps a test.
func (s *suite) add(name string, whole, body span, marks []marker) *test {
	t := &test{suite: s, name: name, whole: whole, body: body, marks: marks}
	s.tests = append(s.tests, t)
	return t
}

// nest names each test after the groups around it, and tells each which tests
// stand inside it. Tests and scopes stand in the order of the file.
func (s *suite) nest() {
	var around []*scope
	next := 0
	for _, t := range s.tests {
		for next < len(s.scopes) && s.scopes[next].body.from <= t.whole.from {
			around = append(around, s.scopes[next])
			next++
		}
		kept := around[:0]
		t.full = ""
		for _, g := range around {
			if g.body.to > t.whole.from {
				kept = append(kept, g)
				if len(t.full) < 1000 {
					t.full += g.name + " > "
				}
			}
		}
		around = kept
		t.full += t.name
		t.groups = slices.Clone(around[max(len(around)-maxAround, 0):])
	}
	var stack []*test
	for _, t := range s.tests {
		for len(stack) > 0 && stack[len(stack)-1].body.to <= t.whole.from {
			stack = stack[:len(stack)-1]
		}
		if n := len(stack); n > 0 && len(stack) < 16 {
			stack[n-1].nested = append(stack[n-1].nested, t.whole)
			t.full = stack[n-1].full + " > " + t.name
		}
		stack = append(stack, t)
	}
}

// findChecks marks the helpers that assert, and those that call such.
func (s *suite) findChecks() {
	all := func(int) bool { return true }
	for name, body := range s.helpers {
		if len(s.assertions(body, all)) > 0 || s.src.lang == golang && s.fails(body) {
			s.checks[name] = true
		}
	}
	for range 2 {
		for name, body := range s.helpers {
			for i := body.from; i < body.to && !s.checks[name]; i++ {
				if s.src.isWord(i) && s.src.is(i+1, "(") && s.checks[s.src.at(i)] {
					s.checks[name] = true
				}
			}
		}
	}
}

// fails reports whether a function of Go fails the test that calls it.
func (s *suite) fails(r span) bool {
	for i := r.from + 2; i < r.to; i++ {
		if failures[s.src.at(i)] && s.src.is(i-1, ".") && s.src.is(i+1, "(") {
			switch s.src.at(i - 2) {
			case "t", "tb", "b", "T":
				return true
			}
		}
	}
	return false
}
