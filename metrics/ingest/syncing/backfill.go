package syncing

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"steelyard/internal/github"
	"steelyard/metrics"
)

// A backfill's cursor says which interface it is of; once every pull request
// was listed it is only that.
const (
	cursorGraphQL = "graphql:"
	cursorREST    = "rest:"
	cursorWhole   = "whole"
)

// Backfill reads all pull requests of a repository, oldest update first, and
// the commits of its default branch beside them. It goes on where an earlier
// run stopped, however that ended: each page is stored in one transaction with
// the cursor after it. A repository that was read whole already is left alone.
//
// An error says what GitHub or the database said; what was stored is kept. A
// repository that is stored and no longer there is marked and no error.
func (s *Syncer) Backfill(ctx context.Context, ref github.RepositoryRef) error {
	return s.within(ctx, ref, PhaseBackfill, func(ctx context.Context, r *run) error { return r.backfill(ctx) })
}

func (r *run) backfill(ctx context.Context) error {
	g, err := r.o.GitHub.Repository(ctx, r.ref)
	if err != nil {
		return err
	}
	r.phase = PhaseBackfill
	// The repository's own row first: what places pull requests may name it.
	err = r.store(ctx, metrics.SyncPage{Repository: repository(g), At: r.now(), Advance: func(st *metrics.SyncState) {
		if st.Began.IsZero() {
			st.Began, st.Derived = r.started(), r.rulesVersion()
		}
	}})
	if err != nil {
		return err
	}
	if !r.repo.State.Backfilled.IsZero() {
		return nil
	}
	if r.placer, err = r.place(ctx); err != nil {
		return err
	}
	for r.repo.State.Backfilled.IsZero() && !r.listed() {
		if err := r.backfillPage(ctx, g); err != nil {
			return err
		}
	}
	if !r.repo.State.Backfilled.IsZero() { // a backup of a later state came meanwhile
		return nil
	}
	return r.wholeNow(ctx, g)
}

// listed reports whether every page was read.
func (r *run) listed() bool {
	return r.repo.State.Cursor == cursorWhole && r.repo.State.CommitsWhole
}

// backfillPage reads the next page of pull requests, of commits, or of both.
func (r *run) backfillPage(ctx context.Context, g github.Repository) error {
	st := r.repo.State
	q := github.PageQuery{Commits: !st.CommitsWhole, CommitsSince: g.Created}
	kind := cursorGraphQL
	if r.rest.Load() {
		kind = cursorREST
	}
	if st.Cursor == cursorWhole {
		q.Size = -1
	} else {
		// A cursor of the other interface is none.
		q.After, _ = strings.CutPrefix(st.Cursor, kind)
		if !strings.HasPrefix(st.Cursor, kind) {
			q.After = ""
		}
	}
	q.CommitsAfter, _ = strings.CutPrefix(st.CommitsCursor, kind)
	if !strings.HasPrefix(st.CommitsCursor, kind) {
		q.CommitsAfter = ""
	}
	page, err := r.page(ctx, q)
	if errors.Is(err, errOtherCursor) {
		return nil // the next one begins again
	}
	if err != nil {
		return err
	}
	if page.Repository.ID != g.ID {
		return fmt.Errorf("the name %s went to another repository while it was read: run again", r.ref)
	}
	if r.rest.Load() {
		kind = cursorREST
	}
	from := st
	err = r.save(ctx, page.Repository, page.PullRequests, page.Commits, page.Skipped, func(st *metrics.SyncState) {
		if st.Cursor != from.Cursor || st.CommitsCursor != from.CommitsCursor || !st.Backfilled.IsZero() {
			return // another state came meanwhile, from a backup: read on from that
		}
		if q.Size >= 0 {
			st.Total = page.Total
			st.Cursor = kind + page.Next
			if !page.More {
				st.Cursor = cursorWhole
			}
		}
		if q.Commits {
			st.CommitsCursor, st.CommitsWhole = kind+page.CommitsNext, !page.CommitsMore
		}
	})
	if err != nil {
		return err
	}
	r.tell(Progress{})
	return nil
}

// wholeNow ends a backfill: the reverts are resolved, the teams are known, and
// incremental runs can go on from when it began.
func (r *run) wholeNow(ctx context.Context, g github.Repository) error {
	if err := r.resolve(ctx); err != nil {
		return err
	}
	if _, err := r.place(ctx); err != nil {
		return err
	}
	err := r.store(ctx, metrics.SyncPage{Repository: repository(g), At: r.now(), Advance: func(st *metrics.SyncState) {
		if st.Cursor != cursorWhole || !st.CommitsWhole {
			return // another state came meanwhile, from a backup
		}
		st.Cursor, st.CommitsCursor = "", ""
		st.Backfilled, st.KnownUntil = r.began, r.started()
		st.Watermark, st.CommitsUntil = st.Began, st.Began
	}})
	if err != nil {
		return err
	}
	r.tell(Progress{Phase: PhaseDone})
	return nil
}
