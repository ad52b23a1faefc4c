package attribution

import (
	"regexp"
	"strings"
)

// Answer is what a description answers to its template's question whether an
// assistant took part.
type Answer string

// The answers. A question that was not asked has none.
const (
	AnswerYes  Answer = "yes"
	AnswerNo   Answer = "no"
	AnswerNone Answer = "nothing" // the question is there, the answer is not
)

// The question names an assistant and asks, or says, that it was used.
var (
	questionTool = regexp.MustCompile(`(?i)\b(?:a\.?i\.?|artificial intelligence|llms?|language models?|gen(?:erative)? ?ai|copilot|coding assistants?|ai assistants?|claude|chatgpt|cursor|codex)\b`)
	questionUse  = regexp.MustCompile(`(?i)\b(?:us(?:e|ed|age|ing)|assist(?:ed|ance|ant)?|disclos(?:e|ed|ure)|generated|written|created|involved|help(?:ed)?|contribut(?:ed|ion))\b`)
	heading      = regexp.MustCompile(`^\s{0,3}(?:#{1,6}\s+.*|\*\*[^*]+\*\*\s*:?\s*)$`)
	checkbox     = regexp.MustCompile(`^\s*(?:[*+-]|\d+[.)])\s+\[([ xX])\]\s*(.*)$`)
	inlineAnswer = regexp.MustCompile(`^\s*(?:[*+-]\s+)?\**([^:?\[\]()]{3,120})[:?]\**\s*(.*?)\s*$`)
	saysNo       = regexp.MustCompile(`(?i)^\W*(?:no(?:ne|t|pe)?\b|n/?a\b|without\b|did not\b|didn't\b|nothing\b|false\b)|\b(?:no|not|without|did not|didn't|never)\b.{0,40}\b(?:ai|a\.i\.|llms?|assist\w*|copilot|generated|used?)\b`)
	saysYes      = regexp.MustCompile(`(?i)^\W*(?:yes|y|true|partly|partially|fully|some)\b`)
)

// maxLines bounds how many lines below a question belong to its answer.
const maxLines = 12

// Disclosure reads what a description answers to its template's question about
// assistants: a box ticked in a list under the question, a box that is the
// question itself, or words behind the question's colon. Only yes, no and
// nothing are told apart; the words are not kept. asked is false where there
// is no such question.
func Disclosure(body string) (answer Answer, asked bool) {
	if len(body) > maxText {
		body = body[:maxText]
	}
	lines := strings.Split(ownText(body), "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		if len(line) > 500 || !isQuestion(line) {
			continue
		}
		if box := checkbox.FindStringSubmatch(line); box != nil {
			return merge(boxAnswer(box), lines, i)
		}
		if q := heading.FindStringSubmatch(line); q != nil {
			return below(lines[i+1:]), true
		}
		if q := inlineAnswer.FindStringSubmatch(line); q != nil && isQuestion(q[1]) {
			if strings.Trim(q[2], "*_ ") == "" {
				return below(lines[i+1:]), true
			}
			return words(q[2]), true
		}
	}
	return "", false
}

func isQuestion(s string) bool { return questionTool.MatchString(s) && questionUse.MatchString(s) }

// boxAnswer is what one box says: a ticked "I used AI" yes, a ticked "No AI was
// used" no, an empty one nothing.
func boxAnswer(box []string) Answer {
	switch {
	case box[1] == " ":
		return AnswerNone
	case saysNo.MatchString(box[2]):
		return AnswerNo
	}
	return AnswerYes
}

// merge joins the boxes that follow one another: the first ticked one counts.
func merge(first Answer, lines []string, i int) (Answer, bool) {
	for _, line := range lines[i+1 : min(len(lines), i+maxLines)] {
		box := checkbox.FindStringSubmatch(strings.TrimRight(line, "\r"))
		if first != AnswerNone || box == nil {
			break
		}
		if isQuestion(box[2]) {
			first = boxAnswer(box)
		}
	}
	return first, true
}

// below reads the answer under a question, up to the next heading.
func below(lines []string) Answer {
	boxes := false
	for _, line := range lines[:min(len(lines), maxLines)] {
		line = strings.TrimSpace(line)
		if heading.MatchString(line) && strings.HasPrefix(line, "#") {
			break
		}
		if box := checkbox.FindStringSubmatch(line); box != nil {
			boxes = true
			if box[1] != " " {
				return boxAnswer(box)
			}
			continue
		}
		if line != "" && !boxes {
			return words(line)
		}
	}
	return AnswerNone
}

// words reads an answer in words. Whoever names a tool used it.
func words(s string) Answer {
	s = s[:min(len(s), 500)]
	switch {
	case strings.Trim(s, "*_-– .") == "":
		return AnswerNone
	case saysNo.MatchString(s):
		return AnswerNo
	case saysYes.MatchString(s), questionTool.MatchString(s):
		return AnswerYes
	}
	return AnswerNone
}
