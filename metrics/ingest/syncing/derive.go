package syncing

import (
	"slices"
	"time"

	"steelyard/metrics"
	"steelyard/metrics/ingest/attribution"
	"steelyard/rules"
)

// deriver makes of records what is measured.
type deriver struct {
	matcher *attribution.Matcher
	// known are the accounts by node id, numbers their ids by number.
	known   map[string]metrics.Account
	numbers map[int64]string
}

func newDeriver(m *attribution.Matcher, known map[string]metrics.Account) *deriver {
	d := &deriver{matcher: m, known: known, numbers: map[int64]string{}}
	for id, a := range known {
		if a.Number != 0 {
			d.numbers[a.Number] = id
		}
	}
	return d
}

// role is what an account does that is no person's; false for people and for
// accounts that are gone.
func (d *deriver) role(id string) (rules.Role, bool) {
	a, ok := d.known[id]
	if !ok {
		return "", false
	}
	return d.matcher.Role(attribution.Account{Login: a.Login, ID: a.Number, Bot: a.Type == "Bot"})
}

// person reports whether an account that is still there is a person's.
func (d *deriver) person(id string) bool {
	if id == "" {
		return false
	}
	_, machine := d.role(id)
	return !machine
}

// derive is what is measured of a record, whom it belongs to, and whether it is
// set apart.
func (d *deriver) derive(r metrics.Record) (row metrics.PullRequest, owner string, apart metrics.SetApart) {
	owner, apart = d.owner(r)
	row = metrics.PullRequest{
		ID: r.ID, Number: r.Number, Author: owner, AuthorBot: apart == metrics.ApartBot,
		Opened: r.Opened.Time(), Merged: r.Merged.Time(), Closed: r.Closed.Time(),
		Base: r.Base, MergeCommit: r.MergeCommit, FirstCommit: firstCommit(r),
	}
	if row.AuthorBot {
		row.Author = r.Author
	}
	row.Additions, row.Deletions = written(r)
	row.Ready = readyAt(r)
	authors := []string{r.Author, owner}
	row.FirstReview = d.firstReview(r, authors)
	row.ReviewRounds = d.rounds(r, authors)
	row.ReviewerComments = d.comments(r, authors)
	row.BotThreads, row.BotThreadsActedOn = d.botThreads(r)
	if len(r.Signals) > 0 {
		row.Assisted = r.Signals[0].Level
	}
	return row, owner, apart
}

// owner is the account that a pull request belongs to. What an assistant opened
// is the person's who asked for it: an assignee, else a co-author, else the one
// who merged it.
func (d *deriver) owner(r metrics.Record) (string, metrics.SetApart) {
	apart := metrics.SetApart("")
	if r.Backport != "" {
		apart = metrics.ApartBackport
	}
	role, machine := d.role(r.Author)
	switch {
	case machine && role != rules.Agent:
		return "", metrics.ApartBot
	case d.known[r.Author].Type == "Mannequin":
		return r.Author, metrics.ApartImport
	case !machine:
		return r.Author, apart
	}
	if asked := d.asked(r); asked != "" {
		return asked, apart
	}
	return "", metrics.ApartAgent
}

// asked is the person who asked an assistant for a pull request; empty where
// nothing tells.
func (d *deriver) asked(r metrics.Record) string {
	candidates := slices.Clone(r.Assignees)
	for _, c := range r.Commits {
		candidates = append(candidates, c.Author)
	}
	for _, n := range r.CoAuthors {
		candidates = append(candidates, d.numbers[n])
	}
	candidates = append(candidates, r.MergedBy)
	for _, id := range candidates {
		if d.person(id) {
			return id
		}
	}
	return ""
}

// firstCommit is when the first commit of the branch was written. A squash on
// the base does not lose it: these are the pull request's own commits.
func firstCommit(r metrics.Record) time.Time {
	var first metrics.Moment
	for _, c := range r.Commits {
		if c.Authored != 0 && (first == 0 || c.Authored < first) {
			first = c.Authored
		}
	}
	return first.Time()
}

// written are the lines less those in files that nobody wrote.
func written(r metrics.Record) (additions, deletions int) {
	additions, deletions = r.Additions, r.Deletions
	for _, l := range r.Made {
		additions -= l.Additions
		deletions -= l.Deletions
	}
	return max(additions, 0), max(deletions, 0)
}

const (
	eventReady  = "ready_for_review"
	eventDraft  = "convert_to_draft"
	eventPushed = "head_ref_force_pushed"
)

// readyAt is when it became ready for review the last time; zero where it never
// was a draft. What was closed as a draft was not ready before; of what is one
// still the store says how long that is known.
func readyAt(r metrics.Record) time.Time {
	if r.Draft && r.Merged == 0 && r.Closed != 0 {
		return r.Closed.Time()
	}
	var ready metrics.Moment
	for _, e := range r.Events {
		if e.Kind == eventReady {
			ready = max(ready, e.At)
		}
	}
	return ready.Time()
}

// isPeer reports whether an account is a person, here or gone, other than the
// authors.
func (d *deriver) isPeer(id string, authors []string) bool {
	if id == "" {
		return authors[0] != "" // two accounts that are gone may be one
	}
	return d.person(id) && !slices.Contains(authors, id)
}

// firstReview is the first review or comment on lines by a person other than
// the author, once it was ready and until it was closed.
func (d *deriver) firstReview(r metrics.Record, authors []string) time.Time {
	from := r.Opened
	if ready := metrics.MomentOf(readyAt(r)); ready > from {
		from = ready
	}
	end := r.Closed
	if r.Merged != 0 {
		end = r.Merged
	}
	var first metrics.Moment
	see := func(id string, at metrics.Moment) {
		if at >= from && (end == 0 || at <= end) && (first == 0 || at < first) && d.isPeer(id, authors) {
			first = at
		}
	}
	for _, v := range r.Reviews {
		see(v.Author, v.At)
	}
	for _, t := range r.Threads {
		for _, c := range t.Comments {
			see(c.Author, c.At)
		}
	}
	return first.Time()
}

const changesRequested = "changes_requested"

// rounds counts reviews by people that asked for changes and were followed by a
// push and another review.
func (d *deriver) rounds(r metrics.Record, authors []string) int {
	var reviews []metrics.RecordReview
	for _, v := range r.Reviews {
		if d.isPeer(v.Author, authors) {
			reviews = append(reviews, v)
		}
	}
	slices.SortStableFunc(reviews, func(a, b metrics.RecordReview) int { return int(a.At - b.At) })
	n := 0
	for i, v := range reviews {
		if v.State == changesRequested && slices.ContainsFunc(reviews[i+1:], func(next metrics.RecordReview) bool {
			return pushedBetween(r, v, next)
		}) {
			n++
		}
	}
	return n
}

// pushedBetween reports whether something was pushed between two reviews: they
// looked at different heads, or a commit or a forced push lies between them.
func pushedBetween(r metrics.Record, v, next metrics.RecordReview) bool {
	if v.Commit != "" && next.Commit != "" && v.Commit != next.Commit {
		return true
	}
	between := func(at metrics.Moment) bool { return at > v.At && at <= next.At }
	return slices.ContainsFunc(r.Commits, func(c metrics.RecordCommit) bool { return between(c.Committed) }) ||
		slices.ContainsFunc(r.Events, func(e metrics.RecordEvent) bool { return e.Kind == eventPushed && between(e.At) })
}

// comments counts comments on lines by people other than the author.
func (d *deriver) comments(r metrics.Record, authors []string) int {
	n := 0
	for _, t := range r.Threads {
		for _, c := range t.Comments {
			if d.isPeer(c.Author, authors) {
				n++
			}
		}
	}
	return n
}

// botThreads counts conversations that an AI reviewer opened, and those of them
// whose lines a later push changed. An assistant that reviews what another
// opened is one too.
func (d *deriver) botThreads(r metrics.Record) (opened, actedOn int) {
	for _, t := range r.Threads {
		if len(t.Comments) == 0 || t.Comments[0].Author == r.Author {
			continue
		}
		role, machine := d.role(t.Comments[0].Author)
		if !machine || role == rules.Bot {
			continue
		}
		opened++
		if t.Outdated {
			actedOn++
		}
	}
	return opened, actedOn
}
