package demo_test

import (
	"compress/gzip"
	"encoding/csv"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/demo"
	"steelyard/metrics/ingest"
)

// The numbers of the rule in data/README.md.
const (
	beforeWeeks, afterWeeks = 52, 26
	sustainedWeeks          = 13
	sustainedShare          = 0.10
	sustainedSeen           = 10
	treatedShare            = 0.02
	comparisonShare         = 0.01
	weeklyMerges            = 5
)

const week = 7 * 24 * time.Hour

type counts struct{ commits, merges, agents float64 }

// history is a repository's weeks by their Monday.
type history map[time.Time]counts

func (h history) last() time.Time {
	return slices.MaxFunc(slices.Collect(maps.Keys(h)), time.Time.Compare)
}

// sum adds up n weeks from a Monday on; every is false where one of them has
// no commit, or is the last one of the data.
func (h history) sum(from time.Time, n int) (total counts, every bool) {
	every = true
	for i := range n {
		at := from.Add(time.Duration(i) * week)
		c := h[at]
		total.commits += c.commits
		total.merges += c.merges
		total.agents += c.agents
		every = every && c.commits > 0 && at.Before(h.last())
	}
	return total, every
}

// start is the first week of sustained use.
func (h history) start() (time.Time, bool) {
	for _, at := range slices.SortedFunc(maps.Keys(h), time.Time.Compare) {
		if h[at].agents == 0 || at.Add((sustainedWeeks-1)*week).After(h.last()) {
			continue
		}
		seen := 0
		for i := range sustainedWeeks {
			if h[at.Add(time.Duration(i)*week)].agents > 0 {
				seen++
			}
		}
		if c, _ := h.sum(at, sustainedWeeks); seen >= sustainedSeen && c.agents >= sustainedShare*c.commits {
			return at, true
		}
	}
	return time.Time{}, false
}

// eligible reports whether a repository could be the treated one.
func (h history) eligible(start time.Time) bool {
	before, everyBefore := h.sum(start.Add(-beforeWeeks*week), beforeWeeks)
	_, everyAfter := h.sum(start, afterWeeks)
	return everyBefore && everyAfter && before.agents < treatedShare*before.commits && before.merges >= weeklyMerges*beforeWeeks
}

// recent is the share of agents' commits in the last 26 weeks of the data.
func (h history) recent() float64 {
	c, _ := h.sum(h.last().Add(-(afterWeeks-1)*week), afterWeeks)
	return c.agents / c.commits
}

// compares reports whether a repository belongs into the comparison.
func (h history) compares(start time.Time) bool {
	from := start.Add(-beforeWeeks * week)
	all, every := h.sum(from, beforeWeeks+afterWeeks)
	before, _ := h.sum(from, beforeWeeks)
	return every && all.agents < comparisonShare*all.commits && before.merges >= weeklyMerges*beforeWeeks
}

func histories(t *testing.T) map[string]history {
	t.Helper()
	f, err := demo.Files().Open("data/git_repo_week_panel.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(unzip).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	number := func(row []string, name string) float64 {
		x, err := strconv.ParseFloat(row[slices.Index(rows[0], name)], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	all := map[string]history{}
	for _, row := range rows[1:] {
		at, err := time.Parse(time.DateOnly, row[1])
		if err != nil {
			t.Fatal(err)
		}
		if all[row[0]] == nil {
			all[row[0]] = history{}
		}
		all[row[0]][at] = counts{number(row, "commits"), number(row, "pr_merges"), number(row, "ai_commits")}
	}
	return all
}

// TestRule applies the published rule to the whole file and holds pilots.yaml
// to the answer.
func TestRule(t *testing.T) {
	all := histories(t)
	treated, share := "", 0.0
	var start time.Time
	for _, name := range slices.Sorted(maps.Keys(all)) {
		h := all[name]
		if at, ok := h.start(); ok && h.eligible(at) && h.recent() > share {
			treated, share, start = name, h.recent(), at
		}
	}
	units := []string{treated}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name != treated && all[name].compares(start) {
			units = append(units, name)
		}
	}

	m, err := ingest.ReadManifest(demo.Files(), "pilots.yaml")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(m.Pilots, func(p ingest.ManifestPilot) bool { return p.Pilot.ID == "agents-weekly" })
	p := m.Pilots[i]
	if diff := cmp.Diff(map[string]string{treated: start.Format(time.DateOnly)}, p.Panel.Starts); diff != "" {
		t.Errorf("starts (-rule +pilots.yaml):\n%s", diff)
	}
	if diff := cmp.Diff(units, p.Panel.OnlyUnits); diff != "" {
		t.Errorf("units (-rule +pilots.yaml):\n%s", diff)
	}
	if len(units) < 6 {
		t.Errorf("%d comparison repositories, want at least 5", len(units)-1)
	}
	windows := [4]time.Time{p.Pilot.Before.From.Time, p.Pilot.Before.To.Time, p.Pilot.After.From.Time, p.Pilot.After.To.Time}
	want := [4]time.Time{start.Add(-beforeWeeks * week), start, start, start.Add(afterWeeks * week)}
	if windows != want {
		t.Errorf("windows = %v, the rule says %v", windows, want)
	}
}
