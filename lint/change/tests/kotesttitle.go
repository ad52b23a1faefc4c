package tests

import "strings"

// specStyles are the classes of Kotest in which a text by itself may declare a
// test.
var specStyles = map[string]bool{
	"StringSpec": true, "WordSpec": true, "FreeSpec": true, "BehaviorSpec": true, "DescribeSpec": true, "FunSpec": true, "ShouldSpec": true, "ExpectSpec": true, "FeatureSpec": true,
}

// titleJoints stand between the title of a group and its block.
var titleJoints = map[string]bool{"should": true, "When": true, "when": true, "Then": true, "And": true, "-": true}

// kotestSpec reports whether a file has a class of such a style.
func (s *suite) kotestSpec() bool {
	if s.words == nil {
		s.words = s.src.count()
	}
	for name := range s.words {
		if len(name) < maxName && (specStyles[name] || strings.HasSuffix(name, "Spec") && len(name) > 4) {
			return true
		}
	}
	return false
}

// kotestTitles finds "title" { … }, "title".config(…) { … } and "group" should
// { … }, and reports whether there are any.
func (s *suite) kotestTitles() bool {
	src, found := s.src, false
	for i := range src.tokens {
		if src.kind(i) != text || !src.token(i).first && !src.is(i-1, "{") || strings.HasPrefix(src.at(i), "`") || strings.HasPrefix(src.at(i), "'") {
			continue
		}
		open, group := i+1, false
		var marks []marker
		switch title := src.at(i); {
		case strings.HasPrefix(title, `"!`):
			marks = append(marks, marker{kind: skips, at: i, words: "!"})
		case strings.HasPrefix(title, `"f:`):
			marks = append(marks, marker{kind: focuses, at: i, words: "f:"})
		}
		if titleJoints[src.at(open)] {
			open, group = open+1, true
		}
		if src.is(open, ".") && src.is(open+1, "config") && src.close(open+2) > 0 {
			marks = append(marks, s.kotestConfig(span{open + 3, src.close(open + 2)})...)
			open = src.close(open+2) + 1
		}
		if !src.is(open, "{") || src.close(open) < 0 {
			continue
		}
		found = true
		name := strings.TrimPrefix(strings.TrimPrefix(titleOf(src, span{i, i + 1}), "!"), "f:")
		whole := span{i, src.close(open) + 1}
		if group {
			s.scopes = append(s.scopes, &scope{name: name, body: whole, mark: marks})
		} else {
			s.add(name, whole, span{open + 1, whole.to - 1}, marks)
		}
	}
	return found
}
