package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"steelyard/metrics"
)

// However a list is narrowed, a team under five authors is not offered.
func TestSmallTeamsAreNotOffered(t *testing.T) {
	h := fullHandler(t)
	for _, query := range []string{"", "?side=pilot", "?side=comparison", "?team=payments", "?team=search&span=after", "?side=pilot&team=payments&state=reverted", "?from=2026-11-01&side=pilot"} {
		w := get(t, h, "/pilots/payments/pull-requests"+query)
		body := w.Body.String()
		if w.Code != 200 || strings.Contains(body, "tiny") || !strings.Contains(body, `<option value="search"`) {
			t.Errorf("%q: %d, and the teams are not the two large ones", query, w.Code)
		}
	}
	// A team is chosen however it is written.
	if body := get(t, h, "/pilots/payments/pull-requests?team=PAYMENTS").Body.String(); !strings.Contains(body, `<option value="payments" selected>`) {
		t.Error("PAYMENTS is not shown as chosen")
	}
}

// What is counted together is never one small group.
func TestTeamGroups(t *testing.T) {
	team := func(name string, pulls, authors int) metrics.TeamSize {
		return metrics.TeamSize{Team: name, PullRequests: pulls, Authors: authors}
	}
	big, mid, five := team("big", 900, 30), team("mid", 90, 8), team("five", 50, 5)
	for name, c := range map[string]struct {
		all, alone []metrics.TeamSize
		rest       metrics.TeamSize
		n          int
	}{
		"none":        {[]metrics.TeamSize{big, mid, five}, []metrics.TeamSize{big, mid, five}, metrics.TeamSize{}, 0},
		"one":         {[]metrics.TeamSize{big, team("a", 7, 1), mid}, []metrics.TeamSize{big}, team("", 97, 9), 2},
		"two-of-four": {[]metrics.TeamSize{five, team("a", 7, 2), big, team("b", 3, 2)}, []metrics.TeamSize{big}, team("", 60, 9), 3},
		"two-of-five": {[]metrics.TeamSize{five, team("a", 7, 2), team("b", 3, 3)}, []metrics.TeamSize{five}, team("", 10, 5), 2},
		"unknown":     {[]metrics.TeamSize{five, team("a", 7, 0)}, []metrics.TeamSize{}, team("", 57, 5), 2},
		"alone":       {[]metrics.TeamSize{team("a", 7, 3)}, nil, team("", 7, 3), 1},
	} {
		alone, rest, n := teamGroups(c.all)
		if diff := gocmp.Diff(c.alone, alone); diff != "" || rest != c.rest || n != c.n {
			t.Errorf("%s: %d, %+v\n%s", name, n, rest, diff)
		}
	}
}

// Who saved a definition is a person: admins read the name, anybody else the
// role.
func TestTrailNamesNobodyToViewers(t *testing.T) {
	for _, admin := range []bool{true, false} {
		o := fullOptions()
		o.Editor = namedTrail{}
		o.Visitor = func(*http.Request) Visitor { return Visitor{Name: "somebody", MayChange: admin, SignOut: "/out"} }
		h, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range []string{"/data", "/pilots/payments/edit"} {
			body := get(t, h, page).Body.String()
			if strings.Contains(body, "ada-login") != admin || strings.Contains(body, "an admin") == admin || !strings.Contains(body, "this machine") {
				t.Errorf("%s, admin %t: who saved it is not told as it should be", page, admin)
			}
		}
	}
}

type namedTrail struct{ memoryEditor }

func (namedTrail) Trail(context.Context, string, int) ([]metrics.TrailEntry, error) {
	return []metrics.TrailEntry{{At: at("2026-08-19 10:00"), By: "ada-login"}, {At: at("2026-08-18 10:00"), By: here}}, nil
}

// The last day of a list belongs to it, as a person who writes it means.
func TestLastDayIsIncluded(t *testing.T) {
	f, err := pullsQuery{From: "2026-11-01", To: "2026-11-30"}.filter()
	if err != nil || !f.Window.From.Equal(at("2026-11-01 00:00")) || !f.Window.To.Equal(at("2026-12-01 00:00")) {
		t.Errorf("%+v, %v", f.Window, err)
	}
}

// Of many repositories that are read, those that are complete do not stand
// before the ones that need a look.
func TestManyCompleteRepositoriesAreFolded(t *testing.T) {
	now := at("2026-11-29 06:30")
	var in metrics.Ingest
	for i := range maxWhole + 3 {
		in.Repositories = append(in.Repositories, metrics.RepositoryHealth{Name: fmt.Sprintf("acme/r%d", i), Until: now.Add(-time.Hour), Whole: true})
	}
	in.Repositories = append(in.Repositories, metrics.RepositoryHealth{Name: "acme/late", Until: now.Add(-72 * time.Hour), Whole: true})
	v := newSyncView(&in, now)
	if len(v.Rows) != 1 || v.Rows[0].Name != "acme/late" || len(v.Whole) != maxWhole+3 {
		t.Errorf("%d open, %d folded", len(v.Rows), len(v.Whole))
	}
	in.Repositories = in.Repositories[3:]
	if v := newSyncView(&in, now); len(v.Rows) != maxWhole+1 || v.Whole != nil {
		t.Errorf("of few: %d open, %d folded", len(v.Rows), len(v.Whole))
	}
}
