package tests

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"sort"
	"strings"
)

// goFile is a Go file with the way from its syntax to tokens.
type goFile struct {
	*suite
	base int // what makes an offset of a position
}

// golang finds the tests of a Go file by its syntax. A file that does not
// parse is read as far as it does.
func (s *suite) golang(content []byte) {
	fset := gotoken.NewFileSet()
	file, err := parser.ParseFile(fset, "", content, parser.SkipObjectResolution)
	if err != nil {
		s.broken = err.Error()
	}
	if file == nil {
		return
	}
	g := goFile{s, -int(file.FileStart)}
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			g.specs(decl)
			continue
		}
		if fn.Body == nil {
			continue
		}
		whole := g.span(fn.Pos(), fn.End())
		body := g.span(fn.Body.Lbrace+1, fn.Body.Rbrace)
		if !isGoTest(fn) && !g.listed(fn) {
			s.helpers[fn.Name.Name] = body
			g.failing(fn.Name.Name, fn.Body, body)
			g.specs(fn.Body)
			continue
		}
		t := s.add(fn.Name.Name, whole, body, nil)
		t.cases = g.rows(fn.Body)
		g.walk(t, fn.Body, 0)
	}
}

// token is the index of the token at or behind a position.
func (g goFile) token(p gotoken.Pos) int {
	off := int32(int(p) + g.base)
	return sort.Search(len(g.src.tokens), func(i int) bool { return g.src.token(i).off >= off })
}

func (g goFile) span(from, to gotoken.Pos) span { return span{g.token(from), g.token(to)} }

func isGoTest(fn *ast.FuncDecl) bool {
	name := fn.Name.Name
	rest, ok := strings.CutPrefix(name, "Test")
	if !ok {
		if rest, ok = strings.CutPrefix(name, "Fuzz"); !ok {
			return false
		}
	}
	if name == "TestMain" || rest != "" && rest[0] >= 'a' && rest[0] <= 'z' {
		return false
	}
	if fn.Recv != nil { // a method of a testify suite
		return len(fn.Type.Params.List) == 0
	}
	return len(fn.Type.Params.List) == 1
}

// listed reports whether a function is a test by its name and what it takes,
// and stands in a list of such in the file: []func(*testing.T, env){testPush, …}.
func (g goFile) listed(fn *ast.FuncDecl) bool {
	name := fn.Name.Name
	if fn.Recv != nil || !strings.HasPrefix(name, "test") || len(name) < 6 || name[4] < 'A' || name[4] > 'Z' || len(fn.Type.Params.List) == 0 {
		return false
	}
	if star, ok := fn.Type.Params.List[0].Type.(*ast.StarExpr); !ok || !isTestingT(star.X) {
		return false
	}
	if g.inLists == nil {
		g.inLists = map[string]bool{}
		for i := range g.src.tokens {
			if before := g.src.at(i - 1); g.src.isWord(i) && (before == "," || before == "{" || before == "(") && (g.src.is(i+1, ",") || g.src.is(i+1, "}") || g.src.is(i+1, ")")) && strings.HasPrefix(g.src.at(i), "test") {
				g.inLists[g.src.at(i)] = true
			}
		}
	}
	return g.inLists[name]
}

func isTestingT(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "T"
}

// walk finds subtests and comparisons below a test.
func (g goFile) walk(t *test, root ast.Node, depth int) {
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			g.comparison(t, n)
		case *ast.CallExpr:
			name, fn := subtest(n)
			if fn == nil || depth >= 6 {
				return true
			}
			sub := g.add(name, g.span(n.Pos(), n.End()), g.span(fn.Body.Lbrace+1, fn.Body.Rbrace), nil)
			g.walk(sub, fn.Body, depth+1)
			return false
		}
		return true
	})
}

// subtest is t.Run("name", func(t *testing.T) {…}) with a literal name. One
// with a name from a table is part of its test.
func subtest(call *ast.CallExpr) (string, *ast.FuncLit) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Run" || len(call.Args) != 2 {
		return "", nil
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok || lit.Kind != gotoken.STRING {
		return "", nil
	}
	fn, _ := call.Args[1].(*ast.FuncLit)
	return strings.Trim(lit.Value, "\"`"), fn
}

// ginkgo are the functions of Ginkgo that declare a spec or a container.
var ginkgo = map[string]bool{
	"It": false, "Specify": false, "FIt": false, "PIt": false, "XIt": false, "FSpecify": false, "PSpecify": false, "XSpecify": false,
	"Describe": true, "Context": true, "When": true, "FDescribe": true, "PDescribe": true, "XDescribe": true,
	"FContext": true, "PContext": true, "XContext": true, "FWhen": true, "PWhen": true, "XWhen": true,
}

// specs finds It("name", func() {…}) anywhere below a node.
func (g goFile) specs(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 {
			return true
		}
		var name *ast.Ident
		switch fun := call.Fun.(type) {
		case *ast.Ident:
			name = fun
		case *ast.SelectorExpr: // ginkgo.It
			if _, plain := fun.X.(*ast.Ident); plain {
				name = fun.Sel
			}
		}
		if name == nil {
			return true
		}
		group, ok := ginkgo[name.Name]
		fn, isFunc := call.Args[len(call.Args)-1].(*ast.FuncLit)
		if !ok || !isFunc {
			return true
		}
		whole := g.span(call.Pos(), call.End())
		m := marker{at: whole.from, words: name.Name, kind: skips}
		var marks []marker
		switch name.Name[0] {
		case 'F':
			m.kind = focuses
			marks = append(marks, m)
		case 'P', 'X':
			marks = append(marks, m)
		}
		for _, arg := range call.Args[1 : len(call.Args)-1] {
			if m, ok := g.decoration(arg); ok {
				marks = append(marks, m)
			}
		}
		title := titleOf(g.src, g.span(call.Args[0].Pos(), call.Args[0].End()))
		if group {
			g.scopes = append(g.scopes, &scope{name: title, body: whole, mark: marks})
			return true
		}
		g.walk(g.add(title, whole, g.span(fn.Body.Lbrace+1, fn.Body.Rbrace), marks), fn.Body, 1)
		return false
	})
}

// decoration is what a decorator of Ginkgo does to a spec.
func (g goFile) decoration(arg ast.Expr) (marker, bool) {
	at := g.token(arg.Pos())
	call, isCall := arg.(*ast.CallExpr)
	if isCall {
		arg = call.Fun
	}
	name := ""
	switch e := arg.(type) {
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		name = e.Sel.Name
	}
	switch {
	case name == "Pending" && !isCall:
		return marker{kind: skips, at: at, words: name}, true
	case name == "Focus" && !isCall:
		return marker{kind: focuses, at: at, words: name}, true
	case name == "FlakeAttempts":
		return marker{kind: retries, at: at, words: name}, true
	case name == "Label" && isCall && failingTag(g.src.join(g.span(call.Pos(), call.End()))):
		return marker{kind: skipsIf, at: at, words: name}, true
	}
	return marker{}, false
}

// comparison is an if that fails the test.
func (g goFile) comparison(t *test, n *ast.IfStmt) {
	if !failsDirectly(n.Body) {
		return
	}
	cond := g.span(n.Cond.Pos(), n.Cond.End())
	a := g.condition(cond)
	a.at, a.end = g.token(n.Pos()), cond.to
	a.alts = g.src.alternatives(cond, "&&")
	a.written(g.src)
	a.guards = g.guards(t.body, a.at)
	if n.Init != nil {
		a.text = g.src.join(g.span(n.Init.Pos(), n.Init.End())) + "; " + a.text
		if a.subject == "diff" || a.subject == "err" {
			a.subject = g.src.join(g.span(n.Init.Pos(), n.Init.End()))
		}
	}
	t.asserts = append(t.asserts, a)
}

// failures are the methods that fail a test.
var failures = map[string]bool{"Error": true, "Errorf": true, "Fatal": true, "Fatalf": true, "Fail": true, "FailNow": true}

func failsDirectly(body *ast.BlockStmt) bool {
	for _, stmt := range body.List {
		expr, ok := stmt.(*ast.ExprStmt)
		if !ok {
			continue
		}
		call, ok := expr.X.(*ast.CallExpr)
		if !ok {
			continue
		}
		switch fun := call.Fun.(type) {
		case *ast.SelectorExpr:
			if failures[fun.Sel.Name] {
				return true
			}
		case *ast.Ident:
			if fun.Name == "panic" {
				return true
			}
		}
	}
	return false
}

// condition reads what a failing if compares; the assertion is its opposite.
func (g goFile) condition(cond span) assertion {
	a := assertion{name: "if", text: g.src.join(cond), level: unknown}
	subject, op, expected := g.src.operator(cond)
	a.subject = g.src.join(subject)
	switch op {
	case "!=":
		a.level, a.expected = exact, g.src.join(expected)
		if !g.src.literal(expected) {
			a.other = a.expected
		}
		if a.expected == "nil" || a.expected == "true" || a.expected == "false" {
			a.level, a.setup = truth, a.expected == "nil"
		}
	case "==":
		a.level, a.expected = presence, g.src.join(expected)
	case "":
		// The test fails if this holds: "!strings.Contains(a, b)" wants b in a.
		wanted := cond
		if g.src.is(cond.from, "!") {
			wanted.from++
		}
		p := g.src.comparison(wanted)
		a.level, a.subject, a.expected, a.other = p.level, p.subject, p.expected, p.other
		if wanted == cond && a.level != truth {
			a.level, a.other = presence, ""
		}
	default:
		a.op, a.expected, a.level = opposite(op), g.src.join(expected), ordered
	}
	a.sized()
	return a
}

func opposite(op string) string {
	switch op {
	case "<":
		return ">="
	case "<=":
		return ">"
	case ">":
		return "<="
	case ">=":
		return "<"
	}
	return op
}

// rows counts the rows of a test's tables: composite literals in a composite
// literal of a slice or map.
func (g goFile) rows(root ast.Node) int {
	most := 0
	ast.Inspect(root, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		rows := 0
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if row, ok := e.(*ast.CompositeLit); ok && len(row.Elts) > 0 {
				rows++
			}
		}
		most = max(most, rows)
		return true
	})
	return most
}
