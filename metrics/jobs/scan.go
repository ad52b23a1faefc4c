package jobs

import (
	"context"
	"fmt"
	"time"

	"steelyard/lint"
)

// Scanner does the tasks that lint a folder of this machine, or a repository on
// GitHub, into the history of findings.
type Scanner struct {
	// Scan lints what an item names, as a repository of this name.
	Scan func(ctx context.Context, repository, item string) (lint.Scan, error)
	// Save keeps what was found.
	Save  func(ctx context.Context, s lint.Scan) error
	Clock func() time.Time
}

// Work is what this does: the subject of a task is the repository's name, the
// item is the folder.
func (s Scanner) Work() map[Kind]Work {
	return map[Kind]Work{Scan: func(ctx context.Context, k Key, report func(Progress)) error {
		scan, err := s.Scan(ctx, k.Subject, k.Item)
		if err != nil {
			return Permanent(fmt.Errorf("lint %s: %w", k.Item, err))
		}
		report(Progress{Phase: "files", Done: scan.Files, Total: scan.Files})
		scan.Repository, scan.At = k.Subject, s.Clock().UTC()
		return s.Save(ctx, scan)
	}}
}
