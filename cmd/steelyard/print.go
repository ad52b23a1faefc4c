package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"steelyard/lint/output"
)

// printJSON writes v indented, with a final newline.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printColumns writes rows with their columns aligned, two spaces apart. Rows
// may differ in length.
func printColumns(w io.Writer, rows [][]string) error {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			row[i] = oneLine(cell)
			cell = row[i]
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line.String(), " ")); err != nil {
			return err
		}
	}
	return nil
}

// next tells a person what to do now.
func (p *program) next(format string, args ...any) { p.say("next: "+format, args...) }

// say writes a line to standard error, in which a CI system finds no command to
// itself. Nobody can be told that it failed.
func (p *program) say(format string, args ...any) {
	_, _ = fmt.Fprintln(p.stderr, output.Mute(plain(fmt.Sprintf(format, args...))))
}

// printMuted writes to standard output what write writes, after mute has taken
// out of it what a CI system would take for a command to itself.
func (p *program) printMuted(write func(io.Writer) error, mute func([]byte) []byte) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	_, err := p.stdout.Write(mute(text.Bytes()))
	return err
}

// muted is [output.Mute] of bytes.
func muted(text []byte) []byte { return []byte(output.Mute(string(text))) }

// plain is a text as a terminal may show it: what comes from files, databases
// and GitHub can hold characters that steer one, hide, or turn a line round.
// They show as what they are.
func plain(s string) string {
	return printable(s, func(r rune) bool { return r == '\n' || r == '\t' })
}

// oneLine is plain for a text that must not break its line.
func oneLine(s string) string { return printable(s, func(rune) bool { return false }) }

func printable(s string, allowed func(rune) bool) string {
	odd := func(r rune) bool {
		return !allowed(r) && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp))
	}
	if strings.IndexFunc(s, odd) < 0 {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if odd(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			out.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}
