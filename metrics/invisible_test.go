package metrics_test

import (
	"errors"
	"strings"
	"testing"

	"steelyard/metrics"
)

// TestInvisible tells what cannot be seen from what belongs to a script.
func TestInvisible(t *testing.T) {
	for _, bad := range []string{
		"a\u202eb", "\u2066a\u2069", "a\u200bb", "a\u00adb", "\ufeffa", "a\u2060", "a\u2028b", "a\u200d", "a\u200cb", "\u200da",
		"a\U000e0041", "\u3164", "\u2800", "Zoë\u200dA", "م\u200c", "م\u200c\u202eی",
	} {
		if _, ok := metrics.Invisible(bad); !ok {
			t.Errorf("%q passes", bad)
		}
	}
	for _, good := range []string{
		"", "Payments", "Zoë", "結算", "می\u200cخواهم", "क्\u200dष", "👩\u200d💻 team", "1\u202f000 rows", "naïve – “x”",
	} {
		if r, ok := metrics.Invisible(good); ok {
			t.Errorf("%q has %U", good, r)
		}
	}
}

// TestInvisibleDefinition refuses such characters wherever a definition holds
// text for people.
func TestInvisibleDefinition(t *testing.T) {
	for name, spoil := range map[string]func(*metrics.Pilot){
		"title":         func(p *metrics.Pilot) { p.Title = "Pay\u202estnem" },
		"subject":       func(p *metrics.Pilot) { p.Subject = "a\u200bb" },
		"description":   func(p *metrics.Pilot) { p.Description = "a\U000e0041" },
		"treated":       func(p *metrics.Pilot) { p.Treated[0].Unit = "a\u2067" },
		"comparison":    func(p *metrics.Pilot) { p.Comparison = []string{"b\u200e"} },
		"outcome_title": func(p *metrics.Pilot) { p.Outcomes[0].Title = "h\u00adours" },
	} {
		t.Run(name, func(t *testing.T) {
			p := validPilot()
			spoil(&p)
			var field *metrics.FieldError
			if err := p.Validate(); !errors.As(err, &field) || !strings.Contains(err.Error(), "has the invisible character U+") {
				t.Errorf("error = %v", err)
			}
		})
	}
}
