package leaks

import "testing"

// TestLeastRun holds the least run of rules whose keywords are short, and that
// nothing is claimed of an expression whose match may hold a space.
func TestLeastRun(t *testing.T) {
	for expression, want := range map[string]int{
		`SK[0-9a-fA-F]{32}`:                34,
		`\b(ab[a-z]{3,}\.x?)(?:['"\s;]|$)`: 6,
		`\b(hvs\.[\w-]{90,120}|s\.(?i:[a-z0-9]{24}))(?:[\x60'"\s;]|\\[nr]|$)`: 26,
		`(?i)key.{0,9}([a-z]{9})`:               0,
		`key[^a]([a-z]{9})`:                     0,
		`-----BEGIN PRIVATE KEY[\s\S]{64,}?KEY`: 0,
		`([a-z]{9})+[0-9]*(?:aa|b)`:             10,
		`x(`:                                    0,
		`abc\s{2,}`:                             0,
	} {
		if got := leastRun(expression); got != want {
			t.Errorf("leastRun(%s) is %d, want %d", expression, got, want)
		}
	}
	set, err := vendorRules()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range set.rules {
		switch r.id {
		case "jwt", "twilio-api-key", "vault-service-token":
			if r.run < 20 {
				t.Errorf("%s: a run of %d", r.id, r.run)
			}
		}
	}
	for text, want := range map[string]int{"": 0, "a": 1, "a b": 1, "ab\tabcd\nx": 4, " é ": 2} {
		if got := longestRun(text); got != want {
			t.Errorf("longestRun(%q) is %d, want %d", text, got, want)
		}
	}
}
