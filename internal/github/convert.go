package github

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (n repositoryNode) value() Repository {
	r := Repository{
		ID: n.ID, DatabaseID: n.DatabaseID, NameWithOwner: n.NameWithOwner,
		Archived: n.IsArchived, Private: n.IsPrivate, Fork: n.IsFork, Created: n.CreatedAt.UTC(),
	}
	if n.DefaultBranchRef != nil {
		r.DefaultBranch = n.DefaultBranchRef.Name
	}
	return r
}

func (n *actorNode) value() Account {
	if n == nil {
		return Account{}
	}
	return Account{ID: n.DatabaseID, NodeID: n.ID, Login: plainLogin(n.Login), Type: n.Typename}
}

// plainLogin takes away the suffix that REST gives to apps.
func plainLogin(login string) string { return strings.TrimSuffix(login, "[bot]") }

func (n *commitNode) value() Commit {
	c := Commit{OID: n.OID, Message: n.Message, Authored: n.AuthoredDate.UTC(), Committed: n.CommittedDate.UTC()}
	if n.Author != nil {
		c.Name, c.Email = n.Author.Name, n.Author.Email
		c.Author = n.Author.User.value()
		if c.Author.Ghost() {
			c.Author = fromNoreply(c.Email)
		}
	}
	if n.Parents != nil {
		c.Parents = []string{}
		for _, p := range present(n.Parents.Nodes) {
			c.Parents = append(c.Parents, p.OID)
		}
	}
	return c
}

// noreply is the address that GitHub gives an account: its id and its login.
var noreply = regexp.MustCompile(`^(\d{1,18})\+([A-Za-z0-9-]{1,100}(?:\[bot\])?)@users\.noreply\.github\.com$`)

// fromNoreply finds the account of an address of GitHub's own. GraphQL gives
// no account for commits of apps; their address tells it.
func fromNoreply(email string) Account {
	m := noreply.FindStringSubmatch(email)
	if m == nil {
		return Account{}
	}
	id, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return Account{}
	}
	a := Account{ID: id, Login: plainLogin(m[2])}
	if a.Login != m[2] {
		a.Type = "Bot"
	}
	return a
}

func (n *reviewNode) value() Review {
	return Review{
		ID: n.ID, DatabaseID: int64(n.FullDatabaseID), State: n.State,
		Author: n.Author.value(), Submitted: deref(n.SubmittedAt), Commit: n.Commit.value(),
	}
}

func (n *oidNode) value() string {
	if n == nil {
		return ""
	}
	return n.OID
}

func (n *threadNode) value() Thread {
	t := Thread{ID: n.ID, Path: n.Path, Outdated: n.IsOutdated, Resolved: n.IsResolved}
	for _, c := range present(n.Comments.Nodes) {
		t.Comments = append(t.Comments, Comment{Author: c.Author.value(), Created: c.CreatedAt.UTC()})
	}
	return t
}

// eventKinds are GraphQL's names of the events.
var eventKinds = map[string]EventKind{
	"ReadyForReviewEvent":     Ready,
	"ConvertToDraftEvent":     Drafted,
	"HeadRefForcePushedEvent": ForcePushed,
	"ClosedEvent":             WasClosed,
	"ReopenedEvent":           Reopened,
	"MergedEvent":             WasMerged,
	"BaseRefChangedEvent":     BaseChanged,
}

func (n *eventNode) value() (Event, bool) {
	kind, known := eventKinds[n.Typename]
	e := Event{Kind: kind, At: n.CreatedAt.UTC(), Actor: n.Actor.value()}
	switch kind {
	case ForcePushed:
		e.From, e.To = n.BeforeCommit.value(), n.AfterCommit.value()
	case WasMerged:
		e.To = n.Commit.value()
	case BaseChanged:
		e.From, e.To = n.PreviousRefName, n.CurrentRefName
	}
	return e, known
}

// value is the pull request without its lists, which [gather] adds.
func (n *pullNode) value() PullRequest {
	p := PullRequest{
		ID: n.ID, DatabaseID: int64(n.FullDatabaseID), Number: n.Number,
		Title: n.Title, Body: n.Body, State: n.State, Draft: n.IsDraft,
		Created: n.CreatedAt.UTC(), Updated: n.UpdatedAt.UTC(), Closed: deref(n.ClosedAt), Merged: deref(n.MergedAt),
		Additions: n.Additions, Deletions: n.Deletions, ChangedFiles: n.ChangedFiles,
		Base: n.BaseRefName, Head: n.HeadRefName, HeadOID: n.HeadRefOID, CrossRepository: n.IsCrossRepository,
		Author: n.Author.value(), MergedBy: n.MergedBy.value(), Comments: n.Comments.TotalCount,
	}
	if n.MergeCommit != nil {
		c := n.MergeCommit.value()
		p.MergeCommit = &c
	}
	return p
}

// gather adds a part of the lists to a pull request.
func (p *PullRequest) gather(l pullLists) {
	for _, n := range nodes(l.Labels) {
		p.Labels = append(p.Labels, n.Name)
	}
	for _, n := range nodes(l.Assignees) {
		p.Assignees = append(p.Assignees, n.value())
	}
	for _, n := range nodes(l.Commits) {
		p.Commits = append(p.Commits, n.Commit.value())
	}
	for _, n := range nodes(l.Reviews) {
		p.Reviews = append(p.Reviews, n.value())
	}
	for _, n := range nodes(l.Threads) {
		p.Threads = append(p.Threads, n.value())
	}
	for _, n := range nodes(l.Events) {
		if e, known := n.value(); known {
			p.Events = append(p.Events, e)
		}
	}
	if l.Files != nil && p.Files == nil {
		p.Files = []File{}
	}
	for _, n := range nodes(l.Files) {
		p.Files = append(p.Files, File(*n))
	}
}

// What GitHub gives at most of one pull request's lists, in any interface.
const (
	mostCommits = 250
	mostFiles   = 3000
)

// noteCaps says where GitHub itself ends a list: commits is how many there
// really are.
func (p *PullRequest) noteCaps(commits int) {
	if n := len(p.Commits); n >= mostCommits && commits > n {
		p.Incomplete = append(p.Incomplete, fmt.Sprintf("commits: GitHub gives %d of %d", n, commits))
	}
	if n := len(p.Files); n >= mostFiles && p.ChangedFiles > n {
		p.Incomplete = append(p.Incomplete, fmt.Sprintf("files: GitHub gives %d of %d", n, p.ChangedFiles))
	}
}

// arrange puts the lists into the order of time, whichever way they came.
func (p *PullRequest) arrange() {
	slices.SortStableFunc(p.Reviews, func(a, b Review) int { return a.Submitted.Compare(b.Submitted) })
	slices.SortStableFunc(p.Events, func(a, b Event) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(p.Threads, func(a, b Thread) int { return a.Opened().Created.Compare(b.Opened().Created) })
	slices.SortFunc(p.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(p.Labels)
}

// present leaves out the nulls of a list.
func present[T any](all []*T) []*T {
	return slices.DeleteFunc(all, func(n *T) bool { return n == nil })
}

func nodes[T any](l *connection[T]) []*T {
	if l == nil {
		return nil
	}
	return present(l.Nodes)
}

func deref(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}
