package web

import (
	"os"
	"strings"
	"testing"
)

// TestTenQuestions asks what a tech lead asks before a meeting: each is answered
// within two clicks from the first page, and the manual says where.
func TestTenQuestions(t *testing.T) {
	h := fullHandler(t)
	manual, err := os.ReadFile("../docs/dashboard.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []struct {
		question string
		clicks   []string // addresses, each on the page before it
		answer   []string
	}{
		{"Did it help?", nil, []string{"Cannot say yet.", "Payments merges a third faster"}},
		{"Compared with whom?", nil, []string{"1 team against 7"}},
		{"How sure is that?", nil, []string{"−41 to +9"}},
		{"What got worse?", nil, []string{"Reverts 3 → 7", "too few to tell"}},
		{"Since when?", nil, []string{"Since 3 Aug 2026"}},
		{"Which pull requests?", []string{"/pilots/payments", "/pilots/payments/pull-requests"}, []string{"acme/payments #899"}},
		{"Is the data complete?", []string{"/data"}, []string{"Not everything is here:", "bad credentials", "Known until"}},
		{"What did people feel?", []string{"/pilots/payments"}, []string{"8 people think it changed by −30", "Reviews became harder"}},
		{"What did it cost?", []string{"/pilots/payments"}, []string{"1.91 EUR each"}},
		{"What would change the answer?", []string{"/pilots/payments"}, []string{"What would change this verdict", "30 more weeks"}},
	} {
		t.Run(strings.ReplaceAll(q.question, " ", "-"), func(t *testing.T) {
			if !strings.Contains(string(manual), "| "+q.question+" |") {
				t.Error("the manual does not answer it")
			}
			if len(q.clicks) > 2 {
				t.Error("it takes more than two clicks")
			}
			body := get(t, h, "/").Body.String()
			for _, c := range q.clicks {
				if !strings.Contains(body, `href="`+c+`"`) {
					t.Fatalf("nothing leads to %s", c)
				}
				body = get(t, h, c).Body.String()
			}
			for _, a := range q.answer {
				if !strings.Contains(body, a) {
					t.Errorf("%q is missing", a)
				}
			}
		})
	}
	// Where nothing was imported the page says what to do.
	body := get(t, h, "/pilots/editor").Body.String()
	for _, a := range []string{"No survey of its teams is imported.", "steelyard import survey FILE.csv", "Costs are weighed by merged pull requests"} {
		if !strings.Contains(body, a) {
			t.Errorf("%q is missing where nothing was imported", a)
		}
	}
}
