package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"steelyard/lint"
	"steelyard/migrations"
)

var _ lint.DecisionStore = (*History)(nil)

// Decide records a decision, which replaces an earlier one about the same. Its
// date has to be set; what [lint.Decision.Check] refuses wraps
// [lint.ErrDecision].
func (h *History) Decide(ctx context.Context, d lint.Decision) (lint.Decision, error) {
	d.Reason, d.Owner = strings.TrimSpace(d.Reason), strings.TrimSpace(d.Owner)
	if d.At.IsZero() {
		return d, errors.New("record a decision: it has no date")
	}
	if err := d.Check(d.At); err != nil {
		return d, fmt.Errorf("%w: %w", lint.ErrDecision, err)
	}
	err := h.db.Update(ctx, migrations.Lint, func(tx *sql.Tx, revision int64) error {
		d.ID = revision
		if _, err := tx.ExecContext(ctx, `UPDATE decisions SET newest = $1 WHERE kind = $2 AND subject = $3 AND newest`, false, string(d.Kind), d.Subject); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO decisions (id, kind, subject, verdict, answers, reason, owner, until, at, actor, newest)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			d.ID, string(d.Kind), d.Subject, string(d.Verdict), answersText(d), d.Reason, d.Owner, migrations.Millis(d.Until), d.At.UnixMilli(), d.By, true)
		return err
	})
	if err != nil {
		return d, fmt.Errorf("record a decision about %q: %w", d.Subject, err)
	}
	d.At = d.At.UTC().Truncate(time.Millisecond)
	return d, nil
}

// answersText are the judgements that a decision answers, each between spaces.
func answersText(d lint.Decision) string {
	list := d.For
	if len(list) == 0 {
		if d.Kind != lint.AboutDependency || d.Verdict != lint.Allowed {
			return ""
		}
		list = []string{"ask", "legal", "unverified"}
	}
	return " " + strings.Join(list, " ") + " "
}

// Decisions returns one page of decisions, the newest first.
func (h *History) Decisions(ctx context.Context, f lint.DecisionFilter) (lint.DecisionPage, error) {
	limit, err := pageLimit(f.Limit, f.Offset)
	if err != nil {
		return lint.DecisionPage{}, fmt.Errorf("read decisions: %w", err)
	}
	where, args := ` FROM decisions d WHERE 1 = 1`, []any{}
	add := func(clause string, value any) {
		args = append(args, value)
		where += fmt.Sprintf(clause, len(args))
	}
	if f.Kind != "" {
		add(` AND d.kind = $%d`, string(f.Kind))
	}
	if f.Subject != "" {
		add(` AND d.subject = $%d`, f.Subject)
	}
	if f.Newest {
		where += ` AND d.newest`
	}
	page, err := migrations.Remember(ctx, h.kept, f, func(p lint.DecisionPage) int { return len(p.Decisions) }, func(tx *sql.Tx) (lint.DecisionPage, error) {
		page := lint.DecisionPage{Decisions: []lint.Decision{}}
		if err := tx.QueryRowContext(ctx, `SELECT COUNT(*)`+where, args...).Scan(&page.Total); err != nil {
			return page, fmt.Errorf("count: %w", err)
		}
		query := `SELECT ` + decisionColumns + where + fmt.Sprintf(` ORDER BY d.id DESC LIMIT $%d OFFSET $%d`, len(args)+1, len(args)+2)
		err := migrations.Each(ctx, tx, query, append(args, limit, f.Offset), func(scan func(...any) error) error {
			var row decisionRow
			if err := scan(row.into()...); err != nil {
				return err
			}
			page.Decisions = append(page.Decisions, *row.decision())
			return nil
		})
		return page, err
	})
	if err != nil {
		return lint.DecisionPage{}, fmt.Errorf("read decisions: %w", err)
	}
	return page, nil
}

// pageLimit is the limit of a page within its bounds.
func pageLimit(limit, offset int) (int, error) {
	if limit < 0 || offset < 0 {
		return 0, fmt.Errorf("limit %d and offset %d must not be negative", limit, offset)
	}
	if limit == 0 {
		limit = DefaultLimit
	}
	return min(limit, MaxLimit), nil
}

const decisionColumns = `d.id, d.kind, d.subject, d.verdict, d.answers, d.reason, d.owner, d.until, d.at, d.actor`

// decisionRow is a row that may be missing.
type decisionRow struct {
	id, until, at                                          sql.NullInt64
	kind, subject, verdict, answers, reason, owner, byRole sql.NullString
}

func (r *decisionRow) into() []any {
	return []any{&r.id, &r.kind, &r.subject, &r.verdict, &r.answers, &r.reason, &r.owner, &r.until, &r.at, &r.byRole}
}

// decision is the row, nil for none.
func (r *decisionRow) decision() *lint.Decision {
	if !r.id.Valid {
		return nil
	}
	return &lint.Decision{
		ID: r.id.Int64, Kind: lint.DecisionKind(r.kind.String), Subject: r.subject.String, Verdict: lint.DecisionVerdict(r.verdict.String),
		For: strings.Fields(r.answers.String), Reason: r.reason.String, Owner: r.owner.String,
		Until: migrations.Time(r.until), At: migrations.Time(r.at), By: r.byRole.String,
	}
}
