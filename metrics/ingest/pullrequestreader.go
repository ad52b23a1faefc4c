package ingest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"steelyard/metrics"
)

// rows yields the first pull request and all that follow, or the first error.
func (p *pullRequestReader) rows(first metrics.PullRequest) iter.Seq2[metrics.PullRequest, error] {
	return func(yield func(metrics.PullRequest, error) bool) {
		for pr := first; ; {
			if !yield(pr, nil) {
				return
			}
			var err error
			if pr, err = p.next(); errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(metrics.PullRequest{}, err)
				return
			}
		}
	}
}

func (p *pullRequestReader) next() (metrics.PullRequest, error) {
	for {
		err := p.records.next()
		switch {
		case errors.Is(err, io.EOF) && p.kept == 0:
			return metrics.PullRequest{}, p.noRows(p.filters.total())
		case err != nil:
			return metrics.PullRequest{}, err
		case p.filters.drops(p.fields):
			continue
		}
		if p.kept++; p.kept > p.limits.Rows {
			return metrics.PullRequest{}, p.tooManyRows()
		}
		pr, err := p.pullRequest()
		if pr.Team != "" {
			p.placed++
		}
		if pr.Author != "" {
			p.authored++
		}
		return pr, err
	}
}

func (p *pullRequestReader) pullRequest() (metrics.PullRequest, error) {
	f := fieldReader{p: p}
	pr := metrics.PullRequest{
		Repository: f.name(p.repository), Number: max(0, f.count(p.number)),
		Author: f.name(p.author), AuthorBot: f.bot(p.bot), Team: f.name(p.team),
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

// fieldReader reads the fields of one record and keeps the first error.
type fieldReader struct {
	p   *pullRequestReader
	err error
}

// value is a trimmed field; ok is false where there is none to read.
func (f *fieldReader) value(col int) (v []byte, ok bool) {
	if col < 0 || f.err != nil {
		return nil, false
	}
	return bytes.TrimSpace(f.p.fields[col]), true
}

func (f *fieldReader) fail(col int, bad *flaw) {
	if bad != nil {
		f.err = f.p.badField(col, *bad)
	}
}

func (f *fieldReader) text(col int) string {
	v, ok := f.value(col)
	if !ok || len(v) == 0 {
		return ""
	}
	f.fail(col, checkName(v))
	return string(v)
}

// name is a text of which there are few: it is kept and given out again.
func (f *fieldReader) name(col int) string {
	v, ok := f.value(col)
	if !ok || len(v) == 0 {
		return ""
	}
	if known, ok := f.p.texts[string(v)]; ok {
		return known
	}
	f.fail(col, checkName(v))
	return f.p.texts.keep(v)
}

func (f *fieldReader) bot(col int) bool {
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

func (f *fieldReader) level(col int) string {
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

// count is −1 where there is none.
func (f *fieldReader) count(col int) int {
	v, ok := f.value(col)
	if !ok {
		return -1
	}
	n, bad := parseCount(v)
	f.fail(col, bad)
	return n
}

func (f *fieldReader) time(col int) time.Time {
	v, ok := f.value(col)
	if !ok {
		return time.Time{}
	}
	t, bad := f.p.times.parse(v)
	if bad == nil && t.After(f.p.latest) {
		bad = &flaw{
			fmt.Sprintf("lies in the future (now is %s)", f.p.latest.Add(-ahead).UTC().Format(time.RFC3339)),
			"correct it, or leave it empty where it has not happened yet; times without a zone are UTC",
		}
	}
	f.fail(col, bad)
	return t
}

// texts keeps one copy of texts that repeat.
type texts map[string]string

func (n texts) keep(v []byte) string {
	if len(n) >= maxKept {
		clear(n)
	}
	s := string(v)
	n[s] = s
	return s
}
