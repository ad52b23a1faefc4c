package tests

import "strings"

// fluent reads expect(x).not.toEqual(y) and assertThat(x).isEqualTo(y).
func (s *suite) fluent(i int, r span) (assertion, bool) {
	src := s.src
	a := assertion{at: i, name: src.at(i)}
	var inside span
	j := i + 1
	if src.is(j, ".") { // expect.poll(…), expect.soft(…)
		j += 2
	}
	if c := src.close(j); c > 0 {
		a.subject = src.join(span{j + 1, c})
		inside = span{j + 1, c}
		if args := src.arguments(j); len(args) > 1 && src.lang != ruby { // Hamcrest: assertThat(x, is(y))
			a.subject = src.join(args[0])
			m := args[1]
			for src.lang != javascript && src.isWord(m.from) && src.is(m.from+1, ".") && src.isWord(m.from+2) && strings.ToUpper(src.at(m.from)[:1]) == src.at(m.from)[:1] {
				m.from += 2 // Matchers.is(y)
			}
			a.matcher(s, m, src.at(m.from))
		}
		j = c + 1
	}
	start := i
	for start-1 >= r.from && (src.is(start-1, "await") || src.is(start-1, "return")) {
		start--
	}
	a.at = start
	for j < r.to {
		var at int
		switch {
		case (src.is(j, ".") || src.is(j, "?.")) && src.isWord(j+1):
			at = j + 1
		default:
			at = -1
		}
		if at < 0 {
			break
		}
		name := src.at(at)
		next := at + 1
		if src.is(next, "<") {
			for n := next; n < min(next+40, r.to); n++ {
				if src.is(n, ">") && src.is(n+1, "(") {
					next = n + 1
					break
				}
			}
		}
		if negations[name] {
			a.negated = true
		}
		if src.is(next, "(") && src.close(next) > 0 {
			args := span{next + 1, src.close(next)}
			switch name {
			case "to", "not_to", "to_not", "To", "NotTo", "ToNot", "Should", "ShouldNot":
				a.matcher(s, args, src.at(args.from))
				if src.is(args.from, "gomega") {
					a.matcher(s, args, src.at(args.from+2))
				}
			default:
				if !plumbing[name] {
					a.matcher(s, args, name)
				}
			}
			j = args.to + 1
			continue
		}
		if (name == "to" || name == "not_to" || name == "to_not") && src.lang == ruby {
			st := src.statement(at, r)
			end := s.modifier(span{at + 1, st.to})
			a.matcher(s, span{at + 1, end}, src.at(at+1))
			if a.name == "include" && src.is(inside.from, "[") && src.close(inside.from) == inside.to-1 && a.expected != "" {
				a.subject, a.expected = a.expected, a.subject // expect([5, 6]).to include x
			}
			a.alts = src.alternatives(span{at + 1, end}, "or")
			a.end = end
			return a, true
		}
		if level, known := levels[name]; known {
			a.name, a.level = name, level // Chai's properties: to.be.true
		}
		j = at + 1
	}
	a.end = j
	a.unwrap(src, inside)
	return a, true
}

// chained reads TUnit's Assert.That(x).IsEqualTo(y).
func (s *suite) chained(i int, r span) (assertion, bool) {
	a, ok := s.fluent(i, r)
	a.at = i - 2
	if s.src.is(i-3, "await") {
		a.at--
	}
	return a, ok
}

// unwrap takes the condition in expect(a >= b).toBe(true) for what is checked,
// and the value in expect([a, b]).toContain(value).
func (a *assertion) unwrap(src *source, inside span) {
	if src.lang == ruby || a.negated || inside.len() == 0 || a.raises != nil {
		return
	}
	switch {
	case a.level == truth && (a.expected == "" && truthy[a.name] || a.expected == "true" || a.name == "BeTrue") || a.level == exact && a.expected == "true":
		c := src.comparison(inside)
		if c.level != truth {
			a.level, a.subject, a.expected, a.other, a.op, a.sizeOf = c.level, c.subject, c.expected, c.other, c.op, c.sizeOf
			a.alts, a.name = src.alternatives(inside, "or"), "assert"
			return
		}
	case a.level == partial && src.is(inside.from, "[") && src.close(inside.from) == inside.to-1 && a.expected != "":
		a.subject, a.expected = a.expected, a.subject
	case a.level == exact && src.is(inside.from, "typeof"):
		a.subject, a.level = src.join(span{inside.from + 1, inside.to}), presence
	}
	a.sized()
}

// negations turn what follows around.
var negations = map[string]bool{"not": true, "not_to": true, "to_not": true, "NotTo": true, "ToNot": true, "ShouldNot": true}

// plumbing are links of a chain that check nothing.
var plumbing = map[string]bool{
	"as": true, "describedAs": true, "withFailMessage": true, "extracting": true, "usingRecursiveComparison": true, "because": true, "Because": true, "withContext": true,
	"timeout": true, "WithTimeout": true, "catch": true, "then": true, "finally": true, "within": true, "overridingErrorMessage": true, "first": true,
}

// modifier cuts "if …" and "unless …" off a statement of Ruby.
func (s *suite) modifier(r span) int {
	for i := r.from; i < r.to; i++ {
		if s.src.is(i, "if") || s.src.is(i, "unless") {
			return i
		}
	}
	return r.to
}

// typed takes the type argument of Assert.Throws<T>.
func (a *assertion) typed(name string) {
	if strings.HasPrefix(a.name, "Throws") || strings.HasPrefix(a.name, "assertThrows") || strings.HasPrefix(a.name, "assertFails") || a.name == "shouldThrow" || a.name == "shouldThrowExactly" || strings.HasPrefix(a.name, "ThrowsAny") {
		if i := strings.LastIndexByte(name, ' '); i >= 0 {
			name = name[i+1:]
		}
		a.raises = &name
		if strings.HasPrefix(a.name, "ThrowsAny") {
			any := name + " or derived"
			a.raises = &any
		}
	}
}

// raising (of a suite) reads pytest.raises(E, match="…").
func (s *suite) raising(i int, r span) (assertion, bool) {
	if !s.src.is(i+1, "(") || s.src.close(i+1) < 0 {
		return assertion{}, false
	}
	a, _ := s.call(i, i+1, r)
	a.level = exact
	a.errorOf(s)
	return a, true
}

// errorOf takes the wanted error from a call's own arguments.
func (a *assertion) errorOf(s *suite) {
	src := s.src
	open := a.end - 1
	if open < 0 || int(src.token(open).mate) < 0 {
		return
	}
	args := src.arguments(int(src.token(open).mate))
	wanted := ""
	a.raises = &wanted
	for _, arg := range args {
		switch {
		case src.is(arg.from, "match") && src.is(arg.from+1, "="):
			a.detail = src.join(span{arg.from + 2, arg.to})
		case src.kind(arg.from) == text && arg.len() == 1 && a.detail == "":
			a.detail = src.at(arg.from)
		case wanted == "" && !src.isFunction(arg) && !src.is(arg.from, "(") && !src.is(arg.from, "lambda"):
			wanted = strings.TrimSuffix(strings.TrimSuffix(src.join(arg), " . class"), " :: class . java")
			if i := strings.LastIndexByte(wanted, ' '); i >= 0 && !strings.Contains(wanted, "(") {
				wanted = wanted[i+1:]
			}
		case wanted == "" && src.is(arg.from, "(") && src.lang == python:
			wanted = src.join(arg)
		}
	}
}

// should reads x.should.equal(y) and x.Should().Be(y).
func (s *suite) should(i int, r span) (assertion, bool) {
	src := s.src
	st := src.statement(i, r)
	a := assertion{at: st.from, name: "should", subject: src.join(span{st.from, i - 1})}
	if a.subject == "" {
		return a, false
	}
	a.subject = strings.TrimPrefix(strings.TrimPrefix(a.subject, "await "), "return ")
	j := i + 1
	if src.is(j, "(") {
		c := src.close(j)
		if c < 0 {
			return a, false
		}
		if c > j+1 { // Cypress and RSpec: should("have.length", 3)
			a.name, a.text = strings.Trim(src.at(j+1), `'"`), ""
			a.level = levels[a.name]
			a.expected = src.join(span{min(j+3, c), c})
			a.end = c + 1
			return a, true
		}
		j = c + 1
	} else if src.lang == ruby && !src.is(j, ".") {
		a.matcher(s, span{j, st.to}, src.at(j))
		a.end = st.to
		return a, true
	}
	for (src.is(j, ".") || src.is(j, "?.")) && src.isWord(j+1) {
		name, next := src.at(j+1), j+2
		var typeArgs span
		if src.is(next, "<") {
			for n := next; n < min(next+40, r.to); n++ {
				if src.is(n, ">") && src.is(n+1, "(") {
					typeArgs, next = span{next + 1, n}, n+1
					break
				}
			}
		}
		if name == "not" {
			a.negated = true
		}
		if c := src.close(next); src.is(next, "(") && c > 0 {
			if !plumbing[name] && name != "And" {
				a.matcher(s, span{next + 1, c}, name)
				if raisers[name] && typeArgs.len() > 0 {
					wanted := src.at(typeArgs.to - 1)
					a.raises = &wanted
				}
				if name == "WithMessage" {
					a.detail = src.join(span{next + 1, c})
				}
			}
			j = c + 1
			continue
		}
		if level, ok := levels[name]; ok {
			a.name, a.level = name, level
		}
		j += 2
	}
	a.end = j
	return a, true
}

// suffix reads x.ShouldBe(y), x.must_equal y and x shouldBe y.
func (s *suite) suffix(i int, r span) (assertion, bool) {
	src := s.src
	st := src.statement(i, r)
	from := i
	if src.is(i-1, ".") {
		from = i - 1
	}
	a := assertion{at: st.from, subject: src.join(span{st.from, from})}
	args := span{i + 1, st.to}
	a.end = st.to
	if c := src.close(i + 1); src.is(i+1, "(") && c > 0 {
		args, a.end = span{i + 2, c}, c+1
	}
	a.matcher(s, args, src.at(i))
	for src.is(a.end, ".") && strings.HasPrefix(src.at(a.end+1), "Should") && src.is(a.end+2, "(") && src.close(a.end+2) > 0 { // x.ShouldNotBeNull().ShouldContain(y)
		name, open := src.at(a.end+1), a.end+2
		a.matcher(s, span{open + 1, src.close(open)}, name)
		a.end = src.close(open) + 1
	}
	return a, true
}

// rubyCall reads assert_equal a, b without brackets or with.
func (s *suite) rubyCall(i int, r span) (assertion, bool) {
	src := s.src
	if src.is(i+1, "(") && src.close(i+1) > 0 && src.token(i+1).off == src.token(i).end {
		return s.call(i, i+1, r)
	}
	st := src.statement(i, r)
	end := s.modifier(span{i + 1, st.to})
	a := assertion{at: i, end: max(end, i+1), name: src.at(i)}
	var args []span
	from := i + 1
	for j := from; j <= end; j++ {
		if j == end || src.is(j, ",") {
			if j > from {
				args = append(args, span{from, j})
			}
			from = j + 1
		} else if c := src.close(j); c > 0 && c < end {
			j = c
		}
	}
	a.arguments(s, args)
	return a, true
}

// call reads assertEquals(a, b) and its like; open is the opening bracket.
func (s *suite) call(i, open int, r span) (assertion, bool) {
	src := s.src
	a := assertion{at: i, name: src.at(i), end: open + 1}
	for a.at-2 >= r.from && (src.is(a.at-1, ".") || src.is(a.at-1, "::")) && (src.isWord(a.at-2) || closes(src.at(a.at-2))) {
		if closes(src.at(a.at - 2)) {
			m := int(src.token(a.at - 2).mate)
			if m < r.from {
				break
			}
			a.at = m
			if src.isWord(m - 1) {
				a.at = m - 1
			}
			continue
		}
		a.at -= 2
	}
	if c := src.close(open); c > 0 {
		a.end = c + 1
	}
	holder := ""
	if a.at < i {
		holder = src.join(span{a.at, i - 1})
	}
	args := src.arguments(open)
	_, known := levels[a.name]
	a.helper = !known && (s.checks[a.name] || checkName(a.name))
	a.setup = a.helper && !checkName(a.name) // it may do more than check
	a.arguments(s, args)
	if strings.HasPrefix(a.name, "assert_called") || strings.HasPrefix(a.name, "assert_has_calls") || a.name == "assert_any_call" || a.name == "assert_not_called" || a.name == "assert_awaited" {
		a.subject = holder
	}
	return a, true
}
