package tests

import (
	"regexp"
	"strings"
)

// leftBefore reports whether the tests of a file ended without a word, before
// the change, where they are skipped now: under a condition that the file had
// around a bare return, or by a value of the class itself.
func (c *change) leftBefore(s *suite, m marker) bool {
	var p *pair
	for _, q := range c.files {
		if q.new == s {
			p = q
		}
	}
	if p == nil || p.old == nil {
		return false
	}
	if p.old.src.lang == python && skipValues(p.old) > skipValues(p.new) {
		return true
	}
	if m.kind != skipsIf && m.kind != skipsMay {
		return false
	}
	before, now := p.old.silentExits(), s.silentExits()
	text := ""
	for cond := range before {
		if now[cond] {
			continue
		}
		if text == "" {
			text = s.around(m)
		}
		if at := strings.Index(text, " "+cond+" "); at >= 0 && visible.MatchString(text) && !strings.HasSuffix(text[:at], "||") && !strings.HasPrefix(text[at+len(cond)+2:], "||") {
			return true
		}
	}
	return false
}

// around is what a skip stands in: the function that it calls, or its own
// statement with the conditions above it.
func (s *suite) around(m marker) string {
	if body, ok := s.helpers[m.words]; ok && body.len() <= maxMoved {
		return " " + s.src.join(body) + " "
	}
	st := s.src.statement(m.at, span{0, len(s.src.tokens)})
	text := " " + m.cond + " " + s.src.join(st) + " "
	if up := int(s.src.token(m.at).up); up > 0 && s.src.is(up, "{") {
		text += s.src.join(span{max(up-60, 0), up}) + " "
	}
	return text
}

// visible is a word by which a runner says that a test did not run.
var visible = regexp.MustCompile(`(?i)skip|assum|ignore|inconclusive|pending|abort`)

// silentForm is a condition around nothing but a return or a good end.
var silentForm = regexp.MustCompile(`(?:^|[;{}] |\) )if \(? ?([^{}]{8,200}?) ?\)? \{ (?:return(?: nil| 0| Task \. CompletedTask)?|os \. Exit \( 0 \)|process \. exit \( 0 \)) ;? ?\}`)

// maxSilent bounds the tokens of a file that is read for it.
const maxSilent = 200_000

// silentExits are the conditions of a file under which a function, one that
// holds tests or runs them, just returns.
func (s *suite) silentExits() map[string]bool {
	found := map[string]bool{}
	if s.src.lang.indented() || len(s.src.tokens) > maxSilent {
		return found
	}
	for i := range s.src.tokens {
		if !s.src.is(i, "if") || !s.src.isWord(i) {
			continue
		}
		end := i + 1
		for end < min(len(s.src.tokens), i+60) && !s.src.is(end, "{") {
			end++
		}
		stop := s.src.close(end)
		if !s.src.is(end, "{") || stop < 0 || stop-end > 8 {
			continue
		}
		if m := silentForm.FindStringSubmatch(s.src.join(span{i, stop + 1})); m != nil {
			found[strings.TrimSpace(m[1])] = true
		}
	}
	return found
}

// skipValues counts the classes of a file that say by a value of their own that
// they are skipped.
func skipValues(s *suite) int {
	n := 0
	for i := range s.src.tokens {
		if s.src.is(i, "skip") && s.src.is(i+1, "=") && s.src.token(i).first && s.src.token(i).col > 0 && s.src.kind(i+2) == text {
			n++
		}
	}
	return n
}

// retriedAbove reports whether a class that is retried now was so before by the
// class that it is made from, which the change does not retry any more.
func (c *change) retriedAbove(s *suite, g *scope) bool {
	head := " " + s.src.join(s.src.headLine(g.body.from)) + " "
	if up := g.body.from; s.src.is(up, "{") {
		head = " " + s.src.join(span{max(up-40, 0), up}) + " "
	}
	for _, p := range c.files {
		if p.old == nil || p.new == nil {
			continue
		}
		retried := map[string]int{}
		for at, v := range []*suite{p.old, p.new} {
			for _, h := range v.scopes {
				for _, m := range h.mark {
					if m.kind == retries {
						retried[h.name] += 1 - 2*at
					}
				}
			}
		}
		for name, n := range retried {
			if n > 0 && name != g.name && strings.Contains(head, " "+name+" ") {
				return true
			}
		}
	}
	return false
}
