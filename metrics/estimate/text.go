package estimate

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"steelyard/metrics/did"
)

// WriteText writes the answer for people: what the design says of the method,
// a table of terms with "-" where there is no number, and the warnings.
func WriteText(w io.Writer, a *Answer) error {
	b := &strings.Builder{}
	writeChoice(b, a)
	fmt.Fprintf(b, "%s, %s, %s\n", counted(a.N.Rows, "row"), counted(a.N.Units, "unit"), counted(a.N.Periods, "period"))
	if options := a.Choice.settings(); options != "" {
		fmt.Fprintf(b, "%s\n", options)
	}
	fmt.Fprintln(b)
	writeTable(b, a.Results)
	if len(a.Warnings) > 0 {
		fmt.Fprintln(b)
	}
	for _, line := range a.Warnings {
		fmt.Fprintf(b, "warning: %s\n", line)
	}
	writeRefused(b, a.Choice.Methods)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeChoice says what the design says of the method.
func writeChoice(b *strings.Builder, a *Answer) {
	c := a.Choice
	what := a.Method
	switch {
	case a.Method == "all" && c.Headline == "":
		what = "all methods that the design admits; none of them can be the headline"
	case a.Method == "all":
		what = "all methods that the design admits; the headline is " + c.Headline
	case c.Role == did.Headline:
		what += ", the headline of this design"
	case c.Role == did.Refused && c.Headline != "":
		what += ", refused by this design; its headline is " + c.Headline
	case c.Headline != "":
		what += ", " + string(c.Role) + " in this design; its headline is " + c.Headline
	}
	fmt.Fprintln(b, what)
	if c.Role != did.Refused { // its reasons are among the warnings
		for _, r := range c.Reasons {
			fmt.Fprintf(b, "  %s\n", r)
		}
	}
}

// settings lists the options, sorted.
func (c Choice) settings() string {
	var out []string
	for option, value := range c.Options {
		out = append(out, fmt.Sprintf("%s %v", option, value))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// writeTable writes the terms with their numbers to the right.
func writeTable(b *strings.Builder, results []Result) {
	rows := [][]string{{"term", "estimate", "se", "95 % low", "high", "p"}}
	for _, r := range results {
		rows = append(rows, []string{
			r.Term, digits(r.Estimate, 6), digits(r.SE, 6), digits(r.CI[0], 6), digits(r.CI[1], 6), r.pText(),
		})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for k, cell := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		for k, cell := range row {
			room := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
			if k == 0 {
				b.WriteString(cell + room)
				continue
			}
			b.WriteString("  " + room + cell)
		}
		fmt.Fprintln(b)
	}
}

// pText writes a p-value. One of 0 is only smaller than anything that the draws,
// or the digits of a computer, could have told from it.
func (r Result) pText() string {
	if r.P == nil || *r.P > 0 {
		return digits(r.P, 4)
	}
	if r.step > 0 {
		return "< " + digits(&r.step, 2)
	}
	return "< 1e-300"
}

// digits writes a number with so many significant digits, "-" for none.
func digits(x *float64, n int) string {
	if x == nil {
		return "-"
	}
	if *x == 0 {
		return "0" // not -0
	}
	return strconv.FormatFloat(*x, 'g', n, 64)
}

// writeRefused lists the methods that gave no answer, each with its reason.
func writeRefused(b *strings.Builder, all []Judgement) {
	var lines []string
	for _, m := range all {
		switch {
		case m.Refusal != "":
			lines = append(lines, fmt.Sprintf("  %s: %s", m.Method, m.Refusal))
		case m.Role == did.Refused:
			lines = append(lines, fmt.Sprintf("  %s: %s", m.Method, strings.Join(m.Reasons, " ")))
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(b, "\nrefused:\n%s\n", strings.Join(lines, "\n"))
	}
}
