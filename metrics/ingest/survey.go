package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"steelyard/metrics"
)

// SurveySpec says how a file becomes answers to a survey.
type SurveySpec struct {
	// Columns names the file's column by field (see [SurveyFields]), as in
	// [PullRequestSpec].
	Columns map[string]string
	// Questions are the columns that hold answers on a scale; their names are
	// what the questions are called.
	Questions []string
	// Low and High are the ends of that scale; 1 to 5 where both are 0.
	Low, High float64
	// Team is the team of all rows, where the file has no column for it.
	Team   string
	Drop   []Filter
	Limits Limits
}

// SurveyFields are the columns that [ImportSurvey] reads beside the questions.
// Required are respondent, date and a team.
func SurveyFields() []Field {
	return []Field{
		{"respondent", "a key of the person, the same in every file; only a digest of it is kept", []string{"respondent_id", "participant", "participant_id", "email", "user_id"}},
		{"date", "the day of the answer", []string{"submitted_at", "answered_at", "timestamp", "completed_at"}},
		{"team", "the person's team", []string{"team_name", "group"}},
		{"believed_change", "by how many percent the person thinks that the pilot's primary outcome has changed, −20 for a fifth less; empty: no answer", nil},
	}
}

// maxQuestions bounds the questions of one file.
const maxQuestions = 200

// mostBelieved bounds a believed change, in percent.
const mostBelieved = 10_000

// ImportSurvey reads a CSV file, plain or gzip, into the store, all or
// nothing. Keys of respondents are not kept, only digests of them.
func ImportSurvey(ctx context.Context, s metrics.SurveyStore, r io.Reader, file string, spec SurveySpec, now time.Time) (metrics.Import, error) {
	if spec.Low == 0 && spec.High == 0 {
		spec.Low, spec.High = 1, 5
	}
	if !(spec.Low < spec.High) || math.IsInf(spec.Low, 0) || math.IsInf(spec.High, 0) {
		return metrics.Import{}, fmt.Errorf("import survey: a scale from %g to %g is none: write the lower end first", spec.Low, spec.High)
	}
	if len(spec.Questions) > maxQuestions {
		return metrics.Import{}, fmt.Errorf("import survey: %d questions; the most is %d", len(spec.Questions), maxQuestions)
	}
	t, err := openFields(ctx, r, file, fieldSpec{
		what: "answers", one: "an answer", fields: SurveyFields(),
		columns: spec.Columns, drop: spec.Drop, limits: spec.Limits,
	})
	if err != nil {
		return metrics.Import{}, err
	}
	t.latest = now.Add(ahead)
	v := &surveyReader{fieldTable: t, spec: spec, seen: map[string]int{}, people: map[string]bool{}}
	if err := v.findColumns(); err != nil {
		return metrics.Import{}, err
	}
	first, err := v.next()
	if err != nil {
		return metrics.Import{}, err
	}
	done, err := s.ImportSurvey(ctx, flatten(rowsOf(first, v.next)), func() (metrics.Import, error) {
		return metrics.Import{
			File: filepath.Base(file), SHA256: v.source.sum(), Rows: v.kept, LeftOut: v.filters.leftOut(),
			Fields: v.fieldsRead, Notes: v.notes(), At: now.UTC(),
		}, nil
	})
	if err != nil {
		return metrics.Import{}, importError(file, err)
	}
	return done, nil
}

// surveyReader turns records into answers. Column numbers are −1 where the
// file has none.
type surveyReader struct {
	*fieldTable
	spec                             SurveySpec
	seen                             map[string]int // line by respondent and day
	people                           map[string]bool
	respondent, date, team, believed int
	questions                        []int
	answers                          int
}

func (v *surveyReader) findColumns() error {
	at := map[string]*int{"respondent": &v.respondent, "date": &v.date, "team": &v.team, "believed_change": &v.believed}
	var given []string
	if v.spec.Team != "" {
		given = append(given, "team")
	}
	if err := v.find(at, given...); err != nil {
		return err
	}
	for _, q := range v.spec.Questions {
		i, err := v.column(q, "a question")
		if err != nil {
			return err
		}
		if slices.Contains(v.questions, i) || i == v.respondent || i == v.date || i == v.team || i == v.believed {
			return &LineError{File: v.file, Line: v.start, Column: q, Value: q, Problem: "is read twice", Cure: "name each column once"}
		}
		if q == metrics.BelievedChange {
			return &LineError{File: v.file, Line: v.start, Column: q, Value: q, Problem: "is no question on a scale: it is read as it is, in percent", Cure: "leave it out of the questions"}
		}
		v.questions = append(v.questions, i)
	}
	var err error
	switch {
	case v.respondent < 0:
		err = v.missing("respondent", "the key of the person")
	case v.date < 0:
		err = v.missing("date", "the day of the answer")
	case v.team < 0 && v.spec.Team == "":
		err = v.missing("team", "the person's team")
	case v.believed < 0 && len(v.questions) == 0:
		err = &LineError{
			File: v.file, Line: v.start, Problem: "no column of answers is read; the file has " + list(v.names),
			Cure: "name each column of answers as a question, or map believed_change",
		}
	}
	return err
}

// next reads the answers of one row, of which there may be none.
func (v *surveyReader) next() ([]metrics.Answer, error) {
	if err := v.nextRow(); err != nil {
		return nil, err
	}
	f := fieldReader{t: v.fieldTable}
	key, day, team := f.text(v.respondent), f.time(v.date), f.name(v.team)
	if f.err != nil {
		return nil, f.err
	}
	if team == "" {
		team = v.spec.Team
	}
	switch {
	case key == "":
		return nil, v.badField(v.respondent, flaw{"is missing", "give every person a key, the same in every file"})
	case day.IsZero():
		return nil, v.badField(v.date, flaw{"is missing", "give every answer its day"})
	case team == "":
		return nil, v.badField(max(v.team, 0), flaw{"is missing", "name the team of every person"})
	}
	base := metrics.Answer{Respondent: respondentDigest(key), Day: day.UTC().Truncate(24 * time.Hour), Team: team, Line: v.start}
	when := base.Respondent + base.Day.Format(time.DateOnly)
	if first, twice := v.seen[when]; twice {
		return nil, v.badField(v.respondent, flaw{fmt.Sprintf("has answered on that day already, in line %d", first), "keep one row a person and day"})
	}
	v.seen[when], v.people[base.Respondent] = v.start, true
	return v.row(base)
}

// row reads the answers that stand in a row.
func (v *surveyReader) row(base metrics.Answer) ([]metrics.Answer, error) {
	var out []metrics.Answer
	for _, col := range v.questions {
		x, bad := parseNumber(v.fields[col])
		if bad == nil && (x < v.spec.Low || x > v.spec.High) {
			bad = &flaw{fmt.Sprintf("lies outside the scale from %g to %g", v.spec.Low, v.spec.High), "correct it, or say which scale the questions have"}
		}
		if bad != nil {
			return nil, v.badField(col, *bad)
		}
		if !math.IsNaN(x) {
			a := base
			a.Question, a.Value, a.Low, a.High = v.names[col], x, v.spec.Low, v.spec.High
			out = append(out, a)
		}
	}
	if v.believed >= 0 {
		x, bad := parseNumber(v.fields[v.believed])
		if bad == nil && (x < -100 || x > mostBelieved) {
			bad = &flaw{fmt.Sprintf("is no change in percent from −100 to %d", mostBelieved), "write −20 for a fifth less"}
		}
		if bad != nil {
			return nil, v.badField(v.believed, *bad)
		}
		if !math.IsNaN(x) {
			a := base
			a.Question, a.Value = metrics.BelievedChange, x
			out = append(out, a)
		}
	}
	v.answers += len(out)
	return out, nil
}

// respondentDigest is what is kept of a person's key.
func respondentDigest(key string) string {
	sum := sha256.Sum256([]byte("steelyard respondent\x00" + key))
	return hex.EncodeToString(sum[:16])
}

// notes name the columns that were not read, and say what can be shown.
func (v *surveyReader) notes() []string {
	var out, unread []string
	for i, name := range v.names {
		if i != v.respondent && i != v.date && i != v.team && i != v.believed && !slices.Contains(v.questions, i) && name != "" {
			unread = append(unread, name)
		}
	}
	if len(unread) > 0 {
		out = append(out, fmt.Sprintf("These columns are not read: %s (--question reads one that holds answers).", strings.TrimSpace(list(unread))))
	}
	if v.answers == 0 {
		out = append(out, "No row holds an answer.")
	}
	if n := len(v.people); n < 5 {
		out = append(out, fmt.Sprintf("Only %s: answers of fewer than five are not shown.", peopleAnswered(n)))
	}
	return out
}

func peopleAnswered(n int) string {
	if n == 1 {
		return "1 person answered"
	}
	return fmt.Sprintf("%d people answered", n)
}

// flatten yields the answers of rows one by one.
func flatten(rows iter.Seq2[[]metrics.Answer, error]) iter.Seq2[metrics.Answer, error] {
	return func(yield func(metrics.Answer, error) bool) {
		for row, err := range rows {
			if err != nil {
				yield(metrics.Answer{}, err)
				return
			}
			for _, a := range row {
				if !yield(a, nil) {
					return
				}
			}
		}
	}
}
