package store

import (
	"context"
	"slices"
	"strings"

	"steelyard/migrations"
)

// saveCommits keeps commits of the default branch that are not there yet. Those
// that a pull request of the page, or the merge of any, brought are kept
// without facts, so that they are not taken for new the next time.
func (w *pageWriter) saveCommits(ctx context.Context) error {
	if len(w.page.Commits) == 0 {
		return nil
	}
	known, err := w.knownHashes(ctx)
	if err != nil {
		return err
	}
	home := map[string]string{}
	for _, p := range w.page.Pulls {
		for _, c := range p.Record.Commits {
			home[strings.ToLower(c.OID)] = p.Record.ID
		}
	}
	var args []any
	var onDefault []string
	seen := map[string]bool{}
	for _, c := range w.page.Commits {
		hash := strings.ToLower(c.Commit)
		if hash == "" || known.commits[hash] || seen[hash] {
			continue
		}
		seen[hash] = true
		w.counts.Commits++
		pull, merge := known.merges[hash]
		if merge {
			onDefault = append(onDefault, pull)
		} else {
			pull = home[hash]
		}
		facts := clean(c.Facts)
		if pull != "" {
			facts = "{}"
		} else {
			w.want(c)
		}
		args = append(args, w.row.ID, hash, 0, c.Merged.UnixMilli(), hash, false, pull, c.Speaks && pull == "", facts)
	}
	if err := w.saveLanded(ctx, args); err != nil {
		return err
	}
	return w.setOnDefault(ctx, onDefault)
}

func (w *pageWriter) setOnDefault(ctx context.Context, pulls []string) error {
	for part := range slices.Chunk(pulls, migrations.BatchRows) {
		_, err := w.tx.ExecContext(ctx, `UPDATE github_changes SET on_default = $1 WHERE repository = $2 AND `+among("id", 3, len(part)),
			append([]any{true, w.row.ID}, anys(part)...)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// knownHashes are the commits of a page that are stored: as commits, and as
// merges of pull requests.
type knownHashes struct {
	commits map[string]bool
	merges  map[string]string
}

func (w *pageWriter) knownHashes(ctx context.Context) (knownHashes, error) {
	known := knownHashes{map[string]bool{}, map[string]string{}}
	var hashes []string
	for _, c := range w.page.Commits {
		hashes = append(hashes, strings.ToLower(c.Commit))
	}
	for part := range slices.Chunk(hashes, migrations.BatchRows) {
		// Joined to a list of values, in this order: without statistics a list
		// of alternatives makes PostgreSQL, and another order SQLite, read the
		// whole repository.
		err := migrations.Each(ctx, w.tx, `SELECT c.id, c.number, c.hash FROM (VALUES `+rowsOf(2, len(part))+`) AS v
			CROSS JOIN github_changes c WHERE c.repository = $1 AND c.hash = v.column1`,
			append([]any{w.row.ID}, anys(part)...), func(scan func(...any) error) error {
				var id, hash string
				var number int
				if err := scan(&id, &number, &hash); err != nil {
					return err
				}
				if number == 0 {
					known.commits[hash] = true
				} else {
					known.merges[hash] = id
				}
				return nil
			})
		if err != nil {
			return known, err
		}
	}
	return known, nil
}

// rowsOf are n rows of one argument each, from $from on.
func rowsOf(from, n int) string {
	return "(" + strings.ReplaceAll(migrations.Placeholders(from, n), ", ", "), (") + ")"
}
