package instructions

import (
	"strings"

	"steelyard/lint"
)

// ban is a command that a document forbids without a condition.
type ban struct {
	words []word
	s     *Statement
	at    lint.Span
}

var (
	banForm = compile(`\b(?:never|do not|don't|must not|mustn't)(?: ever)?(?: (?:use|run|call|invoke|execute|type))?\s*\W*$|\b(?:never|do not|don't|must not|mustn't)(?: ever)?(?: (?:use|run|call|invoke|execute|type)) [\W]*(?:or|and|/|,|\s|\x60)*$`)
	// banUnless is what makes a ban one for some cases alone.
	banUnless = compile(`\b(unless|except|without|when|if|directly|before|until|while|during|outside|inside|in|on|for|from|to|as|at|by|more|again|twice|manually|yourself|blindly|instead|because|with|after|alone|anywhere|globally)\b`)
)

// bans returns the commands that a document forbids everywhere: "Never use
// `npx`".
func (d *Doc) bans() []ban {
	var found []ban
	for i := range d.Statements {
		s := &d.Statements[i]
		if len(s.Codes) == 0 || s.Heading || len(found) > maxBans || banUnless.MatchString(s.prose(0, len(s.S))) {
			continue
		}
		if !banForm.MatchString(s.prose(0, s.Codes[0].From)) && !s.bansCode() {
			continue
		}
		for n, c := range s.Codes {
			if n > 0 && !listed(s.prose(s.Codes[n-1].To, c.From)) {
				break
			}
			if words := shellWords(c.Text); len(words) > 0 && knownProgram(words[0].text) {
				found = append(found, ban{words, s, s.Span(c.From, c.To)})
			}
		}
	}
	return found
}

// banBehind is what makes a sentence that begins with a command a ban of it.
var banBehind = compile(`^\W*(?:is|are) (?:strictly |absolutely )?(?:forbidden|banned|prohibited|disallowed|never (?:allowed|used|run|permitted)|not (?:allowed|permitted))\W*$`)

// bansCode reports whether a sentence is a command and that it is forbidden.
func (s *Statement) bansCode() bool {
	return len(s.Codes) == 1 && strings.Trim(s.S[:s.Codes[0].From], " *_-`") == "" && banBehind.MatchString(folded(s.S[s.Codes[0].To:]))
}

// maxBans bounds the forbidden commands of one file.
const maxBans = 50

var listForm = compile(`^\W*(?:or|and|nor)?\W*$`)

// listed reports whether the text between two code spans only joins them.
func listed(between string) bool { return listForm.MatchString(between) }

// programs are commands that instructions forbid or prescribe by name.
var programs = map[string]bool{
	"npm": true, "npx": true, "pnpm": true, "yarn": true, "bun": true, "bunx": true, "pip": true, "pip3": true, "uv": true, "poetry": true,
	"python": true, "python3": true, "node": true, "git": true, "make": true, "cargo": true, "go": true, "docker": true, "kubectl": true,
	"terraform": true, "tsc": true, "jest": true, "vitest": true, "pytest": true, "gradle": true, "mvn": true, "dotnet": true, "rails": true,
	"bundle": true, "composer": true, "php": true, "curl": true, "sudo": true, "deno": true,
}

func knownProgram(name string) bool { return programs[name] }

// checkBans reports commands that a file forbids in one place and tells to run
// in another.
func checkBans(p *lint.Pass, d *Doc) {
	for _, b := range d.bans() {
		for _, c := range d.commands() {
			if !b.meets(&c) {
				continue
			}
			line, _ := d.File.Position(b.at.Start)
			at, column := d.File.Position(b.at.Start)
			other := lint.Related{Path: d.File.Path, Line: at, Column: column, Message: "forbids it"}
			p.ReportRelated(d.File, c.at, []lint.Related{other}, "%q contradicts line %d, %q", c.text(), line, quote(trimmed(b.s.S)))
		}
	}
}
