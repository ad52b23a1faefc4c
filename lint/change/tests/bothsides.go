package tests

import (
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// Statements that take a member away from a value, with the value and the member.
var (
	setToNone  = regexp.MustCompile(`^(\w+)((?: \. \w+| \?\. \w+| ! \. \w+| \. \( [^()]+ \)| \[ [^\[\]]+ \])+) = (?:nil|null|None|undefined|""|''|0|\[ \]|default|\{ \}|None :: <[^=]*>)$`)
	takenAway  = regexp.MustCompile(`^(?:del|delete) (\w+)((?: \. \w+| \[ [^\[\]]+ \])+)$`)
	methodAway = regexp.MustCompile(`^(\w+)((?: \. \w+)*? \. (?:pop|delete|remove|Remove|discard|unset) \( (?:[:\w]+|"[^"]*"|'[^']*')(?: , (?:None|nil|null))? \))$`)
	setterAway = regexp.MustCompile(`^(\w+)((?: \. \w+)*? \. (?:set\w+ \( (?:null|nil|""|List \. of \( \)|emptyList \( \)) \)|clear\w* \( \)|Clear\w* \( \)|\w+ \. clear \( \)))$`)
)

// removals are the members that a test takes away: which, and of what.
func (t *test) removals() map[string][]string {
	found := map[string][]string{}
	src := t.suite.src
	for i := t.body.from; i < t.body.to; i++ {
		if !src.isWord(i) || src.is(i-1, ".") || src.is(i+1, "(") {
			continue
		}
		if !src.token(i).first && !src.is(i-1, ";") && !src.is(i-1, "{") {
			continue
		}
		st := src.statement(i, t.body)
		if st.to-i < 3 || st.to-i > 40 {
			continue
		}
		line := strings.TrimSuffix(src.join(span{i, st.to}), " ;")
		for _, form := range []*regexp.Regexp{setToNone, takenAway, methodAway, setterAway} {
			if m := form.FindStringSubmatch(line); m != nil {
				if !slices.Contains(found[m[2]], m[1]) && len(found) < maxLocals {
					found[m[2]] = append(found[m[2]], m[1])
				}
				break
			}
		}
	}
	return found
}

// bothSides reports two values from which a member is now taken away before
// they are compared.
func (c *change) bothSides(o, n *test) {
	if n.body.len() > maxMoved {
		return
	}
	after := n.removals()
	if len(after) == 0 {
		return
	}
	before := o.removals()
	for _, member := range sortedKeys(after) {
		roots := after[member]
		if len(roots) < 2 || len(before[member]) > 0 {
			continue
		}
		for i := range n.asserts[:min(len(n.asserts), maxPairing)] {
			a := &n.asserts[i]
			if a.negated || !strings.Contains(" "+c.textsBefore(o)+" ", " "+a.text+" ") || !holds(a.text, roots[0]) || !holds(a.text, roots[1]) {
				continue
			}
			c.report("TS006", n.suite.path, n.suite.src.line(a.at), []lint.Related{was(o.suite, o.head(), "the test before")},
				"assertion in %q is weaker: %s is taken away on both sides before they are compared", short(n.name), short(strings.TrimPrefix(member, " . ")))
			return
		}
	}
}

// textsBefore are the assertions of a test as one text.
func (c *change) textsBefore(t *test) string {
	var b strings.Builder
	for i := range t.asserts[:min(len(t.asserts), maxPairing)] {
		b.WriteString(t.asserts[i].text + " \n ")
	}
	return b.String()
}

func sortedKeys(m map[string][]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// cleanedLocals reports two local variables that are compared and that both now
// hold what a function that takes differences away gives back.
func (c *change) cleanedLocals(o, n *test) {
	before, after := o.locals(), n.locals()
	through := map[string][]string{}
	for _, name := range sortedNames(after) {
		was, ok := before[name]
		if !ok || was == after[name] {
			continue
		}
		words := strings.Fields(after[name])
		for i := 0; i+1 < len(words) && i < maxBound; i++ {
			if words[i+1] == "(" && evening.MatchString(words[i]) && !sameMeaning.MatchString(words[i]) && !holds(was, words[i]) {
				bare := strings.NewReplacer("self . ", "", "this . ", "").Replace(withoutCalls(words, words[i]))
				if alike(bare, was) >= 0.8 {
					through[words[i]] = append(through[words[i]], name)
				}
			}
		}
	}
	for _, call := range sortedKeys(through) {
		names := through[call]
		if len(names) < 2 {
			continue
		}
		src := n.suite.src
		for i := n.body.from + 1; i+1 < n.body.to; i++ {
			if v := src.at(i); v != "==" && v != "!=" && v != "===" && v != "!==" && v != "," {
				continue
			}
			if slices.Contains(names, src.at(i-1)) && slices.Contains(names, src.at(i+1)) && src.at(i-1) != src.at(i+1) {
				c.report("TS006", n.suite.path, src.line(i), []lint.Related{was(o.suite, o.head(), "the test before")},
					"assertion in %q is weaker: both sides go through %q before they are compared", short(n.name), call)
				return
			}
		}
	}
}

func sortedNames(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
