package output

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
)

// runnerCommand is how a command to a CI system may begin anywhere in a line of
// a job's log: ##[stop-commands], ##vso[…], ##teamcity[…]. A repository that
// could write one would switch annotations off, or have its own.
//
// Source: actions/runner, ActionCommand.TryParse; Azure Pipelines, "Logging
// commands"; TeamCity, "Service messages".
var runnerCommand = regexp.MustCompile(`##([A-Za-z]*\[)`)

// mute writes text so that no command begins in it.
func mute(s string) string {
	if !strings.Contains(s, "##") {
		return s
	}
	return runnerCommand.ReplaceAllString(s, `#\x23$1`)
}

// begins reports whether a line begins with a text as GitHub's runner reads it,
// which does not see white space before it.
func begins(line, with string) bool {
	return strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), with)
}

// opening is a path at the start of a line. A runner reads a line that starts
// with "::" as a command to itself, and a path may, or may begin one with the
// colon that follows it.
func opening(path string) string {
	path = plain(path)
	if begins(path, ":") {
		return "./" + path
	}
	return path
}

// Mute returns a text of one or more lines in which no CI system finds a command
// to itself.
func Mute(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(muteLine(line))
	}
	return b.String()
}

// MuteJSON returns a document in JSON, of which the same can be read, and in
// which no CI system finds a command to itself.
func MuteJSON(text []byte) []byte {
	if !bytes.Contains(text, []byte("##")) {
		return text
	}
	return runnerCommand.ReplaceAll(text, []byte(`#\u0023$1`))
}

// muteLine is [mute] for a whole line that says something of a repository's from
// its first character on.
func muteLine(line string) string {
	line = mute(line)
	if begins(line, "::") {
		return strings.Replace(line, ":", `\x3a`, 1)
	}
	return line
}
