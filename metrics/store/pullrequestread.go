package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"

	"steelyard/metrics"
	"steelyard/migrations"
)

// maxTeams is how many teams a query names; of more, the rest are sorted out
// here.
const maxTeams = 1000

// PullRequests yields the pull requests of the named teams (all teams where
// none is named) opened or merged in w, by opening time then ID. They are
// streamed, as they were when the first one was read; the caller may stop
// early, and may write meanwhile. Their Line is 0: they no longer stand in one
// file.
func (s *Store) PullRequests(ctx context.Context, teams []string, w metrics.Window) iter.Seq2[metrics.PullRequest, error] {
	return func(yield func(metrics.PullRequest, error) bool) {
		stopped, err := s.pullRequests(ctx, teams, w, func(p metrics.PullRequest) bool { return yield(p, nil) })
		if err != nil && !stopped {
			yield(metrics.PullRequest{}, fmt.Errorf("read pull requests: %w", err))
		}
	}
}

// errStop ends a query whose reader has had enough.
var errStop = errors.New("stopped by the reader")

func (s *Store) pullRequests(ctx context.Context, teams []string, w metrics.Window, yield func(metrics.PullRequest) bool) (stopped bool, err error) {
	// Ending the context spares PostgreSQL from sending what nobody reads.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wanted map[string]bool
	if len(teams) > maxTeams {
		wanted = make(map[string]bool, len(teams))
		for _, t := range teams {
			wanted[t] = true
		}
		teams = nil
	}
	query, args := pullRequestQuery(teams, w)
	err = s.db.View(ctx, func(tx *sql.Tx) error {
		from, err := readSources(ctx, tx)
		if err != nil {
			return err
		}
		return migrations.Each(ctx, tx, query, args, func(scan func(...any) error) error {
			p, imported, err := scanPullRequest(scan)
			if err != nil {
				return err
			}
			from.complete(&p, imported)
			if wanted != nil && !wanted[p.Team] {
				return nil
			}
			if !yield(p) {
				stopped = true
				cancel()
				return errStop
			}
			return nil
		})
	})
	return stopped, err
}

// selectPullRequests reads the columns that [scanPullRequest] takes.
const selectPullRequests = `SELECT id, repository, number, author, author_bot, team, opened, ready, first_review, merged, closed,
	reverted_at, additions, deletions, base, merge_commit, first_commit, deployed, review_rounds, reviewer_comments,
	bot_threads, bot_threads_acted_on, assisted, set_apart, seen, import FROM pull_requests`

// pullRequestQuery writes only the conditions that narrow the answer.
func pullRequestQuery(teams []string, w metrics.Window) (query string, args []any) {
	query = selectPullRequests
	var conditions []string
	if len(teams) > 0 {
		conditions = append(conditions, `team IN (`+migrations.Placeholders(1, len(teams))+`)`)
		for _, t := range teams {
			args = append(args, t)
		}
	}
	if !w.From.IsZero() || !w.To.IsZero() {
		var opened, merged string
		opened, args = within("opened", w, args)
		merged, args = within("merged", w, args)
		conditions = append(conditions, `(`+opened+` OR `+merged+`)`)
	}
	if len(conditions) > 0 {
		query += ` WHERE ` + strings.Join(conditions, ` AND `)
	}
	return query + ` ORDER BY opened, id`, args
}

// within is the condition that column lies in w, which has an end.
func within(column string, w metrics.Window, args []any) (condition string, more []any) {
	var ends []string
	if !w.From.IsZero() {
		args = append(args, w.From.UnixMilli())
		ends = append(ends, fmt.Sprintf("%s >= $%d", column, len(args)))
	}
	if !w.To.IsZero() {
		args = append(args, w.To.UnixMilli())
		ends = append(ends, fmt.Sprintf("%s < $%d", column, len(args)))
	}
	return `(` + strings.Join(ends, ` AND `) + `)`, args
}

// scanPullRequest reads a row of [selectPullRequests] and the number of the
// import that it is of.
func scanPullRequest(scan func(...any) error) (p metrics.PullRequest, imported int64, err error) {
	var opened, ready, review, merged, closed, reverted, firstCommit, deployed, seen sql.NullInt64
	var additions, deletions, rounds, comments, threads, actedOn sql.NullInt64
	var base, mergeCommit, assisted, apart sql.NullString
	err = scan(&p.ID, &p.Repository, &p.Number, &p.Author, &p.AuthorBot, &p.Team,
		&opened, &ready, &review, &merged, &closed, &reverted, &additions, &deletions,
		&base, &mergeCommit, &firstCommit, &deployed, &rounds, &comments, &threads, &actedOn, &assisted, &apart, &seen, &imported)
	if err != nil {
		return metrics.PullRequest{}, 0, err
	}
	p.Opened, p.Ready, p.FirstReview = migrations.Time(opened), migrations.Time(ready), migrations.Time(review)
	p.Merged, p.Closed, p.RevertedAt = migrations.Time(merged), migrations.Time(closed), migrations.Time(reverted)
	p.FirstCommit, p.Deployed, p.Seen = migrations.Time(firstCommit), migrations.Time(deployed), migrations.Time(seen)
	p.Base, p.MergeCommit, p.Assisted, p.SetApart = base.String, mergeCommit.String, assisted.String, apart.String
	p.Additions, p.Deletions = known(additions), known(deletions)
	p.ReviewRounds, p.ReviewerComments = known(rounds), known(comments)
	p.BotThreads, p.BotThreadsActedOn = known(threads), known(actedOn)
	return p, imported, nil
}

// known is the reverse of [count].
func known(n sql.NullInt64) int {
	if !n.Valid {
		return -1
	}
	return int(n.Int64)
}
