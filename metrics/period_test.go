package metrics_test

import (
	"testing"
	"time"

	"steelyard/metrics"
)

func TestParsePeriod(t *testing.T) {
	tests := []struct {
		in    string
		kind  metrics.PeriodKind
		label string
	}{
		{"2024-08", metrics.PeriodMonth, "2024-08"},
		{"2024/08", metrics.PeriodMonth, "2024-08"},
		{"2024-08-05", metrics.PeriodDay, "2024-08-05"},
		{" 2024-08-05 ", metrics.PeriodDay, "2024-08-05"},
		{"2024-08-05T00:00:00Z", metrics.PeriodDay, "2024-08-05"},
		{"2024-08-05 00:00:00", metrics.PeriodDay, "2024-08-05"},
		{"1969-12-31", metrics.PeriodDay, "1969-12-31"},
		{"2024-W32", metrics.PeriodDay, "2024-08-05"},
		{"2024W32", metrics.PeriodDay, "2024-08-05"},
		{"2024-w32-3", metrics.PeriodDay, "2024-08-07"},
		{"2020-W53", metrics.PeriodDay, "2020-12-28"},
		{"2021-W01", metrics.PeriodDay, "2021-01-04"},
		{"2003", metrics.PeriodYear, "2003"},
		{"7", metrics.PeriodInteger, "7"},
		{"-3", metrics.PeriodInteger, "-3"},
		{"20240", metrics.PeriodInteger, "20240"},
	}
	for _, tt := range tests {
		kind, n, err := metrics.ParsePeriod(tt.in)
		if err != nil {
			t.Errorf("ParsePeriod(%q): %v", tt.in, err)
			continue
		}
		if kind != tt.kind || kind.Label(n) != tt.label {
			t.Errorf("ParsePeriod(%q) = %s %s, want %s %s", tt.in, kind, kind.Label(n), tt.kind, tt.label)
		}
	}
}

func TestParsePeriodRefuses(t *testing.T) {
	for _, in := range []string{
		"", "  ", "soon", "2024-13", "2024-00", "2024-02-30", "2024-08-05T10:00:00Z", "2021-W53", "2024-W00", "2024-W32-8",
		"0206-08-03", "12345678901", "7.5", "1e3", "--3", "2024-Q3", "NaN",
	} {
		if kind, n, err := metrics.ParsePeriod(in); err == nil {
			t.Errorf("ParsePeriod(%q) = %s %d, want an error", in, kind, n)
		}
	}
}

func TestPeriodNumbers(t *testing.T) {
	tests := []struct {
		kind metrics.PeriodKind
		at   time.Time
		want int
	}{
		{metrics.PeriodMonth, day("2024-08-31"), 12*2024 + 7},
		{metrics.PeriodYear, day("2003-12-31"), 2003},
		{metrics.PeriodDay, day("1970-01-02"), 1},
		{metrics.PeriodDay, day("1970-01-01").Add(-time.Second), -1},
	}
	for _, tt := range tests {
		if got := tt.kind.At(tt.at); got != tt.want {
			t.Errorf("%s.At(%s) = %d, want %d", tt.kind, tt.at, got, tt.want)
		}
		if s := tt.kind.Start(tt.want); s.After(tt.at) || tt.kind.At(s) != tt.want {
			t.Errorf("%s.Start(%d) = %s is not the period's first moment", tt.kind, tt.want, s)
		}
	}
	if got := metrics.PeriodInteger.Start(7); !got.IsZero() {
		t.Errorf("integer period starts at %s", got)
	}
}

func TestPanelStep(t *testing.T) {
	for _, tt := range []struct {
		periods []int
		want    int
	}{{nil, 1}, {[]int{5}, 1}, {[]int{21, 7, 14, 7}, 7}, {[]int{0, 14, 21}, 7}, {[]int{3, 4}, 1}, {[]int{-10, 0, 4}, 2}} {
		if got := (&metrics.Panel{Period: tt.periods}).Step(); got != tt.want {
			t.Errorf("Step of %v = %d, want %d", tt.periods, got, tt.want)
		}
	}
}

// FuzzParsePeriod holds that whatever is read is written back in a form that
// reads as the same period, and that nothing panics.
func FuzzParsePeriod(f *testing.F) {
	for _, s := range []string{"2024-08", "2024-08-05", "2024-W32-1", "2003", "7", "-7", "", "2024-08-05T00:00:00+02:00", "9999-99", "W", "2024-W"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		kind, n, err := metrics.ParsePeriod(s)
		if err != nil {
			return
		}
		back, err := kind.Parse(kind.Label(n))
		if err != nil || back != n {
			t.Errorf("ParsePeriod(%q) = %s %d, and its label %q reads as %d, %v", s, kind, n, kind.Label(n), back, err)
		}
	})
}
