// Package history keeps what the linter found, scan after scan, in SQL: the
// same code for SQLite and PostgreSQL.
//
// Every scan is kept; what is read are the findings of each repository's
// newest one, which is the one saved last. The order of saving decides and not
// the scan's date, so that a clock that was set back hides nothing. A
// finding's source line is never stored: it may hold a secret. Beside findings a
// scan keeps what the repository brings for its assistants (governed files with
// their owners and readers, and MCP servers) and which of its dependencies are
// new. Decisions that people took about these are rows that nothing changes.
// [Answers] is what registries answered, for as long as that is fresh.
package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"steelyard/lint"
	"steelyard/migrations"
	"steelyard/rules"
)

// The bounds of a page of findings.
const (
	DefaultLimit = 100
	MaxLimit     = 500
)

// History keeps scans. It satisfies [lint.FindingStore] and is safe for use by
// several goroutines and processes. What it answers is remembered until the next
// write and shared by all who ask: callers must not change it.
type History struct {
	db     *migrations.DB
	trends trendCache
	kept   *migrations.Memory
}

var _ lint.FindingStore = (*History)(nil)

// New returns a history in db.
func New(db *migrations.DB) *History {
	return &History{db: db, kept: migrations.NewMemory(db, migrations.Lint)}
}

// SaveScan keeps s beside the earlier scans of its repository, whole or not at
// all.
func (h *History) SaveScan(ctx context.Context, s lint.Scan) error {
	err := h.db.Update(ctx, migrations.Lint, func(tx *sql.Tx, revision int64) error {
		if err := saveScan(ctx, tx, revision, s); err != nil {
			return err
		}
		if err := h.saveFindings(ctx, tx, revision, s.Findings); err != nil {
			return err
		}
		if err := h.saveInventory(ctx, tx, revision, s); err != nil {
			return err
		}
		if err := saveTexts(ctx, tx, s); err != nil {
			return err
		}
		return h.saveDependencies(ctx, tx, s)
	})
	if err != nil {
		return fmt.Errorf("save scan of %q: %w", s.Repository, err)
	}
	return nil
}

// Findings returns one page of the findings of each repository's newest scan
// that f selects, ordered by severity (errors first), repository, path, line,
// rule, column. f.Rule is a rule's ID or name. A limit above [MaxLimit] is
// lowered to it; a negative one, or a negative offset, is an error.
func (h *History) Findings(ctx context.Context, f lint.FindingFilter) (lint.FindingPage, error) {
	if f.Limit < 0 || f.Offset < 0 {
		return lint.FindingPage{}, fmt.Errorf("read findings: limit %d and offset %d must not be negative", f.Limit, f.Offset)
	}
	if f.Limit == 0 {
		f.Limit = DefaultLimit
	}
	f.Limit = min(f.Limit, MaxLimit)
	page, err := migrations.Remember(ctx, h.kept, atLength(f, f.Limit), func(p lint.FindingPage) int { return len(p.Findings) },
		func(tx *sql.Tx) (lint.FindingPage, error) { return findings(ctx, tx, f) })
	if err != nil {
		return lint.FindingPage{}, fmt.Errorf("read findings: %w", err)
	}
	return page, nil
}

// Scans summarises the newest scan of each repository, by repository.
func (h *History) Scans(ctx context.Context) ([]lint.ScanSummary, error) {
	all, err := migrations.Remember(ctx, h.kept, allScans{}, rowsOf[lint.ScanSummary], func(tx *sql.Tx) ([]lint.ScanSummary, error) { return scans(ctx, tx) })
	if err != nil {
		return nil, fmt.Errorf("read scans: %w", err)
	}
	return all, nil
}

const findingColumns = 12

func saveScan(ctx context.Context, tx *sql.Tx, id int64, s lint.Scan) error {
	if s.Repository == "" {
		return errors.New("it names no repository")
	}
	if s.At.IsZero() {
		return errors.New("it has no date")
	}
	if err := errors.Join(migrations.CheckText("repository", s.Repository), migrations.CheckText("commit", s.Commit)); err != nil {
		return err
	}
	counts, err := countsOf(s.Findings)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO scans (id, repository, git_commit, at, files, counts) VALUES ($1, $2, $3, $4, $5, $6)`,
		id, s.Repository, s.Commit, s.At.UnixMilli(), s.Files, counts)
	return err
}

func (h *History) saveFindings(ctx context.Context, tx *sql.Tx, scan int64, findings []lint.Finding) error {
	insert := h.db.NewInsert(tx, `INSERT INTO findings (scan, ordinal, rule, name, severity, path,
		line, col, end_line, end_col, message, related)`, findingColumns, ``)
	ordinal := 0
	for batch := range slices.Chunk(findings, migrations.BatchRows) {
		args := make([]any, 0, len(batch)*findingColumns)
		for _, f := range batch {
			row, err := findingRow(scan, ordinal, f)
			if err != nil {
				return fmt.Errorf("finding %q: %w", f.String(), err)
			}
			args = append(args, row...)
			ordinal++
		}
		if _, err := insert.Exec(ctx, args); err != nil {
			return fmt.Errorf("insert findings: %w", err)
		}
	}
	return insert.Close()
}

func findingRow(scan int64, ordinal int, f lint.Finding) ([]any, error) {
	err := errors.Join(migrations.CheckText("rule", f.Rule), migrations.CheckText("name", f.Name),
		migrations.CheckText("severity", string(f.Severity)), migrations.CheckText("path", f.Path),
		migrations.CheckText("message", f.Message))
	if err != nil {
		return nil, err
	}
	related := f.Related
	if related == nil {
		related = []lint.Related{}
	}
	text, err := json.Marshal(related)
	if err != nil {
		return nil, fmt.Errorf("write related places: %w", err)
	}
	return []any{
		scan, ordinal, f.Rule, f.Name, string(f.Severity), f.Path,
		f.Line, f.Column, f.EndLine, f.EndColumn, f.Message, string(text),
	}, nil
}

// newest selects the scan of each repository that was saved last.
const newest = `s.id = (SELECT MAX(n.id) FROM scans n WHERE n.repository = s.repository)`

func findings(ctx context.Context, tx *sql.Tx, f lint.FindingFilter) (lint.FindingPage, error) {
	page := lint.FindingPage{Findings: []lint.StoredFinding{}}
	from, args := selection(f)
	if err := tx.QueryRowContext(ctx, `SELECT COUNT(*)`+from, args...).Scan(&page.Total); err != nil {
		return page, fmt.Errorf("count: %w", err)
	}
	query := `SELECT s.repository, f.rule, f.name, f.severity, f.path, f.line, f.col, f.end_line, f.end_col,
		f.message, f.related` + from + fmt.Sprintf(` ORDER BY CASE f.severity WHEN 'error' THEN 0 WHEN 'warning' THEN 1
		WHEN 'note' THEN 2 ELSE 3 END, s.repository, f.path, f.line, f.rule, f.col, f.ordinal LIMIT $%d OFFSET $%d`,
		len(args)+1, len(args)+2)
	err := migrations.Each(ctx, tx, query, append(args, f.Limit, f.Offset), func(scan func(...any) error) error {
		var s lint.StoredFinding
		var related string
		err := scan(&s.Repository, &s.Rule, &s.Name, &s.Severity, &s.Path, &s.Line, &s.Column,
			&s.EndLine, &s.EndColumn, &s.Message, &related)
		if err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(related), &s.Related); err != nil {
			return fmt.Errorf("read related places: %w", err)
		}
		page.Findings = append(page.Findings, s)
		return nil
	})
	return page, err
}

// selection is the part of a query that says which findings f selects.
func selection(f lint.FindingFilter) (from string, args []any) {
	from = ` FROM scans s JOIN findings f ON f.scan = s.id WHERE ` + newest
	if f.Repository != "" {
		args = append(args, f.Repository)
		from += fmt.Sprintf(` AND s.repository = $%d`, len(args))
	}
	if f.Rule != "" {
		args = append(args, f.Rule)
		from += fmt.Sprintf(` AND (f.rule = $%d OR f.name = $%d)`, len(args), len(args))
	}
	if f.Severity != "" {
		args = append(args, string(f.Severity))
		from += fmt.Sprintf(` AND f.severity = $%d`, len(args))
	}
	return from, args
}

func scans(ctx context.Context, tx *sql.Tx) ([]lint.ScanSummary, error) {
	all := []lint.ScanSummary{}
	place := map[int64]int{}
	err := migrations.Each(ctx, tx, `SELECT s.id, s.repository, s.git_commit, s.at, s.files
		FROM scans s WHERE `+newest+` ORDER BY s.repository`, nil, func(scan func(...any) error) error {
		s := lint.ScanSummary{Findings: map[rules.Severity]int{}, ByRule: map[string]int{}}
		var id int64
		var at sql.NullInt64
		if err := scan(&id, &s.Repository, &s.Commit, &at, &s.Files); err != nil {
			return err
		}
		s.At = migrations.Time(at)
		place[id] = len(all)
		all = append(all, s)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = migrations.Each(ctx, tx, `SELECT f.scan, f.severity, f.rule, COUNT(*)
		FROM scans s JOIN findings f ON f.scan = s.id WHERE `+newest+` GROUP BY f.scan, f.severity, f.rule`, nil,
		func(scan func(...any) error) error {
			var id int64
			var severity rules.Severity
			var rule string
			var n int
			if err := scan(&id, &severity, &rule, &n); err != nil {
				return err
			}
			s := &all[place[id]]
			s.Findings[severity] += n
			s.ByRule[rule] += n
			return nil
		})
	return all, err
}
