package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"steelyard/metrics"
	"steelyard/migrations"
)

// ImportSurvey inserts or replaces answers by respondent, day and question in
// one transaction. rows is read once; its first error, and the end of ctx, undo
// everything. finish is called after the last row. Neither rows nor finish may
// use the store.
func (s *Store) ImportSurvey(ctx context.Context, rows iter.Seq2[metrics.Answer, error], finish func() (metrics.Import, error)) (metrics.Import, error) {
	var imp metrics.Import
	err := s.db.Update(ctx, migrations.Measurement, func(tx *sql.Tx, revision int64) error {
		if err := beginImport(ctx, tx, revision, ""); err != nil {
			return err
		}
		if err := s.importAnswers(ctx, tx, revision, rows); err != nil {
			return err
		}
		var err error
		if imp, err = endOther(ctx, tx, revision, "survey", s, finish); err != nil {
			return err
		}
		return nil
	})
	if err != nil {
		return metrics.Import{}, fmt.Errorf("import survey: %w", err)
	}
	return imp, nil
}

// endOther ends an import that is neither of a panel nor of pull requests; its
// number of rows is what finish says.
func endOther(ctx context.Context, tx *sql.Tx, id int64, kind string, s *Store, finish func() (metrics.Import, error)) (metrics.Import, error) {
	done, err := finish()
	if err != nil {
		return metrics.Import{}, err
	}
	done, err = endImport(ctx, tx, id, done.Rows, s.clock(), func() (metrics.Import, error) { return done, nil })
	if err != nil {
		return metrics.Import{}, err
	}
	return done, kindOfImport(ctx, tx, id, kind)
}

const answerColumns = 8

// importAnswers writes answers; two of one person, day and question in one
// import are refused, because nobody can tell which one counts.
func (s *Store) importAnswers(ctx context.Context, tx *sql.Tx, id int64, rows iter.Seq2[metrics.Answer, error]) error {
	insert := s.db.NewInsert(tx, `INSERT INTO survey_answers (respondent, day, team, question, answer, low, high, import)`, answerColumns,
		`ON CONFLICT (respondent, day, question) DO UPDATE SET team = excluded.team, answer = excluded.answer, low = excluded.low,
		high = excluded.high, import = excluded.import WHERE survey_answers.import <> excluded.import`)
	var args []any
	flush := func() error {
		affected, err := insert.Exec(ctx, args)
		if err == nil && affected < int64(len(args)/answerColumns) {
			err = errors.New("somebody answered a question twice on one day: keep one answer")
		}
		args = args[:0]
		return err
	}
	for a, err := range rows {
		if err != nil {
			return err
		}
		if err := errors.Join(ctx.Err(), migrations.CheckText("respondent", a.Respondent), migrations.CheckText("team", a.Team), migrations.CheckText("question", a.Question)); err != nil {
			return fmt.Errorf("line %d: %w", a.Line, err)
		}
		args = append(args, a.Respondent, a.Day.UnixMilli(), a.Team, a.Question, a.Value, a.Low, a.High, id)
		if len(args) == migrations.BatchRows*answerColumns {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return insert.Close()
}

// Answers returns the answers of teams, by day, question and respondent.
func (s *Store) Answers(ctx context.Context, teams []string) ([]metrics.Answer, error) {
	wanted := set(teams)
	var out []metrics.Answer
	err := s.db.View(ctx, func(tx *sql.Tx) error {
		return migrations.Each(ctx, tx, `SELECT respondent, day, team, question, answer, low, high FROM survey_answers
			ORDER BY day, question, respondent`, nil, func(scan func(...any) error) error {
			var a metrics.Answer
			var day sql.NullInt64
			if err := scan(&a.Respondent, &day, &a.Team, &a.Question, &a.Value, &a.Low, &a.High); err != nil {
				return err
			}
			if a.Day = migrations.Time(day); wanted[a.Team] {
				out = append(out, a)
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read answers: %w", err)
	}
	return out, nil
}

func set(names []string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, n := range names {
		out[n] = true
	}
	return out
}
