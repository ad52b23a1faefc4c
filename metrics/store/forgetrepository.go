package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"steelyard/metrics"
	"steelyard/migrations"
)

// ForgottenRepository says what was stored of a repository that was
// forgotten.
type ForgottenRepository struct {
	// Names are all names it had, sorted.
	Names []string
	// PullRequests are those that were measured, Deployments its deployments,
	// Accounts people who stood in nothing else.
	PullRequests, Deployments, Accounts int
}

// ForgetRepository removes everything that was read of a repository, or
// imported under its name, whichever of its names is given. Accounts that stand
// in no other repository and in no team go, too. dry undoes everything. An
// error wraps [metrics.ErrNotFound] where there is nothing.
func (s *Store) ForgetRepository(ctx context.Context, name string, dry bool) (ForgottenRepository, error) {
	var done ForgottenRepository
	err := s.update(ctx, migrations.Measurement, func(tx *sql.Tx, _ int64) (err error) {
		f := forgetting{db: s.db, tx: tx, now: s.clock()}
		done, err = f.repository(ctx, name)
		return dryOr(err, dry)
	})
	if err != nil && !errors.Is(err, errDry) {
		return ForgottenRepository{}, fmt.Errorf("forget the repository %q: %w", name, err)
	}
	return done, nil
}

func (f *forgetting) repository(ctx context.Context, name string) (done ForgottenRepository, err error) {
	ids, err := f.called(ctx, name)
	if err != nil {
		return done, err
	}
	if done.Names, err = f.names(ctx, name, ids); err != nil {
		return done, err
	}
	if err := f.measured(ctx, &done); err != nil {
		return done, fmt.Errorf("remove what is measured: %w", err)
	}
	if len(ids) == 0 {
		if done.PullRequests+done.Deployments == 0 {
			return done, metrics.ErrNotFound
		}
		return done, nil
	}
	if err := f.synced(ctx, ids); err != nil {
		return done, fmt.Errorf("remove what was read from GitHub: %w", err)
	}
	done.Accounts, err = f.strangers(ctx)
	return done, err
}

// called finds the repositories of a name: those that have it, else those that
// had it. What has another name by now is not meant by one that is taken.
func (f *forgetting) called(ctx context.Context, name string) ([]string, error) {
	ids, err := texts(ctx, f.tx, `SELECT id FROM github_repositories WHERE LOWER(name) = LOWER($1) ORDER BY 1`, name)
	if err != nil || len(ids) > 0 {
		return ids, err
	}
	return texts(ctx, f.tx, `SELECT DISTINCT repository FROM github_repository_names WHERE LOWER(name) = LOWER($1) ORDER BY 1`, name)
}

// names are those under which something of the repositories may be stored:
// every name that they had, unless it is another's now.
func (f *forgetting) names(ctx context.Context, name string, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return []string{name}, nil
	}
	// Whoever else writes them waits from here on.
	if _, err := f.run(ctx, `UPDATE github_repositories SET ran = ran WHERE `+among("id", 1, len(ids)), anys(ids)...); err != nil {
		return nil, err
	}
	had, err := texts(ctx, f.tx, `SELECT name FROM github_repositories WHERE `+among("id", 1, len(ids))+`
		UNION SELECT name FROM github_repository_names WHERE `+among("repository", 1, len(ids)), anys(ids)...)
	if err != nil {
		return nil, err
	}
	others, err := texts(ctx, f.tx, `SELECT LOWER(name) FROM github_repositories WHERE NOT (`+among("id", 1, len(ids))+`)`, anys(ids)...)
	if err != nil {
		return nil, err
	}
	had = slices.DeleteFunc(had, func(n string) bool { return slices.Contains(others, strings.ToLower(n)) })
	slices.Sort(had)
	return slices.Compact(had), nil
}

// measured removes pull requests and deployments under any of the names.
func (f *forgetting) measured(ctx context.Context, done *ForgottenRepository) (err error) {
	names := lowered(done.Names)
	if len(names) == 0 {
		return nil // what it had goes by the ids of its pull requests
	}
	of := among("LOWER(repository)", 1, len(names))
	if done.PullRequests, err = f.run(ctx, `DELETE FROM pull_requests WHERE `+of, anys(names)...); err != nil {
		return err
	}
	if _, err = f.run(ctx, `DELETE FROM deployment_commits WHERE deployment IN (SELECT id FROM deployments WHERE `+of+`)`, anys(names)...); err != nil {
		return err
	}
	done.Deployments, err = f.run(ctx, `DELETE FROM deployments WHERE `+of, anys(names)...)
	return err
}

// synced removes what was read from GitHub, and the standing imports.
func (f *forgetting) synced(ctx context.Context, ids []string) error {
	imports, err := texts(ctx, f.tx, `SELECT CAST(import AS TEXT) FROM github_repositories WHERE `+among("id", 1, len(ids)), anys(ids)...)
	if err != nil {
		return err
	}
	of := among("repository", 1, len(ids))
	for _, statement := range []string{
		`DELETE FROM github_signals WHERE pull IN (SELECT id FROM github_pulls WHERE ` + of + `)`,
		`DELETE FROM pull_requests WHERE id IN (SELECT id FROM github_pulls WHERE ` + of + `)`,
		`DELETE FROM github_pulls WHERE ` + of,
		`DELETE FROM github_changes WHERE ` + of,
		`DELETE FROM github_reverts WHERE ` + of,
		`DELETE FROM github_revert_states WHERE ` + of,
		`DELETE FROM github_unresolved WHERE ` + of,
		`DELETE FROM github_repository_names WHERE ` + of,
		`DELETE FROM github_repositories WHERE ` + among("id", 1, len(ids)),
	} {
		if _, err := f.run(ctx, statement, anys(ids)...); err != nil {
			return err
		}
	}
	for _, id := range imports {
		// An import that other rows still name stays: a file may have several
		// repositories.
		if _, err := f.run(ctx, `DELETE FROM imports WHERE CAST(id AS TEXT) = $1 AND NOT EXISTS
			(SELECT 1 FROM pull_requests p WHERE p.import = imports.id)`, id); err != nil {
			return err
		}
	}
	return nil
}

// strangers removes accounts that stand in no record and in no team.
func (f *forgetting) strangers(ctx context.Context) (int, error) {
	named, numbers := map[string]bool{}, map[int64]bool{}
	err := migrations.Each(ctx, f.tx, `SELECT owner, record FROM github_pulls`, nil, func(scan func(...any) error) error {
		var owner, text string
		if err := scan(&owner, &text); err != nil {
			return err
		}
		named[owner] = true
		var r metrics.Record
		if err := fromJSON("a record", text, &r); err != nil {
			return err
		}
		withoutAccount(&r, func(id string) bool { named[id] = true; return false },
			func(n int64) bool { numbers[n] = true; return false })
		return nil
	})
	if err != nil {
		return 0, err
	}
	members, err := texts(ctx, f.tx, `SELECT DISTINCT account FROM team_members`)
	if err != nil {
		return 0, err
	}
	for _, id := range members {
		named[id] = true
	}
	var gone []string
	err = migrations.Each(ctx, f.tx, `SELECT id, number FROM github_accounts ORDER BY id`, nil, func(scan func(...any) error) error {
		var id string
		var number int64
		if err := scan(&id, &number); err != nil {
			return err
		}
		if !named[id] && !numbers[number] {
			gone = append(gone, id)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return len(gone), removeAll(ctx, f.tx, `DELETE FROM github_accounts WHERE `, "id", gone)
}
