package mcpconfig

import (
	"strings"

	"steelyard/lint/launch"
	"steelyard/lint/secrets"
)

// maxStartLine bounds the characters of a command line that is kept.
const maxStartLine = 400

// startLine is how a server is started, or the address that it is reached at,
// as it may be kept: every secret starred, of an address neither user nor query.
func (c *Config) startLine(s Server) string {
	words := s.line()
	var parts []string
	if len(words) == 0 {
		if len(s.reaches) == 0 {
			return ""
		}
		a := s.reaches[0]
		parts = append(parts, a.scheme+"://"+a.host+a.path)
	}
	for _, w := range words {
		text := w.Value
		if a, ok := parseAddress(w); ok && (a.user != "" || a.query != "") {
			text = a.scheme + "://" + a.host + a.path
		}
		if strings.ContainsAny(text, " \t\n\"'") || text == "" {
			text = "'" + strings.Join(strings.Fields(text), " ") + "'"
		}
		parts = append(parts, text)
	}
	line := c.File.Plain(strings.Join(parts, " "))
	if r := []rune(line); len(r) > maxStartLine {
		return string(r[:maxStartLine]) + "…"
	}
	return line
}

// secretsIn says what an entry holds of secrets: "literal" where one is
// written out, "reference" where a variable or an input is named in its place,
// else "none".
func secretsIn(s Server) string {
	var look secrets.Finder
	if len(secretsOf(&look, []Server{s})) > 0 {
		return "literal"
	}
	for _, p := range append(append(append([]Pair{}, s.Env...), s.Headers...), s.Other...) {
		if len(references(p.Value.Value)) > 0 {
			return "reference"
		}
	}
	for _, w := range append(append([]launch.Text{}, s.Args...), s.URLs...) {
		for _, r := range references(w.Value) {
			if r.form != refEditor {
				return "reference"
			}
		}
	}
	return "none"
}
