package change_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/change"
)

const (
	earlier = "1111111111111111111111111111111111111111"
	last    = "2222222222222222222222222222222222222222"
)

// reviews reads "LOGIN STATE COMMIT" of each review.
func reviews(t *testing.T, lines ...string) []change.Review {
	t.Helper()
	var all []change.Review
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			t.Fatalf("%q is no review", line)
		}
		r := change.Review{By: change.Account{Login: fields[0]}, State: fields[1]}
		if len(fields) > 2 {
			r.Commit = fields[2]
		}
		all = append(all, r)
	}
	return all
}

// messages are those of a rule.
func messages(found []lint.Finding, rule string) []string {
	var all []string
	for _, f := range found {
		if f.Rule == rule {
			all = append(all, f.Message)
		}
	}
	return all
}

// TestStale holds which approvals count once more was pushed.
func TestStale(t *testing.T) {
	const (
		needs = "a risky path (who may sign in): auth/login.go needs the approval of @acme/security before the merge"
		stale = needs + "; @carol approved an earlier commit"
		doubt = "whether @carol has approved the last commit: GitHub does not say which one the approval was given to, so it counts"
	)
	for _, test := range []struct {
		name    string
		reviews []string
		keep    bool
		unknown bool // the last commit is not known
		want    string
		left    string
	}{
		{name: "of the last commit", reviews: []string{"carol APPROVED " + last}},
		{name: "of an earlier commit", reviews: []string{"carol APPROVED " + earlier}, want: stale},
		{name: "of an earlier commit, kept", reviews: []string{"carol APPROVED " + earlier}, keep: true},
		{name: "again after the push", reviews: []string{"carol APPROVED " + earlier, "carol APPROVED " + last}},
		{name: "the push taken back", reviews: []string{"carol APPROVED " + last, "carol COMMENTED " + earlier}},
		{name: "a comment after the approval", reviews: []string{"carol APPROVED " + last, "carol COMMENTED " + last}},
		{name: "a comment after the push", reviews: []string{"carol APPROVED " + earlier, "carol COMMENTED " + last}, want: stale},
		{name: "a request for changes after the approval", reviews: []string{"carol APPROVED " + last, "carol CHANGES_REQUESTED " + last}, want: needs},
		{name: "a request for changes after the push", reviews: []string{"carol APPROVED " + earlier, "carol CHANGES_REQUESTED " + last}, want: needs},
		{name: "the same, kept", reviews: []string{"carol APPROVED " + earlier, "carol CHANGES_REQUESTED " + last}, keep: true, want: needs},
		{name: "dismissed", reviews: []string{"carol DISMISSED " + last}, want: needs},
		{name: "dismissed, kept", reviews: []string{"carol DISMISSED " + earlier}, keep: true, want: needs},
		{name: "another account of the same name", reviews: []string{"Carol APPROVED " + earlier, "carol APPROVED " + last}},
		{name: "of a commit that is not known", reviews: []string{"carol APPROVED"}, left: doubt},
		{name: "the same, kept", reviews: []string{"carol APPROVED"}, keep: true},
		{name: "the last commit is not known", reviews: []string{"carol APPROVED " + earlier}, unknown: true, left: doubt},
		{name: "a request for changes of a commit that is not known", reviews: []string{"carol CHANGES_REQUESTED"}, want: needs},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := risky()
			c.Teams = map[string][]string{"@acme/security": {"carol"}, "@acme/platform": {"carol"}}
			c.Reviews, c.Commit, c.Policy.KeepStale = reviews(t, test.reviews...), last, test.keep
			if test.unknown {
				c.Commit = ""
			}
			if got := strings.Join(messages(run(t, c), "PR002"), "\n"); got != test.want {
				t.Errorf("found %q, want %q", got, test.want)
			}
			if left := strings.Join(c.LeftOut(), "\n"); left != test.left {
				t.Errorf("left out %q, want %q", left, test.left)
			}
		})
	}
}

// TestSoFar wants every rule about a missing approval to say what was done
// about it, and nothing where nothing was.
func TestSoFar(t *testing.T) {
	const asked = "; @bob approved an earlier commit; asked for a review: @erin and @acme/security"
	for _, test := range []struct {
		rule string
		set  func(*change.Change)
	}{
		{"PR002", func(*change.Change) {}},
		{"PR004", func(c *change.Change) { c.Agent = "Copilot" }},
		{"PR004", func(c *change.Change) { c.Agent, c.AskedBy = "Copilot", []change.Account{{Login: "dan"}} }},
		{"PR004", func(c *change.Change) {
			c.Agent, c.AskedBy = "Copilot", []change.Account{{Login: "dan"}}
			c.Reviews = append(c.Reviews, change.Review{By: change.Account{Login: "dan"}, State: "APPROVED", Commit: last})
		}},
		{"PR005", func(*change.Change) {}},
		{"PR006", func(c *change.Change) {
			c.Agent = "Copilot"
			c.Files = append(c.Files, change.File{Path: ".github/workflows/ci.yml"})
		}},
		{"PR009", func(c *change.Change) { c.Agent, c.Policy.MayApprove = "Copilot", []string{"@erin"} }},
	} {
		for _, ends := range []bool{true, false} {
			c := risky()
			c.Commit = last
			c.Teams = map[string][]string{"@acme/security": {"carol"}, "@acme/platform": {"carol"}}
			if ends {
				c.Reviews, c.Requested = reviews(t, "bob APPROVED "+earlier), []string{"@erin", "@acme/security"}
			}
			test.set(c)
			got := messages(run(t, c), test.rule)
			if len(got) != 1 || strings.HasSuffix(got[0], asked) != ends || !ends && strings.Contains(got[0], ";") {
				t.Errorf("%s, ends %v: %s", test.rule, ends, fmt.Sprint(cmp.Diff([]string{"…" + asked}, got)))
			}
		}
	}
}

// TestClaimed holds that who asked for a change satisfies no rule where only the
// message of a commit says so, and still makes one stricter.
func TestClaimed(t *testing.T) {
	for _, test := range []struct {
		name    string
		claimed bool
		by      string // who approved
		want    []string
		left    []string
	}{
		{"said by the code host", false, "bob", nil, nil},
		{"said by the code host, and approved by the same", false, "ada", []string{"PR004", "PR006"}, nil},
		{
			"claimed", true, "bob",
			[]string{"PR006"},
			[]string{
				"whether @bob, who approved the pull request of Copilot, also asked for it (PR004): only the messages of commits say who asked",
				"whether the person who asked Copilot for the pull request may (PR008): only the messages of commits say who asked, and anybody can write those",
			},
		},
		{
			"claimed, and approved by the same", true, "ada",
			[]string{"PR004", "PR006"},
			[]string{"whether the person who asked Copilot for the pull request may (PR008): only the messages of commits say who asked, and anybody can write those"},
		},
	} {
		c := &change.Change{PullRequest: change.PullRequest{
			Described: true, Author: change.Account{Login: "copilot", Machine: true}, Agent: "Copilot", Commit: last, ReviewsKnown: true,
			AskedBy: []change.Account{{Login: "ada", Claimed: test.claimed}}, Reviews: reviews(t, test.by+" APPROVED "+last),
			Files: []change.File{{Path: ".github/workflows/ci.yml"}},
		}, Policy: change.Policy{MayAsk: []string{"@ada"}}}
		var got []string
		for _, f := range run(t, c) {
			got = append(got, f.Rule)
		}
		slices.Sort(got)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: rules (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.left, c.LeftOut()); diff != "" {
			t.Errorf("%s: left out (-want +got):\n%s", test.name, diff)
		}
	}
}
