package tests_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"steelyard/lint/change/tests"
)

// TestCommits compares the commits that STEELYARD_TS_COMMITS names, one a line
// as "git-directory hash", and prints what is found: a way to try the rules on
// any history.
func TestCommits(t *testing.T) {
	list := os.Getenv("STEELYARD_TS_COMMITS")
	if list == "" {
		t.Skip("STEELYARD_TS_COMMITS names no file of commits")
	}
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		dir, hash, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		fmt.Printf("== %s %s\n", dir, hash)
		for _, f := range tests.Compare(filesOf(t, dir, hash)) {
			fmt.Printf("  %s %s\n", f.Severity, f)
			for _, r := range f.Related {
				fmt.Printf("      %s:%d: %s\n", r.Path, r.Line, r.Message)
			}
		}
	}
}

// filesOf are the two versions of what a commit changes.
func filesOf(t testing.TB, dir, hash string) []tests.File {
	t.Helper()
	git := func(args ...string) []byte {
		out, err := exec.Command("git", append([]string{"--git-dir=" + dir}, args...)...).Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return out
	}
	fields := strings.Split(strings.TrimRight(string(git("diff-tree", "-r", "-M", "-z", "--name-status", "--no-commit-id", hash+"^", hash)), "\x00"), "\x00")
	var files []tests.File
	for i := 0; i+1 < len(fields); i += 2 {
		f := tests.File{Path: fields[i+1]}
		status := fields[i][:1]
		if status == "R" || status == "C" {
			f.OldPath, f.Path = fields[i+1], fields[i+2]
			i++
		}
		if status != "A" {
			old := f.OldPath
			if old == "" {
				old = f.Path
			}
			f.Old, _ = exec.Command("git", "--git-dir="+dir, "show", hash+"^:"+old).Output()
		}
		if status != "D" {
			f.New, _ = exec.Command("git", "--git-dir="+dir, "show", hash+":"+f.Path).Output()
		}
		files = append(files, f)
	}
	return files
}
