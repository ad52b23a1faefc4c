package mcpconfig

import (
	"regexp"
	"strings"
)

// The forms in which hosts name a value instead of writing it.
const (
	refBraces  = "${NAME}"
	refDefault = "${NAME:-default}"
	refEnv     = "${env:NAME}"
	refInput   = "${input:id}"
	refEditor  = "${workspaceFolder}"
	refDollar  = "$NAME"
	refPercent = "%NAME%"
	refCurly   = "{env:NAME}"
	refActions = "${{ secrets.NAME }}"
)

// reference is one reference in a text.
type reference struct {
	form     string
	name     string // of the variable or input
	from, to int
}

var referenceForms = []struct {
	form string
	expr *regexp.Regexp
}{
	{refActions, regexp.MustCompile(`\$\{\{\s*(?:secrets|vars|inputs|env)\.([A-Za-z_]\w*)\s*\}\}`)},
	{refEnv, regexp.MustCompile(`\$\{env:([A-Za-z_]\w*)\}`)},
	{refInput, regexp.MustCompile(`\$\{input:([\w.-]+)\}`)},
	{refEditor, regexp.MustCompile(`\$\{(workspaceFolder(?:Basename)?(?::[^}]*)?|userHome|pathSeparator|/|fileWorkspaceFolder|config:[^}]*|command:[^}]*|cwd)\}`)},
	{refDefault, regexp.MustCompile(`\$\{([A-Za-z_]\w*):-[^}]*\}`)},
	{refBraces, regexp.MustCompile(`\$\{([A-Za-z_]\w*)\}`)},
	{refCurly, regexp.MustCompile(`\{(?:env|file):([^}]+)\}`)},
	{refDollar, regexp.MustCompile(`\$([A-Z][A-Z0-9_]{2,})\b`)},
	{refPercent, regexp.MustCompile(`%([A-Za-z][A-Za-z0-9_]{2,})%`)},
}

// references finds the references in a text. Of two forms that match at one
// place the first of the table counts: ${env:X} is no {env:X}.
func references(s string) []reference {
	if !strings.ContainsAny(s, "${%") {
		return nil
	}
	var found []reference
	for _, f := range referenceForms {
		for _, m := range f.expr.FindAllStringSubmatchIndex(s, -1) {
			taken := f.form == refPercent && m[0] > 0 && isWord(s[m[0]-1]) // 50%OFF%
			for _, before := range found {
				taken = taken || m[0] < before.to && before.from < m[1]
			}
			if !taken {
				found = append(found, reference{f.form, s[m[2]:m[3]], m[0], m[1]})
			}
		}
	}
	return found
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
