package instructions

import (
	"slices"
	"strings"
)

// meets reports whether running a command is what a ban forbids: the ban's
// words begin it, and the ban's flags are somewhere in it. The very words of the
// ban count in a block of commands alone, for a sentence may only speak of them.
func (b *ban) meets(c *command) bool {
	switch {
	case c.s == b.s || c.s != nil && (c.s.Table || c.denied()):
		return false
	case c.s != nil && len(c.words) <= len(b.words), c.excused(), b.elsewhere(c), b.spares(c):
		return false
	}
	own, given := plainWords(b.words), plainWords(c.words)
	if len(given) < len(own) || !slices.Equal(given[:len(own)], own) {
		return false
	}
	for _, w := range b.words {
		if flag := w.text; isFlag(flag) && !slices.ContainsFunc(c.words, func(o word) bool { return o.text == flag || sameFlag[flag] == o.text && own[0] == "git" }) {
			return false
		}
	}
	return true
}

// elsewhere reports whether the ban stands under headings for a part of the
// repository and the command does not.
func (b *ban) elsewhere(c *command) bool {
	scope := b.s.scope("")
	return scope != "" && scope != c.scope()
}

// denied reports whether the words behind a command forbid it.
func (c *command) denied() bool { return deniedThen.MatchString(folded(c.s.S[c.code.To:])) }

// spares reports whether a ban of a package manager as a whole means the
// repository's packages alone, and the command is about something else: tools
// of the machine, the registry.
func (b *ban) spares(c *command) bool {
	name := b.words[0].text
	if len(b.words) > 1 || installers[name] == nil || len(c.words) < 2 {
		return false
	}
	return registryVerb[c.words[1].text] || slices.ContainsFunc(c.words, func(w word) bool { return w.text == "-g" || w.text == "--global" })
}

var registryVerb = wordSet("publish login logout whoami view info show search access owner dist-tag pack deprecate token")

// sameFlag are flags of git that mean the same.
var sameFlag = map[string]string{"--force": "-f", "-f": "--force", "--no-verify": "-n", "--all": "-A", "-A": "--all"}

func isFlag(s string) bool { return strings.HasPrefix(s, "-") && len(s) > 1 }

// plainWords are a command's words without its flags.
func plainWords(list []word) []string {
	var found []string
	for _, w := range list {
		if !isFlag(w.text) {
			found = append(found, w.text)
		}
	}
	return found
}
