package output

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"steelyard/lint"
	"steelyard/rules"
)

// MaxAnnotations is how many annotations of one severity GitHub shows of a
// step; it drops the rest without a word.
const MaxAnnotations = 10

// maxAnnotation bounds the text of one annotation in bytes.
const maxAnnotation = 4000

// commands are GitHub's words for the severities.
var commands = map[rules.Severity]string{rules.Error: "error", rules.Warning: "warning", rules.Note: "notice"}

// annotate writes workflow commands for a GitHub runner, the worst first. Where
// there are more of a severity than GitHub shows, the last says how many more.
//
// Source: GitHub, "Workflow commands for GitHub Actions".
func annotate(w io.Writer, c Check, o Options) error {
	var b bytes.Buffer
	left := map[rules.Severity]int{}
	for _, f := range c.Result.Findings {
		left[f.Severity]++
	}
	shown := map[rules.Severity]int{}
	for _, f := range bySeverity(c.Result.Findings) {
		switch n := shown[f.Severity]; {
		case n == MaxAnnotations: // said below
		case n == MaxAnnotations-1 && left[f.Severity] > 1:
			more := left[f.Severity]
			shown[f.Severity]++
			fmt.Fprintf(&b, "::%s title=%s::%s\n", commands[f.Severity], property(fmt.Sprintf("and %d more", more)),
				data(fmt.Sprintf("%s are not shown here: GitHub shows %d of a kind in a step; the job summary has all of them",
					plural(more, string(f.Severity)), MaxAnnotations)))
		default:
			shown[f.Severity]++
			left[f.Severity]--
			annotation(&b, f, o)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func annotation(b *bytes.Buffer, f lint.Finding, o Options) {
	fmt.Fprintf(b, "::%s file=%s,line=%d", commands[f.Severity], property(o.from(f.Path)), max(f.Line, 1))
	if f.EndLine > f.Line {
		fmt.Fprintf(b, ",endLine=%d", f.EndLine)
	} else if f.Snippet != "" {
		// GitHub takes columns only within one line.
		fmt.Fprintf(b, ",endLine=%d,col=%d", max(f.Line, 1), units(f.Snippet, f.Column))
		if f.EndLine == f.Line && f.EndColumn > f.Column {
			fmt.Fprintf(b, ",endColumn=%d", units(f.Snippet, f.EndColumn))
		}
	}
	var text strings.Builder
	text.WriteString(plain(f.Message))
	for _, r := range f.Related {
		fmt.Fprintf(&text, "\nsee %s:%d", plain(o.from(r.Path)), r.Line)
		if r.Message != "" {
			text.WriteString(": " + plain(r.Message))
		}
	}
	fmt.Fprintf(b, ",title=%s::%s\n", property(f.Rule+" "+f.Name), data(short(text.String(), maxAnnotation)))
}

// data is a text in the message of a workflow command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property is a text in a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(plain(s))
}

// short cuts a text to at most most bytes, at the end of a character.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	cut := most - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
