package ingest_test

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

const twoPilots = `
pilots:
  - pilot:
      id: weeks
      title: Weeks
      subject: Repository a
      description: One repository against another.
      unit_noun: repository
      period_noun: week
      before: {from: 2024-08-05, to: 2024-08-12}
      after: {from: 2024-08-12}
      left_out:
        - {from: 2024-12-23, to: 2025-01-06, reason: holidays}
      outcomes:
        - {id: warnings, title: Warnings, unit: warnings, better: lower, scale: log1p, columns: [smells, bugs]}
        - {id: reverts, better: lower, scale: count, role: counter}
      smallest_effect: 0.2
      seed: 7
      sources:
        - {title: A table, url: "https://example.org/t", licence: Apache-2.0, note: as it is}
    panel:
      file: data/weeks.csv.gz
      unit: repo
      time: week
      exposure: commits
      starts: {a: 2024-08-12}
      only_units: [a, b]
      drop:
        - {column: dup, value: 1, reason: the source ships it twice}
  - pilot:
      id: made-up
      title: Made up
      unit_noun: team
      period_noun: week
      treated: [{unit: pilot, start: 2024-08-12}]
      outcomes: [{id: open_to_merge}, {id: size}, {id: reverts}]
      sources: [{title: Invented, made_up: true}]
    pull_requests:
      file: data/prs.csv
      columns: {opened: created_at}
      repository: o/r
      drop: [{column: kind, value: docs, reason: only code}]
`

func files(manifest string) fstest.MapFS {
	return fstest.MapFS{
		"pilots.yaml": {Data: []byte(manifest)},
		"data/weeks.csv.gz": {Data: []byte(zip("repo,week,smells,bugs,reverts,commits,dup\n" +
			"a,2024-08-05,1,2,0,10,0\na,2024-08-12,2,2,1,12,0\na,2024-08-12,2,2,1,12,1\nb,2024-08-05,1,1,0,5,0\nb,2024-08-12,1,1,0,6,0\nc,2024-08-05,1,1,0,5,0\n"))},
		"data/prs.csv": {Data: []byte("number,created_at,team,kind\n1,2024-08-05,pilot,code\n2,2024-08-05,other,docs\n")},
	}
}

func TestLoad(t *testing.T) {
	store := newMemory()
	done, err := ingest.Load(context.Background(), store, files(twoPilots), "pilots.yaml", now)
	if err != nil {
		t.Fatal(err)
	}
	day := func(m time.Month, d int) time.Time { return time.Date(2024, m, d, 0, 0, 0, 0, time.UTC) }
	want := []metrics.Pilot{
		{
			ID: "weeks", Title: "Weeks", Subject: "Repository a", Description: "One repository against another.",
			Level: metrics.LevelPanel, UnitNoun: "repository", PeriodNoun: "week",
			Treated: []metrics.Adoption{{Unit: "a", Start: day(8, 12)}},
			Before:  metrics.Window{From: day(8, 5), To: day(8, 12)}, After: metrics.Window{From: day(8, 12)},
			LeftOut: []metrics.Exclusion{{Window: metrics.Window{From: day(12, 23), To: day(12, 37)}, Reason: "holidays"}},
			Outcomes: []metrics.Outcome{
				{ID: "warnings", Title: "Warnings", Unit: "warnings", Better: metrics.BetterLower, Scale: metrics.ScaleLog1p, Role: metrics.RolePrimary},
				{ID: "reverts", Title: "Reverts", Better: metrics.BetterLower, Scale: metrics.ScaleCount, Role: metrics.RoleCounter},
			},
			SmallestEffect: 0.2, Seed: 7,
			Sources: []metrics.Source{{Title: "A table", URL: "https://example.org/t", Licence: "Apache-2.0", Note: "as it is"}},
		},
		{
			ID: "made-up", Title: "Made up", Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week",
			Treated: []metrics.Adoption{{Unit: "pilot", Start: day(8, 12)}},
			Outcomes: []metrics.Outcome{
				{ID: "open_to_merge", Title: "Open to merge", Unit: "hours", Better: metrics.BetterLower, Role: metrics.RolePrimary},
				{ID: "size", Title: "Size", Unit: "lines", Better: metrics.BetterNeutral, Role: metrics.RoleSecondary},
				{ID: "reverts", Title: "Reverts within 30 days", Better: metrics.BetterLower, Role: metrics.RoleCounter},
			},
			SmallestEffect: 0.1,
			Sources:        []metrics.Source{{Title: "Invented", MadeUp: true}},
		},
	}
	for i, l := range done {
		if diff := cmp.Diff(want[i], l.Definition.Pilot); diff != "" {
			t.Errorf("pilot %d (-want +got):\n%s", i, diff)
		}
	}
	if got := store.panels["weeks"]; len(got) != 4 || got[1].Values[0] != 4 || got[1].Exposure != 12 {
		t.Errorf("panel = %+v", got)
	}
	if done[0].Import.LeftOut[0].Count != 1 || done[0].Import.LeftOut[1].Count != 1 || len(store.prs) != 1 {
		t.Errorf("imports = %+v", done)
	}
}

func TestBadManifests(t *testing.T) {
	replace := func(old, new string) string { return strings.Replace(twoPilots, old, new, 1) }
	cases := map[string]struct{ text, want string }{
		"empty":             {"", "pilots.yaml: the manifest is empty; it must list pilots"},
		"no-pilots":         {"pilots: []", "pilots.yaml: the manifest lists no pilots"},
		"two-documents":     {twoPilots + "\n---\npilots: []\n", "more than one YAML document"},
		"not-yaml":          {"pilots: [", "pilots.yaml: "},
		"unknown-key":       {replace("period_noun:", "period_nuon:"), `pilots.yaml:9: unknown key "period_nuon"; did you mean "period_noun"?`},
		"unknown-panel-key": {replace("exposure:", "over:"), `unknown key "over"; it may have file, unit, time, first_treated, exposure, starts, only_units, drop`},
		"unknown-top-key":   {"pilot: []", `pilots.yaml:1: unknown key "pilot"; did you mean "pilots"?`},
		"wrong-type":        {replace("seed: 7", "seed: many"), "pilots.yaml: line 18: cannot unmarshal"},
		"bad-date":          {replace("2024-12-23", "2024-12-33"), `pilots.yaml: line 13: "2024-12-33" is not a day; write it like 2026-01-12`},
		"no-data":           {"pilots: [{pilot: {id: a}}]", `pilots.yaml: pilots[0] ("a"): give its data as panel or as pull_requests, one of the two`},
		"no-file":           {"pilots: [{pilot: {id: a}, panel: {unit: u}}]", "name the file of its data"},
		"scale-of-metric":   {replace("{id: size}", "{id: size, scale: log}"), `outcome "size": columns and scale belong to panels`},
		"file-not-there":    {replace("data/weeks.csv.gz", "data/week.csv.gz"), `load pilot "weeks" of pilots.yaml: open data/week.csv.gz: file does not exist`},
		"bad-line":          {replace("time: week", "time: weak"), `load pilot "weeks" of pilots.yaml: data/weeks.csv.gz:1: column weak: "weak" is no column`},
		"unknown-metric":    {replace("{id: size}", "{id: sizes}"), `"sizes" is not in the catalogue`},
		"too-long":          {"#" + strings.Repeat("x", 1<<20), "longer than 1048576 bytes"},
		"alias-bomb":        {aliasBomb(), "pilots.yaml:2: unknown key"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := ingest.Load(context.Background(), newMemory(), files(c.text), "pilots.yaml", now)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v\nwant       %s", err, c.want)
			}
		})
	}
	if _, err := ingest.ReadManifest(files(twoPilots), "other.yaml"); err == nil || !strings.Contains(err.Error(), "read manifest: open other.yaml") {
		t.Errorf("error = %v", err)
	}
}

// aliasBomb is small and stands for 10^9 strings.
func aliasBomb() string {
	var b strings.Builder
	b.WriteString("pilots: [{pilot: {comparison: &a0 [x]}}]\n")
	for i := 1; i < 10; i++ {
		prev := string(rune('0' + i - 1))
		b.WriteString("a" + string(rune('0'+i)) + ": &a" + string(rune('0'+i)) + " [" + strings.Repeat("*a"+prev+",", 10) + "]\n")
	}
	return b.String()
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(twoPilots))
	f.Add([]byte(aliasBomb()))
	f.Add([]byte("pilots: [{pilot: {id: a}, panel: {file: data/weeks.csv.gz, unit: repo, time: week}}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		store := newMemory()
		done, err := ingest.Load(context.Background(), store, files(string(text)), "pilots.yaml", now)
		if err == nil && len(done) == 0 {
			t.Error("no error and no pilot")
		}
	})
}
