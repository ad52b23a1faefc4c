package instructions

import (
	"path"
	"strings"
	"unicode"

	"steelyard/lint"
	"steelyard/lint/launch"
	"steelyard/lint/secrets"
	"steelyard/rules"
)

// literalSecret reports secrets in the text of instructions.
var literalSecret = lint.Rule{ID: "IN015", Check: checkLiteralSecret}

func checkLiteralSecret(p *lint.Pass) {
	for _, d := range docs(p, rules.Instructions, rules.Tasks) {
		found, whole := d.secrets()
		if !whole {
			d.File.Unchecked("IN")
			p.Skip(d.File.Path, "too much text to look for secrets in all of it")
		}
		for _, s := range found {
			d.File.Mask(s.At, s.Value)
		}
		servers := d.servers()
		for _, s := range found {
			if servers.Start <= s.At.Start && s.At.Start < servers.End {
				continue
			}
			p.Reportf(d.File, s.At, "text holds a literal %s; assistants and everybody who reads the repository have it", s.Shown())
		}
	}
}

// assignmentForm is a name and a value: NAME=value, name: value, "name": "value",
// --flag value.
var assignmentForm = compile(`(?:^|[\s"'\x60({,;])(?:([A-Za-z][A-Za-z0-9_.-]{1,60})["'\x60]?\s*[=:]|--([a-z][a-z0-9-]{1,60})[= ])\s*["'\x60]?((?:(?:[Bb]earer|[Bb]asic)\s+)?[^\s"'\x60,;(){}<>]{8,400})`)

// address is one with a name and a password in it.
var address = compile(`[a-z][a-z0-9+.-]*://[^\s"'\x60<>()]{1,300}`)

// secrets finds the literal secrets of a document outside bad examples. whole is
// false where the bound on the work was met.
func (d *Doc) secrets() (found []secrets.Secret, whole bool) {
	bad := d.badLines()
	var f secrets.Finder
	offset := 0
	for line := range strings.Lines(string(d.source)) {
		at := offset
		offset += len(line)
		if !maySecret(line) || bad[at] || elsewhereSecret.MatchString(strings.ReplaceAll(line, ".example", "")) {
			continue
		}
		for _, m := range assignmentForm.FindAllStringSubmatchIndex(line, 20) {
			name := m[2:4]
			if name[0] < 0 {
				name = m[4:6]
			}
			if value := line[m[6]:m[7]]; generated(value) {
				found = d.addSecret(found, &f, line[name[0]:name[1]], value, at+m[6])
			}
		}
		for _, m := range address.FindAllStringIndex(line, 20) {
			found = d.addSecret(found, &f, "", line[m[0]:m[1]], at+m[0])
		}
		for _, m := range lone.FindAllStringIndex(line, 20) {
			found = d.addSecret(found, &f, "", line[m[0]:m[1]], at+m[0])
		}
		if f.Exhausted() {
			return found, false
		}
	}
	return found, true
}

// maySecret reports whether a line has a word that is long and mixed enough,
// or an address with a password.
func maySecret(line string) bool {
	const least = 16
	run, digit, letter := 0, false, false
	for i := range len(line) {
		c := line[i]
		switch {
		case c == ' ' || c == '\t' || c == '`' || c == '"' || c == '\'':
			run, digit, letter = 0, false, false
			continue
		case c >= '0' && c <= '9':
			digit = true
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letter = true
		}
		if run++; run >= least && digit && letter {
			return true
		}
	}
	return strings.Contains(line, "://") && strings.Contains(line, "@")
}

// lone are words that may be a provider's secret by their form alone.
var lone = compile(`\b[A-Za-z0-9_-]{2,12}[_-][A-Za-z0-9_-]{16,200}\b|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}|\bAIza[\w-]{35}`)

// elsewhereSecret is a line that shows what a secret looks like.
var elsewhereSecret = compile(`(?i)\b(example|placeholder|dummy|fake|sample|redacted|replace|insert|bad|wrong|never|don'?t|hard-?coded|e\.g\.|looks like|pattern|regex|sk_live_|pk_live_|test[_-]?key)\b|❌|\.\.\.|…|xxxx|\*\*\*\*`)

// generated tells a value that a machine made from a word of prose, a name or
// an expression of code, an address on a chain and a path. A password that
// spells "password" in figures is one to be read.
func generated(value string) bool {
	const least = 12
	return len(value) >= least && strings.ContainsAny(value, "0123456789") && strings.ContainsFunc(value, unicode.IsLetter) &&
		!strings.HasPrefix(value, "0x") && !strings.Contains(value, "/") && !identifierForm.MatchString(value) && !spelt(value)
}

// spelt reports whether letters written as figures and signs spell what the
// value is an example of: "S3cr3t_K3y!".
func spelt(value string) bool {
	plain := strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s").Replace(strings.ToLower(value))
	return strings.Contains(plain, "secret") || strings.Contains(plain, "password")
}

// identifierForm matches names joined by dots, words with a number behind,
// words run together behind a number (v2ApiKeyAuth, OAuth2ClientCredentials)
// and elements of a list (header[7:]).
var identifierForm = compile(`^[A-Za-z_][\w.]*\[|^[A-Za-z_]+(?:\.[A-Za-z_][A-Za-z0-9_]*)+$|^[A-Za-z_-]+\d{0,3}$|^[A-Za-z]{1,16}\d{1,3}(?:[A-Z][a-z]{2,}){2,}$`)

func (d *Doc) addSecret(found []secrets.Secret, f *secrets.Finder, key, value string, at int) []secrets.Secret {
	value = strings.TrimRight(value, ".:")
	text := launch.TextOf(lint.PlainNode(lint.Span{Start: at, End: at + len(value)}, value))
	for _, s := range f.Named("text", key, "", text) {
		if !overlaps(found, s.At) {
			found = append(found, s)
		}
	}
	return found
}

func overlaps(found []secrets.Secret, at lint.Span) bool {
	for _, s := range found {
		if s.At.Start < at.End && at.Start < s.At.End {
			return true
		}
	}
	return false
}

// servers is where an agent's front matter describes MCP servers: the rules
// about those report the secrets that stand there.
func (d *Doc) servers() lint.Span {
	key := ""
	switch {
	case path.Ext(d.File.Path) != ".md":
	case strings.Contains("/"+d.File.Path, "/.github/agents/"):
		key = "mcp-servers"
	case strings.Contains("/"+d.File.Path, "/.claude/agents/"):
		key = "mcpServers"
	}
	if k, ok := d.Front.Get(key); ok && d.Front.Fault == "" && k.Name == key {
		return k.ValueAt
	}
	return lint.Span{}
}

// badLines are the offsets of lines in code that shows what not to do.
func (d *Doc) badLines() map[int]bool {
	bad := map[int]bool{}
	for i := range d.Fences {
		for _, l := range d.Fences[i].Lines {
			if l.Bad {
				bad[l.At] = true
			}
		}
	}
	return bad
}
