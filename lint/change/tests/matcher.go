package tests

// matcher takes a matcher with its arguments. In a chain of several the one
// that pins down most counts.
func (a *assertion) matcher(s *suite, args span, name string) {
	level, known := levels[name]
	inner := args
	if !known && s.src.is(args.from, name) { // to(eq(x)), to eq x
		level, known = levels[name]
	}
	if s.src.is(args.from, name) {
		inner.from++
		if s.src.is(inner.from, "(") && s.src.close(inner.from) > 0 && s.src.close(inner.from) < args.to {
			inner = span{inner.from + 1, s.src.close(inner.from)}
		}
	}
	if name == "is" && (s.src.lang == java || s.src.lang == kotlin) { // Hamcrest's is(equalTo(x)), is(true)
		level, known = exact, true
	}
	if !known {
		level = unknown
		if reachName.MatchString(name) && !a.negated {
			level = ordered
		}
	}
	if a.level != unknown && level < a.level && a.raises == nil {
		return
	}
	a.name, a.level, a.expected = name, level, s.src.join(inner)
	a.sizeOf = a.sizeOf || sizeMatchers[name]
	a.byWords(s.src, args)
	if list := s.src.split(inner); (name == "BeNumerically" || name == "must_be") && len(list) > 1 {
		a.spelled(s.src.join(list[0]), s.src.join(list[1]))
	}
	level = a.level
	a.loose = s.toleranceOf(name, inner)
	if level == exact {
		a.bool()
		a.sized()
	}
	if raisers[name] && !a.negated {
		a.raising(s.src, inner)
	}
}

// sizeMatchers ask for a size.
var sizeMatchers = map[string]bool{
	"toHaveLength": true, "HaveLen": true, "hasSize": true, "lengthOf": true, "toHaveCount": true, "HaveCount": true, "hasSizeGreaterThan": true,
	"have.length": true, "shouldHaveSize": true, "toHaveBeenCalledTimes": true,
}

// byWords reads matchers whose arguments say how much they pin down: RSpec's
// "be > 0", "change(A, :count).by(1)" and "have_received(:save).with(5)".
func (a *assertion) byWords(src *source, args span) {
	if src.lang != ruby {
		return
	}
	next := args.from + 1
	has := func(want string) bool {
		for i := next; i+1 < args.to; i++ {
			if src.is(i, ".") && src.is(i+1, want) {
				return true
			}
		}
		return false
	}
	switch a.name {
	case "be":
		if op := src.at(next); op == ">" || op == "<" || op == ">=" || op == "<=" {
			a.level, a.op = ordered, op
			a.expected = ""
			if list := src.split(span{next + 1, args.to}); len(list) > 0 { // what follows is a message
				a.expected = src.join(list[0])
			}
		} else if next < args.to && a.expected != "" {
			a.level = exact // be(5)
		}
	case "change":
		a.level = presence
		if has("by") || has("to") {
			a.level = exact
		} else if has("by_at_least") || has("by_at_most") {
			a.level = ordered
		}
	case "have_received", "receive":
		a.level = presence
		if has("with") {
			a.level = exact
		}
	}
}

// raisers are matchers that want an error.
var raisers = map[string]bool{
	"toThrow": true, "toThrowError": true, "throw": true, "raise_error": true, "Throw": true, "ThrowAsync": true, "ThrowExactly": true, "rejectedWith": true, "throws": true, "rejects": true,
	"isInstanceOf": false,
}

// raising takes the wanted error and message from a matcher's arguments.
func (a *assertion) raising(src *source, args span) {
	kindOf := ""
	a.raises = &kindOf
	for i := args.from; i < args.to; i++ {
		switch {
		case src.kind(i) == text && a.detail == "":
			a.detail = src.at(i)
		case src.isWord(i) && kindOf == "" && src.at(i) != "new" && src.at(i) != "typeof" && src.at(i) != "match" && src.at(i) != "class":
			kindOf = src.at(i)
			for src.is(i+1, ".") && src.isWord(i+2) && !src.is(i+2, "class") || src.is(i+1, "::") {
				i += 2
				kindOf = src.at(i)
			}
		}
	}
}
