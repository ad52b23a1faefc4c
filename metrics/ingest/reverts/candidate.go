package reverts

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Candidates lists what looks like a revert in the texts of one change, in the
// order of the texts: head branch, title, body, message, own commits. Nothing
// is looked up: a candidate may name a change that does not exist.
func Candidates(c Change) []Candidate {
	found, _ := read(c)
	return found
}

// read is Candidates with the entries beside it, by which Find tells a revert
// inside the change from one of another.
func read(c Change) ([]Candidate, []entry) {
	if !mentions(c) {
		return nil, nil
	}
	var all []Candidate
	entries := entriesOf(c)
	all = append(all, fromBranch(headOf(c))...)
	for i, e := range entries {
		for _, found := range fromEntry(e) {
			if len(all) >= maxCandidates {
				return all, entries
			}
			found.inner, found.entry = e.inner, i
			all = append(all, found)
		}
	}
	return all, entries
}

var anyMention = regexp.MustCompile(`(?i)revert|re-?appl|re-?land|(?:roll|back)(?:s|ed|ing)?[ -](?:back|out)`)

// mentions keeps the many changes that speak of no revert cheap.
func mentions(c Change) bool {
	for _, text := range []string{c.Head, c.Title, c.Body, c.Message} {
		if anyMention.MatchString(text[:min(len(text), maxText)]) {
			return true
		}
	}
	for _, own := range c.Commits {
		if anyMention.MatchString(own.Message[:min(len(own.Message), maxText)]) {
			return true
		}
	}
	return false
}

// headOf is the head branch, else the one that the merge commit names.
func headOf(c Change) string {
	if c.Head != "" {
		return c.Head
	}
	first, _, _ := strings.Cut(c.Message, "\n")
	if m := mergeSubject.FindStringSubmatch(first); m != nil {
		return m[2]
	}
	return ""
}

var (
	buttonBranch = regexp.MustCompile(`^revert-(\d{1,9})(?:-|$)`)
	namedBranch  = regexp.MustCompile(`(?i)(?:^|[-_/])revert[-_](?:pr[-_]?|#)?(\d{1,9})(?:$|[-_])`)
)

func fromBranch(head string) []Candidate {
	form := FormBranch
	m := buttonBranch.FindStringSubmatch(head)
	if m == nil {
		form, m = FormNamed, namedBranch.FindStringSubmatch(head)
	}
	if m == nil {
		return nil
	}
	n, _ := strconv.Atoi(m[1]) // at most nine digits
	if n == 0 {
		return nil
	}
	return []Candidate{{Form: form, Number: n, Evidence: cut(head), entry: -1}}
}

// What may stand before the verb of a title: "chore(x)!: ", "KAFKA-3729: ",
// "backend/remote: ", "[2.x] ", an emoji.
const titlePrefix = `^(?:[^\pL\pN"“\[]*(?:\[[^\]]{1,40}\]|[\pL\pN_./-]{1,40}(?:\([^)]{0,60}\))?!?:))*[^\pL\pN"“]*`

var (
	revertTitle  = regexp.MustCompile(`(?i)` + titlePrefix + `(partial(?:ly)?\s+|temporar(?:y|ily)\s+)?(?:revert(?:s|ing)?|back(?:s|ing)?[ -]out|roll(?:s|ing)?[ -]back)(?:\s+(part(?:s|ly|ially)?(?:\s+of)?|commit|changes?|pr))?\s*:?\s+(.*)$`)
	conventional = regexp.MustCompile(`(?i)^revert(?:\([^)]{0,60}\))?!?:\s+(.*)$`)
	reapplyTitle = regexp.MustCompile(`(?i)` + titlePrefix + `(?:re-?appl(?:y|ies)|re-?lands?)(?:\s+(?:commit|changes?|pr))?\s*:?\s+(.*)$`)
	mergedInside = regexp.MustCompile(`^Merge (?:pull request|PR) #(\d{1,9})\b`)
)

// fromEntry reads one entry: its title, then the hashes and numbers of its
// lines. A quoted title, the first trailer and a number in the title are one
// candidate, because they speak of one thing.
func fromEntry(e entry) []Candidate {
	text := e.title + "\n" + strings.Join(e.lines, "\n")
	if !anyMention.MatchString(text) {
		return nil
	}
	all := fromTitle(e.title)
	named := hashesIn(text)
	for i := range all {
		// Trailers go with the titles in their order.
		// Those of a re-apply name the revert, which its title leaves out.
		if len(named) > 0 && all[i].Form == FormTitle {
			all[i].Commit, all[i].Partial = named[0].Commit, all[i].Partial || named[0].Partial
			named = named[1:]
		}
	}
	all = append(all, named...)
	return append(all, numbersIn(e)...)
}

func fromTitle(title string) []Candidate {
	form, partial, tail := FormTitle, false, ""
	if m := conventional.FindStringSubmatch(title); m != nil {
		tail = m[1]
		if inner := revertTitle.FindStringSubmatch(tail); inner != nil && opensQuote(inner[3]) {
			tail = inner[3] // revert: Revert "…"
		}
	} else if m := revertTitle.FindStringSubmatch(title); m != nil {
		partial = strings.HasPrefix(strings.ToLower(m[1]), "partial") || strings.HasPrefix(strings.ToLower(m[2]), "part")
		tail = m[3]
	} else if m := reapplyTitle.FindStringSubmatch(title); m != nil {
		form, tail = FormReapply, m[1]
	} else {
		return nil
	}
	var all []Candidate
	for _, named := range quotedIn(tail) {
		if titleKey(named) == "" {
			continue
		}
		c := Candidate{Form: form, Title: named, Partial: partial, Evidence: cut(title)}
		c.bare = !opensQuote(tail) && !conventional.MatchString(title)
		if m := mergedInside.FindStringSubmatch(named); m != nil {
			c.Number, _ = strconv.Atoi(m[1])
		} else if m := ownNumber.FindStringSubmatch(named); m != nil && opensQuote(tail) {
			c.Number, _ = strconv.Atoi(m[1])
			c.quoted = true
		}
		all = append(all, c)
	}
	return all
}

func opensQuote(s string) bool {
	return strings.HasPrefix(s, `"`) || strings.HasPrefix(s, "“") || strings.HasPrefix(s, "'") || strings.HasPrefix(s, "`")
}

// quotedIn returns the titles in s: what stands between the first quote and the
// last one of its kind, so that quotes inside a title stay; several where they
// are joined by "and". Without a quote it is s whole, less its own number.
func quotedIn(s string) []string {
	s = strings.TrimSpace(s)
	if !opensQuote(s) {
		return []string{ownNumber.ReplaceAllString(s, "")}
	}
	open, size := utf8.DecodeRuneInString(s)
	last := string(open)
	if open == '“' {
		last = "”"
	}
	inside := s[size:]
	if end := strings.LastIndex(inside, last); end >= 0 {
		inside = inside[:end]
	}
	for _, joint := range []string{" and ", ", ", " & "} {
		if sep := last + joint + string(open); strings.Contains(inside, sep) {
			return strings.Split(inside, sep)
		}
	}
	return []string{inside}
}

const oneHash = `[0-9a-fA-F]{7,64}`

var (
	hashList  = regexp.MustCompile(`(?i)\b(this\s+(?:commit\s+|patch\s+|change\s+|pr\s+)?)?(partial(?:ly)?\s+)?(?:revert(?:s|ing)?|roll(?:s|ing)?\s+back|back(?:s|ing)?\s+out)\s+((?:a\s+)?parts?\s+of\s+)?(?:(?:the\s+)?(?:\w+\s+){0,3}from\s+)?((?:the\s+)?commits?:?\s+)?[` + "`" + `"']?(` + oneHash + `(?:(?:\s*[,;&]\s*|\s+)(?:and\s+)?(?:commits?\s+)?` + oneHash + `)*)\b`)
	hashAlone = regexp.MustCompile(`\b` + oneHash + `\b`)
)

// hashesIn reads "This reverts commit …" in all its forms, one candidate a
// hash: plural, short, in part, in prose.
func hashesIn(text string) []Candidate {
	var all []Candidate
	for _, m := range hashList.FindAllStringSubmatch(text, maxCandidates) {
		c := Candidate{Form: FormProse, Partial: m[2] != "" || m[3] != "", Evidence: cut(strings.TrimSpace(m[0]))}
		if m[1] != "" && m[4] != "" {
			c.Form = FormTrailer
		}
		for _, hash := range hashAlone.FindAllString(m[5], maxCandidates) {
			if looksLikeHash(hash, m[4] != "") {
				c.Commit = strings.ToLower(hash)
				all = append(all, c)
			}
		}
	}
	return all
}

// looksLikeHash tells a hash from a date or a word of the letters a to f; after
// the word "commit" everything is one.
func looksLikeHash(s string, announced bool) bool {
	return announced || len(s) == 40 || (strings.ContainsAny(s, "0123456789") && strings.ContainsAny(s, "abcdefABCDEF"))
}

const oneNumber = `(?:(?:https://[\w.-]+/)?([\w.-]+/[\w.-]+)(?:#|/pull/)|(?:pr |pull request |gh-)?#|gh-|PR-)(\d{1,9})\b`

var (
	numberAlone = regexp.MustCompile(`(?i)` + oneNumber)
	numberLine  = regexp.MustCompile(`(?i)^\s*(?:[*-]\s+)?(?:this\s+(?:pr\s+|pull request\s+|commit\s+|change\s+)?)?(partial(?:ly)?\s+)?reverts?:?\s+((?:a\s+)?parts?\s+of\s+)?((?:(?:pr|prs|pull requests?)\s+)?` + oneNumber + `)`)
	// A verb that does something now, at the head of a sentence or with a
	// subject; "was reverted in #12" and "the revert of #12" tell of others.
	proseNumber = regexp.MustCompile(`(?i)(?:^|[.;:]\s+|\bthis\s+|\b(?:commit|pr|change|patch)\s+|\bby\s+)(partial(?:ly)?\s+)?revert(?:s|ing)?\s+([^\n.;]{0,120}?)` + oneNumber)
	// What stands between the verb and a number that is something else.
	otherwise = regexp.MustCompile(`(?i)\b(?:see|fix(?:es|ed)?|close[sd]?|resolve[sd]?|due|because|since|for|refs?|related|issues?|until|after|before|like|as|per|reported|breaks?|broke|cause[sd]?)\b[^#]*$`)
)

// numbersIn reads "Reverts #12" at the head of a line, and prose that reverts
// something from a numbered pull request.
func numbersIn(e entry) []Candidate {
	var all []Candidate
	title := ownNumber.ReplaceAllString(e.title, "")
	for i, line := range append([]string{title}, e.lines...) {
		if !anyMention.MatchString(line) {
			continue
		}
		if i == 0 && (conventional.MatchString(title) || opensAfterVerb(title)) {
			continue // the numbers of a quoted title are read with it
		}
		if m := numberLine.FindStringSubmatchIndex(line); m != nil {
			partial := m[2] >= 0 || m[4] >= 0
			all = append(all, numbered(FormNumber, partial, line, numberList(line[m[6]:]))...)
		} else if m := proseNumber.FindStringSubmatchIndex(line); m != nil && !otherwise.MatchString(line[m[4]:m[5]]) && !hashList.MatchString(line) {
			start := m[4] + len(line[m[4]:m[5]])
			partial := m[2] >= 0 || partOf.MatchString(line[m[4]:m[5]])
			all = append(all, numbered(FormProse, partial, line, numberList(line[start:]))...)
		}
	}
	return all
}

var partOf = regexp.MustCompile(`(?i)^(?:a\s+|some\s+)?part(?:s|ially|ly)?\b`)

func opensAfterVerb(title string) bool {
	m := revertTitle.FindStringSubmatch(title)
	return m != nil && opensQuote(m[3])
}

// numberList returns the numbers at the head of s, joined by commas or "and".
func numberList(s string) []string {
	var all []string
	for {
		at := numberAlone.FindStringIndex(s)
		if at == nil || (len(all) > 0 && !joint.MatchString(s[:at[0]])) {
			return all
		}
		all = append(all, s[at[0]:at[1]])
		s = s[at[1]:]
	}
}

var joint = regexp.MustCompile(`(?i)^\s*(?:,|&|and|,\s*and)\s+(?:prs?\s+)?$`)

func numbered(form Form, partial bool, line string, named []string) []Candidate {
	var all []Candidate
	for _, text := range named {
		m := numberAlone.FindStringSubmatch(text)
		n, _ := strconv.Atoi(m[2]) // at most nine digits
		if n == 0 {
			continue
		}
		all = append(all, Candidate{Form: form, Number: n, Repository: m[1], Partial: partial, Evidence: cut(strings.TrimSpace(line))})
	}
	return all
}

// cut shortens evidence, on a letter's boundary.
func cut(s string) string {
	s = strings.ToValidUTF8(s, "�")
	if utf8.RuneCountInString(s) <= maxEvidence {
		return s
	}
	return string([]rune(s)[:maxEvidence-1]) + "…"
}
