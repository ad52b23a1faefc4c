package tests

import (
	"strings"

	"steelyard/lint"
)

// maxAsked bounds the rows that are looked for in the text of a file.
const maxAsked = 50

// skippedParams reports rows of a table that are skipped or expected to fail
// now: pytest.param(…, marks=pytest.mark.skip) in place of the same row without.
func (c *change) skippedParams(p *pair) {
	if p.old == nil || p.new == nil || p.new.src.lang != python || !p.test {
		return
	}
	rows := map[string][]param{}
	for _, row := range p.old.params() {
		rows[row.values] = append(rows[row.values], row)
	}
	asked := 0
	for _, row := range p.new.params() {
		before := rows[row.values]
		if len(before) > 0 {
			rows[row.values] = before[1:]
		}
		if row.mark == "" || len(before) > 0 && before[0].marks >= row.marks {
			continue
		}
		if len(before) == 0 {
			if asked++; asked > maxAsked || !p.old.hasRow(row.values) {
				continue
			}
		}
		c.report("TS002", p.Path, p.new.src.line(row.at), []lint.Related{was(p.old, 0, "the file before")}, "row %q of a table is left out by %q", short(row.values), row.mark)
	}
}

// param is a row of a table with a name or marks.
type param struct {
	at     int
	values string // without its name and marks
	mark   string // what skips it last, "" for nothing
	marks  int    // how many such there are
}

// params finds the calls of pytest.param.
func (s *suite) params() []param {
	var rows []param
	src := s.src
	for i := range src.tokens {
		if !src.is(i, "param") || !src.is(i+1, "(") || len(rows) >= maxTests {
			continue
		}
		row := param{at: i}
		var values []string
		for _, arg := range src.arguments(i + 1) {
			switch {
			case src.is(arg.from, "id") && src.is(arg.from+1, "="):
			case src.is(arg.from, "marks") && src.is(arg.from+1, "="):
				for j := arg.from; j < arg.to; j++ {
					if w := strings.ToLower(src.at(j)); src.isWord(j) && (strings.HasPrefix(w, "skip") || strings.HasPrefix(w, "xfail")) {
						row.mark = src.at(j)
						row.marks++
					}
				}
			default:
				values = append(values, src.join(arg))
			}
		}
		row.values = strings.Join(values, " , ")
		rows = append(rows, row)
	}
	return rows
}

// hasRow reports whether these values stand in a list of the file by
// themselves: the row before it was wrapped to be marked.
func (s *suite) hasRow(values string) bool {
	if values == "" {
		return false
	}
	squeeze := func(v string) string {
		return strings.NewReplacer(" ", "", "\n", "", "'", `"`).Replace(v)
	}
	if s.squeezed == "" {
		s.squeezed = squeeze(s.src.text)
	}
	v := squeeze(values)
	for _, row := range []string{"(" + v + ")", "[" + v + ",", "," + v + ",", "," + v + "]", "[" + v + "]", "(" + v + ",)"} {
		if strings.Contains(s.squeezed, row) {
			return true
		}
	}
	return false
}
