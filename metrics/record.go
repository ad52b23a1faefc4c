package metrics

import "time"

// Moment is a time to the second as records keep it: seconds since 1970, 0
// where there is none.
type Moment int64

// MomentOf is t as a moment.
func MomentOf(t time.Time) Moment {
	if t.IsZero() {
		return 0
	}
	return Moment(t.Unix())
}

// Time is the moment in UTC, the zero time where there is none.
func (m Moment) Time() time.Time {
	if m == 0 {
		return time.Time{}
	}
	return time.Unix(int64(m), 0).UTC()
}

// Record is what is kept of one pull request that was read from GitHub: enough
// to derive everything that is measured of it again without asking GitHub. It
// holds no text that people wrote but the title, the branches' names and the
// labels: of the description and of the messages only what was read from them.
// Accounts are node ids, empty where the account is gone.
type Record struct {
	ID     string `json:"-"`
	Number int    `json:"-"`
	Title  string `json:"title"`
	Draft  bool   `json:"draft,omitempty"`

	Opened  Moment `json:"opened"`
	Updated Moment `json:"updated"`
	Closed  Moment `json:"closed,omitempty"`
	Merged  Moment `json:"merged,omitempty"`

	// Additions and Deletions are of all files; Made are those of them in
	// files that nobody writes, by kind.
	Additions int                `json:"plus"`
	Deletions int                `json:"minus"`
	Files     int                `json:"files,omitempty"`
	Made      map[MadeKind]Lines `json:"made,omitempty"`

	Base        string `json:"base"`
	Head        string `json:"head"`
	MergeCommit string `json:"merge,omitempty"`
	// OtherRepository is set where it comes from a fork.
	OtherRepository bool `json:"fork,omitempty"`
	// Backport is the mark by which it was told to be a back-port; empty if it
	// is none. The description may hold it.
	Backport string `json:"backport,omitempty"`

	Author    string   `json:"by,omitempty"`
	MergedBy  string   `json:"merged_by,omitempty"`
	Assignees []string `json:"assignees,omitempty"`
	Labels    []string `json:"labels,omitempty"`
	// CoAuthors are the numbers of accounts in trailers of the commits and of
	// the description, and of commits' authors of whom nothing else is known.
	CoAuthors []int64 `json:"with,omitempty"`

	Commits []RecordCommit `json:"commits,omitempty"`
	Reviews []RecordReview `json:"reviews,omitempty"`
	Threads []RecordThread `json:"threads,omitempty"`
	Events  []RecordEvent  `json:"events,omitempty"`
	Signals []Signal       `json:"signals,omitempty"`
	// Disclosure is what the template's question about assistants was answered
	// with: yes, no, or nothing; empty where it was not asked.
	Disclosure string `json:"disclosure,omitempty"`
	// Incomplete names what could not be read of it.
	Incomplete []string `json:"incomplete,omitempty"`
}

// MadeKind is a kind of files that nobody writes by hand.
type MadeKind string

// The kinds.
const (
	MadeGenerated MadeKind = "generated"
	MadeVendored  MadeKind = "vendored"
	MadeLock      MadeKind = "lockfile"
)

// Lines are lines of a change.
type Lines struct {
	Additions int `json:"plus,omitempty"`
	Deletions int `json:"minus,omitempty"`
}

// RecordCommit is a commit on the branch of a pull request.
type RecordCommit struct {
	OID       string `json:"oid"`
	Author    string `json:"by,omitempty"`
	Authored  Moment `json:"authored"`
	Committed Moment `json:"committed"`
}

// RecordReview is a submitted review. State is in GitHub's words, in lower
// case.
type RecordReview struct {
	State  string `json:"state"`
	Author string `json:"by,omitempty"`
	At     Moment `json:"at"`
	Commit string `json:"oid,omitempty"` // head that was reviewed
}

// RecordThread is a conversation on lines.
type RecordThread struct {
	Outdated bool            `json:"outdated,omitempty"`
	Comments []RecordComment `json:"comments,omitempty"`
}

// RecordComment is a comment on lines.
type RecordComment struct {
	Author string `json:"by,omitempty"`
	At     Moment `json:"at"`
}

// RecordEvent is something that happened to it, in GitHub's words.
type RecordEvent struct {
	Kind string `json:"kind"`
	At   Moment `json:"at"`
}

// Signal is one mark that an assistant left.
type Signal struct {
	Tool     string `json:"tool,omitempty"`
	Kind     string `json:"kind"`
	Level    string `json:"level"` // of the rules' table
	Evidence string `json:"evidence"`
	Count    int    `json:"count"`
}

// Account is somebody on GitHub. ID is the node id, Number REST's id (0 where
// unknown); Login may change and is for display only.
type Account struct {
	ID     string `json:"id"`
	Number int64  `json:"number"`
	Login  string `json:"login"`
	Type   string `json:"type"` // User, Bot, Mannequin, Organization, …
}
