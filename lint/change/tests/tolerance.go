package tests

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"steelyard/lint"
)

// toleranceOf reads how far off an assertion of this name allows.
func (s *suite) toleranceOf(name string, args span) []tolerance {
	found := append(s.src.tolerances(args), s.src.nearness(args)...)
	lower := strings.ToLower(name)
	list := s.src.split(args)
	last := func() (float64, bool) {
		if len(list) == 0 {
			return 0, false
		}
		return s.src.numeric(list[len(list)-1])
	}
	switch {
	case name == "BeNumerically" && len(list) == 3 && strings.Contains(s.src.at(list[0].from), "~"):
		if v, ok := last(); ok {
			found = append(found, tolerance{"tolerance", v, false})
		}
	case name == "WithinDuration" || name == "WithinRange" || lower == "assert_time_within":
		if len(list) > 0 {
			if t, ok := s.src.duration(list[len(list)-1]); ok {
				found = append(found, t)
			}
		}
	case name == "toBeCloseTo" || lower == "assertalmostequal" || lower == "assert_almost_equal" || lower == "assertnotalmostequal":
		if v, ok := last(); ok && len(list) > 1 {
			found = append(found, tolerance{"digits", v, true})
		} else if name == "toBeCloseTo" && len(list) == 1 {
			found = append(found, tolerance{"digits", 2, true})
		}
	case name == "Equal" && s.src.lang == csharp && len(list) == 2: // args begin at the second
		if v, ok := last(); ok && v == float64(int(v)) && v < 17 {
			found = append(found, tolerance{"digits", v, true})
		} else if ok {
			found = append(found, tolerance{"tolerance", v, false})
		}
	case lower == "closeto" || lower == "indelta" || lower == "inepsilon" || lower == "assert_in_delta" || lower == "be_within" || lower == "becloseto" || lower == "beapproximately" || lower == "assert_in_epsilon" ||
		(lower == "assertequals" || lower == "assertarrayequals" || lower == "areequal") && len(list) > 1,
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

// duration reads "10 * time.Millisecond" as ten of that unit.
func (s *source) duration(r span) (tolerance, bool) {
	t, numbers := tolerance{name: "tolerance"}, 0
	for i := r.from; i < r.to; i++ {
		if v, ok := s.numeric(span{i, i + 1}); ok {
			t.value = v
			numbers++
		} else {
			t.name += " " + s.at(i)
		}
	}
	return t, numbers == 1
}

// slackForm is the name of a constant that says how far off is near enough.
var slackForm = regexp.MustCompile(`(?i)(tolerance|epsilon|max_?(diff|error|deviation|drift|delta)\w*)$`)

// slack are the constants of a file of tests with such a name.
func (s *suite) slack() map[string]tolerance {
	found := map[string]tolerance{}
	src := s.src
	for i := 0; i+2 < len(src.tokens); i++ {
		if !src.isWord(i) || len(src.at(i)) > 60 || src.is(i-1, ".") {
			continue
		}
		j := i + 1
		for j < i+5 && !src.is(j, "=") && !src.is(j, ":=") && !opens(src.at(j)) && !closes(src.at(j)) && !src.is(j, ",") {
			j++
		}
		if !src.is(j, "=") && !src.is(j, ":=") || !slackForm.MatchString(src.at(i)) {
			continue
		}
		value := src.join(src.statement(j+1, span{j + 1, min(len(src.tokens), j+1+maxBound)}))
		if !isSum(value) {
			continue
		}
		for unit, v := range sumOf(value) {
			if _, twice := found[src.at(i)]; !twice {
				found[src.at(i)] = tolerance{src.at(i) + unitMark(unit), v, false}
			}
		}
	}
	return found
}

// unitMark sets a length of time apart from a number.
func unitMark(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}

// shown is the value as a reader wants it.
func (t tolerance) shown() string {
	if strings.HasSuffix(t.name, " ns") {
		return time.Duration(t.value).String()
	}
	return figure(t.value)
}

// slackened reports such constants that have grown.
func (c *change) slackened(p *pair) {
	if p.old == nil || p.new == nil || !p.test {
		return
	}
	before, after := p.old.slack(), p.new.slack()
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if b, ok := before[name]; ok && after[name].name == b.name && after[name].value > b.value {
			c.report("TS006", p.Path, p.new.firstLine(name), []lint.Related{{Path: p.oldPath(), Line: p.old.firstLine(name), Column: 1, Message: "it was " + b.shown()}}, "%s goes from %s to %s", name, b.shown(), after[name].shown())
		}
	}
}

// firstLine is the first line with a word.
func (s *suite) firstLine(name string) int {
	for i := range s.src.tokens {
		if s.src.is(i, name) {
			return s.src.line(i)
		}
	}
	return 1
}

// nearness reads within(0.1), Within(0.1) and offset(0.1).
func (s *source) nearness(r span) []tolerance {
	var found []tolerance
	for i := r.from; i+2 < r.to && len(found) < 8; i++ {
		switch s.at(i) {
		case "within", "Within", "offset", "byLessThan", "withPercentage", "withinPercentage":
			if list := s.arguments(i + 1); s.is(i+1, "(") && len(list) > 0 {
				if v, ok := s.numeric(list[0]); ok {
					found = append(found, tolerance{"tolerance", v, false})
				}
			}
		}
	}
	return found
}

// presets are tolerances that hold where none is written, by the documentation
// of NumPy, pytest, unittest and Jest.
var presets = map[string]float64{"rel_tol": 1e-9, "rtol": 1e-7, "rel": 1e-6, "places": 7, "decimal": 6, "digits": 2, "abs": 1e-3, "atol": 1e-3}

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
