package tests

import "strings"

// arguments reads the arguments of a call by the name of the assertion.
func (a *assertion) arguments(s *suite, args []span) {
	src := s.src
	a.level = levels[a.name]
	if len(args) > 0 && (src.is(args[0].from, "t") || src.is(args[0].from, "suite") || src.is(args[0].from, "c") || src.is(args[0].from, "b")) && args[0].len() == 1 && src.lang == golang {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	lower := strings.ToLower(a.name)
	switch {
	case throwing(lower):
		a.level = exact
		a.errorArgs(s, args)
	case a.level == exact || a.level == partial || a.level == presence && len(args) > 1:
		subject, expected := args[0], args[0]
		if len(args) > 1 {
			expected = args[1]
		}
		if len(args) > 1 && !src.literal(args[1]) && (src.literal(args[0]) || expectedFirst[a.name] && !strings.HasPrefix(src.at(args[0].from), "got")) {
			subject, expected = args[1], args[0]
		}
		a.subject, a.expected = src.join(subject), src.join(expected)
		switch {
		case len(args) > 1:
		case a.level == exact: // of a mock's call, which stands before the dot
			a.subject = ""
		default:
			a.expected = ""
		}
		if len(args) > 1 && a.level == exact && !src.literal(expected) {
			a.other = a.expected
		}
		if a.level == exact {
			a.bool()
			a.sized()
		}
		if strings.Contains(a.expected, "approx") {
			a.level = partial
		}
		if len(args) > 1 {
			a.loose = s.toleranceOf(a.name, span{args[1].from, args[len(args)-1].to})
		}
	case lower == "assert" || lower == "asserttrue" || lower == "true" || lower == "assert_true" || lower == "istrue" || lower == "assert_" || lower == "that" && (len(args) == 1 || src.lang != csharp) || lower == "ok" || lower == "debug_assert" || lower == "refute" || lower == "assertfalse" || lower == "false" || lower == "isfalse":
		cond := args[0]
		if first := src.join(args[0]); len(args) > 1 && src.lang == java && (src.literal(args[0]) || strings.HasSuffix(first, ". getMessage ( )") || strings.HasSuffix(first, ". toString ( )")) {
			cond = args[len(args)-1] // JUnit 4's message comes first
		}
		c := src.comparison(cond)
		a.level, a.subject, a.expected, a.other, a.op, a.loose, a.sizeOf = c.level, c.subject, c.expected, c.other, c.op, c.loose, c.sizeOf
		a.alts = src.alternatives(cond, "or")
		if src.lang == rust && c.level == presence && strings.Contains(src.join(cond), "is_ok ( )") {
			a.setup = true // as unwrap() does
		}
	case lower == "that" && len(args) > 1 && src.lang == csharp:
		a.constraint(s, args)
	case a.level == unknown && (checkName(a.name) || a.name == "check" || a.name == "ensure") && a.takesCondition(s, args):
	default:
		a.subject = src.join(args[0])
		if len(args) > 1 {
			a.expected = src.join(args[1])
		}
		if a.name == "assert_operator" && len(args) > 2 {
			a.spelled(src.join(args[1]), src.join(args[2]))
		}
	}
}

// spelled takes an operator that is an argument: :<, "<".
func (a *assertion) spelled(op, limit string) {
	switch op = strings.Trim(op, `:"' `); op {
	case "<", "<=", ">", ">=":
		a.level, a.op, a.expected = ordered, op, limit
	}
}

// expectedFirst are assertions whose first argument is the expected value, by
// what their documentation calls it.
var expectedFirst = map[string]bool{
	"Equal": true, "EqualValues": true, "Exactly": true, "JSONEq": true, "YAMLEq": true, "Equalf": true, "NotEqual": true, "InDelta": true,
	"assertEquals": true, "assertArrayEquals": true, "assertIterableEquals": true, "assertSame": true, "assertContentEquals": true,
	"AreEqual": true, "AreSame": true, "StrictEqual": true, "assert_equal": true, "assert_same": true, "assert_in_delta": true,
}

// constraint reads NUnit's Assert.That(x, Is.Not.Null).
func (a *assertion) constraint(s *suite, args []span) {
	src := s.src
	a.subject, a.level = src.join(args[0]), unknown
	for i := args[1].from; i < args[1].to; i++ {
		if !src.isWord(i) {
			continue
		}
		switch w := src.at(i); w {
		case "Not", "No":
			a.negated = true
		case "Count", "Length":
			a.sizeOf = true
		default:
			l, known := levels[constraints[w]]
			if !known || a.level != unknown && l < a.level {
				continue
			}
			a.level, a.name = l, constraints[w]
			if c := src.close(i + 1); src.is(i+1, "(") && c > 0 {
				a.expected = src.join(span{i + 2, c})
			}
		}
		if c := src.close(i + 1); src.is(i+1, "(") && c > 0 {
			i = c
		}
	}
	if a.sizeOf && a.level == exact {
		a.level = partial
	}
	a.loose = append(src.tolerances(args[1]), src.nearness(args[1])...)
}

// constraints are NUnit's, with the assertion that says as much.
var constraints = map[string]string{
	"EqualTo": "AreEqual", "SameAs": "AreSame", "EquivalentTo": "AreEquivalent", "Null": "IsNull", "True": "IsTrue", "False": "IsFalse", "Empty": "IsEmpty",
	"GreaterThan": "Greater", "GreaterThanOrEqualTo": "Greater", "AtLeast": "Greater", "LessThan": "Less", "LessThanOrEqualTo": "Less", "AtMost": "Less", "InRange": "InRange",
	"Contain": "Contains", "Contains": "Contains", "StartWith": "StartsWith", "EndWith": "EndsWith", "Match": "Matches", "InstanceOf": "IsInstanceOfType", "TypeOf": "IsInstanceOfType",
	"Positive": "Greater", "Negative": "Less", "Zero": "AreEqual", "AnyOf": "InRange", "Member": "Contains", "SubsetOf": "Contains", "SupersetOf": "Contains",
}

// throwers are assertions that an error is raised, in lower case.
var throwers = map[string]bool{
	"throws": true, "throwsasync": true, "throwsany": true, "throwsanyasync": true, "throwsexactly": true, "throwsexactlyasync": true, "throwsexception": true, "throwsexceptionasync": true,
	"assertthrows": true, "assertthrowsexactly": true, "assertraises": true, "assertraisesregex": true, "assertraisesregexp": true, "assertraisesmessage": true,
	"assert_raises": true, "assert_raise": true, "assert_raises_with_message": true, "assertfailswith": true, "assertfails": true, "shouldthrow": true, "shouldthrowany": true, "shouldthrowexactly": true, "expectthrows": true, "assertthrown": true,
	"rejects": true, "raises": true, "catch": true, "catchasync": true,
	"errorcontains": true, "erroris": true, "errorisf": true, "equalerror": true, "error": true, "erroras": true, "errorasf": true, "panics": true, "panicswithvalue": true, "panicswitherror": true,
}

func throwing(lower string) bool { return throwers[lower] }

// errorArgs takes the wanted error of assertThrows(E.class, …) and of Go's
// require.ErrorContains(t, err, "…").
func (a *assertion) errorArgs(s *suite, args []span) {
	src := s.src
	wanted := ""
	a.raises = &wanted
	if len(args) == 1 && src.lang == kotlin && src.is(args[0].from-1, "{") {
		return // the block that has to fail
	}
	if src.lang == golang {
		a.subject = src.join(args[0])
		if a.name == "Error" {
			return
		}
		wanted = a.name
		if len(args) > 1 {
			a.detail = src.join(args[1])
		}
		return
	}
	for n, arg := range args {
		switch {
		case src.kind(arg.from) == text && arg.len() == 1:
			if a.detail == "" {
				a.detail = src.at(arg.from)
			}
		case src.isFunction(arg) || src.is(arg.from, "(") || src.is(arg.from, "{") || n > 1 || wanted != "" || src.is(arg.from, "lambda"):
		case src.lang == javascript && n == 0:
		case src.is(arg.from, "match") && src.is(arg.from+1, "="):
			a.detail = src.join(span{arg.from + 2, arg.to})
		default:
			wanted = lastName(src, arg)
		}
	}
}

// lastName is the type that "pkg.Error.class", "typeof(Error)" or "Error" names.
func lastName(src *source, r span) string {
	name := ""
	for i := r.from; i < r.to; i++ {
		if src.isWord(i) && !src.is(i, "class") && !src.is(i, "typeof") && !src.is(i, "java") && !src.is(i, "new") {
			name = src.at(i)
		}
	}
	return name
}

// literal reports whether an argument is written out: a string, a number, a
// list of such.
func (s *source) literal(r span) bool {
	for i := r.from; i < r.to; i++ {
		switch s.kind(i) {
		case word:
			switch s.at(i) {
			case "true", "false", "null", "nil", "None", "True", "False", "undefined", "new", "string", "int", "byte", "map", "String", "vec":
			default:
				return false
			}
		case mark:
			if s.is(i, ".") || s.is(i, "+") {
				return false
			}
		}
	}
	return true
}

// split cuts a range at its own commas.
func (s *source) split(r span) []span {
	var parts []span
	from := r.from
	for i := r.from; i <= r.to; i++ {
		if i == r.to || s.is(i, ",") {
			if i > from {
				parts = append(parts, span{from, i})
			}
			from = i + 1
		} else if c := s.close(i); c > 0 && c < r.to {
			i = c
		}
	}
	return parts
}
