package github

import "time"

// RepositoryRef names a repository as people do. Both change; identity is
// [Repository].ID.
type RepositoryRef struct{ Owner, Name string }

// String is "owner/name".
func (r RepositoryRef) String() string { return r.Owner + "/" + r.Name }

// Repository is a repository as it is now, found also under its former names.
type Repository struct {
	ID            string // node id: the identity
	DatabaseID    int64
	NameWithOwner string // "owner/name" as it is now
	DefaultBranch string // empty in an empty repository
	Archived      bool
	Private       bool
	Fork          bool
	Created       time.Time
}

// Ref is the repository's present name.
func (r Repository) Ref() RepositoryRef {
	owner, name := cutName(r.NameWithOwner)
	return RepositoryRef{Owner: owner, Name: name}
}

// Account is who did something. The zero value is a deleted account (ghost).
// Login is for display only and is the same whichever interface it was read
// through: without REST's suffix "[bot]", which Type says.
type Account struct {
	ID     int64  // database id: the same in REST, GraphQL and webhooks
	NodeID string // node id
	Login  string
	Type   string // User, Bot, Mannequin, Organization, EnterpriseUserAccount; empty for a ghost
}

// Ghost reports whether the account no longer exists.
func (a Account) Ghost() bool { return a == Account{} }

// Bot reports whether the account is an app's and not a person's.
func (a Account) Bot() bool { return a.Type == "Bot" }

// PullRequest is one whole pull request. Lists that did not fit into the first
// answer are read to their end before it is returned; what could not be read
// is named in Incomplete.
type PullRequest struct {
	ID         string // node id: the identity
	DatabaseID int64
	// Repository is the node id of the one that it is in: a name may be
	// another's by now.
	Repository string
	Number     int
	Title      string
	Body       string
	State      string // OPEN, CLOSED, MERGED
	Draft      bool
	Created    time.Time
	Updated    time.Time
	Closed     time.Time // zero while open
	Merged     time.Time // zero unless merged

	Additions, Deletions, ChangedFiles int

	Base    string // branch it goes to
	Head    string // branch it comes from
	HeadOID string
	// CrossRepository is set where it comes from another repository, also from
	// a fork that was deleted since.
	CrossRepository bool
	// MergeCommit is the merge, squash or last rebased commit; nil unless
	// merged, or where GitHub no longer has it.
	MergeCommit *Commit

	Author    Account
	MergedBy  Account
	Assignees []Account
	Labels    []string
	Comments  int // comments of the conversation, not on lines

	Commits []Commit // on its branch, oldest first; GitHub gives at most 250
	Reviews []Review // oldest first; pending ones are left out
	Threads []Thread // conversations on lines, oldest first
	Events  []Event  // oldest first
	Files   []File   // changed files; nil where they were not read

	// Incomplete lists in words what could not be read of it; empty if it is
	// whole.
	Incomplete []string
}

// Commit is a commit, of a pull request's branch or of the default branch.
type Commit struct {
	OID     string
	Message string
	// Author is the account that GitHub found for the author's address; zero
	// where it found none. Name and Email are what the commit itself says.
	Author    Account
	Name      string
	Email     string
	Authored  time.Time
	Committed time.Time
	// Parents are the parents' hashes: two or more for a merge. Nil where they
	// were not read.
	Parents []string
}

// Review is one submitted review.
type Review struct {
	ID         string // node id
	DatabaseID int64
	State      string // APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED
	Author     Account
	Submitted  time.Time
	Commit     string // hash of the head that was reviewed, empty where it is gone
}

// Thread is a conversation on lines of the change.
type Thread struct {
	// ID is the thread's node id; through REST, which does not know threads,
	// the node id of its first comment.
	ID   string
	Path string
	// Outdated is set where a later push changed the lines.
	Outdated bool
	// Resolved is always false through REST, which cannot see it.
	Resolved bool
	Comments []Comment // oldest first
}

// Opened is the comment that began the thread; zero if it has none left.
func (t Thread) Opened() Comment {
	if len(t.Comments) == 0 {
		return Comment{}
	}
	return t.Comments[0]
}

// Comment is one comment on lines of the change.
type Comment struct {
	Author  Account
	Created time.Time
}

// EventKind says what happened to a pull request.
type EventKind string

// The kinds of events that are read.
const (
	Ready       EventKind = "ready_for_review"
	Drafted     EventKind = "convert_to_draft"
	ForcePushed EventKind = "head_ref_force_pushed"
	WasClosed   EventKind = "closed"
	Reopened    EventKind = "reopened"
	WasMerged   EventKind = "merged"
	BaseChanged EventKind = "base_ref_changed"
)

// Event is one thing that happened to a pull request, in the words of
// GitHub's timeline.
type Event struct {
	Kind  EventKind
	At    time.Time
	Actor Account
	// From and To are the hashes before and after a force push, the branches
	// of a changed base; To is the merge commit of a merge. REST gives only
	// the merge commit, and sometimes the hash after a force push.
	From, To string
}

// File is one changed file of a pull request.
type File struct {
	Path                 string
	Additions, Deletions int
}

// PageQuery asks for one page of pull requests, of default-branch commits, or
// of both in the same request.
type PageQuery struct {
	// After is the Next of the page before; empty for the first.
	After string
	// Size is how many pull requests, at most 100; 0 is 60, or 10 with Newest.
	// A page may come smaller where the server could not manage. Negative asks
	// for no pull requests, only commits.
	Size int
	// Newest orders by last update, newest first, for an incremental run;
	// without it the order is oldest first, which a cursor can resume.
	Newest bool
	// OpenOnly leaves out what is closed or merged.
	OpenOnly bool
	// Commits asks for default-branch commits too, newest first within each
	// stretch of time. CommitsAfter is the CommitsNext of the page before;
	// CommitsSince, if set, leaves out commits committed earlier.
	Commits      bool
	CommitsAfter string
	CommitsSince time.Time
}

// Page is an answer to a [PageQuery].
type Page struct {
	Repository   Repository
	PullRequests []PullRequest
	// Next continues after this page; it is also set where More is false, so
	// that a later run can go on from here.
	Next  string
	More  bool
	Total int // pull requests of the repository, in the states asked for

	Commits     []Commit
	CommitsNext string // opaque; ask with the same CommitsSince
	CommitsMore bool

	// Skipped are the pull requests of this page that could not be read.
	Skipped []Skipped
}

// Skipped is something that could not be read and was left out.
type Skipped struct {
	Number int // pull request, 0 where even that is unknown
	Reason string
}

// Brief is what tells whether a pull request must be read again.
type Brief struct {
	ID      string
	Number  int
	State   string // OPEN, CLOSED, MERGED
	Updated time.Time
}

// BriefPage is one page of briefs, oldest pull request first.
type BriefPage struct {
	Briefs []Brief
	Next   string
	More   bool
	Total  int
}

// Totals counts a repository's pull requests by state.
type Totals struct {
	Repository           Repository
	Open, Closed, Merged int
}

// Team is a team of an organisation.
type Team struct {
	ID         string // node id
	DatabaseID int64
	Slug, Name string
	Parent     string // slug of the team that holds it, empty at the top
}

// Seat is one Copilot seat of an organisation.
type Seat struct {
	Account      Account
	Team         string // slug of the team that the seat comes by, if any
	Created      time.Time
	LastActivity time.Time // zero: never
	LastEditor   string
	Cancels      time.Time // when it ends, zero if it does not
}

// UsageReport is GitHub's own account of Copilot's use on one day, newer
// reports interface. It describes exposure and is nobody's treatment.
type UsageReport struct {
	Day   time.Time // UTC midnight
	Users []UserUsage
}

// UserUsage is one person's day in a [UsageReport].
type UserUsage struct {
	ID           int64 // database id of the account
	Login        string
	Interactions int // user-initiated interactions
	Generations  int // code generations
	Acceptances  int // accepted generations
	LinesAdded   int
	Agent, Chat  bool // used the agent mode, the chat
}

// Tree is the list of a repository's files at one commit.
type Tree struct {
	Commit    string // hash of the commit that the revision named
	Entries   []TreeEntry
	Truncated bool // GitHub cut the list
}

// TreeEntry is one entry of a [Tree], by its whole path.
type TreeEntry struct {
	Path string
	Type string // blob, tree, commit (a submodule)
	Mode string // 100644, 100755, 120000 (a link), 040000, 160000
	SHA  string
	Size int64 // bytes, of a blob
}
