package tests

import (
	"strconv"
	"strings"
)

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
		if len(args) > 1 && src.literal(args[0]) && !src.literal(args[1]) || src.lang == golang && len(args) > 1 && a.level == exact && strings.HasPrefix(src.at(args[1].from), "got") {
			subject, expected = args[1], args[0]
		}
		a.subject, a.expected = src.join(subject), src.join(expected)
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
	case lower == "assert" || lower == "asserttrue" || lower == "true" || lower == "assert_true" || lower == "istrue" || lower == "assert_" || lower == "that" || lower == "ok" || lower == "debug_assert" || lower == "refute" || lower == "assertfalse" || lower == "false" || lower == "isfalse":
		cond := args[0]
		if len(args) > 1 && src.lang == java && src.literal(args[0]) {
			cond = args[len(args)-1] // JUnit 4's message comes first
		}
		c := src.comparison(cond)
		a.level, a.subject, a.expected, a.op, a.loose = c.level, c.subject, c.expected, c.op, c.loose
	default:
		a.subject = src.join(args[0])
		if len(args) > 1 {
			a.expected = src.join(args[1])
		}
	}
}

func throwing(lower string) bool {
	return strings.HasPrefix(lower, "throws") || strings.HasPrefix(lower, "assertthrows") || strings.HasPrefix(lower, "assertraises") ||
		strings.HasPrefix(lower, "assert_raises") || strings.HasPrefix(lower, "assertfailswith") || strings.HasPrefix(lower, "expectthrows") || lower == "rejects" || lower == "raises" ||
		lower == "errorcontains" || lower == "errorisf" || lower == "erroris" || lower == "equalerror" || lower == "error" || lower == "erroras"
}

// errorArgs takes the wanted error of assertThrows(E.class, …) and of Go's
// require.ErrorContains(t, err, "…").
func (a *assertion) errorArgs(s *suite, args []span) {
	src := s.src
	wanted := ""
	a.raises = &wanted
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

// toleranceOf reads how far off an assertion of this name allows.
func (s *suite) toleranceOf(name string, args span) []tolerance {
	found := s.src.tolerances(args)
	lower := strings.ToLower(name)
	list := s.src.split(args)
	last := func() (float64, bool) {
		if len(list) == 0 {
			return 0, false
		}
		return s.src.numeric(list[len(list)-1])
	}
	switch {
	case name == "toBeCloseTo" || lower == "assertalmostequal" || lower == "assert_almost_equal" || lower == "assertnotalmostequal":
		if v, ok := last(); ok && len(list) > 1 {
			found = append(found, tolerance{"digits", v, true})
		}
	case lower == "closeto" || lower == "indelta" || lower == "inepsilon" || lower == "assert_in_delta" || lower == "be_within" || lower == "becloseto" || lower == "beapproximately" || lower == "assert_in_epsilon" ||
		(lower == "assertequals" || lower == "assertarrayequals") && len(list) > 1,
		lower == "assert_relative_eq" || lower == "assert_abs_diff_eq":
		at := 1
		if lower == "be_within" {
			at = 0
		}
		if at < len(list) {
			if v, ok := s.src.numeric(list[at]); ok {
				found = append(found, tolerance{"tolerance", v, false})
			}
		}
	}
	return found
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

// toleranceNames are arguments that say how far off is near enough; true where
// they count digits.
var toleranceNames = map[string]bool{
	"rtol": false, "atol": false, "rel": false, "abs": false, "delta": false, "tol": false, "tolerance": false, "eps": false, "epsilon": false,
	"rel_tol": false, "abs_tol": false, "max_relative": false, "threshold": false, "maxDiffPixels": false, "maxDiffPixelRatio": false,
	"places": true, "decimal": true, "significant": true, "precision": true,
}

// tolerances reads rtol=1e-5 and epsilon = 1e-5 anywhere in a range.
func (s *source) tolerances(r span) []tolerance {
	var found []tolerance
	for i := r.from; i+2 < r.to && len(found) < 8; i++ {
		digit, ok := toleranceNames[s.at(i)]
		if !ok || !s.is(i+1, "=") && !s.is(i+1, ":") {
			continue
		}
		end := i + 2
		for end < r.to && !s.is(end, ",") && !closes(s.at(end)) {
			end++
		}
		if v, ok := s.numeric(span{i + 2, end}); ok {
			found = append(found, tolerance{s.at(i), v, digit})
		}
	}
	return found
}

// numeric is the value of a number, "10 ** -3" included.
func (s *source) numeric(r span) (float64, bool) {
	sign := 1.0
	if s.is(r.from, "-") {
		sign, r.from = -1, r.from+1
	}
	if r.len() < 1 || s.kind(r.from) != number {
		return 0, false
	}
	if r.len() > 1 {
		return 0, false
	}
	v := strings.ReplaceAll(s.at(r.from), "_", "")
	v = strings.TrimRight(v, "fFdDmML")
	for _, suffix := range []string{"f32", "f64", "u32", "i32", "u64", "i64", "usize"} {
		v = strings.TrimSuffix(v, suffix)
	}
	n, err := strconv.ParseFloat(v, 64)
	return sign * n, err == nil
}
