package tests

import (
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// titleTag is what a title says by which runs leave a test out, or forgive it:
// "[FLAKE] opens", "opens @flaky", "opens (flaky)", "opens #slow", "FLAKY: opens".
var titleTag = regexp.MustCompile(`(?i)[@#](flak(e|y)|skip(ped)?|quarantined?|broken|disabled|unstable|slow|manual|wip|fixme|ignored?|known-?(issue|bug|failure))\b` +
	`|\[(flak(e|y)|skip(ped)?|quarantined?|broken|disabled|unstable|unreliable|slow|manual|wip|ignored?|disruptive|(linux|windows|mac|nightly)[- ]?only|known[- ]?(issue|bug|failure))\b[^\]]{0,40}\]` +
	`|\((flak(e|y)|flaky test|skipped|quarantined|unstable|unreliable)( [^)]{0,40})?\)|^(flak(e|y)|skip(ped)?|disabled|unstable|quarantined|fixme) ?[:-] `)

// tagOf is the tag of a title, "" without one.
func tagOf(name string) string {
	if len(name) > 400 {
		name = name[:400]
	}
	return titleTag.FindString(name)
}

// untagged is a title without its tags.
func untagged(name string) string {
	if len(name) > 400 || tagOf(name) == "" {
		return name
	}
	return strings.TrimSpace(titleTag.ReplaceAllString(name, ""))
}

// leftOutWord is a word that the name of a test gets so that a run's pattern
// leaves it out.
var leftOutWord = regexp.MustCompile(`^(flaky|flake|quarantined?|unstable|disabled|skip|skipped|broken|slow|ignored?|manual)$`)

// tagged is the mark that a test's name has now and had not: a tag in its
// title, or a word such as "flaky" and else the name as it was.
func tagged(old, now string, at int) (marker, bool) {
	m := marker{kind: skipsIf, at: at}
	if old == now || len(now) > 400 || len(old) > 400 {
		return m, false
	}
	if tag := tagOf(now); tag != "" {
		m.words = strings.TrimSpace(tag)
		return m, tagOf(old) == ""
	}
	if strings.ContainsAny(now, " \t") || len(now) > 200 {
		return m, false
	}
	before, words := nameWords(old), nameWords(now)
	kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		if !leftOutWord.MatchString(w) || slices.Contains(before, w) {
			return false
		}
		m.words = w
		return true
	})
	return m, len(kept) < len(words) && slices.Equal(kept, before)
}

// sameWithout is a name without its tags and such words.
func sameWithout(name string) string {
	if strings.ContainsAny(name, " \t") || len(name) > 200 {
		return untagged(name)
	}
	words := slices.DeleteFunc(nameWords(name), leftOutWord.MatchString)
	return strings.Join(words, "_")
}

// taggedTitles reports tests and groups that are named so now.
func (c *change) taggedTitles(p *pair) {
	for _, n := range p.new.tests {
		if n.mate == nil || bypassed(n.mate) {
			continue
		}
		if m, ok := tagged(n.mate.name, n.name, n.head()); ok {
			c.reportSkip(p.new, m, []lint.Related{was(n.mate.suite, n.mate.head(), "the test before")}, "test", n.name)
		}
	}
	if p.old == nil {
		return
	}
	before := p.old.groups()
	for _, g := range p.new.scopes {
		if old := before[untagged(g.name)]; old != nil && before[g.name] == nil && tagOf(g.name) != "" {
			m := marker{kind: skipsIf, at: g.body.from, words: tagOf(g.name)}
			c.reportSkip(p.new, m, []lint.Related{was(p.old, old.body.from, "the group before")}, "group", g.name)
		}
	}
}

// displayed is the tag in the title that an annotation gives a test.
func (s *suite) displayed(name string, r span) (marker, bool) {
	if name != "DisplayName" && !testAnnotations[name] {
		return marker{}, false
	}
	for i := r.from; i < r.to; i++ {
		if s.src.kind(i) != text {
			continue
		}
		if tag := tagOf(strings.Trim(s.src.at(i), `"`)); tag != "" {
			return marker{kind: skipsIf, at: i, words: tag}, true
		}
	}
	return marker{}, false
}
