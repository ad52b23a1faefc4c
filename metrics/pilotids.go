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

var _ PilotIDs = (*Reporter)(nil)

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
