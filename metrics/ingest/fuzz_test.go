package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

// small bounds what one fuzz input can unpack to.
var small = ingest.Limits{Unpacked: 4 << 20}

func FuzzImportPanel(f *testing.F) {
	for _, seed := range []string{
		"unit,time,first,y,n\na,1,2,3,4\n", "unit,time,first,y,n\na,2024-08-05,2024-W33,1e3,\nb,2024-08-12,,NA,1\n",
		"unit,time,first,y,n\na,2003,0,1,1\na,2003,0,1,1\n", zip("unit,time,first,y,n\na,1,2,3,4\n"), "unit,time\n", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := spec()
		s.ExposureCol, s.Limits = "n", small
		s.Outcomes = []ingest.OutcomeColumn{outcome("y"), outcome("both=y+n:lower:log1p")}
		store := newMemory()
		_, done, err := ingest.ImportPanel(context.Background(), store, bytes.NewReader(text), "panel.csv", s, now)
		if err != nil {
			checkFailure(t, store, err)
			return
		}
		if done.Rows != len(store.panels["p"]) || done.Rows == 0 {
			t.Errorf("%d rows, %d stored", done.Rows, len(store.panels["p"]))
		}
		seen := map[string]bool{}
		for _, row := range store.panels["p"] {
			key := row.Unit + "\x00" + store.kinds["p"].Label(row.Period)
			if seen[key] || row.Unit == "" || len(row.Values) != 2 || row.Exposure <= 0 {
				t.Errorf("row %+v", row)
			}
			seen[key] = true
		}
	})
}

func FuzzImportPullRequests(f *testing.F) {
	for _, seed := range []string{
		"id,opened,merged,author_is_bot,additions\na,2024-05-01,2024-05-02 12:00:00,1,12.0\n",
		"number,repository,opened\n1,o/r,2024-05-01T00:00:00Z\n2,o/r,2024-05-01T00:00:00+02:00\n", "id,opened\n", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		store := newMemory()
		done, err := ingest.ImportPullRequests(context.Background(), store, bytes.NewReader(text), "prs.csv", ingest.PullRequestSpec{Limits: small}, now)
		if err != nil {
			checkFailure(t, store, err)
			return
		}
		if done.Rows != len(store.prs) {
			t.Errorf("%d rows, %d stored", done.Rows, len(store.prs))
		}
		for id, pr := range store.prs {
			if id == "" || pr.Opened.IsZero() || !pr.Merged.IsZero() && (pr.Merged.Before(pr.Opened) || pr.Closed.IsZero()) || pr.Number < 0 {
				t.Errorf("pull request %+v", pr)
			}
		}
	})
}

func checkFailure(t *testing.T, store *memory, err error) {
	t.Helper()
	if !store.empty() {
		t.Errorf("something was left behind after %v", err)
	}
	if len(err.Error()) > 20_000 {
		t.Errorf("the message has %d bytes", len(err.Error()))
	}
	var line *ingest.LineError
	if errors.As(err, &line) && (line.Line < 1 && line.Value == "" || line.Cure == "") {
		t.Errorf("error = %#v", line)
	}
}

func FuzzParseOutcome(f *testing.F) {
	for _, seed := range []string{"y", "y=a+b:lower:log1p:counter", "y:lower:counter", ":", "=", "y=:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ingest.ParseOutcome(text)
		if err != nil {
			return
		}
		p := metrics.Pilot{
			ID: "p", Title: "P", Level: metrics.LevelPanel, UnitNoun: "unit", PeriodNoun: "week",
			Outcomes: []metrics.Outcome{o.Outcome},
		}
		if p.Outcomes[0].Role == "" {
			p.Outcomes[0].Role = metrics.RolePrimary
			if err := p.Validate(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		if strings.Contains(strings.Join(o.Columns, "+"), ":") {
			t.Errorf("%q: columns %q", text, o.Columns)
		}
	})
}
