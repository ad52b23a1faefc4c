package store_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"steelyard/metrics"
	"steelyard/metrics/store"
)

func TestPanelRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		d, err := importPanel(t.Context(), s, panelPilot("editor"), panelRows(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.Pilot.ID != "editor" || d.Hash == "" || !d.SavedAt.Equal(now) {
			t.Errorf("definition %+v", d)
		}
		got, err := s.Panel(t.Context(), "editor")
		if err != nil {
			t.Fatal(err)
		}
		nan, jan := math.NaN(), metrics.PeriodMonth.At(day(2024, time.January, 1))
		want := &metrics.Panel{
			Kind: metrics.PeriodMonth,
			// By bytes, whatever the server's locale: capitals first, é last.
			Units: []metrics.PanelUnit{
				{Name: "Alpha", FirstTreated: jan + 1},
				{Name: "zeta", FirstTreated: metrics.Never},
				{Name: "émile", FirstTreated: metrics.Never},
			},
			Unit:     []int{0, 0, 0, 1, 1, 1, 2, 2},
			Period:   []int{jan, jan + 1, jan + 2, jan, jan + 1, jan + 2, jan, jan + 2},
			Exposure: []float64{2, 2.5, 0, nan, 1, 1, 4, 4},
			Outcomes: []string{"commits", "warnings"},
			Values: [][]float64{
				{nan, 1e-300, 7, 1, 2, 3, 1.0 / 3, 1},
				{math.MaxFloat64, 5, 8, nan, 3, 0.1, -1, 1},
			},
			Import: metrics.Import{
				File: "panel.csv", SHA256: "ab12", Rows: 8, At: now,
				LeftOut: []metrics.LeftOut{{Count: 3, What: "rows", Reason: "of duplicates"}},
			},
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("panel (-want +got):\n%s", diff)
		}
	})
}

func TestPanelWithoutExposure(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		rows := panelRows()
		for i := range rows {
			rows[i].Exposure = math.NaN()
		}
		if _, err := importPanel(t.Context(), s, panelPilot("editor"), rows, nil); err != nil {
			t.Fatal(err)
		}
		got, err := s.Panel(t.Context(), "editor")
		if err != nil || got.Exposure != nil {
			t.Errorf("exposure %v, %v; want nil", got.Exposure, err)
		}
	})
}

func TestPanelIsReplaced(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store) {
		for _, rows := range [][]metrics.PanelRow{panelRows(), panelRows()[:2]} {
			if _, err := importPanel(t.Context(), s, panelPilot("editor"), rows, nil); err != nil {
				t.Fatal(err)
			}
			got, err := s.Panel(t.Context(), "editor")
			if err != nil || len(got.Unit) != len(rows) || got.Import.Rows != len(rows) {
				t.Errorf("%d rows, %v; want %d", len(got.Unit), err, len(rows))
			}
		}
	})
}

// manyRows is longer than a batch.
func manyRows(units, periods int) []metrics.PanelRow {
	var rows []metrics.PanelRow
	for u := range units {
		for p := range periods {
			rows = append(rows, metrics.PanelRow{
				Unit: string(rune('a'+u%26)) + strings.Repeat("x", u/26), Period: p, FirstTreated: metrics.Never,
				Exposure: math.NaN(), Values: []float64{float64(u), float64(p)}, Line: len(rows) + 2,
			})
		}
	}
	return rows
}

func TestPanelFaults(t *testing.T) {
	many := manyRows(30, 40)
	with := func(change func(rows []metrics.PanelRow) []metrics.PanelRow) []metrics.PanelRow {
		return change(append([]metrics.PanelRow(nil), many...))
	}
	tests := []struct {
		name string
		rows []metrics.PanelRow
		err  error
		want string
	}{
		{name: "rows-fail", rows: many, err: errBad, want: errBad.Error()},
		{name: "no-rows", want: "there are no rows"},
		{
			name: "duplicate-far-apart",
			rows: append(many[:len(many):len(many)], metrics.PanelRow{
				Unit: "b", Period: metrics.PeriodMonth.At(day(2024, time.May, 1)), FirstTreated: metrics.Never,
				Values: []float64{1, 1}, Line: 4000,
			}, metrics.PanelRow{
				Unit: "b", Period: metrics.PeriodMonth.At(day(2024, time.May, 1)), FirstTreated: metrics.Never,
				Values: []float64{1, 2}, Line: 4444,
			}),
			want: `unit "b" has two rows for period 2024-05, in lines 4000 and 4444: keep one of them`,
		},
		{
			name: "duplicate-in-another-batch",
			rows: with(func(rows []metrics.PanelRow) []metrics.PanelRow {
				last := rows[3]
				last.Line = 5000
				return append(rows, last)
			}),
			want: `unit "a" has two rows for period 0000-04, in lines 5 and 5000: keep one of them`,
		},
		{
			name: "two-starts",
			rows: with(func(rows []metrics.PanelRow) []metrics.PanelRow {
				rows[45].FirstTreated = metrics.PeriodMonth.At(day(2024, time.May, 1))
				return rows
			}),
			want: `unit "b" is first treated in no period by line 42 and in 2024-05 by line 47: a unit starts once`,
		},
		{
			name: "too-few-values",
			rows: with(func(rows []metrics.PanelRow) []metrics.PanelRow {
				rows[1].Values = []float64{1}
				return rows
			}),
			want: "line 3: it has 1 values for 2 outcomes",
		},
		{
			name: "infinite",
			rows: with(func(rows []metrics.PanelRow) []metrics.PanelRow {
				rows[1].Values = []float64{1, math.Inf(-1)}
				return rows
			}),
			want: `line 3: outcome "warnings" is infinite`,
		},
		{
			name: "not-utf8",
			rows: with(func(rows []metrics.PanelRow) []metrics.PanelRow {
				rows[1].Unit = "caf\xe9"
				return rows
			}),
			want: `line 3: unit "caf\xe9" holds a NUL character or is not valid UTF-8`,
		},
	}
	each(t, func(t *testing.T, s *store.Store) {
		if _, err := importPanel(t.Context(), s, panelPilot("editor"), panelRows(), nil); err != nil {
			t.Fatal(err)
		}
		changed := panelPilot("editor")
		changed.Title = "Another title"
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				checkUnchanged(t, s, func() error {
					_, err := importPanel(t.Context(), s, changed, test.rows, test.err)
					return err
				}, `import panel of pilot "editor": `, test.want)
			})
		}
		t.Run("finish-fails", func(t *testing.T) {
			checkUnchanged(t, s, func() error {
				_, err := s.ImportPanel(t.Context(), changed, metrics.PeriodMonth, sequence(panelRows(), nil),
					func() (metrics.Import, error) { return metrics.Import{}, errBad })
				return err
			}, `import panel of pilot "editor": `, errBad.Error())
		})
		t.Run("cancelled", func(t *testing.T) {
			checkUnchanged(t, s, func() error {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				n := 0
				_, err := s.ImportPanel(ctx, changed, metrics.PeriodMonth, func(yield func(metrics.PanelRow, error) bool) {
					for _, r := range many {
						if n++; n == 700 {
							cancel()
						}
						if !yield(r, nil) {
							return
						}
					}
				}, finish("panel.csv"))
				return err
			}, `import panel of pilot "editor": `, context.Canceled.Error())
		})
		t.Run("wrong-level", func(t *testing.T) {
			checkUnchanged(t, s, func() error {
				_, err := importPanel(t.Context(), s, teamPilot("editor", day(2025, 1, 6)), panelRows(), nil)
				return err
			}, `import panel of pilot "editor": `, `its level is "pull_requests": only pilots of level "panel" have a panel`)
		})
	})
}

// checkUnchanged runs write, which must fail with wants in its error, and
// compares everything that the store holds before and after.
func checkUnchanged(t *testing.T, s *store.Store, write func() error, wants ...string) {
	t.Helper()
	before := everything(t, s)
	err := write()
	if err == nil {
		t.Fatalf("no error; want %q", wants)
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("got %q; want it to contain %q", err, want)
		}
	}
	if diff := cmp.Diff(before, everything(t, s), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("the store changed (-before +after):\n%s", diff)
	}
}

// everything is all that a store can be asked.
func everything(t *testing.T, s *store.Store) map[string]any {
	t.Helper()
	pilots, err := s.Pilots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	pulls, err := collect(s.PullRequests(t.Context(), nil, metrics.Window{}))
	if err != nil {
		t.Fatal(err)
	}
	summary, err := s.PullRequestSummary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{"revision": revision(t, s), "pilots": pilots, "pulls": pulls, "summary": summary}
	for _, d := range pilots {
		if all["panel/"+d.Pilot.ID], err = s.Panel(t.Context(), d.Pilot.ID); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
