// Package change holds the rules about a pull request itself: what its text
// leaves out, how large it is, and who must have looked at it before it is
// merged. They are functions of a [PullRequest] and a [Policy] that the run is
// given; a run without them has no change to judge, and they find nothing.
//
// What is not known (reviews without a token, the members of a team that cannot
// be read) is never guessed: the rule reports nothing, and [Change.LeftOut]
// says so. PR006 alone says what an agent changes as long as nobody is known to
// have approved it: that it changes it is known. A review that is only missing so far is a note, unless the policy
// requires it.
package change

import (
	"fmt"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/lint/owners"
	"steelyard/rules"
)

// PullRequest is a change on its way into a branch, as far as it is known.
type PullRequest struct {
	Body string `json:"body"`
	// Described says that body, author and labels are known.
	Described bool    `json:"described"`
	Author    Account `json:"author"`
	// Agent names the agent that wrote it, "" where a person did. AskedBy are
	// the people who asked the agent for it, as far as that shows.
	Agent   string    `json:"agent"`
	AskedBy []Account `json:"asked_by"`
	Labels  []string  `json:"labels"`
	// Commit is the last commit of it, "" where it is not known.
	Commit string `json:"commit"`
	// Queued says that it is about to be merged: what is missing now stays so.
	Queued bool `json:"queued"`
	// Reviews are in the order in which they were given. They are all of them
	// if ReviewsKnown; Unknown says why they are not known.
	Reviews      []Review `json:"reviews"`
	ReviewsKnown bool     `json:"reviews_known"`
	Unknown      string   `json:"unknown"`
	// Requested are those whose review is asked for, as @user and
	// @organisation/team.
	Requested []string `json:"requested"`
	Files     []File   `json:"files"`
	// Teams are the members of teams by "@organisation/team". A team that is
	// not in it could not be read.
	Teams map[string][]string `json:"teams"`
}

// Account is who did something. Login is without "[bot]".
type Account struct {
	Login string `json:"login"`
	// Machine is set for what is no person: an agent, a reviewer, a bot.
	Machine bool `json:"machine"`
	// Claimed says that only the message of a commit says so, which whoever
	// writes the commit can say of anybody.
	Claimed bool `json:"claimed"`
}

// Review is one submitted review.
type Review struct {
	By    Account `json:"by"`
	State string  `json:"state"` // APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED
	// Commit is the last commit of the change when it was given, "" where that
	// is not known.
	Commit string `json:"commit"`
}

// File is one changed file.
type File struct {
	Path string `json:"path"`
	// OldPath is the path that it had, "" for a new file.
	OldPath   string `json:"old_path"`
	Deleted   bool   `json:"deleted"`
	Kind      Kind   `json:"kind"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	// Uncounted says that the lines are not known, because the file is too large.
	Uncounted bool `json:"uncounted"`
}

// Change is a pull request with what it is held to. The rules of the family
// take it from [lint.Config.Given].
type Change struct {
	PullRequest
	Policy Policy
	// Owners is the CODEOWNERS that the change starts from, which is the one
	// that GitHub asks by; nil for none.
	Owners *owners.Codeowners

	left []string
}

// LeftOut says in sentences what the rules could not judge, in order.
func (c *Change) LeftOut() []string { return slices.Sorted(slices.Values(c.left)) }

// leave notes what a rule could not judge.
func (c *Change) leave(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.left, text) {
		c.left = append(c.left, text)
	}
}

// Rules returns the family's rules in ID order.
func Rules() []lint.Rule {
	return []lint.Rule{
		rule("PR001", checkDisclosure), rule("PR002", checkRiskyPaths), rule("PR003", checkSize),
		rule("PR004", checkAskedAndApproved), rule("PR005", checkGoverned), rule("PR006", checkWorkflows),
		rule("PR007", checkOwnersOnly), rule("PR008", checkMayAsk), rule("PR009", checkMayApprove),
	}
}

func rule(id string, check func(*lint.Pass, *Change)) lint.Rule {
	return lint.Rule{ID: id, Check: func(p *lint.Pass) {
		c, ok := lint.Given[*Change](p)
		if !ok {
			p.Abstain()
			return
		}
		check(p, c)
	}}
}

// soon is the pass for what is missing so far: it weighs little until it must
// be there.
func (c *Change) soon(p *lint.Pass) *lint.Pass {
	if c.Policy.Require || c.Queued {
		return p
	}
	return p.AtMost(rules.Note)
}

// file is a changed file to report on; one that is gone stands for itself by
// its name.
func file(p *lint.Pass, path string) *lint.File {
	if f, ok := p.Named(path); ok {
		return f
	}
	return p.Missing(path)
}

// place is where something about the whole pull request is reported: the entry
// of the policy that asks for it, else the first changed file.
func (c *Change) place(p *lint.Pass, entry string) (*lint.File, lint.Span) {
	if line := c.Policy.Lines[entry]; line > 0 {
		if f, ok := p.Named(c.Policy.Source); ok {
			return f, lineAt(f, line)
		}
	}
	if len(c.Files) == 0 {
		return p.Missing(c.Policy.Source), lint.Span{}
	}
	return file(p, c.Files[0].Path), lint.Span{}
}

// report reports at a place, or about a file as a whole where there is none.
func report(p *lint.Pass, f *lint.File, at lint.Span, format string, args ...any) {
	if at == (lint.Span{}) {
		p.ReportFile(f, nil, format, args...)
		return
	}
	p.Reportf(f, at, format, args...)
}

// lineAt is the text of a line without the white space around it.
func lineAt(f *lint.File, number int) lint.Span {
	text, err := f.Bytes()
	if err != nil {
		return lint.Span{}
	}
	start := 0
	for line := range strings.Lines(string(text)) {
		if number--; number == 0 {
			body := strings.TrimSpace(line)
			start += strings.Index(line, body)
			return lint.Span{Start: start, End: start + len(body)}
		}
		start += len(line)
	}
	return lint.Span{}
}

// related are the other files that a finding is about, at most a few of them.
func related(paths []string) []lint.Related {
	const most = 10
	list := []lint.Related{}
	for _, path := range paths[:min(len(paths), most)] {
		list = append(list, lint.Related{Path: path, Line: 1, Column: 1, Message: "changed as well"})
	}
	return list
}

// more is how many further files a finding is about, in words.
func more(paths []string) string {
	switch n := len(paths) - 1; {
	case n == 1:
		return " and one more file"
	case n > 1:
		return fmt.Sprintf(" and %d more files", n)
	}
	return ""
}

// listed joins names as a sentence does.
func listed(names []string, word string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + word + " " + names[len(names)-1]
}
