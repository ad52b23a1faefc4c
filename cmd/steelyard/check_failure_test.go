package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestCheckShowsFailure holds that a run that fails itself says so where people
// see it who do not look at the log, and lets no text command the runner.
func TestCheckShowsFailure(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "unpinned", shopPull{}, unpinnedServer)
	dir := s.checkout(t, "refs/heads/unpinned", "--depth=1")
	got := s.check(t, dir, "pull_request", s.event(t, pull, false), nil)
	if got.code != 2 {
		t.Fatalf("exit code %d, want 2:\n%s", got.code, got.stderr)
	}
	says(t, "the log", got.stderr, "\n::error title=steelyard::check: the commit "+s.base[:12]+" of the base is not here%0Ahint: fetch it: git fetch ", "%0Ahint: in the workflow, give actions/checkout fetch-depth: 0\n")
	says(t, "the summary", got.summary, "## Steelyard: the run failed\n\n", "of the base is not here", "- fetch it: ", "fetch-depth: 0")

	commitFiles(t, dir, "broken", map[string]string{"steelyard.yaml": "lint: {\"x\\n::error::y\": 1}\n"})
	got = s.check(t, dir, "pull_request", s.event(t, pull, false), nil, "--base", "HEAD", "--head", dir)
	says(t, "the log", got.stderr, "\n::error title=steelyard::", "!\n::error::y")
	says(t, "the summary", got.summary, "## Steelyard: the run failed\n", "!\n::error")

	got = s.check(t, dir, "pull_request", s.event(t, pull, false), byHand, "--base", "nope")
	says(t, "a person's terminal", got.stderr, "!::error")
}

// TestCheckHeadMissing holds that the error about a head that is not here says
// how to get that one.
func TestCheckHeadMissing(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "risky", shopPull{}, loginChange)
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	absent := strings.Repeat("12345678", 5)
	got := s.check(t, dir, "pull_request", s.event(t, pull, false), nil, "--head", absent)
	says(t, "standard error", got.stderr, "--head: ", "hint: fetch it: git fetch --no-tags --unshallow origin "+absent)
}

// TestCheckSummaryInsteadOfComment holds that the job's summary has the report
// where no comment could be written, also if a summary went into another file.
func TestCheckSummaryInsteadOfComment(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "risky", shopPull{}, loginChange)
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	other := "summary:" + filepath.Join(t.TempDir(), "report.md")
	got := s.check(t, dir, "pull_request", s.event(t, pull, false), map[string]string{"GITHUB_TOKEN": ""}, "--comment", "always", "--output", other)
	says(t, "standard error", got.stderr, "no comment was written: ")
	says(t, "the job's summary", got.summary, "## Steelyard: ")
}

// TestCheckUnreachable holds that a GitHub that hangs up is not asked for long.
func TestCheckUnreachable(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "risky", shopPull{}, loginChange)
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked.Add(1)
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(server.Close)
	got := s.check(t, dir, "pull_request", s.event(t, pull, false), map[string]string{"GITHUB_SERVER_URL": server.URL}, "--comment", "always")
	if got.code != 0 {
		t.Errorf("exit code %d:\n%s", got.code, got.stderr)
	}
	says(t, "standard error", got.stderr, "no comment was written: ")
	says(t, "the result", got.stdout, "GitHub could not be asked for the reviews")
	// The pull request, the rest of it, one team and the comment, each three times.
	if n := asked.Load(); n > 12 {
		t.Errorf("it was asked %d times", n)
	}
}
