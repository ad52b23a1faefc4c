package syncing

import (
	"context"
	"errors"
	"fmt"

	"steelyard/internal/github"
	"steelyard/metrics"
)

// Refetch reads one pull request again. One that is stored and no longer there
// is marked and kept. In a repository that is not stored it is stored alone;
// the backfill brings the rest.
func (s *Syncer) Refetch(ctx context.Context, ref github.RepositoryRef, number int) error {
	return s.within(ctx, ref, PhaseRefetch, func(ctx context.Context, r *run) error {
		g, err := r.known(ctx)
		if err != nil {
			return err
		}
		if err := r.refetch(ctx, g, number); err != nil {
			return err
		}
		return r.settle(ctx)
	})
}

// known is the repository as it is stored, or as GitHub says where it is not.
func (r *run) known(ctx context.Context) (github.Repository, error) {
	if r.repo.ID == "" || !r.repo.GoneAt.IsZero() {
		return r.o.GitHub.Repository(ctx, r.ref)
	}
	return github.Repository{
		ID: r.repo.ID, DatabaseID: r.repo.Number, NameWithOwner: r.repo.Name, DefaultBranch: r.repo.DefaultBranch,
		Archived: r.repo.Archived, Private: r.repo.Private,
	}, nil
}

// refetch reads one pull request of g. That it is gone is believed only if the
// repository is still there.
func (r *run) refetch(ctx context.Context, g github.Repository, number int) error {
	p, err := r.whole(ctx, number)
	switch {
	case errors.Is(err, github.ErrNotFound), errors.Is(err, github.ErrGone):
		if g, err = r.o.GitHub.Repository(ctx, r.ref); err != nil {
			return err
		}
		return r.vanish(ctx, g, number)
	case isAnswer(err):
		err = r.save(ctx, g, nil, nil, []github.Skipped{{Number: number, Reason: err.Error()}}, nil)
		return err
	case err != nil:
		return err
	case p.Repository != g.ID: // another repository has that name now
		if g, err = r.o.GitHub.Repository(ctx, r.ref); err != nil {
			return err
		}
		if p.Repository != g.ID {
			return fmt.Errorf("the name %s went to another repository while it was read: run again", r.ref)
		}
	}
	err = r.save(ctx, g, []github.PullRequest{p}, nil, nil, nil)
	return err
}

// isAnswer reports whether GitHub gave an answer that cannot be used, which
// will be no better a moment later.
func isAnswer(err error) bool {
	var answer *github.AnswerError
	return errors.As(err, &answer)
}

// vanish marks a pull request that GitHub no longer has, if it is stored.
func (r *run) vanish(ctx context.Context, g github.Repository, number int) error {
	stored, err := r.o.Store.StoredPulls(ctx, g.ID)
	if err != nil {
		return err
	}
	for id, p := range stored {
		if p.Number == number && !p.Vanished {
			return r.markVanished(ctx, g, []string{id})
		}
	}
	return nil
}

func (r *run) markVanished(ctx context.Context, g github.Repository, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	r.tell(Progress{Note: fmt.Sprintf("%d pull requests of %s are no longer on GitHub; what was read of them is kept.", len(ids), g.NameWithOwner)})
	err := r.store(ctx, metrics.SyncPage{Repository: repository(g), At: r.now(), Vanished: ids})
	return err
}
