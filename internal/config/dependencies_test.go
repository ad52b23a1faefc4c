package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/config"
)

func TestDependencies(t *testing.T) {
	c, err := load(`dependencies:
  fail_on: block, ask
  registries: {npm: "mirror+https://npm.example/", osv: off}
  licences: {allow: [permissive, MPL-2.0]}
  allow:
    - package: npm:left-pad
      for: [ask]
      reason: eleven lines
      owner: platform
      until: 2027-01-31
  thresholds: {young_days: 14, few_downloads: 0}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Dependencies{
		FailOn: []string{"block", "ask"}, Registries: map[string]string{"npm": "mirror+https://npm.example/", "osv": "off"},
		Licences: []string{"permissive", "MPL-2.0"},
		Allow: []config.PackageDecision{{
			Package: "npm:left-pad", For: []string{"ask"}, Reason: "eleven lines", Owner: "platform",
			Until: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), Line: 6,
		}},
		Thresholds: config.Thresholds{YoungDays: 14, LookalikeDays: 90, LookalikeDownloads: 1000, FewDownloadsDays: 180},
	}
	if diff := cmp.Diff(want, c.Dependencies); diff != "" {
		t.Errorf("dependencies (-want +got):\n%s", diff)
	}
	if c, err = load("dependencies: {fail_on: never}"); err != nil || len(c.Dependencies.FailOn) != 0 {
		t.Errorf("never: %v, %v", c, err)
	}
}

func TestDependenciesProblems(t *testing.T) {
	for text, says := range map[string]string{
		"dependencies: {fail_on: blok}":                                             `did you mean "block"`,
		"dependencies: {registries: {npm: 'ftp://x'}}":                              "an address such as",
		"dependencies: {registries: {npm: 'https://a:secret@x.example'}}":           "without a password",
		"dependencies: {registries: {nmp: 'https://x.example'}}":                    "is not one of npm",
		"dependencies: {allow: [{package: left-pad, reason: x}]}":                   "a package such as npm:left-pad",
		"dependencies: {allow: [{package: 'npm:left-pad'}]}":                        "no reason",
		"dependencies: {allow: [{package: 'npm:a', reason: x, for: [everything]}]}": "one of block, ask",
		"dependencies: {thresholds: {young_days: -1}}":                              "out of range",
	} {
		_, err := load(text)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want it to say %q", text, err, says)
		}
		if err != nil && strings.Contains(err.Error(), "a:secret") {
			t.Errorf("%s shows the password: %v", text, err)
		}
	}
}
