package leaks

import (
	"regexp"
	"strings"
	"testing"
)

// TestVendorRules compiles every expression that gitleaks brings.
func TestVendorRules(t *testing.T) {
	set, err := vendorRules()
	if err != nil {
		t.Fatal(err)
	}
	list := set.rules
	if len(list) < 200 {
		t.Errorf("%d rules, want over 200", len(list))
	}
	for _, r := range list {
		if r.compile() == nil {
			t.Errorf("rule %s has no expression", r.id)
		}
		for _, a := range r.allowed {
			if _, err := regexp.Compile(a); err != nil {
				t.Errorf("rule %s: %v", r.id, err)
			}
		}
	}
}

// TestAll wants every secret of a line, and only those.
func TestAll(t *testing.T) {
	one, two := "gh"+"p_"+"aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5", "gh"+"p_"+"zB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zB6"
	text := "// first " + one + " then '" + two + "', not ghp_short"
	var got []string
	for _, m := range All(text, func(int) bool { return true }) {
		got = append(got, text[m.From:m.To])
	}
	if strings.Join(got, " ") != one+" "+two {
		t.Errorf("found %q", got)
	}
	if got := All("nothing to see", func(int) bool { return true }); got != nil {
		t.Errorf("found %v in nothing", got)
	}
}

// TestAllEnds holds that whoever pays for the search can end it.
func TestAllEnds(t *testing.T) {
	spent := 0
	All(strings.Repeat("ghp_akia-xoxb-at", 100), func(bytes int) bool {
		spent += bytes
		return false
	})
	if spent != 1600 {
		t.Errorf("%d bytes were tried after the end", spent)
	}
}
