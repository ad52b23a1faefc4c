package tests

import (
	"go/ast"
	"regexp"
	"strings"
)

// failing keeps the conditions by which a helper fails the test that calls it.
func (g goFile) failing(name string, root *ast.BlockStmt, body span) {
	t := &test{suite: g.suite, body: body}
	ast.Inspect(root, func(n ast.Node) bool {
		if n, ok := n.(*ast.IfStmt); ok && len(t.asserts) < maxPairing {
			g.comparison(t, n)
		}
		return true
	})
	if len(t.asserts) == 0 {
		return
	}
	if g.suite.failing == nil {
		g.suite.failing = map[string][]assertion{}
	}
	g.suite.failing[name] = t.asserts
}

// nothingThrown are checks that a block of their own throws nothing, and Rust's
// that a result is no error, which nobody notices without them.
var nothingThrown = regexp.MustCompile(`not \. (toThrow|toThrowError|to \. throw)|\b(doesNotThrow|assertDoesNotThrow|DoesNotThrow|DoesNotThrowAsync|NotThrow|NotThrowAsync|ShouldNotThrow|NotPanics|assert_nothing_raised|shouldNotThrowAny|doesNotThrowAnyException|assert_ok)\b|\. is_ok \( \)`)

// calledForm is a call.
var calledForm = regexp.MustCompile(`(\w+)(?: !)? \(`)

// uncaught reports whether a lost check that nothing is thrown went with the
// call that it was about: nothing runs it now.
func uncaught(a *assertion, o, n *test) bool {
	if !nothingThrown.MatchString(a.text) || len(a.text) > 4000 {
		return false
	}
	before, after := o.suite.src.join(o.body), n.suite.src.join(n.body)
	if at := strings.Index(a.text, ". is_ok ( )"); at > 0 && strings.HasPrefix(a.text, "assert ! ( ") && strings.Contains(after, "let _ = "+a.text[len("assert ! ( "):at]) {
		return true // whatever comes of it is thrown away
	}
	asked := false
	for _, m := range calledForm.FindAllStringSubmatch(a.text, maxTexts) {
		if m[1] == a.name || strings.HasPrefix(m[1], "assert") || m[1] == "expect" || m[1] == "is_ok" || nothingThrown.MatchString("not . "+m[1]) || nothingThrown.MatchString(m[1]) {
			continue
		}
		asked = true
		if strings.Count(after, m[0]) >= strings.Count(before, m[0]) {
			return false
		}
	}
	if asked {
		return true
	}
	return strings.Contains(a.text, ". is_ok ( )") && a.subject != "" && !holds(after, strings.TrimSuffix(a.subject, " . is_ok ( )")+" . unwrap") && strings.Count(after, " ?") <= strings.Count(before, " ?") && strings.Count(after, ". unwrap (")+strings.Count(after, ". expect (") <= strings.Count(before, ". unwrap (")+strings.Count(before, ". expect (")
}
