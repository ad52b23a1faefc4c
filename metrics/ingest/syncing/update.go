package syncing

import (
	"context"
	"errors"
	"time"

	"steelyard/internal/github"
	"steelyard/metrics"
)

const (
	// overlap is how far an incremental run reaches back behind the start of
	// the one before: clocks differ, and GitHub's lists lag behind.
	overlap = 10 * time.Minute
	// commitOverlap is the same for commits, whose times are those of the
	// machine they were made on: a commit may be pushed a while after.
	commitOverlap = 24 * time.Hour
	// refresh is how old the moment may become until which a quiet repository
	// is known. Moving it on makes every report anew.
	refresh = time.Hour
)

// Update reads what changed in a repository since the last run that ended well,
// newest update first, with an overlap, and the new commits of its default
// branch. A repository that was never read whole is backfilled first.
func (s *Syncer) Update(ctx context.Context, ref github.RepositoryRef) error {
	return s.within(ctx, ref, PhaseUpdate, func(ctx context.Context, r *run) error { return r.update(ctx) })
}

func (r *run) update(ctx context.Context) error {
	if r.repo.ID == "" || r.repo.State.Backfilled.IsZero() {
		return r.backfill(ctx)
	}
	since := r.repo.State.Watermark.Add(-overlap)
	return r.readSince(ctx, since, r.repo.State.CommitsUntil.Add(-commitOverlap))
}

// readSince reads pages, newest update first, until one reaches back to since.
// The watermark moves with the last of them.
func (r *run) readSince(ctx context.Context, since, commitsSince time.Time) error {
	q := github.PageQuery{Newest: true, Commits: true, CommitsSince: commitsSince}
	for {
		page, err := r.page(ctx, q)
		if errors.Is(err, errOtherCursor) {
			q.After, q.CommitsAfter, q.Size, q.Commits = "", "", 0, true
			continue
		}
		if err != nil {
			return err
		}
		if page.Repository.ID != r.repo.ID { // another repository has that name now
			return r.backfill(ctx)
		}
		more := q.Size >= 0 && page.More && !reaches(page, since)
		if !more {
			q.Size = -1
		}
		q.After, q.CommitsAfter, q.Commits = page.Next, page.CommitsNext, q.Commits && page.CommitsMore
		if err := r.saveUpdate(ctx, page, !more && !q.Commits); err != nil {
			return err
		}
		r.tell(Progress{})
		if !more && !q.Commits {
			break
		}
	}
	return r.settle(ctx)
}

// settle does what follows from new rows.
func (r *run) settle(ctx context.Context) error {
	if r.repo.State.RevertsStale {
		if err := r.resolve(ctx); err != nil {
			return err
		}
	}
	if r.changed > 0 {
		if _, err := r.place(ctx); err != nil {
			return err
		}
	}
	r.tell(Progress{Phase: PhaseDone})
	return nil
}

// reaches reports whether a page holds a pull request that was last updated
// before since: everything after it was, too.
func reaches(page github.Page, since time.Time) bool {
	for _, p := range page.PullRequests {
		if p.Updated.Before(since) {
			return true
		}
	}
	return false
}

// saveUpdate stores a page of an incremental run; with the last one the run has
// ended well.
func (r *run) saveUpdate(ctx context.Context, page github.Page, last bool) error {
	total := page.Total
	before := r.changed
	from, started := r.repo.State, r.started()
	write := func(moved bool) error {
		err := r.save(ctx, page.Repository, page.PullRequests, page.Commits, page.Skipped, func(st *metrics.SyncState) {
			if total > 0 {
				st.Total = total
			}
			if !last {
				return
			}
			if !st.Watermark.Equal(from.Watermark) || !st.Backfilled.Equal(from.Backfilled) {
				return // another state came meanwhile, from a backup: read on from that
			}
			st.Watermark, st.CommitsUntil = started, started
			if moved || started.Sub(st.KnownUntil) >= refresh {
				st.KnownUntil = started
			}
		})
		return err
	}
	if err := write(before > 0); err != nil {
		return err
	}
	if !last || r.changed == before || before > 0 {
		return nil
	}
	// This page itself brought something: what is known is known until now.
	err := r.store(ctx, metrics.SyncPage{Repository: repository(page.Repository), At: r.now(), Advance: func(st *metrics.SyncState) {
		st.KnownUntil = started
	}})
	return err
}
