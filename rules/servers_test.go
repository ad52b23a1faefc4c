package rules

import (
	"strings"
	"testing"
)

func TestKnownServers(t *testing.T) {
	rows, err := KnownServers()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, name := range append(append([]string{}, row.Packages...), row.Hosts...) {
			if name != strings.ToLower(name) {
				t.Errorf("%s: %q is not in lower case, so nothing is ever compared equal to it", row.ID, name)
			}
		}
	}
}

func TestKnownServersAreStrict(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"unknown-key": {"- {id: a, package: [b]}", "package"},
		"unknown-leg": {"- {id: a, packages: [b], legs: [arm]}", `unknown leg "arm"`},
		"twice":       {"- {id: a, packages: [b]}\n- {id: c, packages: [b]}", "stands twice"},
		"nameless":    {"- {packages: [b]}", "is empty"},
		"nothing":     {"- {id: a}", "says nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parseServers([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
		})
	}
}
