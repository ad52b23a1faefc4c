package reverts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics/ingest/reverts"
)

// says writes candidates on one line each: form, then what they name.
func says(all []reverts.Candidate) []string {
	lines := []string{}
	for _, c := range all {
		line := string(c.Form)
		if c.Partial {
			line += " partial"
		}
		if c.Number > 0 {
			line += fmt.Sprintf(" %s#%d", c.Repository, c.Number)
		}
		if c.Commit != "" {
			line += " " + c.Commit
		}
		if c.Title != "" {
			line += fmt.Sprintf(" %q", c.Title)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestCandidatesOfMessages(t *testing.T) {
	const a, b = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", "9f8e7d6c5b4a392817160f5e4d3c2b1a0f9e8d7c"
	for _, c := range []struct {
		name, message string
		want          []string
	}{
		{"quoted title", `Revert "Add a cache"`, []string{`title "Add a cache"`}},
		{"squash button", "Revert \"Add a cache (#12)\" (#15)\n\nThis reverts commit " + a + ".", []string{`title #12 ` + a + ` "Add a cache (#12)"`}},
		{"conventional prefix", `chore(core)!: Revert "feat: add a cache (#12)" (#15)`, []string{`title #12 "feat: add a cache (#12)"`}},
		{"conventional type", "revert: feat: add a cache\n\nRefs: " + a, []string{`title "feat: add a cache"`}},
		{"type and quotes", `revert: Revert "feat: add a cache"`, []string{`title "feat: add a cache"`}},
		{"ticket and tag", `[2.x] PROJ-12: Revert "Add a cache"`, []string{`title "Add a cache"`}},
		{"path prefix", `backend/remote: revert pull request #18`, []string{`title "pull request #18"`, "prose #18"}},
		{"quotes inside", `Revert "Say "hello" (#3)"`, []string{`title #3 "Say \"hello\" (#3)"`}},
		{"curly quotes", `Revert “Add a cache”`, []string{`title "Add a cache"`}},
		{"two titles", `Revert "One" and "Two"`, []string{`title "One"`, `title "Two"`}},
		{"revert of a revert", `Revert "Revert "Add a cache (#12)" (#15)"`, []string{`title #15 "Revert \"Add a cache (#12)\" (#15)"`}},
		{"merge in quotes", `Revert "Merge pull request #12 from octo/cache"`, []string{`title #12 "Merge pull request #12 from octo/cache"`}},
		{"partial title", `Partially revert "Add a cache"`, []string{`title partial "Add a cache"`}},
		{"reapply", `Reapply "Add a cache"`, []string{`reapply "Add a cache"`}},
		{"reapply with trailer", "Reapply \"Add a cache\"\n\nThis reverts commit " + a + ".", []string{`reapply "Add a cache"`, "trailer " + a}},
		{"trailer alone", "Put the cache back\n\nThis reverts commit " + a + ", reversing\nchanges made to " + b + ".", []string{"trailer " + a}},
		{"plural", "Tidy up\n\nThis reverts commits " + a + ", " + b + ".", []string{"trailer " + a, "trailer " + b}},
		{"short and numbered", "Fix it\n\nThis reverts commit 1a2b3c4 (#12). That one broke it.", []string{"trailer 1a2b3c4"}},
		{"short in prose", "Fix it\n\nReverts a part of 1a2b3c4d5e.", []string{"prose partial 1a2b3c4d5e"}},
		{"hash in title", "Revert behaviour from 1a2b3c4d5e", []string{`title 1a2b3c4d5e "behaviour from 1a2b3c4d5e"`}},
		{"date is no hash", "Update\n\nThis reverts 20210813 to what it was", []string{}},
		{"word is no hash", "Update\n\nThis reverts defaced pages", []string{}},
		{"number line", "Other\n\nReverts octo/tool#12 as it broke", []string{"body_number octo/tool#12"}},
		{"number lines", "Other\n\nReverts #12.\nPartially reverts #13.", []string{"body_number #12", "body_number partial #13"}},
		{"numbers in a row", "Other\n\nReverts #12, #13 and #14", []string{"body_number #12", "body_number #13", "body_number #14"}},
		{"address", "Other\n\nReverts https://github.com/octo/tool/pull/12", []string{"body_number octo/tool#12"}},
		{"prose", "Other\n\nThis commit reverts the change to exists? from #12", []string{"prose #12"}},
		{"parts in prose", "Other\n\nThis reverts parts of #12 that broke the build", []string{"body_number partial #12"}},
		{"told of others", "Other\n\nIt was reverted in #12. The revert of #13 broke it", []string{}},
		{"a condition", "Test it\n\nThe test passes even if we revert #12.", []string{}},
		{"a cause", "Other\n\nRevert the flag, fixes #12", []string{}},
		{"own number", "build: revert broken symbols (#12)", []string{`title "broken symbols"`}},
		{"noun", "chore: note the revert of views (#12)", []string{}},
		{"state name", "Clean up for REVERTED (#12)\n\nHandle revertSegment calls", []string{}},
		{"rollback docs", "Fix rollback docs related to #12", []string{}},
		{"domain verb", "re-apply ignore_changes after plan", []string{`reapply "ignore_changes after plan"`}},
		{"merge commit", "Merge pull request #15 from octo/revert-12-cache\n\nRevert \"Add a cache\"", []string{"head_branch #12", `title "Add a cache"`}},
		{"squash list", "Add a queue (#15)\n\n* Revert \"Add a cache (#12)\"\n\nThis reverts commit " + a + ".\n\n* add a queue", []string{`title #12 ` + a + ` "Add a cache (#12)"`}},
		{"empty", "", []string{}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			if diff := cmp.Diff(c.want, says(reverts.Candidates(reverts.Change{Message: c.message}))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestCandidatesOfPullRequests(t *testing.T) {
	for _, c := range []struct {
		name   string
		change reverts.Change
		want   []string
	}{
		{"button", reverts.Change{Title: `Revert "Add a cache"`, Body: "Reverts octo/tool#12", Head: "revert-12-cache"}, []string{"head_branch #12", `title "Add a cache"`, "body_number octo/tool#12"}},
		{"branch of a branch", reverts.Change{Head: "revert-15-revert-12-cache"}, []string{"head_branch #15"}},
		{"branch without a name", reverts.Change{Head: "revert-12"}, []string{"head_branch #12"}},
		{"other branch", reverts.Change{Head: "f-revert-12"}, []string{"branch_number #12"}},
		{"branch of words", reverts.Change{Head: "revert-prevkv"}, []string{}},
		{"cut title", reverts.Change{Title: `Revert "Add a cache for the lo…`, Body: "…ng answers (#12)\"\n\nSlow."}, []string{`title #12 "Add a cache for the long answers (#12)"`}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			if diff := cmp.Diff(c.want, says(reverts.Candidates(c.change))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestCandidatesAreBounded(t *testing.T) {
	long := strings.Repeat("Reverts #12, #13\nThis reverts commits 1a2b3c4, 2b3c4d5\n", 5000)
	all := reverts.Candidates(reverts.Change{Title: `Revert "` + strings.Repeat("é", 400), Body: long, Message: long})
	if len(all) == 0 || len(all) > 200 {
		t.Errorf("%d candidates", len(all))
	}
	for _, c := range all {
		if n := len([]rune(c.Evidence)); n > 200 {
			t.Errorf("evidence of %d characters", n)
		}
	}
}
