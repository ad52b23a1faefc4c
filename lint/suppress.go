package lint

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/rules"
)

// The rules about suppressions. Run reports them itself.
const (
	withoutReason = "SP001"
	expired       = "SP002"
	unused        = "SP003"
	malformed     = "SP004"
)

// SuppressionRules returns the rules about suppressions in ID order.
func SuppressionRules() []Rule {
	return []Rule{{ID: withoutReason}, {ID: expired}, {ID: unused}, {ID: malformed}}
}

// suppression is one `steelyard: ignore`, from a comment or the configuration.
type suppression struct {
	file *File // where it is written
	at   Span  // its place there
	line int   // its line there, for the configuration's own file

	rules  []string // IDs
	reason string
	until  time.Time
	fault  string // why it cannot be read, "" if it can

	pattern string // path pattern, for the configuration
	first   int    // lines it covers in the file, 0 = all
	last    int
	used    map[string]bool // by rule ID
	held    bool            // see ConfigSuppression.Held
}

// applies reports whether the suppression is complete and not past its end.
func (s *suppression) applies(today time.Time) bool {
	return s.fault == "" && s.reason != "" && !s.over(today)
}

// over reports whether today is after the last day it counts.
func (s *suppression) over(today time.Time) bool {
	return !s.until.IsZero() && today.UTC().Format(time.DateOnly) > s.until.Format(time.DateOnly)
}

// covers reports whether the suppression means this finding, which is one of
// its file or may be of any other where it has a pattern.
func (s *suppression) covers(d *draft) bool {
	if !slices.Contains(s.rules, d.Rule) {
		return false
	}
	if s.pattern != "" {
		return doublestar.MatchUnvalidated(s.pattern, d.Path) && (s.first == 0 || s.first == d.Line)
	}
	return d.whole || s.first <= d.Line && d.Line <= s.last
}

// suppress returns the findings that no suppression answers and those that one
// does, and leaves the suppressions, marked where they were used, in the tree's
// cache.
func suppress(t *tree, cfg Config, drafts []*draft) (kept, answered []*draft) {
	var patterns []*suppression
	in := map[string][]*suppression{} // by the file whose findings they answer
	for _, s := range suppressions(t, cfg) {
		switch {
		case !s.applies(cfg.Today):
		case s.pattern != "":
			patterns = append(patterns, s)
		default:
			in[s.file.Path] = append(in[s.file.Path], s)
		}
	}
	for _, d := range drafts {
		hit := false
		for _, list := range [][]*suppression{in[d.Path], patterns} {
			for _, s := range list {
				if s.covers(d) {
					hit, s.used[d.Rule] = hit || !s.held, true
				}
			}
		}
		if hit {
			answered = append(answered, d)
		} else {
			kept = append(kept, d)
		}
	}
	return kept, answered
}

// suppressions reads all of them once a run: those in comments in path order,
// then those of the configuration.
func suppressions(t *tree, cfg Config) []*suppression {
	return cached(t.cache, func() []*suppression {
		var list []*suppression
		for _, f := range t.files {
			list = append(list, inFile(f)...)
		}
		for _, c := range cfg.Suppressions {
			list = append(list, fromConfig(c))
		}
		return list
	})
}

func fromConfig(c ConfigSuppression) *suppression {
	page, _ := rules.Get(c.Rule) // Validate has found it
	source, line := c.Source, max(c.SourceLine, 1)
	if source == "" {
		source = "steelyard.yaml"
	}
	return &suppression{
		file: &File{Path: source, read: true}, line: line,
		rules: []string{page.ID}, reason: strings.TrimSpace(c.Reason), until: c.Until,
		pattern: c.Path, first: c.Line, held: c.Held, used: map[string]bool{},
	}
}

// inFile reads the suppressions in a file's comments.
func inFile(f *File) []*suppression {
	src, err := f.Bytes()
	if err != nil || !mentions(src) {
		return nil
	}
	var list []*suppression
	for _, c := range comments(f, src) {
		s, ok := parseSuppression(c.text)
		if !ok {
			continue
		}
		s.file, s.at, s.used = f, c.at, map[string]bool{}
		s.first, _ = f.Position(c.at.Start)
		s.last, _ = f.Position(c.at.End)
		list = append(list, s)
	}
	// A comment alone on its line means the next line that is not another such
	// comment; one behind other text means its own line.
	next := map[int]int{}
	for _, s := range slices.Backward(list) {
		if alone(src, s.at) {
			s.last++
			if below, ok := next[s.last]; ok {
				s.last = below
			}
			next[s.first] = s.last
		}
	}
	return list
}

// mentions reports whether a text holds the program's name, in capital or small
// letters. Few do, and every governed file is asked.
func mentions(src []byte) bool {
	name := []byte("steelyard")
	for i := 0; i+len(name) <= len(src); i++ {
		if src[i]|0x20 == name[0] && bytes.EqualFold(src[i:i+len(name)], name) {
			return true
		}
	}
	return false
}

// alone reports whether nothing else stands on the lines of a span.
func alone(src []byte, at Span) bool {
	before := src[bytes.LastIndexByte(src[:at.Start], '\n')+1 : at.Start]
	after, _, _ := bytes.Cut(src[at.End:], []byte("\n"))
	return len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(after)) == 0
}

var (
	ignoreForm = regexp.MustCompile(`(?s)^\s*steelyard:\s*ignore\b(.*)$`)
	// almostForm is a comment that means to suppress a rule, in other words.
	almostForm  = regexp.MustCompile(`(?is)^\s*steelyard\b[\s:-]*(?:ignore|disable|suppress|allow|noqa)[\w-]*[\s:=-]+[a-z]{2}\d{3}\b`)
	becauseForm = regexp.MustCompile(`(^|\s)because(\s|$)`)
	untilForm   = regexp.MustCompile(`(?s)^(.*?)\buntil\b\s*(\S*)(.*)$`)
)

// parseSuppression reads "steelyard: ignore RULE[, RULE] [until YYYY-MM-DD]
// because REASON". It is false for a comment that is no suppression.
func parseSuppression(text string) (*suppression, bool) {
	m := ignoreForm.FindStringSubmatch(text)
	if m == nil {
		return &suppression{fault: `it is written "steelyard: ignore RULE because REASON"`}, almostForm.MatchString(text)
	}
	s := &suppression{}
	head := m[1]
	if at := becauseForm.FindStringIndex(head); at != nil {
		s.reason, head = strings.TrimSpace(head[at[1]:]), head[:at[0]]
	}
	if u := untilForm.FindStringSubmatch(head); u != nil {
		date, err := time.Parse(time.DateOnly, u[2])
		if err != nil {
			s.fault = fmt.Sprintf("%q is not a date such as 2027-01-31", u[2])
		}
		s.until, head = date, u[1]+" "+u[3]
	}
	names := strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) })
	for _, name := range names {
		page, ok := rules.Get(name)
		if !ok {
			s.fault = fmt.Sprintf("there is no rule %q", name)
			break
		}
		s.rules = append(s.rules, page.ID)
	}
	if len(names) == 0 {
		s.fault = "it names no rule"
	}
	return s, true
}

// aboutSuppressions reports the suppressions that are not right themselves.
func aboutSuppressions(t *tree, active []activeRule, cfg Config) []*draft {
	running := map[string]rules.Page{}
	for _, r := range active {
		running[r.page.ID] = r.page
	}
	var found []*draft
	report := func(rule string, s *suppression, format string, args ...any) {
		page, ok := running[rule]
		if !ok {
			return
		}
		p := &Pass{tree: t, rule: page, report: func(d *draft) { found = append(found, d) }}
		if fix, ok := s.without(); ok && (rule == expired || rule == unused && s.idle()) {
			p.ReportFix(s.file, s.at, fix, format, args...)
		} else {
			p.Reportf(s.file, s.at, format, args...)
		}
		if s.line > 0 {
			found[len(found)-1].Line = s.line
		}
	}
	for _, s := range suppressions(t, cfg) {
		named := strings.Join(s.rules, ", ")
		switch {
		case s.fault != "":
			report(malformed, s, "suppression is not applied: %s", s.fault)
		case s.reason == "":
			report(withoutReason, s, "suppression of %s is not applied: it gives no reason", named)
		case s.over(cfg.Today):
			report(expired, s, "suppression of %s ended on %s", named, s.until.Format(time.DateOnly))
		default:
			for _, id := range s.rules {
				if _, runs := running[id]; runs && !s.used[id] && !unjudged(t, s, id) && !abstained(t, id) {
					report(unused, s, "suppression of %s suppresses nothing", id)
				}
			}
		}
	}
	return found
}

// unjudged reports whether a suppression covers a file that the rule's family
// could not look at: whether it suppresses anything there is not known.
func unjudged(t *tree, s *suppression, rule string) bool {
	if s.pattern == "" {
		return s.file.unchecked[rule[:2]]
	}
	return slices.ContainsFunc(t.files, func(f *File) bool {
		return f.unchecked[rule[:2]] && doublestar.MatchUnvalidated(s.pattern, f.Path)
	})
}

// idle reports whether none of the rules it names was answered.
func (s *suppression) idle() bool { return len(s.used) == 0 }

// without takes the comment out of its file, with its lines where it stands
// alone on them; ok is false for one of the configuration. It never takes more
// away than a comment that has no effect.
func (s *suppression) without() (Fix, bool) {
	src, err := s.file.Bytes()
	if err != nil || s.pattern != "" {
		return Fix{}, false
	}
	at := s.at
	if alone(src, at) {
		at = linesOf(src, at)
	} else {
		for at.Start > 0 && (src[at.Start-1] == ' ' || src[at.Start-1] == '\t') {
			at.Start--
		}
	}
	return Fix{Edits: []Edit{{At: at}}}, true
}

// linesOf widens a span to its whole lines, and to the empty one below where
// another stands above: of two empty lines one would be left over.
func linesOf(src []byte, at Span) Span {
	next := func(from int) int {
		if end := bytes.IndexByte(src[from:], '\n'); end >= 0 {
			return from + end + 1
		}
		return len(src)
	}
	at.Start, at.End = bytes.LastIndexByte(src[:at.Start], '\n')+1, next(at.End)
	above := src[bytes.LastIndexByte(src[:max(at.Start-1, 0)], '\n')+1 : at.Start]
	if below := next(at.End); len(bytes.TrimSpace(above)) == 0 && len(bytes.TrimSpace(src[at.End:below])) == 0 {
		at.End = below
	}
	return at
}
