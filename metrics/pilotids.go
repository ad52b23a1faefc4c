package metrics

import (
	"context"
	"fmt"
)

// PilotIDs names the pilots that are defined, without making a report. It is
// satisfied by [Reporter].
type PilotIDs interface {
	// PilotIDs returns the ids in order.
	PilotIDs(ctx context.Context) ([]string, error)
}

// PilotSummaries answers about one pilot at a time, so that who shows some does
// not wait for all. It is satisfied by [Reporter].
type PilotSummaries interface {
	PilotIDs
	// Summary returns that of one pilot, by id.
	Summary(ctx context.Context, pilot string) (Summary, error)
}

var _ PilotSummaries = (*Reporter)(nil)

// PilotIDs returns the ids of all pilots in order. It reads their definitions
// alone: who only has to know which pilots there are waits for no report.
func (r *Reporter) PilotIDs(ctx context.Context) ([]string, error) {
	defs, err := r.store.Pilots(ctx)
	if err != nil {
		return nil, fmt.Errorf("list pilots: %w", err)
	}
	ids := make([]string, len(defs))
	for i, def := range defs {
		ids[i] = def.Pilot.ID
	}
	return ids, nil
}
