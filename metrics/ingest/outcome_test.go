package ingest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

func TestParseOutcome(t *testing.T) {
	cases := map[string]ingest.OutcomeColumn{
		"lines_added":        {Outcome: metrics.Outcome{ID: "lines_added", Title: "Lines added", Better: metrics.BetterNeutral, Scale: metrics.ScaleLevel}},
		"lemp:higher:logged": {Outcome: metrics.Outcome{ID: "lemp", Title: "Lemp", Better: metrics.BetterHigher, Scale: metrics.ScaleLogged}},
		"warnings=code_smells+vulnerabilities+bugs:lower:log1p": {
			Outcome: metrics.Outcome{ID: "warnings", Title: "Warnings", Better: metrics.BetterLower, Scale: metrics.ScaleLog1p},
			Columns: []string{"code_smells", "vulnerabilities", "bugs"},
		},
		"reverts:lower:count:counter": {Outcome: metrics.Outcome{ID: "reverts", Title: "Reverts", Better: metrics.BetterLower, Scale: metrics.ScaleCount, Role: metrics.RoleCounter}},
		"reverts:lower:counter":       {Outcome: metrics.Outcome{ID: "reverts", Title: "Reverts", Better: metrics.BetterLower, Scale: metrics.ScaleLevel, Role: metrics.RoleCounter}},
		"-":                           {Outcome: metrics.Outcome{ID: "-", Title: "-", Better: metrics.BetterNeutral, Scale: metrics.ScaleLevel}},
		"age=Age in days":             {Outcome: metrics.Outcome{ID: "age", Title: "Age", Better: metrics.BetterNeutral, Scale: metrics.ScaleLevel}, Columns: []string{"Age in days"}},
	}
	for text, want := range cases {
		t.Run(strings.ReplaceAll(text, " ", "_"), func(t *testing.T) {
			got, err := ingest.ParseOutcome(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBadOutcomes(t *testing.T) {
	cases := map[string]string{
		"":                      `outcome "": "" is no name: letters, digits, '_' and '-', at most 64`,
		"lines added":           `"lines added" is no name`,
		"y=":                    "a column has no name",
		"y=a++b":                "a column has no name",
		"y:better":              `"better" is not one of lower, higher, neutral`,
		"y:lower:ln":            `"ln" is not one of level, log, log1p, logged, count`,
		"y:lower:log:x":         "too many parts",
		"y:counter:lower":       `"counter" is not one of lower, higher, neutral`,
		strings.Repeat("y", 65): "at most 64",
	}
	for text, want := range cases {
		t.Run(text[:min(len(text), 10)], func(t *testing.T) {
			_, err := ingest.ParseOutcome(text)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "write NAME[=column+column]") {
				t.Errorf("error = %v, want %s", err, want)
			}
		})
	}
}
