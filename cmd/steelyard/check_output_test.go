package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCheckOutputsToLinks holds that a change cannot lead an output to a file of
// its choice, and that one output that cannot be written keeps none of the
// others from being.
func TestCheckOutputsToLinks(t *testing.T) {
	s := openShop(t)
	victim := filepath.Join(t.TempDir(), "profile")
	if err := os.WriteFile(victim, []byte("precious\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := os.Symlink(victim, filepath.Join(s.dir, "report.sarif")); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Symlink(filepath.Dir(victim), filepath.Join(s.dir, "reports")); err != nil {
		t.Fatal(err)
	}
	pull := s.open(t, "links", shopPull{}, map[string]string{"sub/x.txt": "x\n"})
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	event := s.event(t, pull, false)
	for _, test := range []struct{ from, file, link string }{
		{dir, "report.sarif", "report.sarif"},
		{dir, "./report.sarif", "report.sarif"},
		{dir, "reports/profile", "reports"},
		{dir, filepath.Join(dir, "report.sarif"), "report.sarif"},
		{filepath.Join(dir, "sub"), "../report.sarif", "../report.sarif"},
		{filepath.Join(dir, "sub"), filepath.Join(dir, "reports", "profile"), "../reports"},
	} {
		whole := filepath.Join(out, "whole.json")
		got := s.check(t, test.from, "pull_request", event, nil, "--output", "sarif:"+test.file, "--output", "json:"+whole)
		if got.code != 2 {
			t.Errorf("%s: exit code %d, want 2", test.file, got.code)
		}
		says(t, "standard error", got.stderr, "--output sarif: write "+test.file+": "+test.link+" is a link in the repository", "hint: take it away first, or name a file outside of the checkout")
		if text, err := os.ReadFile(victim); err != nil || string(text) != "precious\n" {
			t.Fatalf("%s: the file that it leads to holds %q, %v", test.file, text, err)
		}
		if err := os.Remove(whole); err != nil {
			t.Errorf("%s: the other output: %v", test.file, err)
		}
	}
	// Outside of the repository a link is its owner's, and /dev/null is no file.
	outside := filepath.Join(out, "link.sarif")
	if err := os.WriteFile(filepath.Join(out, "real.sarif"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(out, "real.sarif"), outside); err != nil {
		t.Fatal(err)
	}
	got := s.check(t, dir, "pull_request", event, nil, "--output", "sarif:"+outside, "--output", "junit:/dev/null", "--output", "json:"+filepath.Join(dir, "new.json"))
	if got.code != 0 {
		t.Errorf("exit code %d:\n%s", got.code, got.stderr)
	}
	for _, file := range []string{filepath.Join(out, "real.sarif"), filepath.Join(dir, "new.json")} {
		if info, err := os.Stat(file); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestCheckOutputsFail wants each output that cannot be written named, and no
// half of a file left behind.
func TestCheckOutputsFail(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "clean", shopPull{}, map[string]string{"src/price.ts": "export const price = (n: number) => n + n;\n"})
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	out := t.TempDir()
	got := s.check(t, dir, "pull_request", s.event(t, pull, false), nil,
		"--output", "sarif:"+out, "--output", "junit:"+filepath.Join(out, "none", "x.xml"), "--output", "json:"+filepath.Join(out, "x.json"), "--output", "json:"+filepath.Join(out, "y.json"))
	if got.code != 2 {
		t.Errorf("exit code %d, want 2", got.code)
	}
	says(t, "standard error", got.stderr, "--output sarif: write "+out+": it is a folder", "--output junit: write ", "does not exist", "hint: make it first")
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder holds %v, %v; want the two that could be written", entries, err)
	}
	for _, twice := range [][]string{{"--output", "json:a", "--output", "sarif:./a"}, {"--output", "text", "--output", "text"}, {"--output", "sarif", "--output", "json"}} {
		got := s.check(t, dir, "pull_request", s.event(t, pull, false), nil, twice...)
		if got.code != 2 {
			t.Errorf("%q: exit code %d, want 2", twice, got.code)
		}
		says(t, "standard error", got.stderr, "goes to the same place; give each a file of its own")
	}
}
