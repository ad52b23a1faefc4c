package syncing

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"steelyard/metrics"
	"steelyard/metrics/ingest/reverts"
)

// keepCommits is how long commits that a pull request brought are remembered,
// so that they are not taken for new when they are read again.
const keepCommits = 40 * 24 * time.Hour

// noFacts is what is kept of a commit that is remembered only for that.
const noFacts = "{}"

// resolve finds out anew which of a repository's changes undid which, from what
// is stored of all of them. It runs only after something came that speaks of a
// revert, or that another may have meant.
func (r *run) resolve(ctx context.Context) error {
	r.tell(Progress{Phase: PhaseReverts})
	landed, version, err := r.o.Store.History(ctx, r.repo.ID)
	if err != nil {
		return err
	}
	names, err := r.o.Store.RepositoryNames(ctx, r.repo.ID)
	if err != nil {
		return err
	}
	f, err := findReverts(landed, names, r.repo.DefaultBranch, r.began)
	if err != nil {
		return fmt.Errorf("find reverts: %w", err)
	}
	f.Version = version
	if err := r.o.Store.SaveReverts(ctx, r.repo.ID, f); err != nil {
		return err
	}
	r.repo, err = r.o.Store.Synced(ctx, r.repo.ID)
	return err
}

// onDefault is the base of everything that reached the default branch, whatever
// that was called when it did.
const onDefault = ""

func findReverts(landed []metrics.Landed, names []string, defaultBranch string, now time.Time) (metrics.RevertFindings, error) {
	pulls, commits, err := unpack(landed, defaultBranch)
	if err != nil {
		return metrics.RevertFindings{}, err
	}
	g := reverts.Gather(pulls, commits)
	for i := range g.Changes {
		if g.OnBranch[g.Changes[i].ID] {
			g.Changes[i].Base = onDefault
		}
	}
	result, err := reverts.FindFacts(names, g.Changes)
	if err != nil {
		return metrics.RevertFindings{}, err
	}
	f := metrics.RevertFindings{PartOf: map[string]string{}}
	for _, c := range landed {
		sortOut(&f, c, g, now)
	}
	f.Links, f.States, f.Unresolved = linksOf(result), statesOf(result, landed), unresolvedOf(result)
	return f, nil
}

// unpack reads what is stored of the changes.
func unpack(landed []metrics.Landed, defaultBranch string) (pulls, commits []reverts.Facts, err error) {
	for _, c := range landed {
		if c.Facts == noFacts && c.Number == 0 {
			continue
		}
		var f reverts.Facts
		if err := json.Unmarshal([]byte(c.Facts), &f); err != nil {
			return nil, nil, fmt.Errorf("read what is stored of %q: %w", c.ID, err)
		}
		f.ID, f.Number, f.Merged, f.Commit = c.ID, c.Number, c.Merged, c.Commit
		if c.Number == 0 {
			f.Base = onDefault
			commits = append(commits, f)
			continue
		}
		if c.OnDefault || f.Base == defaultBranch {
			f.Base = onDefault
		}
		pulls = append(pulls, f)
	}
	return pulls, commits, nil
}

// sortOut notes what was found out about a change, and which commits need not
// be kept any longer.
func sortOut(f *metrics.RevertFindings, c metrics.Landed, g reverts.Gathered, now time.Time) {
	if c.Number > 0 {
		if g.OnBranch[c.ID] && !c.OnDefault {
			f.OnDefault = append(f.OnDefault, c.ID)
		}
		return
	}
	hash := strings.ToLower(c.Commit)
	known := c.Facts == noFacts || g.Listed[hash]
	switch {
	case known && now.Sub(c.Merged) > keepCommits:
		f.Drop = append(f.Drop, c.ID)
	case g.PartOf[hash] != "" && g.PartOf[hash] != c.PartOf:
		f.PartOf[c.ID] = g.PartOf[hash]
	}
}

func linksOf(r reverts.Result) []metrics.RevertLink {
	var out []metrics.RevertLink
	for _, l := range r.Links {
		out = append(out, metrics.RevertLink{
			Change: l.Change, Target: l.Target, Reapply: l.Reapply, Partial: l.Partial,
			Form: string(l.Form), How: string(l.How), Confidence: string(l.Confidence), Evidence: l.Evidence,
		})
	}
	slices.SortFunc(out, func(a, b metrics.RevertLink) int {
		return cmp.Or(strings.Compare(a.Change, b.Change), strings.Compare(a.Target, b.Target))
	})
	return out
}

// unresolvedOf lists what names nothing; what a change says in several of its
// texts stands once.
func unresolvedOf(r reverts.Result) []metrics.UnresolvedRevert {
	seen := map[metrics.UnresolvedRevert]bool{}
	var out []metrics.UnresolvedRevert
	for _, u := range r.Unresolved {
		kept := metrics.UnresolvedRevert{
			Change: u.Change, Form: string(u.Candidate.Form), Partial: u.Candidate.Partial,
			Evidence: u.Candidate.Evidence, Reason: string(u.Reason),
		}
		if !seen[kept] {
			seen[kept] = true
			out = append(out, kept)
		}
	}
	slices.SortStableFunc(out, func(a, b metrics.UnresolvedRevert) int { return strings.Compare(a.Change, b.Change) })
	return out
}

// statesOf is what became of each change that was undone, and whether that
// counts.
func statesOf(r reverts.Result, landed []metrics.Landed) []metrics.RevertState {
	merged := make(map[string]time.Time, len(landed))
	for _, c := range landed {
		if c.Number > 0 {
			merged[c.ID] = c.Merged
		}
	}
	var out []metrics.RevertState
	for _, s := range r.States {
		st := metrics.RevertState{
			Change: s.Change, Reverted: s.Reverted, Partial: s.Partial, By: s.By, At: s.At, FirstAt: s.FirstAt, Restored: s.RestoredAt,
		}
		if at, ok := merged[s.Change]; ok {
			st.Counted = countedAt(r, s, at)
		}
		out = append(out, st)
	}
	slices.SortFunc(out, func(a, b metrics.RevertState) int { return strings.Compare(a.Change, b.Change) })
	return out
}

// countedAt is when a pull request was reverted as measurement has it: by how
// it stood at the end of the time in which reverts are waited for. What was to
// come then, a return or a return's revert, counts for no younger one either.
// What was undone as a whole only after that time has the moment of that, which
// is too late to count, also where it came back still later. What was undone
// only in part does not count.
func countedAt(r reverts.Result, s reverts.State, merged time.Time) time.Time {
	due := merged.Add(metrics.RevertWindow)
	if then, undone := r.AsOf(s.Change, due); undone && then.Reverted && !then.Partial {
		return then.At
	}
	if at, stands := r.UndoneSince(s.Change); stands {
		return at
	}
	if !s.RestoredAt.IsZero() && s.FirstAt.After(due) {
		return s.FirstAt
	}
	return time.Time{}
}
