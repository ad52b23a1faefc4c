package action_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlainScript holds the script for other systems to its exit codes: it
// fetches the base that it needs, and ends with 2 where it cannot.
func TestPlainScript(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	j := newJob(t)
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	server := t.TempDir()
	git(server, "init", "-q", "-b", "main")
	git(server, "commit", "-q", "--allow-empty", "-m", "base")
	git(server, "checkout", "-q", "-b", "topic")
	git(server, "commit", "-q", "--allow-empty", "-m", "change")
	j.work = filepath.Join(j.dir, "clone")
	git(server, "clone", "-q", "--depth=1", "--branch=topic", "file://"+server, j.work)
	script := "../ci/check.sh"

	for name, args := range map[string][]string{"no branch": nil, "an empty branch": {""}} {
		if code, said := j.run(t, script, args...); code != 2 || !strings.Contains(said, "usage: check.sh BASE-BRANCH") {
			t.Errorf("%s: exit code %d, want 2: %s", name, code, said)
		}
	}
	if code, said := j.run(t, script, "gone"); code != 2 || !strings.Contains(said, "check.sh: the branch gone could not be fetched from origin") {
		t.Errorf("a branch that is not there: exit code %d, want 2: %s", code, said)
	}
	bin := filepath.Join(j.dir, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "steelyard"), []byte("#!/bin/sh\ngit rev-parse --verify --quiet refs/remotes/origin/main >/dev/null || exit 3\necho \"$@\"\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	j.env["PATH"] = bin + string(os.PathListSeparator) + j.env["PATH"]
	if code, said := j.run(t, script, "main"); code != 1 || !strings.HasPrefix(said, "check --base origin/main --output text") {
		t.Errorf("exit code %d, want the check's 1: %s", code, said)
	}
	git(j.work, "remote", "set-url", "origin", "file://"+filepath.Join(j.dir, "nowhere"))
	if code, said := j.run(t, script, "main"); code != 2 {
		t.Errorf("no server: exit code %d, want 2: %s", code, said)
	}
}
