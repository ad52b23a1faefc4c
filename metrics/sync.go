package metrics

import (
	"context"
	"errors"
	"time"
)

// ErrStaleTeams is wrapped where a page was placed by memberships that have
// changed since: read them and place it again.
var ErrStaleTeams = errors.New("the memberships of teams have changed")

// SyncedRepository is a repository that is read from GitHub, and how far.
type SyncedRepository struct {
	ID            string // node id
	Number        int64  // REST id
	Name          string // owner/name, the newest
	DefaultBranch string
	Archived      bool
	Private       bool
	// GoneAt is since when GitHub has none of it, or does not show it.
	GoneAt time.Time
	State  SyncState
}

// SyncState is how far a repository was read.
type SyncState struct {
	// Cursor is where a backfill goes on, Began when its first run started and
	// Backfilled when it was whole; zero: it is not.
	Cursor            string
	Began, Backfilled time.Time
	// CommitsCursor is where reading the default branch goes on. CommitsWhole
	// is set once it was read to the bound, CommitsUntil is up to when it is
	// read.
	CommitsCursor string
	CommitsWhole  bool
	CommitsUntil  time.Time
	// Watermark is the start of the newest run that ended well, KnownUntil the
	// moment at which what is open was seen to be open.
	Watermark, KnownUntil time.Time
	// Listed counts the pull requests that are stored, Total those that GitHub
	// counted last.
	Listed, Total int
	// RevertsStale is set while links between reverts and what they undo are
	// to be made again.
	RevertsStale bool
	// Derived is the version of the rules by which all records were read.
	Derived int64
	// Missing is what could not be read, Problem how the last run failed, and
	// Ran when it ended.
	Missing []Missing
	Problem string
	Ran     time.Time
}

// Missing is something that GitHub would not give.
type Missing struct {
	Number int       `json:"number,omitempty"` // pull request; 0: of the repository
	What   string    `json:"what"`
	At     time.Time `json:"at"`
}

// SyncedPull is one pull request on its way into the store: what is kept of it,
// what is measured of it, and what it is to the search for reverts.
type SyncedPull struct {
	Record Record
	// Row is what is measured. Its team, its repository and the time of its
	// revert are the store's to fill in.
	Row PullRequest
	// Owner is the account that it belongs to, which for what an assistant
	// opened is the person who asked for it. Empty: nobody is known.
	Owner string
	// SetApart says why it is no person's own work; empty: it is.
	SetApart SetApart
	// Landed is nil while it is not merged.
	Landed *Landed
}

// SetApart is a rule by which a pull request is set apart.
type SetApart string

// The rules.
const (
	ApartBot      SetApart = "bot"
	ApartAgent    SetApart = "an assistant's, and nobody who asked is known"
	ApartImport   SetApart = "import"
	ApartBackport SetApart = "back-port"
)

// Landed is something that reached a branch at once, as the search for reverts
// knows it. Facts is JSON that only that search reads.
type Landed struct {
	// ID is the pull request's, or the hash of a commit that came without one.
	ID     string
	Number int // 0: a commit
	Merged time.Time
	// Commit is the hash of the merge or of the commit.
	Commit string
	// Speaks is set where its texts speak of a revert.
	Speaks bool
	Facts  string
	// OnDefault is set where its commit was seen on the default branch, and
	// PartOf names the pull request that brought a commit. Both are found out
	// by the search.
	OnDefault bool
	PartOf    string
}

// SyncPage is what one transaction adds to a repository.
type SyncPage struct {
	Repository SyncedRepository // its State is ignored
	At         time.Time
	Accounts   []Account
	Pulls      []SyncedPull
	Commits    []Landed
	// Again is set where Pulls are stored records that are only read anew: what
	// is kept of them stays.
	Again bool
	// Vanished are ids of pull requests that GitHub no longer has.
	Vanished []string
	// Missing are additions; what Pulls hold is missing no longer.
	Missing []Missing
	// Stored is set where the repository was stored when the page was asked
	// for. Where it is not any more, somebody had it forgotten meanwhile: the
	// page is refused with [ErrNotFound].
	Stored bool
	// Advance changes the state that the page was read for; nil leaves it.
	Advance func(*SyncState)
	// Teams is the version of the memberships by which Place works; a page
	// that was placed by others is refused with [ErrStaleTeams].
	Teams int64
	// Place gives the team of a pull request, or why it has none.
	Place func(PlaceQuery) (team, unplaced string)
}

// SyncCounts is what a page did.
type SyncCounts struct {
	New, Changed, Unchanged int // pull requests
	Commits                 int // new ones
}

// PlaceQuery is what decides about a pull request's team.
type PlaceQuery struct {
	Pull       string // id
	Owner      string // account; empty: nobody known
	SetApart   SetApart
	Repository string // node id
	Opened     time.Time
}

// StoredPull is what tells whether a stored pull request is still as GitHub has
// it.
type StoredPull struct {
	ID       string
	Number   int
	State    string // open, closed, merged
	Updated  time.Time
	Vanished bool
}

// RevertLink says that one change undid, or with Reapply brought back, another.
type RevertLink struct {
	Change, Target string
	Reapply        bool
	Partial        bool
	Form, How      string
	Confidence     string
	Evidence       string
}

// RevertState is what became of a change that was undone at least once.
type RevertState struct {
	Change            string
	Reverted, Partial bool
	By                string
	At, FirstAt       time.Time
	Restored          time.Time // zero: never
	// Counted is when it was reverted as measurement has it; zero where it
	// does not count, because it came back in time or only a part was undone.
	Counted time.Time
}

// UnresolvedRevert looks like a revert and names nothing that is there.
type UnresolvedRevert struct {
	Change   string
	Form     string
	Partial  bool
	Evidence string
	Reason   string
}

// RevertFindings is what the search for reverts makes of one repository.
type RevertFindings struct {
	Links      []RevertLink
	States     []RevertState
	Unresolved []UnresolvedRevert
	// Version is that of the history they were made from.
	Version int64
	// OnDefault are ids of pull requests whose merge was seen on the default
	// branch; PartOf maps hashes of commits to the pull requests that brought
	// them, and Drop are hashes of commits that need not be kept.
	OnDefault []string
	PartOf    map[string]string
	Drop      []string
}

// TeamSource is where a team's pull requests come from: a team on GitHub, a
// list of people, or repositories. One of the three is set.
type TeamSource struct {
	Team string
	// GitHub is "organisation/slug".
	GitHub string
	// Members are people by login.
	Members []TeamMember
	// Repositories are "owner/name".
	Repositories []string
}

// TeamMember is a person on a team's list, from a day until before another;
// zero days are open ends.
type TeamMember struct {
	Login    string
	From, To time.Time
}

// Membership says that an account was in a team from Since (zero: since before
// anybody looked) until before Until (zero: still).
type Membership struct {
	Team, Account string
	Since, Until  time.Time
}

// Teams is everything by which pull requests are placed.
type Teams struct {
	// Version is raised by every change; Placed is the one by which the stored
	// pull requests were all placed.
	Version, Placed int64
	// Lists and GitHub are memberships by the configuration's lists and by
	// teams on GitHub, Repositories the teams of repositories by node id.
	Lists, GitHub []Membership
	Repositories  map[string][]string
	// Configured is false where no source of teams is known at all.
	Configured bool
}

// Ingest says how far what GitHub has is known here. It is what the
// data-health page says of the synchronisation.
type Ingest struct {
	Repositories []RepositoryHealth `json:"repositories"` // by name
	// Unplaced counts pull requests in no team by why, most first; SetApart
	// those set apart by rule.
	Unplaced []LeftOut `json:"unplaced"`
	SetApart []LeftOut `json:"set_apart"`
	// Unresolved counts what looks like a revert and names nothing that is
	// there, by why.
	Unresolved []LeftOut `json:"unresolved_reverts"`
	// TeamProblems are sources of teams that could not be read.
	TeamProblems []string `json:"team_problems"`
}

// IngestStore is a store that knows how far GitHub was read.
type IngestStore interface {
	Ingest(ctx context.Context) (Ingest, error)
}

// RepositoryHealth is how far one repository is known.
type RepositoryHealth struct {
	Name string `json:"name"`
	// Pulls are stored, of Total that GitHub counted; Partial are stored
	// without some of their parts.
	Pulls   int `json:"pull_requests"`
	Total   int `json:"total"`
	Partial int `json:"partial"`
	// Whole is set once everything was read.
	Whole   bool      `json:"whole"`
	Until   time.Time `json:"until,omitzero"` // known until then
	Gone    time.Time `json:"gone,omitzero"`
	Ran     time.Time `json:"ran,omitzero"`
	Problem string    `json:"problem,omitempty"`
	Missing []Missing `json:"missing"`
}
