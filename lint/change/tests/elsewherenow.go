package tests

import (
	"path"
	"strings"
)

// groupNow reports whether a test of a script that held others is a group of
// the same name now, for another runner, and those others are there.
func (p *pair) groupNow(t *test) bool {
	if p.new == nil || p.new.src.lang != javascript {
		return false
	}
	inside := 0
	for _, o := range p.old.tests {
		if o != t && t.body.has(o.whole.from) {
			if o.mate == nil {
				return false
			}
			inside++
		}
	}
	for _, g := range p.new.scopes {
		if inside > 0 && (g.name == t.name || strings.HasSuffix(g.name, " "+t.name)) {
			return true
		}
	}
	return false
}

// unreadCode are the endings of files with tests in languages that are not read.
var unreadCode = map[string]bool{
	".fs": true, ".vb": true, ".scala": true, ".php": true, ".swift": true, ".dart": true, ".ex": true, ".exs": true, ".clj": true, ".cljs": true, ".hs": true,
	".cc": true, ".cpp": true, ".c": true, ".m": true, ".ml": true, ".lua": true, ".jl": true, ".r": true, ".bats": true, ".sh": true, ".feature": true, ".svelte": true, ".vue": true,
}

// inOtherLanguage reports whether a lost test stands under its name in a file of
// the change whose language is not read, and did not before.
func (c *change) inOtherLanguage(t *test) bool {
	if len(t.name) < partName {
		return false
	}
	for _, q := range c.files {
		if q.New == nil || !unreadCode[strings.ToLower(path.Ext(q.Path))] || !isTestPath(q.Path) && !strings.Contains(strings.ToLower(q.Path), "test") {
			continue
		}
		if strings.Contains(string(q.New), t.name) && !strings.Contains(string(q.Old), t.name) {
			return true
		}
	}
	return false
}

// Words that two names must share for their tests to be taken for one written
// anew, and how long such a word is.
const (
	sharedWords = 2
	longWord    = 5
)

// renamedAnew reports whether a test that is new in the change, in another file
// than the lost one, checks something and has most of its name from it.
func (c *change) renamedAnew(t *test) bool {
	had := longWords(t.name)
	for _, p := range c.files {
		if p.new == nil || p.new == t.suite || !p.test || p.oldPath() == t.suite.path || p.new.src.lang != t.suite.src.lang {
			continue
		}
		for _, n := range p.new.tests {
			if n.mate != nil || n.body.len() < 8 || p.old != nil && p.old.helpers[n.name].to > 0 {
				continue
			}
			words, shared := longWords(n.name), 0
			for w := range words {
				if had[w] {
					shared++
				}
			}
			if shared >= sharedWords && 3*shared >= 2*len(words) {
				return true
			}
		}
	}
	return false
}

// longWords are the long words of a name.
func longWords(name string) map[string]bool {
	words := map[string]bool{}
	from := 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) && isLetter(name[i]) && (i == 0 || !upper(name[i]) || upper(name[i-1])) {
			continue
		}
		if w := strings.ToLower(name[from:i]); len(strings.Trim(w, "_ ")) >= longWord {
			words[strings.Trim(w, "_ ")] = true
		}
		if from = i; i < len(name) && !isLetter(name[i]) {
			from = i + 1
		}
	}
	return words
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || upper(b) }

func upper(b byte) bool { return b >= 'A' && b <= 'Z' }

// grownBeside reports whether a test of the file that stays got at least as many
// assertions as the lost one had, and many of its words: the two became one.
func (c *change) grownBeside(p *pair, t *test) bool {
	if p.new == nil || len(t.asserts) == 0 {
		return false
	}
	for _, n := range p.new.tests {
		if n.mate != nil && n.mate.suite == p.old && len(n.asserts) >= len(n.mate.asserts)+len(t.asserts) && contained(t, n) >= grownShare && contained(t, n.mate) < contained(t, n) {
			return true
		}
	}
	return false
}

// grownShare is how much of a lost test such a one holds.
const grownShare = 0.4

// parameters counts those of a test with rows, where they stand in brackets
// before its body.
func (t *test) parameters() int {
	src := t.suite.src
	for i := t.body.from; i > max(t.whole.from, t.body.from-80); i-- {
		if m := int(src.token(i).mate); src.is(i, ")") && m >= t.whole.from && m < i {
			return len(src.arguments(m))
		}
	}
	return 0
}
