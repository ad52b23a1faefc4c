package metrics

import (
	"context"
	"errors"
	"time"
)

// ErrChanged is wrapped where a definition is not the one any more that a
// change was made from, or is there already where a new one was wanted.
var ErrChanged = errors.New("the definition has changed meanwhile")

// Edit says who saves a definition and what they began with.
type Edit struct {
	// By is who, as sign-in names them; never empty.
	By string
	// Based is the hash of the definition that was changed; empty for a new
	// pilot.
	Based string
}

// TrailEntry is one line of the audit trail of definitions.
type TrailEntry struct {
	Pilot string
	At    time.Time
	By    string
	// Hash is that of the definition that was saved, What the fields that
	// changed; of a new pilot there are none.
	Hash string
	What []string
}

// EditStore keeps pilots with the trail of who saved them.
type EditStore interface {
	// EditPilot is [PilotStore.SavePilot] with an entry in the trail, both or
	// neither. Its error wraps [ErrChanged] where e.Based is not what is stored.
	EditPilot(ctx context.Context, p Pilot, at time.Time, e Edit) (Definition, error)
	// Trail returns the newest entries of a pilot, of all where pilot is empty,
	// the newest first.
	Trail(ctx context.Context, pilot string, limit int) ([]TrailEntry, error)
}
