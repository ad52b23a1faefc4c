package ingest

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"steelyard/metrics"
)

func (p *pullRequestReader) next() (metrics.PullRequest, error) {
	if err := p.nextRow(); err != nil {
		return metrics.PullRequest{}, err
	}
	pr, err := p.pullRequest()
	if pr.Team != "" {
		p.placed++
	}
	if pr.Author != "" {
		p.authored++
	}
	for _, t := range [...]time.Time{pr.Opened, pr.Ready, pr.FirstReview, pr.Merged, pr.Closed, pr.RevertedAt} {
		if t.After(p.until) {
			p.until = t
		}
	}
	return pr, err
}

func (p *pullRequestReader) pullRequest() (metrics.PullRequest, error) {
	f := pullRequestFields{fieldReader{t: p.fieldTable}}
	pr := metrics.PullRequest{
		Repository: f.name(p.repository), Number: max(0, f.count(p.number)),
		Author: f.name(p.author), AuthorBot: f.bot(p.bot), SetApart: f.name(p.apart), Team: f.name(p.team),
		Opened: f.time(p.opened), Ready: f.time(p.ready), FirstReview: f.time(p.review),
		Merged: f.time(p.merged), Closed: f.time(p.closed), RevertedAt: f.time(p.revertedAt),
		Additions: f.count(p.additions), Deletions: f.count(p.deletions),
		Base: f.name(p.base), MergeCommit: f.text(p.mergeCommit),
		FirstCommit: f.time(p.firstCommit), Deployed: f.time(p.deployed),
		ReviewRounds: f.count(p.rounds), ReviewerComments: f.count(p.comments),
		BotThreads: f.count(p.threads), BotThreadsActedOn: f.count(p.actedOn), Assisted: f.level(p.assisted),
		Line: p.start,
	}
	pr.ID = f.text(p.id)
	if f.err != nil {
		return pr, f.err
	}
	if pr.Repository == "" && p.repository < 0 {
		pr.Repository = p.spec.Repository
	}
	if err := p.identify(&pr); err != nil {
		return pr, err
	}
	if pr.Closed.IsZero() {
		pr.Closed = pr.Merged
	}
	if pr.BotThreadsActedOn > pr.BotThreads {
		return pr, p.badField(p.actedOn, flaw{
			fmt.Sprintf("is more than the threads that AI reviewers opened (%d)", max(0, pr.BotThreads)),
			"count only threads that an AI reviewer opened",
		})
	}
	return pr, p.checkOrder(pr)
}

// identify gives a pull request its id and holds it to one row.
func (p *pullRequestReader) identify(pr *metrics.PullRequest) error {
	col := p.id
	if pr.ID == "" {
		switch {
		case p.number < 0:
			return p.badField(p.id, flaw{"is missing", "give every pull request its id, or import repository and number"})
		case pr.Number == 0:
			return p.badField(p.number, flaw{"is no number of a pull request", "give every pull request its number, or its id"})
		case pr.Repository == "":
			return p.badField(max(p.repository, 0), flaw{"is missing", "name the repository, which with the number makes the id"})
		}
		pr.ID, col = pr.Repository+"#"+strconv.Itoa(pr.Number), p.number
	}
	sum := sha256.Sum256([]byte(pr.ID))
	key := [16]byte(sum[:])
	if line, twice := p.seen[key]; twice {
		return p.badField(col, flaw{
			fmt.Sprintf("is the second row of pull request %q, after line %d", shown(pr.ID), line),
			"keep one row a pull request",
		})
	}
	p.seen[key] = uint32(p.start)
	return nil
}

// clockSkew is how far the times of closing and merging, which are one event,
// may stand apart.
const clockSkew = time.Minute

// checkOrder refuses times that cannot have happened in their order.
func (p *pullRequestReader) checkOrder(pr metrics.PullRequest) error {
	if pr.Opened.IsZero() {
		return p.badField(p.opened, flaw{"is missing", "give every pull request the time it was opened"})
	}
	if !pr.RevertedAt.IsZero() && pr.Merged.IsZero() {
		return p.badField(p.revertedAt, flaw{"reverts a pull request that was not merged", "give the time it was merged, or leave this empty"})
	}
	for _, rule := range [...]struct {
		early, late time.Time
		col         int
		was         string
	}{
		{pr.Opened, pr.Ready, p.ready, "opened"},
		{pr.Opened, pr.FirstReview, p.review, "opened"},
		{pr.Opened, pr.Merged, p.merged, "opened"},
		{pr.Opened, pr.Closed, p.closed, "opened"},
		{pr.Merged, pr.RevertedAt, p.revertedAt, "merged"},
	} {
		if !rule.late.IsZero() && rule.late.Before(rule.early) {
			return p.outOfOrder(rule.col, "before", rule.was, rule.early)
		}
	}
	if pr.Merged.After(pr.Closed.Add(clockSkew)) {
		return p.outOfOrder(p.merged, "after", "closed", pr.Closed)
	}
	return nil
}

func (p *pullRequestReader) outOfOrder(col int, side, was string, at time.Time) error {
	return p.badField(col, flaw{
		fmt.Sprintf("is %s it was %s (%s)", side, was, at.Format(time.RFC3339)),
		"correct one of the two; times without a zone are UTC",
	})
}

// pullRequestFields reads the fields of one pull request.
type pullRequestFields struct{ fieldReader }

func (f *pullRequestFields) bot(col int) bool {
	v, ok := f.value(col)
	if !ok {
		return false
	}
	yes, bad := parseBot(v)
	f.fail(col, bad)
	return yes
}

// levels are the levels of an assistant's signals, as the rules' table has
// them.
var levels = [...]string{"authored", "co-authored", "suggestion", "inferred"}

func (f *pullRequestFields) level(col int) string {
	v, ok := f.value(col)
	if !ok || len(v) == 0 {
		return ""
	}
	for _, l := range levels {
		if string(v) == l {
			return l
		}
	}
	f.fail(col, &flaw{"is no level of an assistant's signals", "write authored, co-authored, suggestion or inferred, or leave it empty where no signal was seen"})
	return ""
}
