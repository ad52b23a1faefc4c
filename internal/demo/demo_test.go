package demo_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/demo"
	"steelyard/metrics"
	"steelyard/metrics/ingest"
	"steelyard/metrics/store"
	"steelyard/migrations"
)

var now = time.Date(2026, time.January, 5, 0, 0, 0, 0, time.UTC)

// load puts the demo's pilots into a fresh database.
func load(t *testing.T) ([]ingest.Loaded, metrics.Reports) {
	t.Helper()
	ctx := context.Background()
	db, err := migrations.Open(ctx, "sqlite:"+filepath.Join(t.TempDir(), "demo.db"), migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := store.New(db, func() time.Time { return now })
	done, err := ingest.Load(ctx, s, demo.Files(), "pilots.yaml", now)
	if err != nil {
		t.Fatal(err)
	}
	return done, metrics.NewReporter(s)
}

func TestDemo(t *testing.T) {
	done, reports := load(t)
	report := func(t *testing.T, id string) *metrics.Report {
		r, err := reports.Report(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}

	t.Run("imports", func(t *testing.T) {
		type kept struct {
			ID            string
			Rows, LeftOut int
		}
		var got []kept
		for _, l := range done {
			k := kept{l.Definition.Pilot.ID, l.Import.Rows, 0}
			for _, out := range l.Import.LeftOut {
				k.LeftOut += out.Count
			}
			got = append(got, k)
		}
		want := []kept{{"ai-editor-2025", 21546, 51}, {"agents-weekly", 1300, 13060}, {"worked-example", 3125, 0}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	t.Run("sources", func(t *testing.T) {
		for _, l := range done {
			p := l.Definition.Pilot
			if len(p.Sources) == 0 || p.Sources[0].MadeUp != (p.ID == "worked-example") {
				t.Errorf("%s: sources %+v", p.ID, p.Sources)
			}
		}
	})
	t.Run("worked-example", func(t *testing.T) { checkWorkedExample(t, report(t, "worked-example")) })
	t.Run("ai-editor-2025", func(t *testing.T) {
		r := report(t, "ai-editor-2025")
		if r.Design.Kind != metrics.DesignStaggered || len(r.Metrics) != 4 {
			t.Errorf("design %s, %d metrics", r.Design.Kind, len(r.Metrics))
		}
	})
	t.Run("agents-weekly", func(t *testing.T) {
		d := report(t, "agents-weekly").Design
		if d.Kind != metrics.DesignOneTreated || d.ComparisonUnits != 8 || d.PeriodsBefore != 52 || d.PeriodsAfter != 26 {
			t.Errorf("design %+v", d)
		}
	})
}

// checkWorkedExample holds the report to the numbers that were fixed
// beforehand.
func checkWorkedExample(t *testing.T, r *metrics.Report) {
	near := func(what string, got *float64, want, within float64) {
		t.Helper()
		switch {
		case got == nil:
			t.Errorf("%s is missing, want %v", what, want)
		case math.Abs(*got-want) > within:
			t.Errorf("%s = %v, want %v", what, *got, want)
		}
	}
	exact := 1e-9
	merge := r.Metrics[0]
	near("pilot before", merge.Pilot.Before, 18, 0)
	near("pilot after", merge.Pilot.After, 12, 0)
	near("comparison before", merge.Comparison.Before, 18, exact)
	near("comparison after", merge.Comparison.After, 15, exact)
	near("pilot change", merge.Pilot.Value, -100./3, exact)
	near("comparison change", merge.Comparison.Value, -100./6, exact)
	near("difference", merge.Headline.Estimate, -100./6, exact)
	near("interval low", merge.Headline.Low, -41, 3)
	near("interval high", merge.Headline.High, 9, 3)
	if merge.Headline.ExcludesNoChange() || r.Verdict.Value != metrics.VerdictCannotSayYet {
		t.Errorf("verdict %s, difference %s", r.Verdict.Value, merge.Headline.Text)
	}
	if merge.Sample.Censored == 0 {
		t.Error("no pull request is still open")
	}
	i := slices.IndexFunc(r.Metrics, func(m metrics.MetricReport) bool { return m.Outcome.ID == "reverts" })
	reverts := r.Metrics[i]
	for what, side := range map[string]struct {
		got           metrics.Change
		before, after float64
	}{"pilot": {reverts.Pilot, 3, 7}, "comparison": {reverts.Comparison, 3, 3}} {
		near(what+" reverts before", side.got.Before, side.before, 0)
		near(what+" reverts after", side.got.After, side.after, 0)
	}
	near("ratio of ratios", reverts.Headline.Estimate, 7./3, exact)
	near("ratio low", reverts.Headline.Low, 0.18, 0.005)
	near("ratio high", reverts.Headline.High, 29.5047, 5e-5)
	near("ratio p", reverts.Headline.P, 0.61, 0.005)
	if !strings.Contains(reverts.Finding, "rose for the pilot only") {
		t.Errorf("finding %q", reverts.Finding)
	}
	if len(r.Health) == 0 || !strings.Contains(strings.ToLower(r.Health[0]), "made-up") {
		t.Errorf("health %q does not begin with the numbers being made up", r.Health)
	}
	for _, m := range r.Metrics {
		if m.Headline.Estimate == nil {
			t.Errorf("%s has no estimate: %s", m.Outcome.ID, m.Headline.Missing)
		}
	}
}

// TestDigests holds the files to the digests in data/README.md.
func TestDigests(t *testing.T) {
	readme, err := fs.ReadFile(demo.Files(), "data/README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([0-9a-f]{64})` \\|$").FindAllStringSubmatch(string(readme), -1) {
		listed[row[1]] = row[2]
	}
	entries, err := fs.ReadDir(demo.Files(), "data")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range entries {
		if e.Name() == "README.md" {
			continue
		}
		text, err := fs.ReadFile(demo.Files(), "data/"+e.Name())
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		got[e.Name()] = hex.EncodeToString(sum[:])
	}
	if diff := cmp.Diff(got, listed); diff != "" {
		t.Errorf("digests (-files +README.md):\n%s", diff)
	}
}
