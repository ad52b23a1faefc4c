package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"steelyard/metrics"
)

// send posts a form.
func send(h http.Handler, to string, form url.Values, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, to, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// typed is a form that is filled in as it should be.
func typed() url.Values {
	return url.Values{
		"sent": {"1"}, "title": {"Ledger tries it"}, "subject": {"Ledger"}, "treated.unit": {"ledger", ""}, "treated.start": {"2026-08-03", ""},
		"comparison": {"search", "checkout"}, "before.from": {"2026-04-13"}, "before.to": {"2026-08-03"}, "after.from": {"2026-08-17"}, "after.to": {""},
		"left_out.from": {"2026-08-03", ""}, "left_out.to": {"2026-08-17", ""}, "left_out.reason": {"ramp-up", ""},
		"outcome.time_to_first_review": {"primary"}, "outcome.reverts": {"counter"}, "outcome.open_to_merge": {""}, "smallest_effect": {"12,5"}, "period_noun": {"week"},
	}
}

func TestSavingAPilot(t *testing.T) {
	var got metrics.Pilot
	var by metrics.Edit
	o := fullOptions()
	o.Editor = memoryEditor{func(p metrics.Pilot, e metrics.Edit) error {
		got, by = p, e
		return p.Validate()
	}}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	w := send(h, "/pilots/new", typed())
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/pilots/ledger-tries-it" {
		t.Fatalf("status %d to %q: %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	want := metrics.Pilot{
		ID: "ledger-tries-it", Title: "Ledger tries it", Subject: "Ledger", Level: metrics.LevelPullRequests, UnitNoun: "team", PeriodNoun: "week",
		Treated: []metrics.Adoption{{Unit: "ledger", Start: at("2026-08-03 00:00")}}, Comparison: []string{"search", "checkout"},
		Before:  metrics.Window{From: at("2026-04-13 00:00"), To: at("2026-08-03 00:00")},
		After:   metrics.Window{From: at("2026-08-17 00:00")},
		LeftOut: []metrics.Exclusion{{Window: metrics.Window{From: at("2026-08-03 00:00"), To: at("2026-08-17 00:00")}, Reason: "ramp-up"}}, SmallestEffect: .125, Seed: 1,
		Outcomes: got.Outcomes,
	}
	if diff := want.Diff(got); len(diff) > 0 {
		t.Errorf("saved with other %v: %+v", diff, got)
	}
	if len(got.Outcomes) != 2 || got.Outcomes[0].ID != "time_to_first_review" || got.Outcomes[0].Role != metrics.RolePrimary || got.Outcomes[1].Role != metrics.RoleCounter {
		t.Errorf("outcomes %+v", got.Outcomes)
	}
	if by != (metrics.Edit{By: "this machine"}) {
		t.Errorf("saved by %+v", by)
	}
	form := typed()
	form.Set("hash", "abc")
	if w := send(h, "/pilots/payments/edit", form); w.Code != http.StatusSeeOther || got.ID != "payments" || by.Based != "abc" || got.Seed != 20260803 {
		t.Errorf("an edit answers %d and saves %+v by %+v", w.Code, got, by)
	}
}

func TestMistakesInTheForm(t *testing.T) {
	saves := 0
	o := fullOptions()
	o.Editor = memoryEditor{func(metrics.Pilot, metrics.Edit) error {
		saves++
		return metrics.ErrChanged
	}}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		field, value string
		status       int
		says         []string
	}{
		"no-team":        {"treated.unit", "", 422, []string{`href="#treated"`, "Not saved."}},
		"no-day":         {"treated.start", "soon", 422, []string{"“soon” is not a day", `href="#treated"`}},
		"no-name":        {"title", "", 422, []string{"The name", `href="#title"`}},
		"no-primary":     {"outcome.time_to_first_review", "secondary", 422, []string{"Exactly one metric decides", `href="#outcomes"`}},
		"two-primaries":  {"outcome.size", "primary", 422, []string{"Exactly one metric decides"}},
		"no-number":      {"smallest_effect", "much", 422, []string{"is not a number", `href="#smallest_effect"`}},
		"window-in-time": {"before.from", "2027-01-01", 422, []string{`href="#before"`}},
		"hostile":        {"title", "<script>alert(1)</script>", 409, []string{"&lt;script&gt;alert(1)&lt;/script&gt;"}},
		"id-of-the-form": {"id", "new", 422, []string{"is the address of this form"}},
		"already-there":  {"id", "payments", 409, []string{"There is a pilot payments already."}},
	} {
		t.Run(name, func(t *testing.T) {
			form := typed()
			form.Set(c.field, c.value)
			w := send(h, "/pilots/new", form)
			if w.Code != c.status {
				t.Errorf("status %d, want %d", w.Code, c.status)
			}
			for _, s := range append(c.says, `value="2026-04-13"`) {
				if name != "window-in-time" && !strings.Contains(w.Body.String(), s) {
					t.Errorf("%q is missing", s)
				}
			}
			checkHeaders(t, w)
		})
	}
	if saves != 2 {
		t.Errorf("saved %d times", saves)
	}
}

// TestTwoAdminsAtOnce edits a pilot that somebody else has changed meanwhile.
// Whatever way the form takes, it goes on from the definition that it began
// with, until a person has been told.
func TestTwoAdminsAtOnce(t *testing.T) {
	o := fullOptions()
	o.Editor = memoryEditor{func(_ metrics.Pilot, e metrics.Edit) error {
		if e.Based != "stale" {
			t.Errorf("saved over %q", e.Based)
		}
		return metrics.ErrChanged
	}}
	o.Visitor = func(*http.Request) Visitor { return Visitor{Name: "somebody", MayChange: true, FormToken: "tok&en"} }
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	form := typed()
	form.Set("hash", "stale")
	looked := get(t, h, "/pilots/payments/edit?"+form.Encode()).Body.String()
	faulty := typed()
	faulty.Set("hash", "stale")
	faulty.Set("smallest_effect", "much")
	corrected := send(h, "/pilots/payments/edit", faulty).Body.String()
	for name, body := range map[string]string{"looked at without a script": looked, "sent with a mistake": corrected} {
		if !strings.Contains(body, `name="hash" value="stale"`) {
			t.Errorf("a form that was %s forgets what it began with", name)
		}
		// The token goes with the button that saves; an address never holds it.
		if n := strings.Count(body, "tok&amp;en"); n != 1 || !strings.Contains(body, `class="main" name="token" value="tok&amp;en"`) {
			t.Errorf("a form that was %s has the token %d times", name, n)
		}
	}
	w := send(h, "/pilots/payments/edit", form)
	body := w.Body.String()
	for _, s := range []string{
		"Somebody else changed this pilot", "Saving it again would replace what is stored now: ", `href="/pilots/payments/edit" target="_blank"`,
		`name="hash" value="` + smallPilot().Definition.Hash + `"`, `value="2026-04-13"`,
	} {
		if w.Code != http.StatusConflict || !strings.Contains(body, s) {
			t.Errorf("a stale edit answers %d without %q", w.Code, s)
		}
	}
}

// TestOnlyAdminsChange lets others look and try.
func TestOnlyAdminsChange(t *testing.T) {
	o := fullOptions()
	o.Editor = memoryEditor{func(metrics.Pilot, metrics.Edit) error {
		t.Error("it was saved")
		return nil
	}}
	o.Visitor = func(*http.Request) Visitor { return Visitor{Name: "a viewer", FormToken: "tok&en"} }
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if w := send(h, "/pilots/new", typed()); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "only an admin") && !strings.Contains(w.Body.String(), "Only an admin") {
		t.Errorf("a viewer's form answers %d: %s", w.Code, w.Body)
	}
	body := get(t, h, "/pilots/new").Body.String()
	if strings.Contains(body, "Save the definition") || strings.Contains(body, "tok&amp;en") || !strings.Contains(body, "Show what it could see") {
		t.Errorf("a viewer's form: %s", body)
	}
	if body := get(t, h, "/").Body.String(); strings.Contains(body, "/pilots/new") {
		t.Error("a viewer is led to the form")
	}
	o.Visitor = nil
	if h, err = New(o); err != nil {
		t.Fatal(err)
	}
	if w := send(h, "/pilots/new", typed(), "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden {
		t.Errorf("another site's form answers %d", w.Code)
	}
}

// TestFormKeepsADefinition fills a form from a definition and reads the same
// one back.
func TestFormKeepsADefinition(t *testing.T) {
	for _, p := range []metrics.Pilot{editable(), func() metrics.Pilot {
		p := largePilot().Definition.Pilot
		p.Outcomes = []metrics.Outcome{{ID: "commits", Title: "Commits", Better: metrics.BetterHigher, Scale: metrics.ScaleLog1p, Role: metrics.RolePrimary}, {ID: "warnings", Title: "Warnings", Better: metrics.BetterLower, Scale: metrics.ScaleLog1p, Role: metrics.RoleCounter}}
		p.SmallestEffect = 1. / 3
		return p
	}()} {
		got, fault := formOf(p).pilot()
		if fault != nil {
			t.Fatalf("%s: %+v", p.ID, fault)
		}
		if diff := p.Diff(got); len(diff) > 0 {
			t.Errorf("%s: the form changed %v", p.ID, diff)
		}
	}
}
