package main

import (
	"fmt"
	"testing"

	"steelyard/internal/github"
)

// push adds a commit to a pull request, as its author would.
func (s *shop) push(t *testing.T, name string, pull *shopPull, files map[string]string) {
	t.Helper()
	gitIn(t, s.dir, "checkout", "-q", name)
	pull.head = commitFiles(t, s.dir, "more of "+name, files)
	gitIn(t, s.dir, "update-ref", fmt.Sprintf("refs/pull/%d/head", pull.number), pull.head)
	gitIn(t, s.dir, "checkout", "-q", "main")
	s.world.Change("acme/shop", pull.number, func(p *github.PullRequest) { p.HeadOID = pull.head })
}

// TestCheckPushAfterApproval holds that an approval covers what was there when
// it was given, that the run of an earlier commit is judged by that commit, and
// that the policy can keep approvals.
func TestCheckPushAfterApproval(t *testing.T) {
	s := openShop(t)
	s.anySHA(t)
	pull := s.open(t, "risky", shopPull{}, loginChange)
	s.world.Review("acme/shop", pull.number, s.world.Person("carol"), "APPROVED")
	ref := fmt.Sprintf("refs/pull/%d/head", pull.number)
	first, event := s.checkout(t, ref, "--depth=1000"), s.event(t, pull, false)
	const needs = "needs the approval of @acme/security before the merge; @carol approved an earlier commit"
	says(t, "the approved commit", s.check(t, first, "pull_request", event, nil).stdout, "!PR002")

	s.push(t, "risky", pull, map[string]string{"auth/login.ts": "export const login = () => true || 'anybody';\n"})
	pushed := s.checkout(t, ref, "--depth=1000")
	says(t, "the commit after it", s.check(t, pushed, "pull_request", s.event(t, pull, false), nil).stdout, needs)
	says(t, "the approved commit, checked again", s.check(t, first, "pull_request", event, nil).stdout, "!PR002")

	s.world.Review("acme/shop", pull.number, s.world.Person("carol"), "COMMENTED")
	says(t, "with a comment", s.check(t, pushed, "pull_request_review", s.event(t, pull, false), nil).stdout, needs)
	s.world.Review("acme/shop", pull.number, s.world.Person("carol"), "APPROVED")
	says(t, "approved again", s.check(t, pushed, "pull_request_review", s.event(t, pull, false), nil).stdout, "!PR002")

	queue := fmt.Sprintf(`{"merge_group": {"base_sha": %q, "head_sha": %q, "base_ref": "refs/heads/main", "head_ref": "refs/heads/gh-readonly-queue/main/pr-%d-%s"}}`, s.base, pull.merge, pull.number, s.base)
	merge := s.checkout(t, pull.mergeRef(), "--depth=2")
	says(t, "in the queue", s.check(t, merge, "merge_group", queue, nil).stdout, "!PR002")
	s.push(t, "risky", pull, map[string]string{"auth/login.ts": "export const login = () => !!process.env.OPEN;\n"})
	got := s.check(t, merge, "merge_group", queue, nil)
	says(t, "pushed to in the queue", got.stdout, needs)
	if got.code != 1 {
		t.Errorf("in a queue an approval that is missing fails the check; the exit code is %d", got.code)
	}
}
