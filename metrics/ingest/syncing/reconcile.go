package syncing

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"steelyard/internal/github"
)

// rescan is how far back reconciliation reads the default branch: a commit may
// be pushed long after it was made.
const rescan = 30 * 24 * time.Hour

// Reconcile compares what is stored of a repository with what GitHub has, and
// mends the difference: it reads all open pull requests again, those that could
// not be read before, and, where the numbers of open, closed and merged pull
// requests are not the same then, every one that differs. What GitHub no longer
// has is marked and kept. A repository that was never read whole is backfilled.
func (s *Syncer) Reconcile(ctx context.Context, ref github.RepositoryRef) error {
	return s.within(ctx, ref, PhaseReconcile, func(ctx context.Context, r *run) error {
		if r.repo.ID == "" || r.repo.State.Backfilled.IsZero() {
			return r.backfill(ctx)
		}
		return r.reconcile(ctx)
	})
}

func (r *run) reconcile(ctx context.Context) error {
	err := r.readSince(ctx, r.repo.State.Watermark.Add(-overlap), r.began.Add(-rescan))
	if err != nil {
		return err
	}
	r.phase = PhaseReconcile
	g, err := r.o.GitHub.Repository(ctx, r.ref)
	if err != nil {
		return err
	}
	open, err := r.readOpen(ctx)
	if err != nil {
		return err
	}
	again, err := r.toReadAgain(ctx, open)
	if err != nil {
		return err
	}
	for _, number := range again {
		if err := r.refetch(ctx, g, number); err != nil {
			return err
		}
	}
	same, err := r.totalsAgree(ctx)
	if err != nil {
		return err
	}
	if !same {
		if err := r.compare(ctx, g); err != nil {
			return err
		}
	}
	return r.settle(ctx)
}

// readOpen reads all open pull requests and returns their ids.
func (r *run) readOpen(ctx context.Context) (map[string]bool, error) {
	open := map[string]bool{}
	q := github.PageQuery{OpenOnly: true}
	for {
		page, err := r.page(ctx, q)
		if errors.Is(err, errOtherCursor) {
			q.After = ""
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, p := range page.PullRequests {
			open[p.ID] = true
		}
		if err := r.save(ctx, page.Repository, page.PullRequests, nil, page.Skipped, nil); err != nil {
			return nil, err
		}
		r.tell(Progress{})
		if !page.More {
			return open, nil
		}
		q.After = page.Next
	}
}

// toReadAgain are the numbers that are stored as open and were not among the
// open ones, and those that could not be read, or not whole.
func (r *run) toReadAgain(ctx context.Context, open map[string]bool) ([]int, error) {
	stored, err := r.o.Store.StoredPulls(ctx, r.repo.ID)
	if err != nil {
		return nil, err
	}
	var out []int
	for id, p := range stored {
		if p.State == "open" && !p.Vanished && !open[id] {
			out = append(out, p.Number)
		}
	}
	for _, m := range r.repo.State.Missing {
		if m.Number > 0 {
			out = append(out, m.Number)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// totalsAgree compares the numbers of pull requests by state.
func (r *run) totalsAgree(ctx context.Context) (bool, error) {
	theirs, err := r.o.GitHub.Totals(ctx, r.ref)
	if errors.Is(err, github.ErrNoGraphQL) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	stored, err := r.o.Store.StoredPulls(ctx, r.repo.ID)
	if err != nil {
		return false, err
	}
	ours := map[string]int{}
	for _, p := range stored {
		if !p.Vanished {
			ours[p.State]++
		}
	}
	return ours["open"] == theirs.Open && ours["closed"] == theirs.Closed && ours["merged"] == theirs.Merged, nil
}

// compare lists every pull request briefly, reads again what differs, and marks
// what is not listed.
func (r *run) compare(ctx context.Context, g github.Repository) error {
	stored, err := r.o.Store.StoredPulls(ctx, r.repo.ID)
	if err != nil {
		return err
	}
	listed := map[string]bool{}
	var differ []int
	after := ""
	for {
		page, err := r.o.GitHub.Briefs(ctx, r.ref, after)
		if err != nil {
			return err
		}
		for _, b := range page.Briefs {
			listed[b.ID] = true
			p, ok := stored[b.ID]
			if !ok || p.Vanished || p.State != strings.ToLower(b.State) || p.Updated.Before(b.Updated.Truncate(time.Second)) {
				differ = append(differ, b.Number)
			}
		}
		if !page.More {
			break
		}
		after = page.Next
	}
	for _, number := range differ {
		if err := r.refetch(ctx, g, number); err != nil {
			return err
		}
	}
	var gone []string
	for id, p := range stored {
		if !listed[id] && !p.Vanished && p.Updated.Before(r.began) {
			gone = append(gone, id)
		}
	}
	slices.Sort(gone)
	return r.markVanished(ctx, g, gone)
}

// Teams reads who is in the teams of an organisation that pull requests are
// placed by, and places them anew where that changed. A team that cannot be
// read is noted and no error.
func (s *Syncer) Teams(ctx context.Context, org string) error {
	if _, err := s.place(ctx); err != nil {
		return err
	}
	teams, err := s.o.Store.GitHubTeams(ctx)
	if err != nil {
		return err
	}
	done, skipped := 0, 0
	for _, team := range slices.Compact(slices.Sorted(slices.Values(teams))) {
		owner, slug, ok := strings.Cut(team, "/")
		if !ok || !strings.EqualFold(owner, org) {
			continue
		}
		read, err := s.team(ctx, owner, slug)
		if err != nil {
			return err
		}
		done++
		if !read {
			skipped++
		}
		if s.o.Progress != nil {
			s.o.Progress(s.spent(Progress{Repository: org, Phase: PhaseTeams, Done: done}, skipped))
		}
	}
	_, err = s.place(ctx)
	return err
}

// team reads one team's members; read is false where it could not.
func (s *Syncer) team(ctx context.Context, org, slug string) (read bool, err error) {
	at := s.now()
	name := org + "/" + slug
	members, err := s.o.GitHub.TeamMembers(ctx, org, slug)
	switch {
	case errors.Is(err, github.ErrNotFound), errors.Is(err, github.ErrForbidden), errors.Is(err, github.ErrGone), isAnswer(err):
		return false, s.o.Store.SaveTeamProblem(ctx, name, err.Error())
	case err != nil:
		return false, err
	}
	all := accounts{}
	for _, m := range members {
		all.add(m)
	}
	_, err = s.o.Store.SaveTeamMembers(ctx, name, all.list(), at)
	return err == nil, err
}
