package signin

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"
)

// The life of a session. A role is judged at sign-in, so longest is also how
// long somebody who left a group keeps it.
const (
	longest = 12 * time.Hour
	idle    = 4 * time.Hour
	// touch is how old the last visit must be before it is written anew: a page
	// view should not cost a write.
	touch = 5 * time.Minute
)

// ErrNoSession is what a [Store] returns for a session that is not there.
var ErrNoSession = errors.New("no such session")

// Session is one person's visit, from sign-in to sign-out.
type Session struct {
	// Subject is the provider's stable id: "https://issuer subject".
	Subject string
	// Name is how the provider calls the person; the audit trail shows it.
	Name    string
	Role    Role
	Created time.Time
	// Seen is the last visit, to within minutes.
	Seen time.Time
	// Expires is when it ends whatever happens.
	Expires time.Time
}

// alive reports whether the session holds at now. A clock that was set back
// does not make it longer.
func (s Session) alive(now time.Time) bool {
	return now.Before(s.Expires) && now.Before(s.Seen.Add(idle)) && !now.Before(s.Created.Add(-idle))
}

// Store keeps sessions by the SHA-256 of their number.
type Store interface {
	// Add stores a session, and removes those that ended before now.
	Add(ctx context.Context, id [sha256.Size]byte, s Session, now time.Time) error
	// Session returns one, or [ErrNoSession].
	Session(ctx context.Context, id [sha256.Size]byte) (Session, error)
	// Seen writes down a visit.
	Seen(ctx context.Context, id [sha256.Size]byte, at time.Time) error
	// Remove ends one; that there is none is no error.
	Remove(ctx context.Context, id [sha256.Size]byte) error
}

// number is a session's 256 random bits, which only its browser has.
type number [32]byte

func newNumber() (n number) {
	_, _ = rand.Read(n[:]) // never fails
	return n
}

func (n number) String() string { return base64.RawURLEncoding.EncodeToString(n[:]) }

// id is what the database knows of it.
func (n number) id() [sha256.Size]byte { return sha256.Sum256(n[:]) }

func parseNumber(text string) (n number, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != len(n) {
		return n, false
	}
	copy(n[:], raw)
	return n, true
}

// formToken is what every form of this session carries: it follows from the
// number, which no other site knows.
func (n number) formToken() string {
	mac := hmac.New(sha256.New, n[:])
	mac.Write([]byte("steelyard form token"))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
