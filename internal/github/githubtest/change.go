package githubtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"steelyard/internal/github"
)

// Pull says what a new pull request is. Whatever stays empty is made up.
type Pull struct {
	Number    int // 0 for the next
	Title     string
	Body      string
	Author    string // login
	Base      string // default branch
	Head      string
	Draft     bool
	Created   time.Time // now
	Labels    []string
	Assignees []string // logins
	Commits   []github.Commit
	Files     []github.File
	Fork      bool
}

// Open opens a pull request and returns its number.
func (w *World) Open(name string, p Pull) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.repoLocked(name)
	if p.Number == 0 {
		p.Number = r.next
	}
	if p.Created.IsZero() {
		p.Created = w.now()
	}
	v := github.PullRequest{
		Number: p.Number, Title: cmp.Or(p.Title, fmt.Sprintf("Change %d", p.Number)), Body: p.Body, State: "OPEN", Draft: p.Draft,
		Created: p.Created, Updated: p.Created, Base: cmp.Or(p.Base, r.DefaultBranch), Head: cmp.Or(p.Head, fmt.Sprintf("change-%d", p.Number)),
		Author: *w.accountLocked(cmp.Or(p.Author, "ada"), "User"), Labels: p.Labels, Commits: p.Commits, Files: p.Files,
		CrossRepository: p.Fork,
	}
	for _, login := range p.Assignees {
		v.Assignees = append(v.Assignees, *w.accountLocked(login, "User"))
	}
	w.put(r, v)
	return p.Number
}

// Put adds a whole pull request, or replaces the one of its number. Ids, hashes
// and sums that are empty are filled in; times are kept as they are.
func (w *World) Put(name string, p github.PullRequest) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.put(w.repoLocked(name), p)
}

func (w *World) put(r *repo, v github.PullRequest) *pull {
	old := r.find(v.Number)
	w.complete(r, &v)
	p := old
	if p == nil {
		p = &pull{repo: r}
		at, _ := slices.BinarySearchFunc(r.pulls, v.Number, func(p *pull, n int) int { return p.Number - n })
		r.pulls = slices.Insert(r.pulls, at, p)
	}
	p.PullRequest = v
	w.nodes[v.ID] = node{pull: p, thread: -1}
	for i, t := range v.Threads {
		w.nodes[t.ID] = node{pull: p, thread: i}
	}
	r.next = max(r.next, v.Number+1)
	r.updated = nil
	return p
}

// complete fills in what a pull request must have.
func (w *World) complete(r *repo, v *github.PullRequest) {
	if v.ID == "" {
		v.DatabaseID = cmp.Or(v.DatabaseID, w.id())
		v.ID = nodeID("PR", v.DatabaseID)
	}
	v.State, v.Repository = cmp.Or(v.State, "OPEN"), r.ID
	v.Base = cmp.Or(v.Base, r.DefaultBranch)
	if len(v.Commits) == 0 {
		v.Commits = []github.Commit{{Message: v.Title, Author: v.Author, Authored: v.Created.Add(-time.Hour), Committed: v.Created.Add(-time.Hour)}}
	}
	for i := range v.Commits {
		completeCommit(&v.Commits[i], v.Author, r.ID, v.Number, i)
	}
	v.HeadOID = cmp.Or(v.HeadOID, v.Commits[len(v.Commits)-1].OID)
	if v.Files == nil {
		v.Files = []github.File{{Path: fmt.Sprintf("src/change%d.go", v.Number), Additions: 10, Deletions: 2}}
	}
	slices.SortFunc(v.Files, func(a, b github.File) int { return cmp.Compare(a.Path, b.Path) })
	slices.Sort(v.Labels)
	if v.ChangedFiles == 0 {
		v.ChangedFiles = len(v.Files)
		for _, f := range v.Files {
			v.Additions, v.Deletions = v.Additions+f.Additions, v.Deletions+f.Deletions
		}
	}
	for i := range v.Reviews {
		if v.Reviews[i].ID == "" {
			v.Reviews[i].DatabaseID = w.id()
			v.Reviews[i].ID = nodeID("PRR", v.Reviews[i].DatabaseID)
		}
		v.Reviews[i].Commit = cmp.Or(v.Reviews[i].Commit, v.HeadOID)
	}
	for i := range v.Threads {
		if v.Threads[i].ID == "" {
			v.Threads[i].ID = nodeID("PRRT", w.id())
		}
	}
}

func completeCommit(c *github.Commit, author github.Account, salt ...any) {
	if c.OID == "" {
		c.OID = oid(append(salt, c.Message, c.Authored.Unix())...)
	}
	if c.Committed.IsZero() {
		c.Committed = c.Authored
	}
	if c.Email == "" {
		if c.Author.Ghost() {
			c.Author = author
		}
		login := c.Author.Login
		if c.Author.Bot() {
			login += "[bot]"
		}
		c.Name, c.Email = cmp.Or(c.Name, login, "nobody"), fmt.Sprintf("%d+%s@users.noreply.github.com", c.Author.ID, login)
		if c.Author.Ghost() {
			c.Email = "nobody@example.invalid"
		}
	}
}

// Change edits a pull request in place and moves its last update to now.
func (w *World) Change(name string, number int, edit func(*github.PullRequest)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.mustPull(name, number)
	v := p.PullRequest
	v.Updated = w.now()
	edit(&v)
	w.put(p.repo, v)
}

// Touch moves a pull request's last update to now, as a comment would.
func (w *World) Touch(name string, number int) {
	w.Change(name, number, func(p *github.PullRequest) { p.Comments++ })
}

// Merge merges a pull request with a merge commit of the usual message, unless
// another is given.
func (w *World) Merge(name string, number int, by string, message string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.mustPull(name, number)
	v, now := p.PullRequest, w.now()
	merger := *w.accountLocked(by, "User")
	if message == "" {
		owner, _, _ := strings.Cut(p.repo.NameWithOwner, "/")
		message = fmt.Sprintf("Merge pull request #%d from %s/%s\n\n%s", number, owner, v.Head, v.Title)
	}
	merge := github.Commit{Message: message, Author: merger, Authored: now, Committed: now}
	completeCommit(&merge, merger, p.repo.ID, number, "merge")
	p.repo.reach(v.Commits, merge, v.Base)
	v.State, v.Merged, v.Closed, v.Updated, v.MergedBy, v.MergeCommit = "MERGED", now, now, now, merger, withoutParents(merge)
	v.Events = append(slices.Clone(v.Events),
		github.Event{Kind: github.WasMerged, At: now, Actor: merger, To: merge.OID},
		github.Event{Kind: github.WasClosed, At: now, Actor: merger})
	w.put(p.repo, v)
}

func withoutParents(c github.Commit) *github.Commit {
	c.Parents = nil
	return &c
}

// reach adds a merge and what it brings to the history of the default branch.
func (r *repo) reach(commits []github.Commit, merge github.Commit, base string) {
	if base != r.DefaultBranch {
		return
	}
	tip := r.tip()
	first := tip
	for _, c := range commits {
		c.Parents = parents(first)
		r.history = append(r.history, c)
		first = c.OID
	}
	merge.Parents = parents(tip)
	if len(commits) > 0 {
		merge.Parents = append(merge.Parents, first)
	}
	r.history = append(r.history, merge)
}

func (r *repo) tip() string {
	if len(r.history) == 0 {
		return ""
	}
	return r.history[len(r.history)-1].OID
}

func parents(oids ...string) []string {
	out := []string{}
	for _, o := range oids {
		if o != "" {
			out = append(out, o)
		}
	}
	return out
}

// Close closes a pull request without merging it.
func (w *World) Close(name string, number int, by string) {
	who := w.Person(by)
	w.Change(name, number, func(p *github.PullRequest) {
		p.State, p.Closed = "CLOSED", p.Updated
		p.Events = append(slices.Clone(p.Events), github.Event{Kind: github.WasClosed, At: p.Updated, Actor: who})
	})
}

// Review adds a review in one of GitHub's states.
func (w *World) Review(name string, number int, by github.Account, state string) {
	w.Change(name, number, func(p *github.PullRequest) {
		p.Reviews = append(slices.Clone(p.Reviews), github.Review{Author: by, State: state, Submitted: p.Updated})
	})
}

// Commit pushes a commit directly to the default branch and returns its hash.
func (w *World) Commit(name string, c github.Commit) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.repoLocked(name)
	if c.Authored.IsZero() {
		c.Authored = w.now()
	}
	completeCommit(&c, *w.accountLocked("ada", "User"), r.ID, "direct", len(r.history))
	c.Parents = parents(r.tip())
	r.history = append(r.history, c)
	return c.OID
}

// Rename gives a repository another name; the old one still finds it. To with
// another owner is a transfer.
func (w *World) Rename(name, to string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.mustRepo(name)
	owner, _, _ := strings.Cut(to, "/")
	w.accountLocked(owner, "Organization")
	r.NameWithOwner = to
	w.byName[strings.ToLower(to)] = r
}

// Delete deletes a repository.
func (w *World) Delete(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mustRepo(name).deleted = true
}

// DeleteFork takes away the repository that a pull request came from: REST
// then gives a null head repository.
func (w *World) DeleteFork(name string, number int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.mustPull(name, number)
	p.nullHead, p.CrossRepository = true, true
}

// DeleteAccount makes a ghost: whatever the account did is nobody's from now
// on.
func (w *World) DeleteAccount(login string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.accounts[strings.ToLower(login)]
	if a == nil {
		return
	}
	gone := func(who *github.Account) {
		if who.ID == a.ID {
			*who = github.Account{}
		}
	}
	for _, r := range w.repos {
		for _, p := range r.pulls {
			forget(&p.PullRequest, gone)
		}
		for i := range r.history {
			gone(&r.history[i].Author)
		}
	}
	for _, o := range w.orgs {
		for _, t := range o.teams {
			t.members = slices.DeleteFunc(t.members, func(m string) bool { return strings.EqualFold(m, login) })
		}
	}
	delete(w.accounts, strings.ToLower(login))
}

func forget(p *github.PullRequest, gone func(*github.Account)) {
	gone(&p.Author)
	gone(&p.MergedBy)
	for i := range p.Commits {
		gone(&p.Commits[i].Author)
	}
	if p.MergeCommit != nil {
		gone(&p.MergeCommit.Author)
	}
	for i := range p.Reviews {
		gone(&p.Reviews[i].Author)
	}
	for i := range p.Events {
		gone(&p.Events[i].Actor)
	}
	for i := range p.Threads {
		for j := range p.Threads[i].Comments {
			gone(&p.Threads[i].Comments[j].Author)
		}
	}
	p.Assignees = slices.DeleteFunc(p.Assignees, func(a github.Account) bool { gone(&a); return a.Ghost() })
}
