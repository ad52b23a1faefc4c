package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

// shelf keeps deployments, answers and costs in memory.
type shelf struct {
	metrics.SurveyStore
	metrics.CostStore
	deployments []metrics.Deployment
	answers     []metrics.Answer
	costs       []metrics.Cost
}

func taken[T any](rows iter.Seq2[T, error], into *[]T, finish func() (metrics.Import, error)) (metrics.Import, error) {
	var out []T
	for r, err := range rows {
		if err != nil {
			return metrics.Import{}, err
		}
		out = append(out, r)
	}
	done, err := finish()
	if err == nil {
		*into = out
	}
	return done, err
}

func (s *shelf) ImportDeployments(_ context.Context, rows iter.Seq2[metrics.Deployment, error], finish func() (metrics.Import, error)) (metrics.Linked, error) {
	done, err := taken(rows, &s.deployments, finish)
	return metrics.Linked{Import: done}, err
}

func (s *shelf) ImportSurvey(_ context.Context, rows iter.Seq2[metrics.Answer, error], finish func() (metrics.Import, error)) (metrics.Import, error) {
	return taken(rows, &s.answers, finish)
}

func (s *shelf) ImportCosts(_ context.Context, rows iter.Seq2[metrics.Cost, error], finish func() (metrics.Import, error)) (metrics.Import, error) {
	return taken(rows, &s.costs, finish)
}

func TestDeploymentRows(t *testing.T) {
	text := strings.Join([]string{
		"id,repository,environment,finished_at,result,sha,commits",
		"7,o/r,Production,2024-05-01T12:00:00Z,SUCCESS,ABC123,d1 D2",
		"7,o/r,Production,2024-05-01T12:00:00Z,SUCCESS,ABC123,d3",
		",o/r,prod-eu,2024-05-02,success,abd,",
		"8,o/r,pre-prod,2024-05-02,success,abe,",
		"9,o/r,prod,2024-05-02,failed,abf,",
		"10,o/r,prod,2024-05-02,success,,",
		"11,o/r,,2024-05-02,success,abg,",
	}, "\n")
	var s shelf
	done, err := ingest.ImportDeployments(context.Background(), &s, strings.NewReader(text), "d.csv", ingest.DeploymentSpec{}, now)
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2024, time.May, 1, 12, 0, 0, 0, time.UTC)
	one := metrics.Deployment{ID: "o/r:7", Repository: "o/r", Environment: "Production", Finished: noon, SHA: "abc123", Commits: []string{"d1", "d2"}, Line: 2}
	two := one
	two.Commits, two.Line = []string{"d3"}, 3
	if len(s.deployments) != 3 {
		t.Fatalf("deployments %+v", s.deployments)
	}
	three := metrics.Deployment{ID: s.deployments[2].ID, Repository: "o/r", Environment: "prod-eu", Finished: noon.Add(12 * time.Hour), SHA: "abd", Line: 4}
	if diff := cmp.Diff([]metrics.Deployment{one, two, three}, s.deployments); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(three.ID, "made:") {
		t.Errorf("id %q", three.ID)
	}
	want := []metrics.LeftOut{
		{Count: 1, What: "rows", Reason: "the deployment did not succeed"},
		{Count: 2, What: "rows", Reason: "the environment is not production (pre-prod)"},
		{Count: 1, What: "rows", Reason: "the deployment names no commit"},
	}
	if diff := cmp.Diff(want, done.Import.LeftOut); diff != "" || done.Import.Rows != 2 {
		t.Errorf("rows %d, left out (-want +got):\n%s", done.Import.Rows, diff)
	}
}

func TestProductionName(t *testing.T) {
	for name, want := range map[string]bool{
		"production": true, "PRODUCTION": true, "prod": true, "prod-eu": true, "eu_live": true, "Production (west)": true,
		"": false, "staging": false, "pre-prod": false, "nonprod": false, "non-production": false, "prod_test": false, "product": false, "delivery": false,
	} {
		if got := ingest.ProductionName(name); got != want {
			t.Errorf("ProductionName(%q) = %v", name, got)
		}
	}
}

func TestSurveyRows(t *testing.T) {
	text := "respondent,date,team,I can focus,believed_change,comment\n" +
		"ann@acme.example,2024-05-01T08:00:00Z,payments,4,-20,fine\nbob,2024-05-01,payments,,,\ncy,2024-05-02,ledger,1.5,,\n"
	var s shelf
	spec := ingest.SurveySpec{Questions: []string{"I can focus"}}
	done, err := ingest.ImportSurvey(context.Background(), &s, strings.NewReader(text), "s.csv", spec, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.answers) != 3 || done.Rows != 3 {
		t.Fatalf("%d rows, answers %+v", done.Rows, s.answers)
	}
	a, b := s.answers[0], s.answers[1]
	if a.Question != "I can focus" || a.Value != 4 || a.Low != 1 || a.High != 5 || a.Team != "payments" || a.Day.Hour() != 0 {
		t.Errorf("answer %+v", a)
	}
	if b.Question != metrics.BelievedChange || b.Value != -20 || b.Respondent != a.Respondent {
		t.Errorf("answer %+v", b)
	}
	for _, a := range s.answers {
		if strings.Contains(a.Respondent, "ann") || len(a.Respondent) != 32 {
			t.Errorf("the key is kept: %q", a.Respondent)
		}
	}
	notes := strings.Join(done.Notes, " ")
	for _, part := range []string{"not read: comment", "Only 3 people answered"} {
		if !strings.Contains(notes, part) {
			t.Errorf("notes %q do not say %q", notes, part)
		}
	}
}

func TestCostRows(t *testing.T) {
	var s shelf
	text := "date,team,cost,currency\n2024-05-01T10:00:00Z,payments,12.5,eur\n2024-05-01,,3,EUR\n"
	spec := ingest.CostSpec{Columns: map[string]string{"amount": "cost"}}
	done, err := ingest.ImportCosts(context.Background(), &s, strings.NewReader(text), "c.csv", spec, now)
	if err != nil {
		t.Fatal(err)
	}
	want := []metrics.Cost{{Team: "payments", Day: time.Date(2024, time.May, 1, 0, 0, 0, 0, time.UTC), Unit: "EUR", Amount: 12.5, Line: 2}}
	if diff := cmp.Diff(want, s.costs); diff != "" || done.Rows != 1 || len(done.LeftOut) != 1 {
		t.Errorf("%+v (-want +got):\n%s", done, diff)
	}
	text = "date,team,credits\n2024-05-01,payments,7\n"
	if _, err = ingest.ImportCosts(context.Background(), &s, strings.NewReader(text), "c.csv", ingest.CostSpec{}, now); err != nil || s.costs[0].Unit != "credits" {
		t.Errorf("%+v, %v", s.costs, err)
	}
}

// A bad line names its line, its column and a cure.
func TestBadOtherFiles(t *testing.T) {
	deployments := func(text string, s *shelf) error {
		_, err := ingest.ImportDeployments(context.Background(), s, strings.NewReader(text), "f.csv", ingest.DeploymentSpec{}, now)
		return err
	}
	survey := func(text string, s *shelf) error {
		_, err := ingest.ImportSurvey(context.Background(), s, strings.NewReader(text), "f.csv", ingest.SurveySpec{Questions: []string{"q"}}, now)
		return err
	}
	costs := func(text string, s *shelf) error {
		_, err := ingest.ImportCosts(context.Background(), s, strings.NewReader(text), "f.csv", ingest.CostSpec{}, now)
		return err
	}
	for _, c := range []struct {
		name, text, want string
		read             func(string, *shelf) error
	}{
		{"no-commit-column", "repository,finished_at\no/r,2024-05-01\n", "wanted as the commit deployed", deployments},
		{"no-end", "repository,finished_at,sha\no/r,,a\n", "give every deployment that succeeded the time it ended", deployments},
		{"no-repository", "repository,finished_at,sha\n,2024-05-01,a\n", "name the repository of every deployment", deployments},
		{"strange-result", "repository,finished_at,sha,result\no/r,2024-05-01,a,maybe\n", "is no result of a deployment", deployments},
		{"two-of-one-id", "id,repository,finished_at,sha\n1,o/r,2024-05-01,a\n1,o/r,2024-05-02,a\n", "is the deployment of line 2", deployments},
		{"all-failed", "repository,finished_at,sha,result\no/r,2024-05-01,a,failed\n", "nothing is left to import: 1 because", deployments},
		{"future", "repository,finished_at,sha\no/r,2150-05-01,a\n", "lies in the future", deployments},
		{"no-key", "respondent,date,team,q\n,2024-05-01,a,1\n", "give every person a key", survey},
		{"twice", "respondent,date,team,q\nx,2024-05-01,a,1\nx,2024-05-01,a,2\n", "has answered on that day already, in line 2", survey},
		{"off-the-scale", "respondent,date,team,q\nx,2024-05-01,a,6\n", "lies outside the scale from 1 to 5", survey},
		{"no-percent", "respondent,date,team,q,believed_change\nx,2024-05-01,a,1,-101\n", "is no change in percent", survey},
		{"not-a-number", "respondent,date,team,q\nx,2024-05-01,a,good\n", "is not a number", survey},
		{"no-question", "respondent,date,team\nx,2024-05-01,a\n", "is no column of the file", survey},
		{"no-amount", "date,team\n2024-05-01,a\n", "wanted as the usage in credits", costs},
		{"no-currency", "date,team,amount\n2024-05-01,a,1\n", "wanted as the currency of the amounts", costs},
		{"both", "date,team,credits,amount,currency\n2024-05-01,a,1,1,EUR\n", "one import is of one of them", costs},
		{"bad-currency", "date,team,amount,currency\n2024-05-01,a,1,Euro\n", "is no code of a currency", costs},
		{"no-number", "date,team,credits\n2024-05-01,a,\n", "write 0 where there was no usage", costs},
		{"no-team", "date,team,credits\n2024-05-01,,1\n", "nothing is left to import", costs},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s shelf
			err := c.read(c.text, &s)
			line, ok := errors.AsType[*ingest.LineError](err)
			if !ok || !strings.Contains(err.Error(), c.want) || line.Cure == "" || line.Line < 1 {
				t.Errorf("%v; want a line that says %q", err, c.want)
			}
			if len(s.deployments)+len(s.answers)+len(s.costs) > 0 {
				t.Errorf("something was left behind: %+v", s)
			}
		})
	}
}

func FuzzImportOthers(f *testing.F) {
	for _, seed := range []string{
		"id,repository,environment,finished_at,result,sha,commits\n7,o/r,prod,2024-05-01T12:00:00Z,SUCCESS,ABC,d1 d2\n",
		"respondent,date,team,q,believed_change\nx,2024-05-01,a,4,-20\n",
		"date,team,credits\n2024-05-01,payments,7\n", "date,team,amount,currency\n2024-05-01,payments,7,EUR\n", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s shelf
		ctx := context.Background()
		if _, err := ingest.ImportDeployments(ctx, &s, bytes.NewReader(text), "f.csv", ingest.DeploymentSpec{Limits: small}, now); err != nil && len(s.deployments) > 0 {
			t.Errorf("deployments left behind after %v", err)
		}
		for _, d := range s.deployments {
			if d.ID == "" || d.Repository == "" || d.Finished.IsZero() || d.SHA == "" && len(d.Commits) == 0 {
				t.Errorf("deployment %+v", d)
			}
		}
		if _, err := ingest.ImportSurvey(ctx, &s, bytes.NewReader(text), "f.csv", ingest.SurveySpec{Questions: []string{"q"}, Limits: small}, now); err != nil && len(s.answers) > 0 {
			t.Errorf("answers left behind after %v", err)
		}
		for _, a := range s.answers {
			if a.Team == "" || a.Day.IsZero() || a.Question == "q" && (a.Value < 1 || a.Value > 5) {
				t.Errorf("answer %+v", a)
			}
		}
		if _, err := ingest.ImportCosts(ctx, &s, bytes.NewReader(text), "f.csv", ingest.CostSpec{Limits: small}, now); err != nil && len(s.costs) > 0 {
			t.Errorf("costs left behind after %v", err)
		}
		for _, c := range s.costs {
			if c.Team == "" || c.Day.IsZero() || c.Unit == "" {
				t.Errorf("cost %+v", c)
			}
		}
	})
}
