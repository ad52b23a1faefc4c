package syncing

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"steelyard/internal/github"
	"steelyard/metrics"
	"steelyard/metrics/ingest/attribution"
	"steelyard/metrics/ingest/reverts"
)

// accounts collects everybody that a page names, by node id.
type accounts map[string]metrics.Account

// add notes an account and returns its id; empty for one that is gone, and for
// one of which only a number is known.
func (all accounts) add(a github.Account) string {
	id := a.NodeID
	if id == "" {
		return ""
	}
	if known, ok := all[id]; !ok || known.Number == 0 {
		all[id] = metrics.Account{ID: id, Number: a.ID, Login: a.Login, Type: a.Type}
	}
	return id
}

// list is everybody, by id.
func (all accounts) list() []metrics.Account {
	out := make([]metrics.Account, 0, len(all))
	for _, a := range all {
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b metrics.Account) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// recordOf is what is kept of a pull request; who is named in it is added to
// all.
func recordOf(p github.PullRequest, defaultBranch string, m *attribution.Matcher, all accounts) metrics.Record {
	r := metrics.Record{
		ID: p.ID, Number: p.Number, Title: p.Title, Draft: p.Draft,
		Opened: metrics.MomentOf(p.Created), Updated: metrics.MomentOf(p.Updated),
		Closed: metrics.MomentOf(p.Closed), Merged: metrics.MomentOf(p.Merged),
		Additions: p.Additions, Deletions: p.Deletions, Files: p.ChangedFiles, Made: madeLines(p.Files),
		Base: p.Base, Head: p.Head, OtherRepository: p.CrossRepository, Backport: backportMark(p, defaultBranch),
		Author: all.add(p.Author), MergedBy: all.add(p.MergedBy), Labels: p.Labels, Incomplete: p.Incomplete,
	}
	if p.MergeCommit != nil {
		r.MergeCommit = p.MergeCommit.OID
	}
	for _, a := range p.Assignees {
		r.Assignees = append(r.Assignees, all.add(a))
	}
	for _, c := range p.Commits {
		r.Commits = append(r.Commits, metrics.RecordCommit{
			OID: c.OID, Author: all.add(c.Author), Authored: metrics.MomentOf(c.Authored), Committed: metrics.MomentOf(c.Committed),
		})
	}
	for _, v := range p.Reviews {
		r.Reviews = append(r.Reviews, metrics.RecordReview{
			State: strings.ToLower(v.State), Author: all.add(v.Author), At: metrics.MomentOf(v.Submitted), Commit: v.Commit,
		})
	}
	for _, t := range p.Threads {
		thread := metrics.RecordThread{Outdated: t.Outdated}
		for _, c := range t.Comments {
			thread.Comments = append(thread.Comments, metrics.RecordComment{Author: all.add(c.Author), At: metrics.MomentOf(c.Created)})
		}
		r.Threads = append(r.Threads, thread)
	}
	for _, e := range p.Events {
		r.Events = append(r.Events, metrics.RecordEvent{Kind: string(e.Kind), At: metrics.MomentOf(e.At)})
	}
	readTexts(&r, p, m)
	for _, c := range p.Commits {
		if c.Author.NodeID == "" && c.Author.ID > 0 {
			r.CoAuthors = addNumber(r.CoAuthors, c.Author.ID)
		}
	}
	return r
}

// readTexts keeps what the texts say of assistants.
func readTexts(r *metrics.Record, p github.PullRequest, m *attribution.Matcher) {
	marked := attribution.PullRequest{Author: marks(p.Author), Head: p.Head, Body: p.Body, Labels: p.Labels}
	texts := []string{p.Body}
	if p.MergeCommit != nil {
		marked.Message = p.MergeCommit.Message
		texts = append(texts, p.MergeCommit.Message)
	}
	for _, c := range p.Commits {
		marked.Commits = append(marked.Commits, attribution.Commit{
			Author: marks(c.Author), AuthorName: c.Name, AuthorEmail: c.Email, Message: c.Message,
		})
		texts = append(texts, c.Message)
	}
	for _, s := range m.Signals(marked) {
		r.Signals = append(r.Signals, metrics.Signal{
			Tool: s.Tool, Kind: string(s.Kind), Level: string(s.Level), Evidence: s.Evidence, Count: s.Count,
		})
	}
	if answer, asked := attribution.Disclosure(p.Body); asked {
		r.Disclosure = string(answer)
	}
	r.CoAuthors = coAuthors(texts)
}

// marks is an account as the table of signals knows it.
func marks(a github.Account) attribution.Account {
	return attribution.Account{Login: a.Login, ID: a.ID, Bot: a.Type == "Bot"}
}

// coAuthor finds the number of the account in a trailer whose mailbox GitHub
// made.
var coAuthor = regexp.MustCompile(`(?im)^\s*(?:[*-]\s+)?co-authored-by:[^<\n]{0,200}<(\d{1,18})\+[^@>\s]{1,100}@users\.noreply\.github\.com>`)

// maxCoAuthors bounds how many are kept.
const maxCoAuthors = 20

func coAuthors(texts []string) []int64 {
	var out []int64
	for _, text := range texts {
		for _, m := range coAuthor.FindAllStringSubmatch(text[:min(len(text), maxRead)], maxCoAuthors) {
			n, err := strconv.ParseInt(m[1], 10, 64)
			if err == nil && n > 0 {
				out = addNumber(out, n)
			}
		}
	}
	return out
}

func addNumber(all []int64, n int64) []int64 {
	if slices.Contains(all, n) || len(all) >= maxCoAuthors {
		return all
	}
	return append(all, n)
}

// landedOf is a merged pull request as the search for reverts knows it; nil
// where it is not merged.
func landedOf(p github.PullRequest) (*metrics.Landed, error) {
	if p.Merged.IsZero() {
		return nil, nil
	}
	c := reverts.Change{ID: p.ID, Number: p.Number, Base: p.Base, Merged: p.Merged, Title: p.Title, Body: p.Body, Head: p.Head}
	if p.MergeCommit != nil {
		c.Commit, c.Message = p.MergeCommit.OID, p.MergeCommit.Message
	}
	for _, own := range p.Commits {
		c.Commits = append(c.Commits, reverts.Commit{Hash: own.OID, Message: own.Message, Authored: own.Authored})
	}
	return landed(reverts.Read(c))
}

// landedCommit is a commit of the default branch.
func landedCommit(c github.Commit) (metrics.Landed, error) {
	l, err := landed(reverts.Read(reverts.Change{
		ID: strings.ToLower(c.OID), Merged: c.Committed, Commit: c.OID, Message: c.Message, Authored: c.Authored,
	}))
	if err != nil {
		return metrics.Landed{}, err
	}
	return *l, nil
}

func landed(f reverts.Facts) (*metrics.Landed, error) {
	text, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("write what %q says of reverts: %w", f.ID, err)
	}
	return &metrics.Landed{
		ID: f.ID, Number: f.Number, Merged: f.Merged, Commit: f.Commit,
		Speaks: len(f.Candidates) > 0 || f.Internal > 0, Facts: string(text),
	}, nil
}
