package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"steelyard/lint"
	"steelyard/migrations"
)

var _ lint.DependencyStore = (*History)(nil)

// maxJudged bounds the new dependencies that one scan may bring.
const maxJudged = 20_000

// DependencyBase is what the next scan of a repository compares its
// dependencies with; its zero value means that there was none.
func (h *History) DependencyBase(ctx context.Context, repository string) (lint.DependencyBase, error) {
	var b lint.DependencyBase
	err := h.db.View(ctx, func(tx *sql.Tx) error {
		var at sql.NullInt64
		err := tx.QueryRowContext(ctx, `SELECT git_commit, at, tree FROM dependency_trees WHERE repository = $1`, repository).Scan(&b.Commit, &at, &b.Tree)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		b.At = migrations.Time(at)
		return migrations.Each(ctx, tx, `SELECT item, judgement FROM new_dependencies WHERE repository = $1 AND gone IS NULL ORDER BY item`, []any{repository},
			func(scan func(...any) error) error {
				var item, judgement string
				err := scan(&item, &judgement)
				b.Items = append(b.Items, item)
				if judgement != "ok" {
					b.Open = append(b.Open, item)
				}
				return err
			})
	})
	if err != nil {
		return lint.DependencyBase{}, fmt.Errorf("read the dependencies of %q: %w", repository, err)
	}
	return b, nil
}

// saveDependencies keeps what a scan says of dependencies.
func (h *History) saveDependencies(ctx context.Context, tx *sql.Tx, s lint.Scan) error {
	d := s.Dependencies
	if d == nil {
		return nil
	}
	if len(d.Judged) > maxJudged {
		return fmt.Errorf("more than %d new dependencies in one scan", maxJudged)
	}
	at := s.At.UnixMilli()
	_, err := tx.ExecContext(ctx, `INSERT INTO dependency_trees (repository, git_commit, first_at, at, tree) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (repository) DO UPDATE SET git_commit = excluded.git_commit, at = excluded.at, tree = excluded.tree`,
		s.Repository, s.Commit, at, at, append([]byte{}, d.Tree...))
	if err != nil {
		return fmt.Errorf("keep the dependencies: %w", err)
	}
	for batch := range slices.Chunk(d.Gone, migrations.BatchRows) {
		args := []any{at, s.Repository}
		for _, item := range batch {
			args = append(args, item)
		}
		_, err := tx.ExecContext(ctx, `UPDATE new_dependencies SET gone = $1 WHERE repository = $2 AND gone IS NULL AND item IN (`+
			migrations.Placeholders(len(args)-len(batch)+1, len(batch))+`)`, args...)
		if err != nil {
			return fmt.Errorf("mark dependencies that are gone: %w", err)
		}
	}
	insert := h.db.NewInsert(tx, insertDependency, newColumns, updateDependency)
	err = saveRows(ctx, insert, d.Judged, func(_ int, n lint.NewDependency) ([]any, error) { return dependencyRow(s.Repository, at, n) })
	if err != nil {
		return fmt.Errorf("insert new dependencies: %w", err)
	}
	return nil
}

const (
	newColumns       = 25
	insertDependency = `INSERT INTO new_dependencies (repository, item, subject, versioned, ecosystem, name, resolved_name, version, spec, path, line,
		direct, source, change, judgement, evidence, rules, published, downloads, licences, licence_known, committed, since, judged, gone)`
	// What came back after it was gone is new again.
	updateDependency = ` ON CONFLICT (repository, item) DO UPDATE SET subject = excluded.subject, versioned = excluded.versioned, name = excluded.name,
		resolved_name = excluded.resolved_name, version = excluded.version, spec = excluded.spec, path = excluded.path, line = excluded.line,
		direct = excluded.direct, change = excluded.change, judgement = excluded.judgement, evidence = excluded.evidence, rules = excluded.rules,
		published = excluded.published, downloads = excluded.downloads, licences = excluded.licences, licence_known = excluded.licence_known,
		committed = excluded.committed, judged = excluded.judged,
		since = CASE WHEN new_dependencies.gone IS NULL THEN new_dependencies.since ELSE excluded.since END, gone = NULL`
)

func dependencyRow(repository string, at int64, n lint.NewDependency) ([]any, error) {
	var err error
	for _, text := range append([]string{n.Item, n.Subject, n.Versioned, n.Ecosystem, n.Name, n.ResolvedName, n.Version, n.Spec, n.Path, n.Source, n.Change, n.Judgement}, n.Evidence...) {
		err = errors.Join(err, migrations.CheckText("dependency", text))
	}
	if err != nil {
		return nil, err
	}
	row := []any{repository, n.Item, n.Subject, n.Versioned, n.Ecosystem, n.Name, n.ResolvedName, n.Version, n.Spec, n.Path, n.Line, n.Direct, n.Source, n.Change, n.Judgement}
	lists := map[string]string{}
	for name, list := range map[string][]string{"evidence": n.Evidence, "rules": n.Rules, "licences": n.Licences} {
		text, err := json.Marshal(append([]string{}, list...))
		if err != nil {
			return nil, err
		}
		lists[name] = string(text)
	}
	committed, err := approvalText(n.Committed)
	if err != nil {
		return nil, err
	}
	downloads := sql.NullInt64{}
	if n.Downloads != nil {
		downloads = sql.NullInt64{Int64: *n.Downloads, Valid: true}
	}
	return append(row, lists["evidence"], lists["rules"], migrations.Millis(n.Published), downloads, lists["licences"], n.LicenceKnown, committed, at, at, nil), nil
}

// stateOf is the state of a row as a number, in the order of
// [lint.DependencyStates]; $1 is midnight of the day.
const stateOf = `CASE WHEN n.gone IS NOT NULL THEN 4 WHEN n.judgement = 'ok' THEN 3
	WHEN d.id IS NULL OR d.verdict = 'withdrawn' OR (d.until IS NOT NULL AND d.until < $1) THEN 0
	WHEN d.verdict = 'refused' THEN 1
	WHEN d.answers NOT LIKE '% ' || n.judgement || ' %' THEN 0 ELSE 2 END`

// fromNew joins each row with the newest decision about it.
const fromNew = ` FROM new_dependencies n LEFT JOIN decisions d ON d.id = (SELECT MAX(x.id) FROM decisions x
	WHERE x.kind = 'dependency' AND x.newest AND x.subject IN (n.subject, n.versioned))`

// NewDependencies returns one page of new dependencies, those that wait for a
// person first.
func (h *History) NewDependencies(ctx context.Context, f lint.DependencyFilter) (lint.DependencyPage, error) {
	limit, err := pageLimit(f.Limit, f.Offset)
	if err != nil {
		return lint.DependencyPage{}, fmt.Errorf("read new dependencies: %w", err)
	}
	// A decision is over at the end of a day.
	f.Limit, f.Today = limit, f.Today.UTC().Truncate(24*time.Hour)
	page, err := migrations.Remember(ctx, h.kept, atLength(f, f.Limit), func(p lint.DependencyPage) int { return len(p.Dependencies) },
		func(tx *sql.Tx) (lint.DependencyPage, error) { return newDependencies(ctx, tx, f) })
	if err != nil {
		return lint.DependencyPage{}, fmt.Errorf("read new dependencies: %w", err)
	}
	return page, nil
}

func newDependencies(ctx context.Context, tx *sql.Tx, f lint.DependencyFilter) (lint.DependencyPage, error) {
	page := lint.DependencyPage{Dependencies: []lint.StoredDependency{}, States: map[lint.DependencyState]int{}}
	states := lint.DependencyStates()
	args := []any{f.Today.UnixMilli()}
	where := ` WHERE 1 = 1`
	for column, value := range map[string]string{"repository": f.Repository, "ecosystem": f.Ecosystem, "judgement": f.Judgement, "subject": f.Subject} {
		if value != "" {
			args = append(args, value)
			where += fmt.Sprintf(` AND n.%s = $%d`, column, len(args))
		}
	}
	err := migrations.Each(ctx, tx, `SELECT q.state, COUNT(*) FROM (SELECT `+stateOf+` AS state`+fromNew+where+`) q GROUP BY q.state`, args, func(scan func(...any) error) error {
		var state, n int
		err := scan(&state, &n)
		page.States[states[state]] = n
		if f.State == "" || f.State == states[state] {
			page.Total += n
		}
		return err
	})
	if err != nil {
		return page, fmt.Errorf("count: %w", err)
	}
	if f.State != "" {
		args = append(args, slices.Index(states, f.State))
		where += fmt.Sprintf(` AND (%s) = $%d`, stateOf, len(args))
	}
	query := `SELECT ` + stateOf + ` AS state, n.repository, n.item, n.subject, n.versioned, n.ecosystem, n.name, n.resolved_name, n.version, n.spec, n.path, n.line,
		n.direct, n.source, n.change, n.judgement, n.evidence, n.rules, n.published, n.downloads, n.licences, n.licence_known, n.committed, n.since, n.judged, n.gone, ` +
		decisionColumns + fromNew + where + fmt.Sprintf(` ORDER BY 1, CASE n.judgement WHEN 'block' THEN 0 WHEN 'ask' THEN 1 WHEN 'legal' THEN 2 WHEN 'unverified' THEN 3 ELSE 4 END,
		n.since DESC, n.repository, n.name, n.item LIMIT $%d OFFSET $%d`, len(args)+1, len(args)+2)
	err = migrations.Each(ctx, tx, query, append(args, f.Limit, f.Offset), func(scan func(...any) error) error {
		s, err := readDependency(scan, states)
		page.Dependencies = append(page.Dependencies, s)
		return err
	})
	return page, err
}

func readDependency(scan func(...any) error, states []lint.DependencyState) (lint.StoredDependency, error) {
	var s lint.StoredDependency
	var state int
	var evidence, rules, licences, committed string
	var published, downloads, since, judged, gone sql.NullInt64
	var d decisionRow
	into := []any{
		&state, &s.Repository, &s.Item, &s.Subject, &s.Versioned, &s.Ecosystem, &s.Name, &s.ResolvedName, &s.Version, &s.Spec, &s.Path, &s.Line,
		&s.Direct, &s.Source, &s.Change, &s.Judgement, &evidence, &rules, &published, &downloads, &licences, &s.LicenceKnown, &committed, &since, &judged, &gone,
	}
	if err := scan(append(into, d.into()...)...); err != nil {
		return s, err
	}
	s.State = states[state]
	s.Published, s.Since, s.Judged, s.Gone = migrations.Time(published), migrations.Time(since), migrations.Time(judged), migrations.Time(gone)
	if downloads.Valid {
		s.Downloads = &downloads.Int64
	}
	if s.Decision = d.decision(); s.Decision != nil && s.Decision.Verdict == lint.Withdrawn {
		s.Decision = nil
	}
	var err error
	s.Committed, err = readApproval(committed)
	return s, errors.Join(err, json.Unmarshal([]byte(evidence), &s.Evidence), json.Unmarshal([]byte(rules), &s.Rules), json.Unmarshal([]byte(licences), &s.Licences))
}

// DependencyScans says since when each repository's dependencies are watched.
func (h *History) DependencyScans(ctx context.Context) ([]lint.WatchedDependencies, error) {
	all, err := migrations.Remember(ctx, h.kept, allWatched{}, rowsOf[lint.WatchedDependencies], func(tx *sql.Tx) ([]lint.WatchedDependencies, error) {
		all := []lint.WatchedDependencies{}
		err := migrations.Each(ctx, tx, `SELECT repository, first_at, at FROM dependency_trees ORDER BY repository`, nil, func(scan func(...any) error) error {
			var w lint.WatchedDependencies
			var first, at sql.NullInt64
			err := scan(&w.Repository, &first, &at)
			w.Since, w.At = migrations.Time(first), migrations.Time(at)
			all = append(all, w)
			return err
		})
		return all, err
	})
	if err != nil {
		return nil, fmt.Errorf("read since when dependencies are watched: %w", err)
	}
	return all, nil
}
