package metrics

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// PullState narrows a list of pull requests by what became of them.
type PullState string

// The states. The zero value is any of them.
const (
	PullOpen     PullState = "open"     // neither merged nor closed
	PullMerged   PullState = "merged"   // merged, reverted since or not
	PullClosed   PullState = "closed"   // closed without merge
	PullReverted PullState = "reverted" // merged and undone since
)

// PullStates are all states.
func PullStates() []PullState {
	return []PullState{PullOpen, PullMerged, PullClosed, PullReverted}
}

// PullSignal narrows a list of pull requests by assistants' signals. No signal
// is not the same as no assistant.
type PullSignal string

// The signals. The zero value is any.
const (
	SignalSeen PullSignal = "seen" // an assistant left a mark
	SignalNone PullSignal = "none" // it was looked for one and none was seen
)

// PullSignals are all signals.
func PullSignals() []PullSignal { return []PullSignal{SignalSeen, SignalNone} }

// The sizes of a page of a list of pull requests.
const (
	DefaultPulls = 20
	MaxPulls     = 5000
)

// PullQuery chooses pull requests that are measured: neither a bot's, nor set
// apart, nor without a team.
type PullQuery struct {
	// Teams whose pull requests are wanted. A team with fewer than five
	// authors in Window is left out, because its rows are a person's.
	Teams []string
	// Window is when they were opened; of reverted ones, when they were
	// merged, which is how the metric of reverts books them.
	Window Window
	// Except are spans of Window that are left out.
	Except []Window
	State  PullState
	Signal PullSignal
	// After is the place behind which the page begins; the zero value is the
	// first page.
	After PullPlace
	// Limit is the most rows of a page; 0 means [DefaultPulls], more than
	// [MaxPulls] are never given.
	Limit int
}

// PullRow is a pull request in a list. It does not say whose it is.
type PullRow struct {
	Repository string
	Number     int
	Team       string
	// OnGitHub says that the repository is read from GitHub, under this name.
	OnGitHub bool

	// Zero times mean "not yet" or "not known".
	Opened, Ready, FirstReview, Merged, Closed, RevertedAt time.Time

	Additions, Deletions int // −1: not known
	// Place is where the list goes on behind the row.
	Place PullPlace
	// Signal is the strongest level of the assistants' signals seen; Looked
	// says whether it was looked for any.
	Signal string
	Looked bool
}

// State says what became of the row's pull request.
func (r PullRow) State() PullState {
	switch {
	case !r.RevertedAt.IsZero():
		return PullReverted
	case !r.Merged.IsZero():
		return PullMerged
	case !r.Closed.IsZero():
		return PullClosed
	}
	return PullOpen
}

// PullPage is one page of a list, the newest first.
type PullPage struct {
	Rows []PullRow
	// Next is where the next page begins; zero: there is none.
	Next PullPlace
	// Small are the teams that are left out because fewer than five authors,
	// or none that is known, opened anything in the window, by name. Teams
	// without a pull request there are not among them.
	Small []string
}

// PullLister is satisfied by stores that can list pull requests page by page.
type PullLister interface {
	ListPulls(ctx context.Context, q PullQuery) (PullPage, error)
}

// PullPlace is a place in a list of pull requests: between one row and the
// next, wherever others are added.
type PullPlace struct {
	At time.Time // of the row before, by which the list is sorted
	ID string    // of the row before
}

// ErrPlace is wrapped where a text is no place in a list.
var ErrPlace = errors.New("no place in a list of pull requests")

// maxPlaceID bounds the ID in a place.
const maxPlaceID = 600

// String is the place as a text for addresses and cursors, which
// [ParsePullPlace] reads; empty for the beginning.
func (p PullPlace) String() string {
	if p == (PullPlace{}) {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(p.At.UnixMilli(), 36) + "." + p.ID))
}

// ParsePullPlace reads what [PullPlace.String] wrote. Any place is harmless: it
// only says where to go on. Its error wraps [ErrPlace].
func ParsePullPlace(s string) (PullPlace, error) {
	if s == "" {
		return PullPlace{}, nil
	}
	if len(s) > base64.RawURLEncoding.EncodedLen(maxPlaceID+20) {
		return PullPlace{}, fmt.Errorf("%w: it is too long", ErrPlace)
	}
	text, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return PullPlace{}, fmt.Errorf("%w: %q", ErrPlace, s)
	}
	at, id, ok := strings.Cut(string(text), ".")
	ms, err := strconv.ParseInt(at, 36, 64)
	p := PullPlace{At: time.UnixMilli(ms).UTC(), ID: id}
	if !ok || err != nil || id == "" || len(id) > maxPlaceID || !utf8.ValidString(id) || strings.ContainsRune(id, 0) || p.String() != s {
		return PullPlace{}, fmt.Errorf("%w: %q", ErrPlace, s)
	}
	return p, nil
}

// Checked is q with its limit filled in and bounded; an error names what it does
// not know. Stores begin with it.
func (q PullQuery) Checked() (PullQuery, error) {
	if q.State != "" && !slices.Contains(PullStates(), q.State) {
		return q, fmt.Errorf("list pull requests: there is no state %q", string(q.State))
	}
	if q.Signal != "" && !slices.Contains(PullSignals(), q.Signal) {
		return q, fmt.Errorf("list pull requests: there is no signal %q", string(q.Signal))
	}
	if q.Limit <= 0 {
		q.Limit = DefaultPulls
	}
	q.Limit = min(q.Limit, MaxPulls)
	return q, nil
}
