package config

import (
	"fmt"
	"strings"
)

// Problem is one mistake in a settings file, an environment variable or a
// flag.
type Problem struct {
	// File, Line and Column say where; Column counts characters from 1 and is
	// 0 where only the line is known. Line is 0 for a mistake outside a file,
	// and File is then the name of the flag or the environment variable.
	File         string
	Line, Column int
	// Text says what is wrong, in lower case and without a full stop.
	Text string
	// Hint says what to do about it; may be empty.
	Hint string
}

// Error is file:line:column: text (hint).
func (p Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
		if p.Column > 0 {
			fmt.Fprintf(&b, ":%d", p.Column)
		}
	}
	b.WriteString(": ")
	b.WriteString(p.Text)
	if p.Hint != "" {
		fmt.Fprintf(&b, " (%s)", p.Hint)
	}
	return b.String()
}

// Problems are all mistakes of one file, in the order of the file.
type Problems []Problem

// Error has one problem a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}
