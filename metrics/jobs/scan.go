package jobs

import (
	"context"
	"fmt"
	"time"

	"steelyard/lint"
)

// Scanner does the tasks that lint a folder of this machine into the history
// of findings.
type Scanner struct {
	// Lint lints a folder.
	Lint func(ctx context.Context, folder string) (lint.Result, error)
	// Save keeps what was found.
	Save  func(ctx context.Context, s lint.Scan) error
	Clock func() time.Time
}

// Work is what this does: the subject of a task is the repository's name, the
// item is the folder.
func (s Scanner) Work() map[Kind]Work {
	return map[Kind]Work{Scan: func(ctx context.Context, k Key, report func(Progress)) error {
		result, err := s.Lint(ctx, k.Item)
		if err != nil {
			return Permanent(fmt.Errorf("lint %s: %w", k.Item, err))
		}
		report(Progress{Phase: "files", Done: result.Files, Total: result.Files})
		return s.Save(ctx, lint.Scan{Repository: k.Subject, At: s.Clock().UTC(), Files: result.Files, Findings: result.Findings, Inventory: result.Inventory})
	}}
}
