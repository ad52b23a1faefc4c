package tests

import (
	"regexp"
	"slices"
	"strings"
)

// caseList is a list of what tests are run with: the values of a loop around
// checks, the rows that a test names as its source.
type caseList struct {
	at      int
	entries []span
}

// Bounds on such lists.
const (
	maxCaseLists = 200
	maxEntries   = 2000
)

// caseName is the name of a list that speaks of what tests are run with, so that
// the place where it is gone through need not check anything itself.
var caseName = regexp.MustCompile(`(?i)^(all_?\w*|\w*_?(cases?|envs?|environments|modes|scenarios|variants|permutations|backends|drivers|matrix|test_?data|tests|test_?params|platforms|browsers|dialects|engines|targets)|get_?\w*(modes|cases|data|tests|params))$`)

// eachWords are functions that go through the list before their dot.
var eachWords = map[string]bool{"forEach": true, "each": true, "each_with_index": true, "for_each": true, "each_pair": true, "map": true, "flatMap": true, "forEachIndexed": true, "each_slice": true}

// sourceWords are annotations that name the source of a test's rows.
var sourceWords = map[string]bool{"MemberData": true, "TestCaseSource": true, "MethodDataSource": true, "DynamicData": true, "TestFixtureSource": true, "ValueSource": true, "MethodSource": true, "InstanceMethodDataSource": true, "dataProvider": true}

// caseLists finds them by name; one without a name is called after what stands
// around it, and after its number among those that are called so.
func (s *suite) caseLists() map[string]caseList {
	found := map[string]caseList{}
	used := map[string]bool{}
	keep := func(key string, at int, entries []span) {
		if len(entries) == 0 || len(entries) > maxEntries || len(found) >= maxCaseLists {
			return
		}
		for n := 0; n < 20; n++ {
			k := key + strings.Repeat("'", n)
			if _, taken := found[k]; !taken {
				found[k] = caseList{at, entries}
				return
			}
		}
	}
	src := s.src
	for i := range src.tokens {
		if !src.isWord(i) {
			continue
		}
		w := src.at(i)
		switch {
		case w == "of" || w == "in" || w == "range":
			s.loopSource(i, used, keep)
		case eachWords[w] && src.is(i-1, "."):
			s.eachSource(i, used, keep)
		case w == "parametrize" && src.lang == python:
			if args := src.arguments(i + 1); len(args) > 1 && args[1].len() == 1 {
				used[src.at(args[1].from)] = true
			}
		case w == "params" && src.lang == python && src.is(i+1, "="):
			if src.is(i+2, "[") || src.is(i+2, "(") {
				keep("params of "+s.definedBelow(i), i, src.arguments(i+2))
			} else if src.isWord(i + 2) {
				used[src.at(i+2)] = true
			}
		case sourceWords[w]:
			for j := i + 1; j < min(i+10, len(src.tokens)) && !src.is(j, "]"); j++ {
				if src.kind(j) == text {
					used[strings.Trim(src.at(j), `"'`)] = true
				} else if src.is(j, "nameof") && src.is(j+1, "(") {
					used[src.at(src.close(j+1)-1)] = true
				}
			}
		case w == "TestFixture" && src.lang == csharp && src.is(i-1, "[") && src.token(i-1).first:
			s.fixtures(i, keep)
		case (w == "Values" && src.lang == csharp || w == "values" && src.lang == rust) && src.is(i+1, "("):
			keep("values of "+src.at(src.close(int(src.token(i).up))+1)+" "+src.at(src.close(int(src.token(i).up))+2), i, src.arguments(i+1))
		case w == "data" && src.lang == ruby && src.token(i).first && src.is(i+1, "("):
			s.rubyData(i, keep)
		case w == "for" || w == "foreach":
			s.colonSource(i, used)
		case caseName.MatchString(w):
			used[w] = true
		}
	}
	for name, list := range s.listsOf(used) {
		keep(name, list.at, list.entries)
	}
	return found
}

// checked reports whether a range holds a check or declares a test.
func (s *suite) checked(r span) bool {
	if s.checksIn(r) {
		return true
	}
	for i := r.from; i < r.to; i++ {
		w := s.src.at(i)
		if !s.src.isWord(i) {
			continue
		}
		if group, ok := scriptTests[w]; ok && s.src.lang == javascript && (!group || s.src.is(i+1, "(")) {
			return true
		}
		if _, ok := rubyTests[w]; ok && s.src.lang == ruby && s.src.token(i).first {
			return true
		}
		if s.checks[w] || w == "t" && s.src.is(i+1, ".") && (s.src.is(i+2, "Run") || failures[s.src.at(i+2)]) {
			return true
		}
	}
	return false
}

// listMaker are functions that make a list of what they are given.
var listMaker = regexp.MustCompile(`^(of|asList|listOf|setOf|arrayOf|mutableListOf|mutableSetOf|arrayListOf|sequenceOf|mapOf|ofEntries|tuple|list|set|Set|Map|frozenset|freeze|Array|row|table|in|return|yield|await)$`)

// listAt are the elements of the list that begins at i: [a, b], (a, b),
// []T{a, b}, listOf(a, b), new[] { a, b }, %w[a b].
func (s *suite) listAt(i, to int) []span {
	src := s.src
	if strings.HasPrefix(src.at(i), "%w") || strings.HasPrefix(src.at(i), "%i") {
		return []span{{i, i + 1}}
	}
	for j := i; j < min(to, i+25, len(src.tokens)); j++ {
		if src.is(j, "struct") && src.close(j+1) > 0 {
			j = src.close(j + 1)
			continue
		}
		if src.is(j, ";") || src.is(j, "=>") && j > i+3 {
			return nil
		}
		c := src.close(j)
		if c < 0 {
			continue
		}
		if src.is(j, "{") && (src.lang == javascript || src.lang == kotlin) || src.is(j, "(") && src.isWord(j-1) && !listMaker.MatchString(src.at(j-1)) && c > j+1 {
			return nil // an object, a lambda, any call
		}
		args := src.arguments(j)
		if len(args) >= 2 || len(args) == 1 && src.is(j, "[") && !opens(src.at(j+1)) && src.lang != golang && src.lang != java && src.lang != csharp {
			return args
		}
		if src.is(j, "[") && c == j+1 || src.is(j, "(") && c == j+1 {
			j = c
			continue
		}
		if src.is(j, "[") && (src.lang == golang || src.lang == java || src.lang == csharp) {
			j = c
		}
	}
	return nil
}

// loopSource reads what stands behind the of, in or range of a loop.
func (s *suite) loopSource(i int, used map[string]bool, keep func(string, int, []span)) {
	src := s.src
	first := i
	for first > max(0, i-16) && !src.is(first, "for") && !src.is(first, "foreach") && !src.is(first, ";") && !src.is(first, "{") {
		first--
	}
	if !src.is(first, "for") && !src.is(first, "foreach") {
		return
	}
	body, end := s.loopBody(first, i)
	if body.len() == 0 || !s.checked(body) {
		return
	}
	j := i + 1
	for src.is(j, "&") || src.is(j, "await") {
		j++
	}
	if src.isWord(j) && (src.is(j+1, ")") || src.is(j+1, "{") || src.is(j+1, ":") || src.is(j+1, ".") || src.token(min(j+1, len(src.tokens)-1)).first) {
		used[src.at(j)] = true
		return
	}
	name := src.at(i - 1)
	if name == ":=" {
		name = src.at(i - 2)
	}
	keep("loop over "+name+s.testAt(i), j, s.listAt(j, end))
}

// loopBody is the block of a loop, and where its head ends.
func (s *suite) loopBody(first, i int) (span, int) {
	src := s.src
	if src.lang.indented() {
		b := src.block(first)
		return b, b.to
	}
	if src.is(first+1, "(") && src.close(first+1) > 0 {
		end := src.close(first + 1)
		if src.is(end+1, "{") && src.close(end+1) > 0 {
			return span{end + 2, src.close(end + 1)}, end
		}
		return src.statement(end+1, span{end + 1, len(src.tokens)}), end
	}
	for j := i + 1; j < min(i+maxStatement, len(src.tokens)); j++ {
		c := src.close(j)
		if src.is(j, "{") && c > 0 && !src.is(j-1, "]") && !src.is(j-1, "struct") && (!src.isWord(j-1) || !src.is(j-2, "]")) && (!src.is(j-1, "}") || !src.is(i+1, "[")) {
			return span{j + 1, c}, j
		}
		if c > 0 {
			j = c
		}
	}
	return span{}, i
}

// eachSource reads what stands before the dot of forEach, and the list that
// test.each is given.
func (s *suite) eachSource(i int, used map[string]bool, keep func(string, int, []span)) {
	src := s.src
	holder := i - 2
	if _, ok := scriptTests[src.at(holder)]; ok && src.lang == javascript || src.is(holder-1, ".") && src.lang == javascript {
		if args := src.arguments(i + 1); len(args) == 1 && args[0].len() == 1 && src.isWord(args[0].from) {
			used[src.at(args[0].from)] = true
		}
		return
	}
	body := span{i + 1, max(src.close(i+1), i+1)}
	switch {
	case src.lang == ruby:
		at := i
		for at > 0 && !src.token(at).first {
			at--
		}
		body = src.block(at)
	case src.is(i+1, "{"):
		body.to = max(src.close(i+1), i+1)
	}
	if !s.checked(body) {
		return
	}
	switch {
	case src.isWord(holder) && !src.is(holder-1, "."):
		used[src.at(holder)] = true
	case closes(src.at(holder)) && src.token(holder).mate >= 0:
		keep("each "+src.at(i)+" of a list"+s.testAt(i), int(src.token(holder).mate), src.arguments(int(src.token(holder).mate)))
	case src.kind(holder) == text && strings.HasPrefix(src.at(holder), "%"):
		keep("each "+src.at(i)+" of words"+s.testAt(i), holder, []span{{holder, holder + 1}, {holder, holder}})
	}
}

// testAt names the test around a place, for a list without a name.
func (s *suite) testAt(i int) string {
	n, ok := slices.BinarySearchFunc(s.tests, i, func(t *test, i int) int { return t.whole.from - i })
	if !ok {
		n--
	}
	for ; n >= 0 && n < len(s.tests); n-- {
		if s.tests[n].whole.has(i) {
			return " in " + s.tests[n].full
		}
		if s.tests[n].whole.to < i {
			break
		}
	}
	return ""
}

// fixtures reads the attributes above a class of NUnit that begin at i, each of
// which runs the whole class.
func (s *suite) fixtures(i int, keep func(string, int, []span)) {
	src := s.src
	if prev := int(src.token(max(i-2, 0)).mate); src.is(i-2, "]") && src.is(prev+1, "TestFixture") {
		return // not the first
	}
	var list []span
	j := i - 1
	for src.is(j, "[") && src.close(j) > 0 {
		if src.is(j+1, "TestFixture") {
			list = append(list, span{j + 1, src.close(j)})
		}
		j = src.close(j) + 1
	}
	for n := j; n < min(j+8, len(src.tokens)); n++ {
		if src.is(n, "class") {
			keep("fixtures of "+src.at(n+1), i, list)
			return
		}
	}
}

// colonSource reads the loop of Java: for (T x : NAME).
func (s *suite) colonSource(i int, used map[string]bool) {
	src := s.src
	end := src.close(i + 1)
	if src.lang != java || end < 0 || !src.isWord(end-1) || !src.is(end-2, ":") {
		return
	}
	if body, _ := s.loopBody(i, end); s.checked(body) {
		used[src.at(end-1)] = true
	}
}

// rubyData reads the rows that test-unit gives the test below: data("a" => 1).
func (s *suite) rubyData(i int, keep func(string, int, []span)) {
	name := s.definedBelow(i)
	entries := s.src.arguments(i + 1)
	if len(entries) == 2 && s.src.kind(entries[0].from) == text && entries[0].len() == 1 {
		s.rubyDataLines(i, name, keep)
		return
	}
	if len(entries) > 0 && !s.src.is(entries[0].from+1, "=>") && !s.src.is(entries[0].from+1, ":") {
		return
	}
	keep("data of "+name, i, entries)
}

// rubyDataLines reads several of data("a", 1), one after the other.
func (s *suite) rubyDataLines(i int, name string, keep func(string, int, []span)) {
	src := s.src
	if prev := int(src.token(max(i-1, 0)).mate); src.is(i-1, ")") && src.is(prev-1, "data") {
		return
	}
	var list []span
	for j := i; src.is(j, "data") && src.close(j+1) > 0; j = src.close(j+1) + 1 {
		list = append(list, span{j, src.close(j+1) + 1})
	}
	keep("data of "+name, i, list)
}

// definedBelow is the name of the next function or test of Python or Ruby.
func (s *suite) definedBelow(i int) string {
	for j := i; j < min(i+maxStatement, len(s.src.tokens)); j++ {
		if s.src.token(j).first && (s.src.is(j, "def") || s.src.is(j, "test") || s.src.is(j, "it") || s.src.is(j, "async")) {
			return s.src.at(j+1) + s.src.at(j+2)
		}
	}
	return ""
}

// listsOf are the lists that these names are set to, or that the methods of
// these names give.
func (s *suite) listsOf(names map[string]bool) map[string]caseList {
	found := map[string]caseList{}
	src := s.src
	for i := range src.tokens {
		name := src.at(i)
		if !names[name] || !src.isWord(i) || src.is(i-1, ".") || listName.MatchString(name) || found[name].entries != nil {
			continue
		}
		for j := i + 1; j < min(i+14, len(src.tokens)); j++ {
			v := src.at(j)
			if v == "=" || v == ":=" || v == "=>" {
				if src.is(j+1, "lambda") {
					break
				}
				found[name] = caseList{i, s.listAt(j+1, len(src.tokens))}
				break
			}
			if v == "{" && src.close(j) > 0 && src.is(i+1, "(") {
				found[name] = caseList{i, s.givenBy(span{j + 1, src.close(j)})}
				break
			}
			if c := src.close(j); c > 0 && v != "{" && (v == "(" && j == i+1 || v == "[") {
				j = c
				continue
			}
			if v == ";" || v == "{" || closes(v) || v == "," || v == "." {
				break
			}
		}
	}
	return found
}

// givenBy are the elements that a method gives: one after another, or a list.
func (s *suite) givenBy(body span) []span {
	src := s.src
	var yields []span
	for i := body.from; i < body.to && len(yields) < maxEntries; i++ {
		switch {
		case src.is(i, "yield"):
			st := src.statement(i, body)
			yields = append(yields, span{i, st.to})
			i = st.to
		case src.is(i, "return") && len(yields) == 0:
			return s.listAt(i+1, body.to)
		}
	}
	return yields
}

// texts are the entries as written; the words of a list such as %w[a b] are one
// each.
func (l caseList) texts(s *suite) []string {
	var list []string
	for _, e := range l.entries {
		if v := s.src.at(e.from); e.len() == 1 && strings.HasPrefix(v, "%") {
			list = append(list, strings.FieldsFunc(v[2:], func(r rune) bool { return strings.ContainsRune(" \t\r\n[](){}<>|", r) })...)
			continue
		}
		if v := s.src.join(e); v != "" {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return list
}
