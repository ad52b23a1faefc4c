package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"steelyard/metrics"
	"steelyard/migrations"
)

// ImportPullRequests inserts or replaces rows by ID in one transaction. rows
// is read once; its first error, and the end of ctx, undo everything. A row
// without an ID or an opening time is refused, and so is an ID that stands
// twice in rows. finish is called after the last row; the number of rows and,
// where it is zero, the date of what it returns are filled in. Neither rows
// nor finish may use the store.
func (s *Store) ImportPullRequests(ctx context.Context, rows iter.Seq2[metrics.PullRequest, error], finish func() (metrics.Import, error)) (metrics.Import, error) {
	var imp metrics.Import
	err := s.update(ctx, migrations.Measurement, func(tx *sql.Tx, revision int64) error {
		if err := beginImport(ctx, tx, revision, ""); err != nil {
			return err
		}
		im := newPullRequestImport(s.db, tx, revision, onceOnly)
		if err := im.addAll(ctx, rows); err != nil {
			return err
		}
		var err error
		imp, err = endImport(ctx, tx, revision, im.kept, s.clock(), finish)
		return err
	})
	if err != nil {
		return metrics.Import{}, fmt.Errorf("import pull requests: %w", err)
	}
	return imp, nil
}

// upsertPullRequests inserts or replaces pull requests by ID within tx, for an
// import that is there already and may have written them before. Where an ID
// stands more than once in rows, the last row counts. It returns how many it
// wrote.
func (s *Store) upsertPullRequests(ctx context.Context, tx *sql.Tx, importID int64, rows []metrics.PullRequest) (int, error) {
	last := make(map[string]int, len(rows))
	for i, p := range rows {
		last[p.ID] = i
	}
	im := newPullRequestImport(s.db, tx, importID, ``)
	err := im.addAll(ctx, func(yield func(metrics.PullRequest, error) bool) {
		for i, p := range rows {
			if last[p.ID] == i && !yield(p, nil) {
				return
			}
		}
	})
	return im.kept, err
}

// pullRequestImport writes one import's pull requests.
type pullRequestImport struct {
	tx     *sql.Tx
	id     int64
	args   []any          // of the rows that are not written yet
	lines  map[string]int // of those rows, by ID
	kept   int
	insert *migrations.Insert
	// repositories are those of the rows that deployments are known of, which
	// are to be linked; deployed are all such.
	repositories, deployed map[string]bool
}

// onceOnly makes an upsert pass over a row that the same import wrote: that
// shows a duplicate, at no cost where there is none.
const onceOnly = ` WHERE pull_requests.import <> excluded.import`

// pullRequestColumns are those that an import writes; the first is the key.
var pullRequestColumns = [...]string{
	"id", "repository", "number", "author", "author_bot", "team",
	"opened", "ready", "first_review", "merged", "closed", "reverted_at", "additions", "deletions",
	"base", "merge_commit", "first_commit", "deployed", "review_rounds", "reviewer_comments",
	"bot_threads", "bot_threads_acted_on", "assisted", "set_apart", "seen", "deployed_linked", "import", "line",
}

// newPullRequestImport prepares the import of that number. condition ends the
// upsert.
func newPullRequestImport(db *migrations.DB, tx *sql.Tx, id int64, condition string) *pullRequestImport {
	set := make([]string, 0, len(pullRequestColumns)-1)
	for _, c := range pullRequestColumns[1:] {
		set = append(set, c+" = excluded."+c)
	}
	return &pullRequestImport{
		tx: tx, id: id,
		args:  make([]any, 0, migrations.BatchRows*len(pullRequestColumns)),
		lines: make(map[string]int, migrations.BatchRows), repositories: map[string]bool{},
		insert: db.NewInsert(tx, `INSERT INTO pull_requests (`+strings.Join(pullRequestColumns[:], ", ")+`)`, len(pullRequestColumns),
			`ON CONFLICT (id) DO UPDATE SET `+strings.Join(set, ", ")+condition),
	}
}

func (im *pullRequestImport) addAll(ctx context.Context, rows iter.Seq2[metrics.PullRequest, error]) (err error) {
	if im.deployed, err = deployedRepositories(ctx, im.tx); err != nil {
		return err
	}
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
	if err := im.insert.Close(); err != nil {
		return err
	}
	_, err = linkDeployments(ctx, im.tx, slices.Sorted(maps.Keys(im.repositories)))
	return err
}

func (im *pullRequestImport) add(ctx context.Context, p metrics.PullRequest) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	im.kept++
	line := p.Line
	if line == 0 {
		line = im.kept
	}
	if err := checkPullRequest(p); err != nil {
		return fmt.Errorf("line %d: %w", line, err)
	}
	if first, twice := im.lines[p.ID]; twice {
		return duplicatePullRequest(p.ID, first, line)
	}
	im.lines[p.ID] = line
	if im.deployed[p.Repository] && p.MergeCommit != "" {
		im.repositories[p.Repository] = true
	}
	im.args = append(im.args, p.ID, p.Repository, p.Number, p.Author, p.AuthorBot, p.Team,
		p.Opened.UnixMilli(), migrations.Millis(p.Ready), migrations.Millis(p.FirstReview),
		migrations.Millis(p.Merged), migrations.Millis(p.Closed), migrations.Millis(p.RevertedAt),
		count(p.Additions), count(p.Deletions),
		text(p.Base), text(p.MergeCommit), migrations.Millis(p.FirstCommit), migrations.Millis(p.Deployed),
		count(p.ReviewRounds), count(p.ReviewerComments), count(p.BotThreads), count(p.BotThreadsActedOn),
		text(p.Assisted), text(p.SetApart), migrations.Millis(p.Seen), nil, im.id, line)
	if len(im.lines) < migrations.BatchRows {
		return nil
	}
	return im.flush(ctx)
}

func checkPullRequest(p metrics.PullRequest) error {
	if p.ID == "" {
		return errors.New("the pull request has no ID")
	}
	if p.Opened.IsZero() {
		return fmt.Errorf("pull request %q has no opening time", p.ID)
	}
	return errors.Join(migrations.CheckText("ID", p.ID), migrations.CheckText("repository", p.Repository),
		migrations.CheckText("author", p.Author), migrations.CheckText("team", p.Team),
		migrations.CheckText("base", p.Base), migrations.CheckText("merge commit", p.MergeCommit), migrations.CheckText("assisted", p.Assisted),
		migrations.CheckText("set apart", p.SetApart))
}

func (im *pullRequestImport) flush(ctx context.Context) error {
	affected, err := im.insert.Exec(ctx, im.args)
	if err != nil {
		return fmt.Errorf("insert rows: %w", err)
	}
	if affected < int64(len(im.lines)) {
		return im.duplicate(ctx)
	}
	im.args = im.args[:0]
	clear(im.lines)
	return nil
}

// duplicate names the row of the batch whose ID an earlier batch wrote: the
// first of them in the file.
func (im *pullRequestImport) duplicate(ctx context.Context) error {
	for at := 0; at < len(im.args); at += len(pullRequestColumns) {
		id := im.args[at].(string)
		var first int
		err := im.tx.QueryRowContext(ctx, `SELECT line FROM pull_requests WHERE id = $1`, id).Scan(&first)
		if err != nil {
			return fmt.Errorf("look for the duplicate: %w", err)
		}
		if first != im.lines[id] {
			return duplicatePullRequest(id, first, im.lines[id])
		}
	}
	return errors.New("a pull request stands twice in the file: keep one of the lines")
}

func duplicatePullRequest(id string, first, second int) error {
	return fmt.Errorf("pull request %q stands twice, in lines %d and %d: keep one of them", id, first, second)
}

// count is NULL where a number is unknown.
func count(n int) sql.NullInt64 {
	return sql.NullInt64{Int64: int64(n), Valid: n >= 0}
}

// text is NULL where there is none.
func text(s string) sql.NullString {
	return sql.NullString{String: s, Valid: s != ""}
}
