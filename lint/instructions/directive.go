package instructions

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// Directive is one statement that tells an assistant what to do about a topic.
type Directive struct {
	Topic  *rules.Topic
	Choice string
	// Not is set where the choice is forbidden or turned down.
	Not bool
	// Must tells an order from a preference.
	Must bool
	// Scope says what the directive is for, beside the file's own scope:
	// languages, parts of the repository, conditions. Two directives meet only
	// where theirs are equal.
	Scope string
	At    lint.Span
	Text  string
	// command is set where a command says it, not a sentence.
	command bool
}

// directives returns what a document says about every topic.
func directives(d *Doc) []Directive {
	return lint.Parsed(d.File, func(*lint.File) parsedDirectives {
		topics, err := rules.Topics()
		if err != nil {
			return parsedDirectives{} // the topics' own test holds them to be right
		}
		var all []Directive
		for i := range d.Statements {
			s := &d.Statements[i]
			if !s.Bad && !s.Heading && !s.Section.Gone && len(all) < maxOrders {
				all = append(all, s.directives(topics)...)
			}
		}
		return parsedDirectives{append(all, installs(d, topics)...)}
	}).list
}

// parsedDirectives is cached by file.
type parsedDirectives struct{ list []Directive }

// maxOrders bounds the directives of one file.
const maxOrders = 500

// maxSentence bounds the sentence that is looked at for directives.
const maxSentence = 1000

var marks = strings.NewReplacer("`", "", "**", "", "__", "", "“", "", "”", "", "\"", "")

func (s *Statement) directives(topics []rules.Topic) []Directive {
	if len(s.S) > maxSentence {
		return nil
	}
	text := plain(s.S)
	if question(text) {
		return nil
	}
	names := plain(s.withoutCommands())
	var all []Directive
	for i := range topics {
		words := names
		if topics[i].Whole {
			words = text
		}
		found := choices(&topics[i], words)
		if len(found) == 0 || ambiguous(found) {
			continue
		}
		scope := s.scope(without(&topics[i], words))
		for _, c := range found {
			all = append(all, Directive{
				Topic: &topics[i], Choice: c.name, Not: c.not, Must: mustCue.MatchString(text), Scope: scope,
				At: s.whole(), Text: strings.TrimSpace(s.S),
			})
		}
	}
	return all
}

// without is a text less the words of a topic's choices, so that they are not
// taken for a condition.
func without(t *rules.Topic, text string) string {
	for _, c := range t.Choices {
		text = c.Say.ReplaceAllString(text, " . ")
	}
	return text
}

func plain(s string) string { return strings.Join(strings.Fields(marks.Replace(folded(s))), " ") }

// withoutCommands is the sentence with code of several words taken out: "do not
// use `pnpm add`" says nothing of pnpm.
func (s *Statement) withoutCommands() string {
	text := []byte(s.S)
	for _, c := range s.Codes {
		if strings.Contains(c.Text, " ") {
			for i := c.From; i < c.To; i++ {
				text[i] = '_'
			}
		}
	}
	return string(text)
}

// whole is the sentence's place without the space around it.
func (s *Statement) whole() lint.Span {
	from := len(s.S) - len(strings.TrimLeft(s.S, " "))
	return s.Span(from, len(strings.TrimRight(s.S, " ")))
}

func question(text string) bool { return strings.HasSuffix(text, "?") }

var mustCue = compile(`\b(always|must|never|only|do not|don't|required?|mandatory|forbidden|shall|strictly|use|no)\b`)

// chosen is a choice that a sentence takes or turns down.
type chosen struct {
	name string
	not  bool
}

// ambiguous reports whether a sentence takes several choices, or says nothing
// clear of one: then it says nothing.
func ambiguous(found []chosen) bool {
	taken := 0
	for _, c := range found {
		if !c.not {
			taken++
		}
	}
	return taken > 1
}

func hinted(t *rules.Topic, text string) bool {
	return t.Hints == nil || slices.ContainsFunc(t.Hints, func(h string) bool { return strings.Contains(text, h) })
}

func choices(t *rules.Topic, text string) []chosen {
	if !hinted(t, text) || t.Needs != nil && !t.Needs.MatchString(text) {
		return nil
	}
	var found []chosen
	add := func(c chosen) {
		if !slices.Contains(found, c) {
			found = append(found, c)
		}
	}
	for _, form := range []*regexp.Regexp{t.Number, t.Capture} {
		if form == nil {
			continue
		}
		for _, m := range form.FindAllStringSubmatch(text, -1) {
			for _, g := range slices.Backward(m[1:]) {
				if g != "" && !isRange(text, g) {
					add(chosen{name: g})
					break
				}
			}
		}
	}
	var covered [][]int // a longer spelling covers the shorter ones in it
	for _, c := range t.Choices {
		for _, m := range c.Say.FindAllStringSubmatchIndex(text, -1) {
			covered = append(covered, m[2:4])
		}
	}
	for _, c := range t.Choices {
		for _, m := range c.Say.FindAllStringSubmatchIndex(text, -1) {
			at := m[2:4]
			if slices.ContainsFunc(covered, func(o []int) bool { return o[0] <= at[0] && at[1] <= o[1] && o[1]-o[0] > at[1]-at[0] }) {
				continue
			}
			if c.General && !ended.MatchString(text[at[1]:]) {
				continue // "spaces around operators"
			}
			if t.Whole || withinItself.MatchString(text[at[0]:at[1]]) && !forbidden.MatchString(text[:at[0]]) {
				add(chosen{name: c.Name})
				continue
			}
			if not, ok := polarity(t, text[:at[0]], text[at[1]:]); ok {
				add(chosen{c.Name, not})
			}
		}
	}
	return found
}

// withinItself is a choice that is a refusal: "no semicolons".
var withinItself = compile(`^(?:no|without|omit|skip)\b`)

const between = `\W+(?:(?:use|using|the|any|a|to|run|running|plain|raw|with|write|add|create)\W+){0,3}`

var (
	forbidden  = compile(`\b(never|do not|don't|avoid|must not|should not|shouldn't|cannot|can't|stop|ban(?:ned)?|forbid(?:den)?|prohibit(?:ed)?)` + between + `(?:[\w./@-]+\s?(?:,|/|or|and|, or)\s?)*$`)
	turnedDown = compile(`\b(no|not|without|instead of|rather than|over|nor|isn't|than)` + between + `(?:[\w./@-]+\s?(?:/|or|nor)\s?)*$`)
	takenUp    = compile(`\b(use|uses|using|prefer|preferred|always|must(?: be)?|should(?: be)?|follow|write|with|enforce|stick to|standardi[sz]e on|format(?:ted)?|indent(?:ed|ation)?|adopt|choose|set to)(?: (?:use|the|a|an|only|is|are|be|with|by|in|only use))*:?\W+(?:(?:only|the|a|an|our|named|strict|exclusively|always)\W+){0,2}$`)
	orders     = compile(`\b(use|prefer|always|never|must|should|only|avoid|do not|don't|choose|stick to|write|follow|enforce|forbidden|required|indent|format)\b`)
	labelled   = compile(`^[^a-z0-9]*([\w /-]{1,40}):\s*$`)
	bare       = compile(`^[^a-z0-9]*$`)
	deniedThen = compile(`^\W*(?:is|are) (?:not (?:allowed|permitted|used)|never|forbidden|banned|prohibited|disallowed)\b`)
)

// whatItHandles is what a package manager's name only describes: "use the npm
// package".
var whatItHandles = compile(`^\W{0,2}(?:packages?|modules?|registry|tarballs?|scripts?|tokens?|accounts?|links?|tags?|versions?|dist-tags?)\b`)

// polarity says what the words around a choice do with it; ok is false where
// they only mention it.
func polarity(t *rules.Topic, before, after string) (not, ok bool) {
	if i := strings.LastIndexAny(before, ";."); i >= 0 {
		before = before[i+1:]
	}
	label := labelled.FindStringSubmatch(before)
	switch {
	case t.Facts == "package-manager" && whatItHandles.MatchString(after):
		return false, false
	case deniedThen.MatchString(after), forbidden.MatchString(before):
		return true, true
	case turnedDown.MatchString(before):
		return true, orders.MatchString(before)
	case takenUp.MatchString(before):
		return false, true
	case label != nil:
		return false, t.Label != nil && t.Label.MatchString(label[1]) && ended.MatchString(after)
	case bare.MatchString(before):
		return false, t.Bare && ended.MatchString(after)
	}
	return false, false
}

// ended is what may stand behind a choice that is a whole item: "- Single
// quotes, no semicolons".
var ended = compile(`^\W*(?:$|[,.;(]|(?:for|in|with|not|only|instead|over|rather)\b)`)

// isRange reports whether a number stands in a range: "45-75 characters".
func isRange(text, number string) bool {
	i := strings.Index(text, number)
	before, after := strings.TrimRight(text[:i], " "), strings.TrimLeft(text[i+len(number):], " ")
	return strings.HasSuffix(before, "-") || strings.HasSuffix(before, "–") || strings.HasPrefix(after, "-") || strings.HasPrefix(after, "–")
}

var (
	conditional   = compile(`\b(if|when|whenever|unless|except|where|while|until|during|only for|only in|only when|for|in|on|inside|within|under|at)\b ([^,.;]*)`)
	unconditional = compile(`^(?:(?:the|all|any|every|our|this|source|whole|entire) )*(?:source |production )?(?:code(?:base)?|files?|strings?|string literals|indentation|indents?|imports?|exports?|statements?|consistency|everything|repo(?:sitory)?|project|package management|dependenc(?:y|ies)|cases|commits?|commit messages|components?|functions?|tests?|testing|formatting|linting|style|lines?|level|new code|object types|types?|it|general|order|favou?r|place of|installs?|installing [a-z]*|everything else|single|branch)\b`)
	scopeWords    = compile(`\b(python|typescript|javascript|tsx?|jsx?|go|golang|rust|java|kotlin|swift|c#|csharp|c\+\+|cpp|ruby|php|dart|scala|elixir|sql|html|s?css|json|ya?ml|toml|markdown|shell|bash|powershell|terraform|front-?end|back-?end|server|client|api|ui|web|mobile|ios|android|docs?|documentation|unit|integration|e2e|end-to-end|config|scripts?|example|examples|react|vue|svelte|angular|node|deno|database|sdk|cli|package|packages|apps?|monorepo|workspace|legacy|generated|public|private|internal|rules|windows|linux|macos|ci|local|production|library|libraries|service|services|module)\b`)
)

// scope makes the key by which two directives are compared: the languages and
// parts that the headings, the lead and the sentence name, and its conditions.
func (s *Statement) scope(text string) string {
	var words []string
	around := folded(strings.Join(s.Section.Names, " ") + " " + s.Lead)
	words = append(words, scopeWords.re().FindAllString(around+" "+text, -1)...)
	for _, m := range conditional.FindAllStringSubmatch(text, -1) {
		if !unconditional.MatchString(m[2]) {
			words = append(words, m[1]+" "+strings.TrimSpace(m[2]))
		}
	}
	for _, m := range s.mentions() {
		words = append(words, path.Clean(m.path))
	}
	slices.Sort(words)
	return strings.Join(slices.Compact(words), "|")
}

// excludes reports whether two directives of one topic cannot both be followed.
func (a *Directive) excludes(b *Directive) bool {
	if a.Topic != b.Topic || a.Scope != b.Scope || a.command && b.command || a.Text == b.Text {
		return false
	}
	switch {
	case a.Not && b.Not:
		return false
	case a.Not:
		return a.Topic.Holds(b.Choice, a.Choice)
	case b.Not:
		return a.Topic.Holds(a.Choice, b.Choice)
	}
	return !a.Topic.Agree(a.Choice, b.Choice)
}

// installers are the words by which a package manager installs what the
// manifest asks for, and nothing else.
var installers = map[string]map[string]bool{
	"npm": {"install": true, "i": true, "ci": true}, "pnpm": {"install": true, "i": true},
	"yarn": {"install": true, "": true}, "bun": {"install": true, "i": true},
}

// installs returns the package managers by which a document tells to install.
func installs(d *Doc, topics []rules.Topic) []Directive {
	at := slices.IndexFunc(topics, func(t rules.Topic) bool { return t.Name == "package-manager-node" })
	if at < 0 {
		return nil
	}
	var found []Directive
	for _, c := range d.commands() {
		name := c.words[0].text
		verb := ""
		if len(c.words) > 1 {
			verb = c.words[1].text
		}
		if !installers[name][verb] || len(c.words) > 2 || c.moved || c.dir != "" || c.excused() || c.alternative() {
			continue
		}
		found = append(found, Directive{
			Topic: &topics[at], Choice: name, Must: true, At: c.at, Text: c.text(), command: true, Scope: c.scope(),
		})
	}
	return found
}

// alternative reports whether another package manager stands beside a command,
// so that it is one way of several.
func (c *command) alternative() bool {
	around := ""
	if c.s != nil {
		around = c.s.Whole
	} else {
		for _, l := range c.fence.Lines {
			around += l.Text + "\n"
		}
		around += c.fence.Lead
	}
	for _, name := range managerName.re().FindAllString(around, -1) {
		if name != c.words[0].text {
			return true
		}
	}
	return false
}

var managerName = compile(`\b(?:npm|pnpm|yarn|bun)\b`)

func (c *command) scope() string {
	if c.s != nil {
		return c.s.scope("")
	}
	s := Statement{Section: c.fence.Section, Lead: c.fence.Lead}
	return s.scope("")
}
