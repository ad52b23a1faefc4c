package tests

import (
	"path"
	"strings"

	"steelyard/lint"
)

// mocked is TS007: a test file that replaces what it is there to test.
func mocked(c *change) {
	for _, p := range c.files {
		if p.new == nil || !p.test || len(p.new.tests) == 0 {
			continue
		}
		stem := loose(subjectStem(p.Path))
		if stem == "" {
			continue
		}
		had := map[string]bool{}
		if p.old != nil {
			for _, m := range mocks(p.old, stem) {
				had[m.what] = true
			}
		}
		seen := map[string]bool{}
		for _, m := range mocks(p.new, stem) {
			if had[m.what] || seen[m.what] {
				continue
			}
			seen[m.what] = true
			var related []lint.Related
			if p.old != nil && len(p.old.tests) > 0 {
				related = append(related, was(p.old, p.old.tests[0].head(), "the tests before, without it"))
			}
			c.report("TS007", p.Path, p.new.src.line(m.at), related, "%q replaces what this file tests", short(m.what))
		}
	}
}

type mock struct {
	what string
	at   int
}

// mocks finds replacements of a unit called stem.
func mocks(s *suite, stem string) []mock {
	var found []mock
	src := s.src
	for i := range src.tokens {
		if !src.isWord(i) {
			continue
		}
		if m, ok := mockAt(s, i); ok && loose(m) == stem {
			found = append(found, mock{src.join(src.headLine(i)), i})
		}
	}
	return found
}

// mockAt is the name of the unit that a call at i replaces.
func mockAt(s *suite, i int) (string, bool) {
	src := s.src
	switch src.lang {
	case javascript:
		if src.is(i, "mock") && (src.is(i-2, "jest") || src.is(i-2, "vi")) && src.is(i+1, "(") && src.kind(i+2) == text {
			return s.scriptMock(i + 2)
		}
	case java, kotlin:
		if (src.is(i, "mock") || src.is(i, "mockk")) && src.is(i+1, "(") && src.isWord(i+2) && (src.is(i+3, ".") || src.is(i+3, "::")) {
			return src.at(i + 2), true
		}
		if (src.is(i, "Mock") || src.is(i, "MockBean") || src.is(i, "MockK")) && src.is(i-1, "@") {
			j := i + 1
			for src.is(j, "private") || src.is(j, "protected") || src.is(j, "public") || src.is(j, "lateinit") || src.is(j, "var") {
				j++
			}
			if src.is(j+1, ":") {
				return src.at(j + 2), true
			}
			return src.at(j), true
		}
	case csharp:
		if src.is(i, "Mock") && src.is(i-1, "new") && src.is(i+1, "<") && src.is(i+3, ">") {
			return src.at(i + 2), true
		}
		if src.is(i, "For") && src.is(i-2, "Substitute") && src.is(i+1, "<") && src.is(i+3, ">") {
			return src.at(i + 2), true
		}
	case ruby:
		if (src.is(i, "instance_double") || src.is(i, "class_double")) && src.is(i+1, "(") {
			return strings.Trim(src.at(i+2), `"'`), !src.is(i+2, "described_class")
		}
	case python:
		return s.pythonMock(i)
	}
	return "", false
}

// scriptMock is the module that jest.mock names, unless the mock keeps the real
// one inside, or the module is no neighbour.
func (s *suite) scriptMock(i int) (string, bool) {
	src := s.src
	name := strings.Trim(src.at(i), "'\"`")
	if !strings.HasPrefix(name, ".") {
		return "", false
	}
	if !s.imports(src.at(i)) {
		return "", false
	}
	end := src.close(i - 1)
	for j := i; j < end; j++ {
		if v := src.at(j); v == "requireActual" || v == "importActual" || v == "importOriginal" || v == "actual" || v == "spy" {
			return "", false
		}
	}
	base := path.Base(name)
	if base == "index" {
		base = path.Base(path.Dir(name))
	}
	return strings.TrimSuffix(base, path.Ext(base)), true
}

// imports reports whether a script imports from a module by this very path: it
// is what the file tests then.
func (s *suite) imports(quoted string) bool {
	want := strings.Trim(quoted, "'\"`")
	for i := range s.src.tokens {
		if s.src.kind(i) == text && strings.Trim(s.src.at(i), "'\"`") == want && (s.src.is(i-1, "from") || s.src.is(i-1, "(") && (s.src.is(i-2, "require") || s.src.is(i-2, "import"))) {
			return true
		}
	}
	return false
}

// pythonMock is patch("pkg.cart.total") where the test also calls total, as
// the module's name.
func (s *suite) pythonMock(i int) (string, bool) {
	src := s.src
	if !src.is(i, "patch") || !src.is(i+1, "(") || src.kind(i+2) != text {
		return "", false
	}
	parts := strings.Split(strings.Trim(src.at(i+2), `"'`), ".")
	if len(parts) < 2 {
		return "", false
	}
	module, name := parts[len(parts)-2], parts[len(parts)-1]
	imported := false
	for j := 0; j < i && !imported; j++ {
		imported = src.is(j, "import") && src.token(max(j-1, 0)).line == src.token(j).line && strings.Contains(src.join(src.headLine(j)), " "+name) && src.is(j-1, module)
	}
	return module, imported
}
