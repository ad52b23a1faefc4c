package lint

import (
	"context"
	"time"
)

// NewDependency is a dependency that a scan saw as new in a repository, with
// its judgement.
type NewDependency struct {
	// Item tells it from others of the repository: ecosystem, name, source and
	// real name.
	Item string `json:"-"`
	// Subject is what a decision about it is about, "ecosystem:name";
	// Versioned the same with the version, Subject where there is none.
	Subject      string `json:"subject"`
	Versioned    string `json:"-"`
	Ecosystem    string `json:"ecosystem"`
	Name         string `json:"name"`
	ResolvedName string `json:"resolved_name,omitempty"`
	Version      string `json:"version,omitempty"`
	Spec         string `json:"spec,omitempty"`
	Path         string `json:"path"`
	Line         int    `json:"line"`
	Direct       bool   `json:"direct"`
	Source       string `json:"source"` // registry, private, git, url, local
	// Change is "added", "changed" (from another source) or "lockfile".
	Change    string   `json:"change"`
	Judgement string   `json:"judgement"` // block, ask, legal, unverified, ok
	Evidence  []string `json:"evidence"`
	Rules     []string `json:"rules"`
	// Published is when the name was first published, zero where that is not
	// known; Downloads are those of a month, nil where they are not known.
	Published time.Time `json:"published,omitzero"`
	Downloads *int64    `json:"downloads,omitempty"`
	// Licences are the registry's own words; LicenceKnown is set where it was
	// asked and answered.
	Licences     []string           `json:"licences"`
	LicenceKnown bool               `json:"licence_known"`
	Committed    *CommittedDecision `json:"committed,omitempty"`
}

// DependencyScan is what a scan says about a repository's dependencies.
type DependencyScan struct {
	// Judged are new ones, and earlier ones that were judged again.
	Judged []NewDependency
	// Gone are the items of earlier ones that are no more there.
	Gone []string
	// Tree is what the next scan is compared with; the store does not look
	// into it.
	Tree []byte
}

// DependencyBase is what a scan compares a repository's dependencies with.
type DependencyBase struct {
	// Commit and At are those of the scan before; a zero At means that there
	// was none.
	Commit string
	At     time.Time
	Tree   []byte
	// Items are those that are stored and were there; Open the ones among them
	// that are not judged ok.
	Items, Open []string
}

// DependencyState is what is left to do about a new dependency.
type DependencyState string

// The states, in the order in which they are listed.
const (
	// StateWaiting wants a person: nobody has decided, or the decision is over.
	StateWaiting DependencyState = "waiting"
	// StateRefused was refused and is still there.
	StateRefused DependencyState = "refused"
	// StateAllowed was allowed, and the decision is not committed yet.
	StateAllowed DependencyState = "allowed"
	// StateFine was judged ok, be it by a committed decision.
	StateFine DependencyState = "ok"
	// StateGone is no more there.
	StateGone DependencyState = "gone"
)

// DependencyStates returns all of them in order.
func DependencyStates() []DependencyState {
	return []DependencyState{StateWaiting, StateRefused, StateAllowed, StateFine, StateGone}
}

// StoredDependency is a new dependency as it stands.
type StoredDependency struct {
	Repository string `json:"repository"`
	NewDependency
	State DependencyState `json:"state"`
	// Since is the first scan that saw it, Judged when it was judged last, Gone
	// the first scan that saw it no more.
	Since  time.Time `json:"since"`
	Judged time.Time `json:"judged"`
	Gone   time.Time `json:"gone,omitzero"`
	// Decision is the newest recorded one, nil for none or one that was taken
	// back.
	Decision *Decision `json:"decision,omitempty"`
}

// DependencyFilter selects new dependencies; zero fields select all.
type DependencyFilter struct {
	Repository, Ecosystem, Judgement string
	// Subject is "ecosystem:name".
	Subject string
	State   DependencyState
	// Today decides which decisions are over.
	Today time.Time
	// Limit bounds the answer (at most 500; 0 means 100), Offset skips.
	Limit, Offset int
}

// DependencyPage is one page of new dependencies and how many there are.
type DependencyPage struct {
	Dependencies []StoredDependency `json:"dependencies"`
	Total        int                `json:"total"`
	// States counts those that the filter selects but for its State.
	States map[DependencyState]int `json:"states"`
}

// DependencyStore is what pages and tools read about new dependencies, ordered
// by state (waiting first), judgement (worst first), date (newest first),
// repository and name.
type DependencyStore interface {
	NewDependencies(ctx context.Context, f DependencyFilter) (DependencyPage, error)
	// DependencyScans says since when each repository's dependencies are
	// watched, by repository: what was there before its first scan is not new.
	DependencyScans(ctx context.Context) ([]WatchedDependencies, error)
}

// WatchedDependencies is one repository whose dependencies are compared.
type WatchedDependencies struct {
	Repository string    `json:"repository"`
	Since      time.Time `json:"since"` // first scan
	At         time.Time `json:"at"`    // newest scan
}
