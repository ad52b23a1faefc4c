package tests

import "strings"

// branchAt is the condition of the innermost branch around a token of a test
// that has an else or is one, "" where there is none.
func (s *suite) branchAt(r span, at int) string {
	src := s.src
	if src.lang.indented() {
		return s.indentedBranch(r, at)
	}
	for up, steps := int(src.token(at).up), 0; up >= r.from && steps < 16; up, steps = int(src.token(up).up), steps+1 {
		if !src.is(up, "{") {
			continue
		}
		for i := up - 1; i >= max(r.from, up-maxFormula); i-- {
			if c := int(src.token(i).mate); closes(src.at(i)) && c >= r.from && c < i {
				i = c
				continue
			}
			if src.is(i, "if") || src.is(i, "switch") || src.is(i, "when") || src.is(i, "match") {
				return src.join(span{i, up})
			}
			if v := src.at(i); src.is(i, "else") {
				return v
			} else if v == "{" || v == "}" || v == "func" || v == "=>" || v == "fn" {
				break
			}
		}
	}
	return ""
}

// indentedBranch is the same for a language that tells blocks by indentation.
func (s *suite) indentedBranch(r span, at int) string {
	src := s.src
	for at > r.from && !src.token(at).first {
		at--
	}
	col := src.token(at).col
	for i := at - 1; i >= max(r.from, at-maxStatement); i-- {
		if !src.token(i).first || src.token(i).col >= col {
			continue
		}
		col = src.token(i).col
		switch src.at(i) {
		case "if", "elif", "elsif", "else", "unless", "when", "case":
			return strings.TrimSuffix(src.join(src.headLine(i)), " :")
		}
	}
	return ""
}

// unixSystems are the systems that cfg(unix) takes in.
var unixSystems = []string{"linux", "macos", "android", "freebsd", "openbsd", "netbsd", "dragonfly", "solaris", "illumos", "ios", "apple"}

// fewerSystems reports whether a test of Rust that ran on every Unix, or on all
// but Windows, now names the systems on which it runs.
func fewerSystems(old, now string) bool {
	if !strings.HasPrefix(old, "cfg (") || !strings.HasPrefix(now, "cfg (") || strings.Contains(now, " unix") || strings.Contains(now, "not (") {
		return false
	}
	if old != "cfg ( unix )" && old != "cfg ( not ( windows ) )" && !strings.HasPrefix(old, "cfg ( any ( unix") {
		return false
	}
	for _, system := range unixSystems {
		if strings.Contains(now, `"`+system+`"`) {
			return true
		}
	}
	return false
}

// passes reports whether a block belongs to the flow of what stands around it:
// a try, a using, a lock, or a block by itself.
func (s *source) passes(open int) bool {
	before := open - 1
	if c := int(s.token(open - 1).mate); s.is(open-1, ")") && c > 0 {
		before = c - 1
	}
	switch s.at(before) {
	case "try", "using", "lock", "unsafe", "checked", ";", "synchronized", "finally":
		return true
	}
	return false
}
