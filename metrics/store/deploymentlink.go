package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"steelyard/metrics"
	"steelyard/migrations"
)

// linkDeployments dates the merged pull requests of repositories by their
// deployments, and counts what it found. It costs as much as the repositories
// have merges; only those whose date changes are written.
func linkDeployments(ctx context.Context, tx *sql.Tx, repositories []string) (metrics.Linked, error) {
	var out metrics.Linked
	for _, r := range repositories {
		l := linker{repository: r}
		if err := l.read(ctx, tx); err != nil {
			return out, fmt.Errorf("link deployments of %q: %w", r, err)
		}
		if err := l.write(ctx, tx, &out); err != nil {
			return out, fmt.Errorf("link deployments of %q: %w", r, err)
		}
	}
	return out, nil
}

// linker finds the first deployment of each merge of one repository.
//
// A deployment that lists its commits holds those. One that names only the
// commit deployed holds that one, and, where it is the merge commit of a pull
// request, everything merged to the same branch before it and after what the
// environment's first deployment held: of what came before that one nobody can
// tell since when it runs.
type linker struct {
	repository string
	// listed is the first deployment of each commit, in milliseconds.
	listed map[string]int64
	sorted []string // the commits of listed, for short hashes
	bare   []bareDeployment
	merges []mergedPull
	series map[seriesKey][]reach
}

// bareDeployment lists no commits.
type bareDeployment struct {
	environment, sha string
	finished         int64
}

type mergedPull struct {
	id, base, commit string
	merged           int64
	deployed         sql.NullInt64
	linked           bool // deployed was found here, and not in its own file
}

type seriesKey struct{ environment, base string }

// reach is a deployment that held everything merged up to a moment; after
// sorting, finished is that of the earliest one that reaches as far.
type reach struct{ upTo, finished int64 }

func (l *linker) read(ctx context.Context, tx *sql.Tx) error {
	l.listed = map[string]int64{}
	first := func(sha string, finished int64) {
		if at, known := l.listed[sha]; sha != "" && (!known || finished < at) {
			l.listed[sha] = finished
		}
	}
	err := migrations.Each(ctx, tx, `SELECT d.environment, d.sha, d.finished, c.sha FROM deployments d
		LEFT JOIN deployment_commits c ON c.deployment = d.id WHERE d.repository = $1 ORDER BY d.finished, d.id`, []any{l.repository},
		func(scan func(...any) error) error {
			var d bareDeployment
			var commit sql.NullString
			if err := scan(&d.environment, &d.sha, &d.finished, &commit); err != nil {
				return err
			}
			first(d.sha, d.finished)
			if commit.Valid {
				first(commit.String, d.finished)
			} else {
				l.bare = append(l.bare, d)
			}
			return nil
		})
	if err != nil {
		return err
	}
	for sha := range l.listed {
		l.sorted = append(l.sorted, sha)
	}
	slices.Sort(l.sorted)
	err = migrations.Each(ctx, tx, `SELECT id, COALESCE(base, ''), COALESCE(merge_commit, ''), merged, deployed, COALESCE(deployed_linked, FALSE)
		FROM pull_requests WHERE repository = $1 AND merge_commit IS NOT NULL AND merged IS NOT NULL`, []any{l.repository},
		func(scan func(...any) error) error {
			var p mergedPull
			err := scan(&p.id, &p.base, &p.commit, &p.merged, &p.deployed, &p.linked)
			p.commit = strings.ToLower(p.commit)
			l.merges = append(l.merges, p)
			return err
		})
	l.findReach()
	return err
}

// findReach says how far each bare deployment reached, by environment and
// branch.
func (l *linker) findReach() {
	byCommit := make(map[string]*mergedPull, len(l.merges))
	for i := range l.merges {
		byCommit[l.merges[i].commit] = &l.merges[i]
	}
	l.series = map[seriesKey][]reach{}
	for _, d := range l.bare { // in the order of their ends
		if p := byCommit[d.sha]; p != nil {
			key := seriesKey{d.environment, p.base}
			l.series[key] = append(l.series[key], reach{p.merged, d.finished})
		}
	}
	for key, all := range l.series {
		begins := all[0].upTo
		all = slices.DeleteFunc(all, func(r reach) bool { return r.upTo < begins })
		slices.SortStableFunc(all, func(a, b reach) int { return cmp.Compare(a.upTo, b.upTo) })
		for i := len(all) - 2; i >= 0; i-- {
			all[i].finished = min(all[i].finished, all[i+1].finished)
		}
		l.series[key] = all
	}
}

// deployed is when the first deployment that holds p ended; false where none
// is known.
func (l *linker) deployed(p mergedPull) (at int64, ok bool) {
	take := func(t int64) {
		if !ok || t < at {
			at, ok = t, true
		}
	}
	if t, known := l.commit(p.commit); known {
		take(t)
	}
	for key, all := range l.series {
		if key.base != p.base || p.merged <= all[0].upTo {
			continue
		}
		if i := sort.Search(len(all), func(i int) bool { return all[i].upTo >= p.merged }); i < len(all) {
			take(all[i].finished)
		}
	}
	return at, ok
}

// shortest is the length under which a hash is too short to mean a commit.
const shortest = 7

// commit finds a merge commit among those deployed; either may be a short hash.
func (l *linker) commit(sha string) (at int64, known bool) {
	if at, known = l.listed[sha]; known || len(sha) < shortest || !hexadecimal(sha) {
		return at, known
	}
	// A longer one that begins with sha, or a shorter one that sha begins with.
	i, _ := slices.BinarySearch(l.sorted, sha)
	if i < len(l.sorted) && strings.HasPrefix(l.sorted[i], sha) {
		if i+1 < len(l.sorted) && strings.HasPrefix(l.sorted[i+1], sha) {
			return 0, false // it could be either
		}
		return l.listed[l.sorted[i]], true
	}
	for n := len(sha) - 1; n >= shortest; n-- {
		if at, known := l.listed[sha[:n]]; known {
			return at, true
		}
	}
	return 0, false
}

func hexadecimal(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// write dates the pull requests whose date changes. Where no deployment holds
// one, what its own file said stays.
func (l *linker) write(ctx context.Context, tx *sql.Tx, out *metrics.Linked) (err error) {
	update, err := tx.PrepareContext(ctx, `UPDATE pull_requests SET deployed = $1, deployed_linked = $2 WHERE id = $3`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, update.Close()) }()
	for _, p := range l.merges {
		at, ok := l.deployed(p)
		want := sql.NullInt64{Int64: at, Valid: ok}
		if ok && p.deployed != want || !ok && p.linked {
			if _, err := update.ExecContext(ctx, want, ok, p.id); err != nil {
				return fmt.Errorf("date pull request %q: %w", p.id, err)
			}
		}
		if ok || p.deployed.Valid && !p.linked {
			out.PullRequests++
		} else {
			out.Waiting++
		}
	}
	return nil
}

// untraceable counts the merged pull requests of repositories with deployments
// whose merge commit is not known, so that no deployment can be found to hold
// them.
func untraceable(ctx context.Context, tx *sql.Tx) (n int, err error) {
	err = tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM pull_requests WHERE merged IS NOT NULL AND merge_commit IS NULL AND deployed IS NULL
		AND EXISTS (SELECT 1 FROM deployments WHERE deployments.repository = pull_requests.repository)`).Scan(&n)
	return n, err
}
