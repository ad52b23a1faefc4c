package ingest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

// data opens a file of the reference data, which lies beside the repository.
func data(t testing.TB, name string) *os.File {
	t.Helper()
	root := os.Getenv("STEELYARD_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(root, "measurement", name))
	if os.IsNotExist(err) {
		t.Skipf("the reference data is not there: set STEELYARD_DATA to its folder (looked for %s)", f.Name())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestRealPanels(t *testing.T) {
	cases := []struct {
		file                          string
		spec                          ingest.PanelSpec
		kind                          metrics.PeriodKind
		rows, units, treated, leftOut int
	}{
		{
			file: "mpdta.csv", spec: ingest.PanelSpec{UnitCol: "countyreal", TimeCol: "year", FirstTreatedCol: "first_treat", Outcomes: []ingest.OutcomeColumn{outcome("lemp:higher:logged")}},
			kind: metrics.PeriodYear, rows: 2500, units: 500, treated: 191,
		},
		{
			file: "he2025_cursor_panel_monthly.csv.gz", spec: ingest.PanelSpec{
				UnitCol: "repo_name", TimeCol: "time", FirstTreatedCol: "event",
				Outcomes: []ingest.OutcomeColumn{outcome("commits:neutral:log1p"), outcome("warnings=code_smells+vulnerabilities+bugs:lower:log1p:counter")},
				Drop:     []ingest.Filter{{Column: "dup", Value: "1"}},
			},
			kind: metrics.PeriodMonth, rows: 21546, units: 1973, treated: 801, leftOut: 51,
		},
		{
			file: "did2s_df_het.csv.gz", spec: ingest.PanelSpec{UnitCol: "unit", TimeCol: "year", FirstTreatedCol: "g", Outcomes: []ingest.OutcomeColumn{outcome("dep_var")}},
			kind: metrics.PeriodYear, rows: 46500, units: 1500, treated: 974,
		},
		{
			file: "fixest_base_stagg.csv", spec: ingest.PanelSpec{UnitCol: "id", TimeCol: "year", FirstTreatedCol: "year_treated", Outcomes: []ingest.OutcomeColumn{outcome("y")}},
			kind: metrics.PeriodInteger, rows: 950, units: 95, treated: 95,
		},
		{
			file: "california_prop99.csv", spec: ingest.PanelSpec{UnitCol: "State", TimeCol: "Year", Starts: map[string]string{"California": "1989"}, Outcomes: []ingest.OutcomeColumn{outcome("packs=PacksPerCapita:lower:log")}},
			kind: metrics.PeriodYear, rows: 1209, units: 39, treated: 1,
		},
	}
	for _, c := range cases {
		t.Run(c.file, func(t *testing.T) {
			c.spec.Pilot.ID = "p"
			store := newMemory()
			_, done, err := ingest.ImportPanel(context.Background(), store, data(t, c.file), c.file, c.spec, now)
			if err != nil {
				t.Fatal(err)
			}
			first := map[string]int{}
			treated := 0
			for _, row := range store.panels["p"] {
				if _, seen := first[row.Unit]; !seen && row.FirstTreated != never {
					treated++
				}
				first[row.Unit] = row.FirstTreated
			}
			leftOut := 0
			for _, l := range done.LeftOut {
				leftOut += l.Count
			}
			got := fmt.Sprint(store.kinds["p"], done.Rows, len(first), treated, leftOut)
			if want := fmt.Sprint(c.kind, c.rows, c.units, c.treated, c.leftOut); got != want {
				t.Errorf("kind, rows, units, treated, left out = %s, want %s", got, want)
			}
		})
	}
}

// TestRealPullRequests reads 33,596 pull requests under their own columns.
func TestRealPullRequests(t *testing.T) {
	spec := ingest.PullRequestSpec{Columns: map[string]string{
		"repository": "repo", "author": "author_hash", "opened": "created_at", "merged": "merged_at", "closed": "closed_at",
		"first_review": "first_human_review_at", "team": "agent",
	}}
	store := newMemory()
	done, err := ingest.ImportPullRequests(context.Background(), store, data(t, "aidev_pop_prs.csv.gz"), "aidev_pop_prs.csv.gz", spec, now)
	if err != nil {
		t.Fatal(err)
	}
	merged, all := map[string]int{}, map[string]int{}
	for _, pr := range store.prs {
		all[pr.Team]++
		if !pr.Merged.IsZero() {
			merged[pr.Team]++
		}
	}
	// The shares that the source publishes.
	for agent, want := range map[string]string{
		"OpenAI_Codex": "65.30", "Copilot": "38.24", "Cursor": "51.39", "Devin": "48.92", "Claude_Code": "52.48",
	} {
		if got := fmt.Sprintf("%.2f", 100*float64(merged[agent])/float64(all[agent])); got != want {
			t.Errorf("%s: %s %% merged, published %s %%", agent, got, want)
		}
	}
	t.Logf("%d pull requests", done.Rows)
}
