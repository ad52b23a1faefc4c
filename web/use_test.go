package web

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"steelyard/metrics"
)

// The data page says how far GitHub's figures on use are known, and why not.
func TestUseOnDataPage(t *testing.T) {
	day := time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	err := useKnown([]metrics.UseSource{
		{Organisation: "acme", SeatsOn: day, NoReports: "find Copilot's report: refused"}, {Organisation: "other", NoSeats: "refused", NoReports: "refused"},
	}).Render(t.Context(), &out)
	if err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for part, times := range map[string]int{
		"Seats: as of 2 Mar 2026.": 1, "Reports of use: none; GitHub gives none to these credentials.": 2, "Seats: none; GitHub gives none": 1, "refused": 0,
	} {
		if n := strings.Count(text, part); n != times {
			t.Errorf("%q stands %d times, not %d, in\n%s", part, n, times, text)
		}
	}
	out.Reset()
	if err := useKnown(nil).Render(t.Context(), &out); err != nil || out.Len() > 0 {
		t.Errorf("without any: %q, %v", out.String(), err)
	}
}
