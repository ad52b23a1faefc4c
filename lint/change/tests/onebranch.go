package tests

import "strings"

// branching are the words by which a test chooses between checks.
var branching = map[string]bool{"if": true, "else": true, "elif": true, "elsif": true, "unless": true, "when": true, "case": true, "switch": true}

// oneBranch reports whether a lost assertion stood in one branch of a choice
// that the test does not make any more, and another branch checked the same
// subject by an assertion that is there still.
func (l *lostFor) oneBranch(a *assertion) bool {
	if a.subject == "" && a.raises == nil || !l.fewerChoices {
		return false
	}
	whole, own := l.o.suite.choiceAround(a.at, l.o.body)
	if whole.len() == 0 {
		return false
	}
	kept := map[string]bool{}
	for i := range l.n.asserts[:min(len(l.n.asserts), maxPairing)] {
		kept[l.n.asserts[i].text] = true
	}
	for i := range l.o.asserts[:min(len(l.o.asserts), maxPairing)] {
		b := &l.o.asserts[i]
		if whole.has(b.at) && !own.has(b.at) && kept[b.text] && (b.subject == a.subject || rootOf(a) != "" && rootOf(a) == rootOf(b) || a.raises != nil && b.raises == nil && strings.Contains(b.subject, "(") && holds(a.text, b.subject)) {
			return true
		}
	}
	return false
}

// choices counts the words by which a test chooses.
func (t *test) choices() int {
	n := 0
	for i := t.body.from; i < t.body.to; i++ {
		if t.suite.src.isWord(i) && branching[t.suite.src.at(i)] {
			n++
		}
	}
	return n
}

// choiceAround is the innermost if with an else around a place, and the branch
// that the place is in; both are empty without one.
func (s *suite) choiceAround(at int, r span) (whole, own span) {
	if s.src.lang.indented() {
		return s.indentedChoice(at, r)
	}
	src := s.src
	for up := int(src.token(at).up); up > r.from; up = int(src.token(up).up) {
		end := src.close(up)
		if !src.is(up, "{") || end < 0 {
			continue
		}
		own = span{up, end + 1}
		whole = own
		open := up
		if m := int(src.token(max(up-1, 0)).mate); src.is(up-1, ")") && src.is(m-1, "if") && src.is(m-2, "else") {
			open = m - 1
		}
		for src.is(open-1, "else") && src.is(open-2, "}") && src.token(open-2).mate >= 0 {
			open = int(src.token(open - 2).mate)
			whole.from = open
			if m := int(src.token(max(open-1, 0)).mate); src.is(open-1, ")") && src.is(m-1, "if") && src.is(m-2, "else") {
				open = m - 1 // the condition of an "else if"
			}
		}
		for next := end; src.is(next+1, "else"); {
			open := next + 2
			for open < min(next+60, r.to) && !src.is(open, "{") {
				open++
			}
			if next = src.close(open); next < 0 {
				break
			}
			whole.to = next + 1
		}
		if whole != own {
			return whole, own
		}
	}
	return span{}, span{}
}

// indentedChoice is choiceAround where columns make blocks.
func (s *suite) indentedChoice(at int, r span) (whole, own span) {
	src := s.src
	first := at
	for first > r.from && !src.token(first).first {
		first--
	}
	col := src.token(first).col
	from, to := r.from, r.to
	head := -1
	for i := first - 1; i >= max(r.from, first-maxStatement); i-- {
		if !src.token(i).first || src.token(i).col >= col {
			continue
		}
		v := src.at(i)
		if v == "if" || v == "elif" || v == "elsif" || v == "else" || v == "unless" {
			head = i
			break
		}
		col = src.token(i).col
	}
	if head < 0 {
		return span{}, span{}
	}
	col = src.token(head).col
	for i := head; i >= from; i-- {
		if src.token(i).first && src.token(i).col == col && (src.is(i, "if") || src.is(i, "unless")) {
			from = i
			break
		}
		if src.token(i).first && src.token(i).col < col {
			break
		}
	}
	own = span{head, to}
	more := src.is(head, "elif") || src.is(head, "elsif") || src.is(head, "else")
	for i := head + 1; i < to; i++ {
		if !src.token(i).first || src.token(i).col > col {
			continue
		}
		if own.to == to {
			own.to = i
		}
		if src.token(i).col < col || !branching[src.at(i)] || src.is(i, "if") || src.is(i, "unless") {
			to = i
			break
		}
		more = true
	}
	if !more {
		return span{}, span{}
	}
	return span{from, to}, own
}
