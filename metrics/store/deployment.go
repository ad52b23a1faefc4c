package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"steelyard/metrics"
	"steelyard/migrations"
)

// ImportDeployments inserts or replaces deployments by ID in one transaction,
// and dates the pull requests of their repositories: each by the end of the
// first deployment that holds its merge. rows is read once; its first error,
// and the end of ctx, undo everything. finish is called after the last row; the
// date of what it returns is filled in where it is zero. Neither rows nor
// finish may use the store.
func (s *Store) ImportDeployments(ctx context.Context, rows iter.Seq2[metrics.Deployment, error], finish func() (metrics.Import, error)) (metrics.Linked, error) {
	var done metrics.Linked
	err := s.update(ctx, migrations.Measurement, func(tx *sql.Tx, revision int64) error {
		if err := beginImport(ctx, tx, revision, ""); err != nil {
			return err
		}
		im := newDeploymentImport(s.db, tx, revision)
		if err := im.addAll(ctx, rows); err != nil {
			return err
		}
		repositories := slices.Sorted(maps.Keys(im.repositories))
		var err error
		if done, err = linkDeployments(ctx, tx, repositories); err != nil {
			return err
		}
		done.Deployments = len(im.seen)
		if done.Untraceable, err = untraceable(ctx, tx); err != nil {
			return err
		}
		if done.Import, err = endImport(ctx, tx, revision, len(im.seen), s.clock(), finish); err != nil {
			return err
		}
		return kindOfImport(ctx, tx, revision, "deployments")
	})
	if err != nil {
		return metrics.Linked{}, fmt.Errorf("import deployments: %w", err)
	}
	return done, nil
}

// kindOfImport marks an import that is not of pull requests.
func kindOfImport(ctx context.Context, tx *sql.Tx, id int64, kind string) error {
	_, err := tx.ExecContext(ctx, `UPDATE imports SET kind = $1 WHERE id = $2`, kind, id)
	return err
}

// deploymentImport writes one import's deployments.
type deploymentImport struct {
	tx           *sql.Tx
	id           int64
	seen         map[string]bool // deployments that this import wrote
	repositories map[string]bool
	rows, lists  []any // arguments that are not written yet

	insert, insertCommits *migrations.Insert
}

const (
	deploymentColumns = 6
	commitColumns     = 2
)

func newDeploymentImport(db *migrations.DB, tx *sql.Tx, id int64) *deploymentImport {
	return &deploymentImport{
		tx: tx, id: id, seen: map[string]bool{}, repositories: map[string]bool{},
		insert: db.NewInsert(tx, `INSERT INTO deployments (id, repository, environment, finished, sha, import)`, deploymentColumns,
			`ON CONFLICT (id) DO UPDATE SET repository = excluded.repository, environment = excluded.environment,
			finished = excluded.finished, sha = excluded.sha, import = excluded.import`),
		insertCommits: db.NewInsert(tx, `INSERT INTO deployment_commits (deployment, sha)`, commitColumns,
			`ON CONFLICT (deployment, sha) DO NOTHING`),
	}
}

func (im *deploymentImport) addAll(ctx context.Context, rows iter.Seq2[metrics.Deployment, error]) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := im.add(ctx, row); err != nil {
			return err
		}
	}
	if err := im.flush(ctx); err != nil {
		return err
	}
	return errors.Join(im.insert.Close(), im.insertCommits.Close())
}

func (im *deploymentImport) add(ctx context.Context, d metrics.Deployment) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d.ID == "" || d.Finished.IsZero() {
		return fmt.Errorf("line %d: the deployment has no ID or no end", d.Line)
	}
	if err := errors.Join(migrations.CheckText("ID", d.ID), migrations.CheckText("repository", d.Repository),
		migrations.CheckText("environment", d.Environment), migrations.CheckText("sha", d.SHA)); err != nil {
		return fmt.Errorf("line %d: %w", d.Line, err)
	}
	if !im.seen[d.ID] {
		im.seen[d.ID], im.repositories[d.Repository] = true, true
		if err := im.forget(ctx, d.ID); err != nil {
			return err
		}
		im.rows = append(im.rows, d.ID, d.Repository, d.Environment, d.Finished.UnixMilli(), d.SHA, im.id)
	}
	for _, c := range d.Commits {
		if err := migrations.CheckText("commit", c); err != nil {
			return fmt.Errorf("line %d: %w", d.Line, err)
		}
		if im.lists = append(im.lists, d.ID, c); len(im.lists) >= migrations.BatchRows*commitColumns {
			if err := im.flush(ctx); err != nil {
				return err
			}
		}
	}
	if len(im.rows) < migrations.BatchRows*deploymentColumns {
		return nil
	}
	return im.flush(ctx)
}

// forget removes what an earlier import knew of a deployment; the repository
// that it was of then is to be linked anew, too.
func (im *deploymentImport) forget(ctx context.Context, id string) error {
	var repository string
	err := im.tx.QueryRowContext(ctx, `SELECT repository FROM deployments WHERE id = $1`, id).Scan(&repository)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for the deployment: %w", err)
	}
	im.repositories[repository] = true
	if _, err := im.tx.ExecContext(ctx, `DELETE FROM deployment_commits WHERE deployment = $1`, id); err != nil {
		return fmt.Errorf("remove the deployment's commits: %w", err)
	}
	return nil
}

// flush writes deployments before their commits, which refer to them.
func (im *deploymentImport) flush(ctx context.Context) error {
	if _, err := im.insert.Exec(ctx, im.rows); err != nil {
		return fmt.Errorf("insert deployments: %w", err)
	}
	if _, err := im.insertCommits.Exec(ctx, im.lists); err != nil {
		return fmt.Errorf("insert the deployments' commits: %w", err)
	}
	im.rows, im.lists = im.rows[:0], im.lists[:0]
	return nil
}

// deployedRepositories are those that any deployment is known of.
func deployedRepositories(ctx context.Context, tx *sql.Tx) (map[string]bool, error) {
	out := map[string]bool{}
	all, err := texts(ctx, tx, `SELECT DISTINCT repository FROM deployments`)
	for _, r := range all {
		out[r] = true
	}
	return out, err
}
