package tests

import (
	"path"
	"strings"

	"steelyard/lint"
)

// detected is TS009: product code that behaves otherwise when it is tested.
func detected(c *change) {
	for _, p := range c.files {
		if p.new == nil || p.test || tooling(p.Path) {
			continue
		}
		had := 0
		if p.old != nil {
			had = len(detections(p.old))
		}
		all := detections(p.new)
		if len(all) <= had {
			continue
		}
		var related []lint.Related
		if p.old != nil {
			related = append(related, lint.Related{Path: p.old.path, Line: min(p.new.src.line(all[len(all)-1].at), p.old.src.line(len(p.old.src.tokens))), Column: 1, Message: "the code before"})
		}
		for _, d := range all[had:] {
			c.report("TS009", p.Path, p.new.src.line(d.at), related, "product code asks whether it is being tested: %q", short(d.what))
		}
	}
}

// tooling are files that set up builds and runs, where the question is proper.
func tooling(name string) bool {
	base := strings.ToLower(path.Base(name))
	if strings.Contains(base, "config") || strings.Contains(base, "babel") || strings.Contains(base, "webpack") || strings.HasPrefix(base, ".") || strings.Contains(base, "setup") || strings.Contains(base, "settings") || strings.HasPrefix(base, "conftest") {
		return true
	}
	for part := range strings.SplitSeq(strings.ToLower(path.Dir(name)), "/") {
		switch part {
		case "config", "configs", "scripts", "script", "build", "tools", "tooling", "ci", "bin", "initializers", "environments", "examples", "testing", "mocks", "docs", "storybook":
			return true
		}
	}
	return false
}

// detections finds the forms in which code asks for a test run.
func detections(s *suite) []mock {
	var found []mock
	src := s.src
	for i := range src.tokens {
		if what := detection(s, i); what != "" && !s.inTest(i) {
			found = append(found, mock{what, i})
		}
	}
	return found
}

func detection(s *suite, i int) string {
	src := s.src
	v := src.at(i)
	comparesWith := func(j int, want string) bool {
		return (src.is(j, "==") || src.is(j, "===") || src.is(j, "!=") || src.is(j, "!==")) && strings.Trim(src.at(j+1), `"'`) == want
	}
	switch src.lang {
	case javascript:
		switch {
		case v == "NODE_ENV" && comparesWith(i+1, "test"):
			return src.join(span{max(i-4, 0), i + 3})
		case (v == "JEST_WORKER_ID" || v == "VITEST") && src.is(i-1, ".") && src.is(i-2, "env"):
			return src.join(span{max(i-4, 0), i + 1})
		}
	case python:
		switch {
		case src.kind(i) == text && (v == `"pytest"` || v == `'pytest'` || v == `"unittest"` || v == `'unittest'`) && (src.is(i+1, "in") || src.is(i+1, "not") && src.is(i+2, "in")) && strings.Contains(src.join(src.headLine(i)), "sys . modules"):
			return src.join(src.headLine(i))
		case src.kind(i) == text && strings.Trim(v, `"'`) == "PYTEST_CURRENT_TEST":
			return "PYTEST_CURRENT_TEST"
		}
	case ruby:
		switch {
		case v == "test?" && src.is(i-2, "env") && src.is(i-4, "Rails"):
			return "Rails.env.test?"
		case src.kind(i) == text && (strings.Trim(v, `"'`) == "RACK_ENV" || strings.Trim(v, `"'`) == "RAILS_ENV") && src.is(i+1, "]") && comparesWith(i+2, "test"):
			return src.join(span{max(i-2, 0), i + 4})
		}
	case golang:
		switch {
		case v == "Testing" && src.is(i-2, "testing") && src.is(i+1, "("):
			return "testing.Testing()"
		case v == "Lookup" && src.is(i-2, "flag") && src.is(i+2, `"test.v"`):
			return `flag.Lookup("test.v")`
		case v == "HasSuffix" && strings.Contains(src.join(span{i, min(i+12, len(src.tokens))}), `os . Args [ 0 ] , ".test"`):
			return `strings.HasSuffix(os.Args[0], ".test")`
		}
	case rust:
		if v == "cfg" && src.is(i+1, "!") && src.is(i+3, "test") {
			return "cfg!(test)"
		}
	case csharp, java, kotlin:
		if src.kind(i) == text && (strings.Contains(v, "xunit") || strings.Contains(v, "nunit") || strings.Contains(v, "org.junit")) && len(v) < 40 {
			line := src.join(src.statement(i, span{0, len(src.tokens)}))
			if strings.Contains(line, "GetAssemblies") || strings.Contains(line, "getStackTrace") || strings.Contains(line, "getClassName") || strings.Contains(line, "StartsWith") || strings.Contains(line, "Class . forName") {
				return short(v)
			}
		}
	}
	return ""
}
