package metrics_test

import (
	"strings"
	"testing"

	"steelyard/metrics"
)

func TestDigest(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	p.Title = "Payments *and* [more]"
	s.put(p, nil)
	to := day(workedStart).AddDate(0, 0, 70)
	d, err := metrics.NewDigest(t.Context(), metrics.AsOf(summed{s}, to), to.AddDate(0, 0, -28), to)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Pilots) != 1 || d.Pilots[0].Then == nil || d.Pilots[0].Then.Headline.Text == d.Pilots[0].Now.Headline.Text {
		t.Fatalf("digest %+v", d.Pilots)
	}
	if !d.Pilots[0].New {
		t.Error("the definition was saved in this time")
	}
	d.Pilots[0].New = false
	now := d.Pilots[0].Now
	d.Link, d.Guardrails = "https://steelyard.example", []string{"Two findings are errors, one more than a week ago."}
	var out strings.Builder
	if err := metrics.WriteDigest(&out, d); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`[Payments \*and\* \[more\]](https://steelyard.example/pilots/` + p.ID + `)`, now.Verdict.Word, "interval", now.Counter.Title,
		"- Two findings are errors", "(https://steelyard.example/)", "before it was",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is missing in\n%s", part, out.String())
		}
	}
	out.Reset()
	if err := metrics.WriteDigest(&out, metrics.Digest{From: to, To: to}); err != nil || !strings.Contains(out.String(), "No pilot is defined.") {
		t.Errorf("an empty one: %q, %v", out.String(), err)
	}
}
