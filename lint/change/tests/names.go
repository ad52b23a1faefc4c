package tests

import (
	"path"
	"strings"
)

// declaring are words before the name that they declare.
var declaring = map[string]bool{
	"func": true, "def": true, "class": true, "function": true, "fn": true, "struct": true, "enum": true, "interface": true,
	"type": true, "trait": true, "module": true, "record": true, "object": true, "fun": true, "mod": true, "macro_rules": true,
}

// names finds what product code declared before and no longer does, and the
// other way round.
func (c *change) names() {
	before, after := map[string]bool{}, map[string]bool{}
	kept, had := map[string]bool{}, map[string]bool{}
	for _, p := range c.files {
		if p.test || quiet(p.Path) {
			continue
		}
		declared(p.old, p.Old, before, had)
		declared(p.new, p.New, after, kept)
	}
	c.vanished, c.added = map[string]bool{}, map[string]bool{}
	c.members = map[string]bool{}
	for name := range had {
		if !kept[name] && len(name) > 4 {
			c.members[name] = true
		}
	}
	c.goneNames = map[string]bool{}
	for name := range before {
		if !kept[name] {
			c.vanished[name] = true
			if l := loose(name); len(l) > 4 {
				c.goneNames[l] = true
			}
		}
	}
	for name := range after {
		if !had[name] {
			c.added[name] = true
		}
	}
}

// quiet are files whose words declare nothing.
func quiet(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".rst", ".txt", ".lock", ".snap", ".svg", ".adoc", ".sum", ".po", ".csv":
		return true
	}
	return strings.HasSuffix(name, "package-lock.json") || strings.HasSuffix(name, "pnpm-lock.yaml") || strings.HasPrefix(name, "docs/")
}

// declared collects the names that a file declares, and every word it has. In a
// file of another kind every string and key may be a name.
func declared(s *suite, content []byte, names, words map[string]bool) {
	if s == nil {
		if content == nil || len(content) > 256<<10 {
			return
		}
		s = &suite{src: cut(string(content), other)}
	}
	src := s.src
	own := s.testModules()
	for name, body := range s.helpers {
		if len(name) > 3 && !inAny(own, body.from) {
			names[name] = true
		}
	}
	next := 0
	for i := range src.tokens {
		for next < len(s.tests) && s.tests[next].whole.to <= i {
			next++
		}
		if next < len(s.tests) && s.tests[next].whole.has(i) || inAny(own, i) {
			continue
		}
		v := src.at(i)
		switch src.kind(i) {
		case word:
			words[v] = true
			if len(v) > 3 && (declaring[src.at(i-1)] || topLevel(src, i) || method(src, i)) {
				names[v] = true
			}
		case text:
			if len(v) > 5 && len(v) < 60 && !strings.ContainsAny(v, " \n\t") {
				name := strings.Trim(v, "'\"`:")
				words[name] = true
				if len(name) > 3 {
					names[name] = true
				}
			}
		}
	}
}

// topLevel reports whether a word is a constant or variable of a file.
func topLevel(src *source, i int) bool {
	switch src.at(i - 1) {
	case "const", "let", "var", "val", "static":
	default:
		return false
	}
	for j := i - 1; j >= 0 && j > i-6; j-- {
		if src.token(j).first {
			return src.token(j).col == 0
		}
	}
	return false
}

// method reports whether a word begins a method of a class in a script.
func method(src *source, i int) bool {
	if src.lang != javascript || !src.is(i+1, "(") || !src.token(i).first && !src.is(i-1, "async") && !src.is(i-1, "static") && !src.is(i-1, "get") {
		return false
	}
	c := src.close(i + 1)
	return c > 0 && (src.is(c+1, "{") || src.is(c+1, ":")) && !statementWords[src.at(i)]
}

// gone is a name in a range that product code no longer declares, "" for none.
func (c *change) gone(src *source, r span) string {
	if len(c.vanished) == 0 && len(c.members) == 0 {
		return ""
	}
	for i := r.from; i < r.to; i++ {
		v := src.at(i)
		if src.kind(i) == text {
			v = strings.Trim(v, "'\"`:")
		} else if src.kind(i) != word {
			continue
		}
		if c.vanished[v] || c.members[v] && (src.is(i-1, ".") || src.is(i-1, "::") || src.is(i+1, "::")) {
			return v
		}
	}
	return ""
}
