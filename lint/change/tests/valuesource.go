package tests

import "strings"

// valueSource is what an annotation of JUnit runs a test with: the constants
// of an enumeration, all of them, those that it names or all but those.
type valueSource struct {
	at     int
	names  map[string]bool
	except bool
}

// enumSource reads @EnumSource(value = E.class, mode = EXCLUDE, names = {"A"}).
func (s *suite) enumSource(r span) *valueSource {
	v := &valueSource{at: r.from, names: map[string]bool{}}
	for i := r.from; i < r.to && len(v.names) < maxTests; i++ {
		switch {
		case s.src.is(i, "EXCLUDE") || s.src.is(i, "MATCH_NONE"):
			v.except = true
		case s.src.kind(i) == text:
			v.names[s.src.value(i)] = true
		}
	}
	return v
}

// listed are annotations that hold a test's rows, one value each.
var listed = map[string]bool{"ValueSource": true, "CsvSource": true, "FieldSource": true}

// rowsOf counts the values of such an annotation.
func (s *suite) rowsOf(r span) int {
	for i := r.from; i < r.to; i++ {
		if s.src.is(i, "{") && s.src.close(i) < r.to {
			return len(s.src.arguments(i))
		}
	}
	return 0
}

// fewerThan says how a source gives less than another, "" if it does not: a
// value more is left out, or fewer are named.
func (v *valueSource) fewerThan(o *valueSource) string {
	kept, lost := 0, ""
	switch {
	case v.except && (o.except || len(o.names) == 0):
		for name := range v.names {
			if !o.names[name] {
				lost = name
			}
		}
		for name := range o.names {
			if !v.names[name] {
				return "" // another takes its place
			}
		}
	case !v.except && len(v.names) > 0 && !o.except:
		for name := range o.names {
			if !v.names[name] {
				lost = name
			}
		}
		for name := range v.names {
			if o.names[name] {
				kept++
			}
		}
		if len(o.names) == 0 {
			return "runs for named values alone"
		}
		if kept < len(v.names) {
			return ""
		}
	}
	if lost == "" {
		return ""
	}
	return "no longer runs for " + strings.ReplaceAll(short(lost), `"`, "")
}
