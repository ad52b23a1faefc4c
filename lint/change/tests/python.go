package tests

import "strings"

// block is the extent of an indented block whose header begins at token i: the
// tokens up to the next line that is indented no deeper. In Ruby the line with
// its end belongs to it.
func (s *source) block(i int) span {
	if r, ok := s.blocks[i]; ok {
		return r
	}
	if s.blocks == nil {
		s.blocks = map[int]span{}
	}
	r := s.extent(i)
	s.blocks[i] = r
	return r
}

func (s *source) extent(i int) span {
	col := s.tokens[i].col
	for j := i; j < len(s.tokens); j++ {
		t := s.tokens[j]
		if j > i && t.first && t.col <= col {
			if s.lang == ruby && t.col == col && s.is(j, "end") {
				return span{i, j + 1}
			}
			if s.lang == python && closes(s.at(j)) {
				continue
			}
			if s.lang == ruby && t.col == col && rubyMiddles[s.at(j)] {
				continue
			}
			return span{i, j}
		}
		if t.kind == mark && s.lang == python {
			if c := s.close(j); c > 0 {
				j = c // a line inside brackets begins no statement
			}
		}
	}
	return span{i, len(s.tokens)}
}

var rubyMiddles = map[string]bool{"else": true, "elsif": true, "rescue": true, "ensure": true, "when": true, "in": true}

// python finds functions and methods called test… and classes of tests.
func (s *suite) python() {
	src := s.src
	for i := 0; i < len(src.tokens); i++ {
		if !src.tokens[i].first || !src.isWord(i) {
			continue
		}
		at := i
		if src.is(at, "async") {
			at++
		}
		switch {
		case src.is(at, "class"):
			marks, _ := s.decorators(i)
			marks = append(marks, s.classMarks(src.block(i))...)
			s.scopes = append(s.scopes, &scope{name: src.at(at + 1), body: src.block(i), mark: marks})
		case src.is(at, "def"):
			s.pythonFunction(i, at+1)
		}
	}
}

// classMarks reads "pytestmark = …" and "__test__ = False" right inside a class.
func (s *suite) classMarks(r span) []marker {
	var marks []marker
	src, col := s.src, int32(-1)
	for i := r.from + 1; i+2 < r.to; i++ {
		if !src.tokens[i].first || col >= 0 && src.tokens[i].col != col {
			continue
		}
		col = src.tokens[i].col
		if !src.is(i+1, "=") {
			continue
		}
		switch {
		case src.is(i, "__test__") && src.is(i+2, "False"):
			marks = append(marks, marker{kind: skips, at: i, words: "__test__ = False"})
		case src.is(i, "pytestmark"):
			st := src.statement(i, r)
			for j := i + 2; j < st.to; j++ {
				switch src.at(j) {
				case "skip":
					marks = append(marks, marker{kind: skips, at: i, words: "pytestmark"})
				case "skipif":
					marks = append(marks, marker{kind: skipsIf, at: i, words: "pytestmark"})
				case "xfail":
					marks = append(marks, marker{kind: expectsFailure, at: i, words: "pytestmark"})
				}
			}
		}
	}
	return marks
}

func (s *suite) pythonFunction(i, at int) {
	src := s.src
	name := src.at(at)
	whole := src.block(i)
	params := src.close(at + 1)
	if params < 0 {
		return
	}
	colon := params + 1
	for colon < whole.to && !src.is(colon, ":") {
		colon++
	}
	body := span{min(colon+1, whole.to), whole.to}
	if !strings.HasPrefix(name, "test") {
		s.helpers[name] = body
		return
	}
	marks, from := s.decorators(i)
	t := s.add(name, span{from, whole.to}, body, marks)
	for j := from; j < i; j++ {
		if src.is(j, "parametrize") && src.is(j+1, "(") {
			if args := src.arguments(j + 1); len(args) > 1 && src.is(args[1].from, "[") {
				t.cases = max(t.cases, 1) * max(len(src.arguments(args[1].from)), 1)
			}
		}
	}
}

// decorators reads the lines with @ above a definition.
func (s *suite) decorators(i int) ([]marker, int) {
	src := s.src
	col, from := src.tokens[i].col, i
	for from > 0 {
		// The start of the statement above at the same indentation.
		j := from - 1
		for j >= 0 && (!src.tokens[j].first || src.tokens[j].col > col || closes(src.at(j))) {
			j--
		}
		if j < 0 || !src.is(j, "@") || src.tokens[j].col != col {
			break
		}
		from = j
	}
	var marks []marker
	for j := from; j < i; j++ {
		if !src.is(j, "@") || !src.tokens[j].first {
			continue
		}
		if m, ok := s.decorator(j + 1); ok {
			marks = append(marks, m)
		}
	}
	return marks, from
}

// decorator reads the dotted name at i, and what it does to a test.
func (s *suite) decorator(i int) (marker, bool) {
	src := s.src
	from := i
	for src.is(i+1, ".") {
		i += 2
	}
	m := marker{at: from, words: "@" + strings.ReplaceAll(src.join(span{from, i + 1}), " ", "")}
	switch name := strings.ToLower(src.at(i)); {
	case name == "skip" || name == "ignore" || name == "skip_test":
		m.kind = skips
	case name == "xfail" || name == "expectedfailure":
		m.kind = expectsFailure
		if src.is(i+1, "(") && src.close(i+1) > 0 {
			if args := src.arguments(i + 1); len(args) > 0 && !src.is(args[0].from+1, "=") {
				m.kind = skipsIf
			}
		}
	case strings.HasPrefix(name, "knownfail") || strings.HasPrefix(name, "known_fail"):
		m.kind = expectsFailure
	case strings.HasPrefix(strings.ToLower(src.at(from)), "skip"), strings.HasPrefix(name, "requires_"), strings.HasPrefix(name, "needs_"), strings.HasPrefix(name, "require_"):
		m.kind = skipsIf
	case strings.HasPrefix(name, "skip"):
		m.kind = skipsIf
		if args := src.arguments(i + 1); len(args) > 0 {
			m.cond = src.join(args[0])
		}
	case name == "flaky" || name == "retry" || name == "reruns":
		m.kind, m.count = retries, 1
	case strings.HasPrefix(m.words, "@pytest.mark.") && failingTag(name):
		m.kind = skipsIf
	default:
		return m, false
	}
	return m, true
}
