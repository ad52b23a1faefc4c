package tests

import (
	"maps"
	"slices"
	"strings"

	"steelyard/lint"
)

// override keeps a method that takes an inherited test away: it is skipped, or
// does nothing.
func (s *suite) override(name int, body span, pending []span, marks []marker) {
	src := s.src
	overriding := false
	for i := name - 1; i > max(name-8, 0) && !src.is(i, ";") && !src.is(i, "}") && !src.is(i, "{"); i-- {
		overriding = overriding || src.is(i, "override")
	}
	for _, r := range pending {
		for _, part := range s.attributes(r) {
			overriding = overriding || s.simpleName(part) == "Override"
		}
	}
	if !overriding {
		return
	}
	for _, m := range marks {
		if m.kind == skips || m.kind == skipsIf || m.kind == retries {
			s.overrides[src.at(name)] = m
			return
		}
	}
	empty := body.len() == 0 || strings.HasPrefix(src.join(body), "Task . CompletedTask") || src.join(body) == "return Task . CompletedTask"
	title := src.at(name)
	if lower := strings.ToLower(title); empty && (strings.Contains(title, "_") || strings.HasPrefix(lower, "should") || strings.HasPrefix(lower, "test")) {
		s.overrides[title] = marker{kind: skips, at: name, words: "an override that does nothing"}
	}
}

// overridden reports inherited tests that a class takes away now.
func (c *change) overridden(p *pair) {
	if p.old == nil || p.new == nil || !p.test {
		return
	}
	if len(p.new.overrides) == 0 {
		return
	}
	words := p.old.src.count()
	for _, name := range slices.Sorted(maps.Keys(p.new.overrides)) {
		if _, had := p.old.overrides[name]; had || words[name] > 0 || c.newTests[name] {
			continue // or the test is as new as this
		}
		if m := p.new.overrides[name]; m.kind == retries {
			c.report("TS014", p.Path, p.new.src.line(m.at), []lint.Related{was(p.old, 0, "the class before")}, "inherited test %q is retried by %q", short(name), m.words)
			continue
		}
		c.reportSkip(p.new, p.new.overrides[name], []lint.Related{was(p.old, 0, "the class before")}, "inherited test", name)
	}
}
