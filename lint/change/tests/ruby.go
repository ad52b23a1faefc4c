package tests

import "strings"

var rubyTests = map[string]bool{
	"it": false, "specify": false, "test": false, "should": false, "example": false, "scenario": false, "its": false,
	"xit": false, "xspecify": false, "fit": false, "fspecify": false, "xexample": false, "fexample": false, "xscenario": false,
	"describe": true, "context": true, "feature": true, "xdescribe": true, "xcontext": true, "fdescribe": true, "fcontext": true,
}

// ruby finds def test_x, and blocks of RSpec, minitest and shoulda.
func (s *suite) ruby() {
	src := s.src
	for i := 0; i < len(src.tokens); i++ {
		if !src.token(i).first || !src.isWord(i) {
			continue
		}
		switch src.at(i) {
		case "class", "module":
			s.scopes = append(s.scopes, &scope{name: src.at(i + 1), body: src.block(i)})
		case "def":
			s.rubyMethod(i)
		case "private", "protected", "private_class_method":
			if name := src.at(i + 2); src.is(i+1, "def") {
				whole := src.block(i)
				s.helpers[name] = span{i + 3, max(whole.to-1, i+3)}
			}
		default:
			at := i
			if src.is(i, "RSpec") && src.is(i+1, ".") {
				at = i + 2
			}
			if src.is(at, "define_method") && (src.is(at+1, "(") && strings.Contains(src.at(at+2), "test_") || strings.HasPrefix(strings.Trim(src.at(at+1), `:"'`), "test_")) {
				s.rubyBlock(i, at, false)
			}
			if group, ok := rubyTests[src.at(at)]; ok {
				s.rubyBlock(i, at, group)
			}
		}
	}
}

func (s *suite) rubyMethod(i int) {
	name := s.src.at(i + 1)
	whole := s.src.block(i)
	body := span{i + 2, max(whole.to-1, i+2)}
	if strings.HasPrefix(name, "test_") {
		var marks []marker
		if m, ok := s.trailing(whole.to); ok {
			marks = append(marks, m)
		}
		s.add(name, whole, body, marks)
		return
	}
	s.helpers[name] = body
}

// trailing reads the condition behind a block: do … end unless windows?
func (s *suite) trailing(i int) (marker, bool) {
	src := s.src
	if i >= len(src.tokens) || src.token(i).first || !src.is(i, "if") && !src.is(i, "unless") {
		return marker{}, false
	}
	return marker{kind: skipsIf, at: i, words: src.at(i), cond: strings.TrimPrefix(src.join(src.headLine(i)), "unless "), runs: src.is(i, "if")}, true
}

// rubyBlock reads it "title", :tag do … end and it { … }.
func (s *suite) rubyBlock(i, at int, group bool) {
	src := s.src
	name := src.at(at)
	start := at + 1
	open := start
	for open < len(src.tokens) && (open == start || !src.token(open).first || src.is(open-1, ",") || src.is(open-1, "\\")) && !src.is(open, "do") && !src.is(open, "{") {
		if c := src.close(open); c > 0 {
			open = c
		}
		open++
	}
	var marks []marker
	if strings.HasPrefix(name, "x") { // xit, xdescribe
		marks = append(marks, marker{kind: skips, at: at, words: name})
	}
	if strings.HasPrefix(name, "f") && name != "feature" {
		marks = append(marks, marker{kind: focuses, at: at, words: name})
	}
	if open >= len(src.tokens) || !src.is(open, "do") && !src.is(open, "{") {
		if !group && open > start && src.kind(start) == text {
			s.add(titleOf(src, span{start, start + 1}), span{i, open}, span{open, open}, append(marks, marker{kind: skips, at: at, words: name + " without a body"}))
		}
		return
	}
	whole := src.block(i)
	if src.is(open, "{") && src.close(open) > 0 {
		whole.to = src.close(open) + 1
	}
	marks = append(marks, s.rubyTags(span{start, open})...)
	if m, ok := s.trailing(whole.to); ok {
		marks = append(marks, m)
	}
	title := src.join(span{start, open})
	if src.kind(start) == text {
		title = titleOf(src, span{start, start + 1})
		for i := start + 1; i < open && (src.kind(i) == text || src.is(i, "\\")); i++ { // one text over several lines
			if src.kind(i) == text {
				title += titleOf(src, span{i, i + 1})
			}
		}
	}
	if group {
		s.scopes = append(s.scopes, &scope{name: title, body: whole, mark: marks})
		return
	}
	s.add(title, whole, span{open + 1, max(whole.to-1, open+1)}, marks)
}

// rubyTags reads the metadata behind a title: :skip, skip: true, focus: true.
func (s *suite) rubyTags(r span) []marker {
	var marks []marker
	for i := r.from; i < r.to; i++ {
		tag := strings.TrimPrefix(s.src.at(i), ":")
		symbol := s.src.kind(i) == text && s.src.at(i) != tag
		keyed := s.src.kind(i) == word && s.src.is(i+1, ":") && !s.src.is(i+2, "false") && !s.src.is(i+2, "nil")
		if !symbol && !keyed {
			continue
		}
		switch tag {
		case "skip", "pending", "broken", "flaky", "quarantine", "slow", "manual":
			k := skips
			if tag == "pending" {
				k = expectsFailure
			}
			if tag == "slow" || tag == "manual" {
				k = skipsIf
			}
			marks = append(marks, marker{kind: k, at: i, words: tag})
		case "retry":
			marks = append(marks, marker{kind: retries, at: i, words: tag, count: 1})
		case "if", "unless":
			if keyed {
				marks = append(marks, marker{kind: skipsIf, at: i, words: tag})
			}
		case "focus":
			marks = append(marks, marker{kind: focuses, at: i, words: tag})
		default:
			if strings.HasPrefix(tag, "needs_") || strings.HasPrefix(tag, "requires_") || strings.HasPrefix(tag, "skip_") {
				marks = append(marks, marker{kind: skipsIf, at: i, words: tag})
			}
		}
	}
	return marks
}
