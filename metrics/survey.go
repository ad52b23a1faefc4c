package metrics

import (
	"context"
	"iter"
	"time"
)

// BelievedChange is the question by how many percent people think that what
// the pilot is judged by has changed; less than nothing is a fall.
const BelievedChange = "believed_change"

// Answer is one person's answer to one question of a survey.
type Answer struct {
	// Respondent is a digest of the key that the file had: who it is cannot be
	// read from it, and that two answers are one person's can.
	Respondent string
	Day        time.Time // midnight, UTC
	Team       string
	// Question is the name of its column, or [BelievedChange].
	Question string
	Value    float64
	// Low and High are the ends of the question's scale; both 0 for
	// [BelievedChange], which is in percent.
	Low, High float64
	// Line is the row's line in the file it came from, for messages.
	Line int
}

// SurveyStore keeps answers to surveys.
type SurveyStore interface {
	// ImportSurvey inserts or replaces answers by respondent, day and question
	// in one transaction; the first error of rows undoes everything and is
	// returned wrapped.
	ImportSurvey(ctx context.Context, rows iter.Seq2[Answer, error], finish func() (Import, error)) (Import, error)
	// Answers returns the answers of teams, in a fixed order.
	Answers(ctx context.Context, teams []string) ([]Answer, error)
}

// Cost is what a team's assistants cost on a day.
type Cost struct {
	Team   string
	Day    time.Time // midnight, UTC
	Unit   string    // "credits", or a currency's code: "EUR"
	Amount float64
	// Line is the row's line in the file it came from, for messages.
	Line int
}

// CostStore keeps costs.
type CostStore interface {
	// ImportCosts replaces costs by team, day and unit in one transaction; rows
	// of one import for the same three add up. The first error of rows undoes
	// everything and is returned wrapped.
	ImportCosts(ctx context.Context, rows iter.Seq2[Cost, error], finish func() (Import, error)) (Import, error)
	// Costs returns the costs of teams in w, in a fixed order.
	Costs(ctx context.Context, teams []string, w Window) ([]Cost, error)
	// MergesOf counts the merged pull requests of teams in w that are measured.
	MergesOf(ctx context.Context, teams []string, w Window) (int, error)
}
