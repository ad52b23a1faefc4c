package config_test

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/config"
)

func loadPolicy(t *testing.T, text string) config.Policy {
	t.Helper()
	c, err := config.Load(config.Sources{Dir: fstest.MapFS{config.FileName: {Data: []byte(text)}}})
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return c.Policy
}

func TestPolicy(t *testing.T) {
	got := loadPolicy(t, `policy:
  reviews: require
  stale_approvals: keep
  disclosure: {section: AI assistance, boxes: all}
  size: {lines: 400, files: 40, tests: 900, docs: 800, not_counted: [data/**], accepted_by: large}
  risky_paths:
    - {paths: [auth/**], reviewers: ["@acme/security", "@ada"], approvals: 2, reason: r}
    - {paths: [pay/**], reason: money}
  owners_only:
    - {paths: [LICENSE], owners: ["@acme/legal"], reason: l}
  agents: {accounts: ["acme-coder[bot]"], may_ask: ["@ada"], may_approve: ["@acme/platform"]}
  servers: ["npm:@acme/*", mcp.example.com]
  guidelines: {review_every: 90d, paths: [AGENTS.md]}
`)
	want := config.Policy{
		Reviews: config.RequireReviews, StaleApprovals: config.KeepStale, Disclosure: config.Disclosure{Section: "AI assistance", Boxes: "all"},
		Size: config.Size{Lines: 400, Files: 40, Tests: 900, Docs: 800, NotCounted: []string{"data/**"}, AcceptedBy: "large"},
		Risky: []config.RiskyPaths{
			{Paths: []string{"auth/**"}, Reviewers: []string{"@acme/security", "@ada"}, Approvals: 2, Reason: "r", Line: 7},
			{Paths: []string{"pay/**"}, Approvals: 1, Reason: "money", Line: 8},
		},
		OwnersOnly: []config.OwnedPaths{{Paths: []string{"LICENSE"}, Owners: []string{"@acme/legal"}, Reason: "l", Line: 10}},
		Agents:     config.Agents{Accounts: []string{"acme-coder[bot]"}, MayAsk: []string{"@ada"}, MayApprove: []string{"@acme/platform"}},
		Servers:    []string{"npm:@acme/*", "mcp.example.com"},
		Guidelines: config.Guidelines{ReviewEvery: 90 * 24 * time.Hour, Paths: []string{"AGENTS.md"}},
	}
	if got.Lines["size.lines"] != 5 || got.Lines["servers"] != 12 {
		t.Errorf("lines are %v", got.Lines)
	}
	got.Lines = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p := loadPolicy(t, "lint:\n  fail_on: note\n"); p.Set() || p.Servers != nil || p.Reviews != config.RemindReviews || p.StaleApprovals != config.DismissStale {
		t.Errorf("without a policy it is %+v", p)
	}
	if p := loadPolicy(t, "policy:\n  servers: []\n"); p.Servers == nil {
		t.Error("an empty list approves everything")
	}
}

func TestPolicyProblems(t *testing.T) {
	for text, want := range map[string]string{
		"policy:\n  size: {lines: 0}\n":                                       "out of range",
		"policy:\n  reviews: sometimes\n":                                     "one of remind, require",
		"policy:\n  stale_approvals: drop\n":                                  "one of dismiss, keep",
		"policy:\n  risky_paths: [{paths: [a]}]\n":                            "has no reason",
		"policy:\n  risky_paths: [{paths: [a], reason: r, reviewers: [x]}]\n": "@user or @organisation/team",
		"policy:\n  guidelines: {review_every: 3 months}\n":                   "days such as 180d",
		"policy:\n  servrs: []\n":                                             `did you mean "servers"?`,
	} {
		_, err := config.Load(config.Sources{Dir: fstest.MapFS{config.FileName: {Data: []byte(text)}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestPolicyStart holds every start to what the checker takes, as it is and
// with what is commented out put in force.
func TestPolicyStart(t *testing.T) {
	commented := regexp.MustCompile(`(?m)^  #(\S|  )`)
	for name, found := range map[string]config.PolicyFound{
		"empty": {},
		"full":  {Servers: []string{"npm:@acme/search", `odd"name`}, Risky: []string{"**/migrations/**"}, Owner: "@acme/platform"},
	} {
		text := string(config.PolicyStart(found))
		if p := loadPolicy(t, text); p.Disclosure.Section != "AI assistance" || p.Size.Lines == 0 {
			t.Errorf("%s: the start is %+v", name, p)
		}
		p := loadPolicy(t, commented.ReplaceAllString(text, "  $1"))
		if p.Risky == nil || p.Agents.MayApprove == nil || p.Servers == nil {
			t.Errorf("%s: with everything in force it is %+v", name, p)
		}
	}
	if !strings.HasPrefix(config.DisclosureSection, "## AI assistance\n") || !strings.Contains(config.PullRequestTemplate, config.DisclosureSection) {
		t.Error("the template does not have the section that the policy asks for")
	}
}
