package reverts

import (
	"regexp"
	"strings"
)

// Bounds on what is read of one change; texts come from anybody.
const (
	maxText       = 256 << 10
	maxEntries    = 500
	maxCandidates = 200
	maxEvidence   = 200
	maxTitle      = 1000 // bytes of a title that are compared
)

// entry is one commit's worth of text: a title and the lines below it. A
// squashed message holds one entry for each commit it lists.
type entry struct {
	title string
	lines []string
	inner bool
	// source numbers the text it came from, so that the same commit told twice,
	// by its own message and by the squashed one, is not taken for two.
	source int
}

var (
	mergeSubject = regexp.MustCompile(`^Merge (?:pull request|PR) #(\d+)(?: from [^/\s]+/(\S+))?`)
	bullet       = regexp.MustCompile(`^\s*[*-]\s+`)
	revertLine   = regexp.MustCompile(`^(?i:partial(?:ly)?\s+)?(?i:revert|reapply|re-apply|reland)\s+["“]`)
)

// entriesOf lists the entries of all texts of a change: first what the change
// itself says, then its commits.
func entriesOf(c Change) []entry {
	title, body := joinCutTitle(c.Title, c.Body)
	var all []entry
	if title != "" || body != "" {
		all = split(all, title+"\n\n"+body, false)
	}
	if c.Message != "" {
		all = split(all, withoutMergeSubject(c.Message), false)
	}
	for _, own := range c.Commits {
		all = split(all, own.Message, true)
	}
	return all
}

// joinCutTitle undoes GitHub's cut of a long first line: a title that ends in
// an ellipsis goes on in a body that begins with one.
func joinCutTitle(title, body string) (string, string) {
	head, cut := strings.CutSuffix(strings.TrimSpace(title), "…")
	tail, goesOn := strings.CutPrefix(strings.TrimSpace(body), "…")
	if !cut || !goesOn {
		return title, body
	}
	first, rest, _ := strings.Cut(tail, "\n")
	return head + first, rest
}

// withoutMergeSubject drops the first line of a merge commit, which names the
// branch; the line after it is the pull request's title.
func withoutMergeSubject(message string) string {
	first, rest, _ := strings.Cut(message, "\n")
	if mergeSubject.MatchString(first) {
		return strings.TrimLeft(rest, "\r\n")
	}
	return message
}

// split appends the entries of one text. A line of a list, or a line that
// begins with Revert "…", starts a new one inside the text.
func split(all []entry, text string, inner bool) []entry {
	if len(text) > maxText {
		text = text[:maxText]
	}
	source := len(all)
	first := true
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if first && strings.TrimSpace(line) == "" {
			continue
		}
		item := bullet.ReplaceAllString(line, "")
		starts := first || revertLine.MatchString(item) ||
			(len(item) < len(line) && strings.TrimSpace(item) != "")
		if !starts || len(all) >= maxEntries {
			if len(all) > source {
				last := &all[len(all)-1]
				last.lines = append(last.lines, line)
			}
			continue
		}
		all = append(all, entry{title: strings.TrimSpace(item), inner: inner || !first, source: source})
		first = false
	}
	return all
}

// number of a trailing "(#12)", which a squash merge appends to a title.
var ownNumber = regexp.MustCompile(`\s*\(#(\d+)\)\s*$`)

// titleKey is the form in which titles are compared: spaces made single, the
// trailing number taken off. Letters stay as they are.
func titleKey(title string) string {
	title = strings.Join(strings.Fields(cutTitle(title)), " ")
	for {
		shorter := ownNumber.ReplaceAllString(title, "")
		if shorter == title {
			return title
		}
		title = shorter
	}
}

// cutTitle bounds a title, at a letter's edge.
func cutTitle(title string) string {
	if len(title) > maxTitle {
		return strings.ToValidUTF8(title[:maxTitle], "")
	}
	return title
}
