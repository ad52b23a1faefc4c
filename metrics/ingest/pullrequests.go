package ingest

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"steelyard/metrics"
)

// PullRequestSpec says how a file becomes pull requests.
type PullRequestSpec struct {
	// Columns names the file's column by field (see [PullRequestFields]). A
	// field that is not named is read from the column of its own name, where
	// the file has one; a field named with an empty column is not read.
	Columns map[string]string
	// Repository is the repository of all rows, where the file has no column
	// for it.
	Repository string
	// Drop leaves out rows.
	Drop   []Filter
	Limits Limits
}

// Field is a documented column of a file of pull requests.
type Field struct {
	Name string
	// Form says how its values are written and what an empty one means.
	Form string
	// usual are names under which other tools write it; reading past one of
	// them in silence would lose it.
	usual []string
}

// PullRequestFields are the columns that [ImportPullRequests] reads. Required
// are opened, and id or both repository and number. Times are RFC 3339
// (2024-05-01T12:00:00Z), 2024-05-01 12:00:00 with or without a zone, or
// 2024-05-01; without a zone they are UTC.
func PullRequestFields() []Field {
	return []Field{
		{"id", "the provider's stable id; empty: repository#number", []string{"node_id"}},
		{"number", "whole number", []string{"pr", "pr_number", "pull_number", "pull_request", "pull_request_number"}},
		{"repository", "owner/name", []string{"repo", "repo_name", "repository_name", "repo_full_name", "full_name", "repository.full_name", "base.repo.full_name"}},
		{"author", "a stable id of the author, never shown; empty: a deleted account", []string{"user", "login", "author_login", "author_id", "author_hash", "author_name", "author.login", "user_login", "user_name", "user_id", "user.login", "user.id", "username"}},
		{"author_is_bot", "true or false, or User or Bot; empty: false", []string{"is_bot", "bot", "user_type", "author_type", "user.type", "author.type", "author.is_bot"}},
		{"team", "the author's team when it was opened; empty: not placed", []string{"team_name", "team_slug", "team.slug", "author_team"}},
		{"opened", "time", []string{"created_at", "opened_at", "created", "createdAt"}},
		{"ready", "time it last became ready for review; empty: it never was a draft", []string{"ready_at", "ready_for_review_at", "ready_for_review"}},
		{"first_review", "time of the first review by a person other than the author; empty: none yet", []string{"first_review_at", "first_human_review_at", "first_reviewed_at", "first_review_submitted_at"}},
		{"merged", "time; empty: not merged", []string{"merged_at", "mergedAt"}},
		{"closed", "time it was closed, merged or not; empty: open, or closed by its merge", []string{"closed_at", "closedAt"}},
		{"reverted_at", "time its revert was merged; empty: not reverted", []string{"reverted", "revert_merged_at"}},
		{"additions", "lines added; empty: unknown", []string{"lines_added", "added"}},
		{"deletions", "lines deleted; empty: unknown", []string{"lines_deleted", "lines_removed", "deleted"}},
		{"base", "branch it was merged to; empty: unknown", nil},
		{"merge_commit", "hash of the commit its merge made, by which deployments find it; empty: unknown", []string{"merge_commit_sha", "merge_sha"}},
		{"first_commit", "time its first commit was authored; empty: unknown", []string{"first_commit_at", "first_commit_authored_at", "first_commit_authored_date"}},
		{"deployed", "time the first deployment that holds its merge ended; empty: not deployed yet", []string{"deployed_at"}},
		{"review_rounds", "reviews that asked for changes and were followed by a push and another review; empty: unknown", nil},
		{"reviewer_comments", "review comments by people other than the author; empty: unknown", nil},
		{"bot_threads", "review threads opened by an AI reviewer; empty: unknown", nil},
		{"bot_threads_acted_on", "those of them whose lines a later commit changed; empty: unknown", nil},
		{"set_apart", "why it is nobody's own work and not measured, such as back-port or import; empty: it is measured", nil},
		{"assisted", "strongest signal of an assistant: authored, co-authored, suggestion or inferred; empty: none seen", nil},
	}
}

// ImportPullRequests reads a CSV file, plain or gzip, into the store: rows are
// inserted, or replace the ones with the same id; all or nothing. file is its
// name in messages. A bad line is a [*LineError]. now is when it happened; a
// time more than a day later is refused: the newest time of all is where the
// data ends, up to which whatever is open has lasted.
func ImportPullRequests(ctx context.Context, s metrics.PullRequestStore, r io.Reader, file string, spec PullRequestSpec, now time.Time) (metrics.Import, error) {
	p, err := openPullRequests(ctx, r, file, spec)
	if err != nil {
		return metrics.Import{}, err
	}
	p.latest = now.Add(ahead)
	first, err := p.next()
	if err != nil {
		return metrics.Import{}, err
	}
	done, err := s.ImportPullRequests(ctx, rowsOf(first, p.next), func() (metrics.Import, error) {
		return metrics.Import{
			File: filepath.Base(file), SHA256: p.source.sum(), Rows: p.kept, LeftOut: p.filters.leftOut(),
			Fields: p.fieldsRead, Notes: p.notes(), At: now.UTC(), Until: p.until,
		}, nil
	})
	if err != nil {
		return metrics.Import{}, importError(file, err)
	}
	return done, nil
}

// ahead is how far the clocks and zones of others may run ahead of now.
const ahead = 24 * time.Hour

// pullRequestReader turns records into pull requests. Column numbers are −1
// where the file has none.
type pullRequestReader struct {
	*fieldTable
	spec PullRequestSpec
	seen map[[16]byte]uint32 // line by digest of the id
	// until is the newest time of all.
	until time.Time
	// placed and authored count the rows with a team, and with an author.
	placed, authored int

	id, number, repository, author, bot, team         int
	opened, ready, review, merged, closed, revertedAt int
	additions, deletions                              int
	base, mergeCommit, firstCommit, deployed          int
	rounds, comments, threads, actedOn                int
	assisted, apart                                   int
}

func openPullRequests(ctx context.Context, r io.Reader, file string, spec PullRequestSpec) (*pullRequestReader, error) {
	spec.Limits = spec.Limits.withDefaults()
	t, err := openFields(ctx, r, file, fieldSpec{
		what: "pull requests", one: "a pull request", fields: PullRequestFields(),
		columns: spec.Columns, drop: spec.Drop, limits: spec.Limits,
	})
	if err != nil {
		return nil, err
	}
	p := &pullRequestReader{fieldTable: t, spec: spec, seen: map[[16]byte]uint32{}}
	return p, p.findColumns()
}

func (p *pullRequestReader) findColumns() error {
	at := map[string]*int{
		"id": &p.id, "number": &p.number, "repository": &p.repository, "author": &p.author,
		"author_is_bot": &p.bot, "team": &p.team, "opened": &p.opened, "ready": &p.ready,
		"first_review": &p.review, "merged": &p.merged, "closed": &p.closed, "reverted_at": &p.revertedAt,
		"additions": &p.additions, "deletions": &p.deletions,
		"base": &p.base, "merge_commit": &p.mergeCommit, "first_commit": &p.firstCommit, "deployed": &p.deployed,
		"review_rounds": &p.rounds, "reviewer_comments": &p.comments,
		"bot_threads": &p.threads, "bot_threads_acted_on": &p.actedOn, "assisted": &p.assisted, "set_apart": &p.apart,
	}
	var given []string
	if p.spec.Repository != "" {
		given = append(given, "repository")
	}
	if err := p.find(at, given...); err != nil {
		return err
	}
	switch {
	case p.opened < 0:
		return p.missing("opened", "the time it was opened")
	case p.id < 0 && p.number < 0:
		return p.missing("id", "the id; or repository and number")
	case p.id < 0 && p.repository < 0 && p.spec.Repository == "":
		return p.missing("repository", "the repository, which with the number makes the id")
	}
	return nil
}
