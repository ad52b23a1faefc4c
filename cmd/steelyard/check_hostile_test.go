package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"steelyard/internal/treediff"
	"steelyard/lint/change/tests"
)

// index commits entries that no file of the working directory is, as "MODE
// OBJECT\tPATH", beside what a pull request has, and renews its merge commit.
func (s *shop) index(t *testing.T, name string, pull *shopPull, entries ...string) {
	t.Helper()
	gitIn(t, s.dir, "checkout", "-q", name)
	for _, e := range entries {
		fields := strings.Fields(strings.SplitN(e, "\t", 2)[0])
		_, path, _ := strings.Cut(e, "\t")
		gitIn(t, s.dir, "update-index", "--add", "--cacheinfo", fields[0], fields[1], path)
	}
	gitIn(t, s.dir, "commit", "-q", "-m", "entries")
	pull.head = gitIn(t, s.dir, "rev-parse", "HEAD")
	tree := gitIn(t, s.dir, "rev-parse", "HEAD^{tree}")
	pull.merge = gitIn(t, s.dir, "commit-tree", tree, "-p", s.base, "-p", pull.head, "-m", "merge")
	gitIn(t, s.dir, "reset", "-q", "--hard")
	gitIn(t, s.dir, "checkout", "-q", "-f", "main")
	gitIn(t, s.dir, "update-ref", pull.mergeRef(), pull.merge)
}

// fetchOnly makes a clone that holds a commit and checks nothing out, which a
// file system may not be able to.
func (s *shop) fetchOnly(t *testing.T, pull *shopPull) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work")
	gitIn(t, s.dir, "clone", "-q", "--no-checkout", "file://"+s.dir, dir)
	gitIn(t, dir, "fetch", "-q", "origin", pull.mergeRef())
	gitIn(t, dir, "update-ref", "--no-deref", "HEAD", "FETCH_HEAD")
	return dir
}

// TestCheckUnshownFiles holds that no file is out of a policy's reach because a
// tree cannot show it.
func TestCheckUnshownFiles(t *testing.T) {
	s := openShop(t)
	blob := gitIn(t, s.dir, "rev-parse", "HEAD:auth/login.ts")
	for name, test := range map[string]struct{ entry, want, left string }{
		"submodule": {"160000 " + s.base + "\tauth/lib", "auth/lib:1:1: note: a risky path (who may sign in): auth/lib needs the approval", "auth/lib was not compared line by line: it is a submodule"},
		"no UTF-8":  {"100644 " + blob + "\tauth/\xff.ts", `auth/\ufffd.ts:1:1: note: a risky path (who may sign in): auth/\ufffd.ts needs the approval`, "its name is no path of UTF-8 text"},
		"link":      {"120000 " + blob + "\tauth/login.ts", "auth/login.ts:1:1: note: a risky path", ""},
	} {
		t.Run(name, func(t *testing.T) {
			branch := "unshown-" + strings.ReplaceAll(name, " ", "-")
			pull := s.open(t, branch, shopPull{}, map[string]string{"src/price.ts": "export const price = (n: number) => n + n;\n"})
			s.index(t, branch, pull, test.entry)
			got := s.check(t, s.fetchOnly(t, pull), "pull_request", s.event(t, pull, false), nil, "--output", "text")
			says(t, "the result", got.stdout, test.want, test.left)
		})
	}
}

// TestCheckLargeChange checks a change of many files, and of a few too large to
// be read.
func TestCheckLargeChange(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes thousands of files")
	}
	s := openShop(t)
	files := map[string]string{
		"src/large.ts": strings.Repeat("export {};\n", 500_000), "src/binary.ts": strings.Repeat("\x00\n", 3<<20), "auth/login.ts": loginChange["auth/login.ts"],
		"src/price.test.ts": "import { price } from './price';\n\ntest.skip('doubles', () => {\n  expect(price(2)).toBe(4);\n  expect(price(3)).toBe(6);\n});\n",
	}
	for i := range 500 {
		files[fmt.Sprintf("aa/%d/%d.ts", i%100, i)] = fmt.Sprintf("export const n = %d;\r\n", i)
	}
	pull := s.open(t, "large", shopPull{}, files)
	got := s.check(t, s.fetchOnly(t, pull), "pull_request", s.event(t, pull, false), nil, "--output", "text")
	says(t, "the result", got.stdout, "PR002", "TS002", "the pull request changes 500502 lines of code, and the policy allows 200",
		"src/large.ts was not compared line by line: it is larger than 4 MB")
}

// TestCrowdedTests holds that a skipped test is found however many files, and
// however large ones, a change brings beside it.
func TestCrowdedTests(t *testing.T) {
	changes := []treediff.Change{}
	for i := range 6000 {
		changes = append(changes, treediff.Change{Path: fmt.Sprintf("aa/%d_test.go", i), New: []byte("package aa\n")})
	}
	for i := range 40 {
		changes = append(changes, treediff.Change{Path: fmt.Sprintf("bb/%d.txt", i), New: make([]byte, 4<<20)})
	}
	changes = append(changes, treediff.Change{
		Path: "price_test.go", OldPath: "price_test.go",
		Old: []byte("package p\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n\tif price(2) != 4 {\n\t\tt.Error()\n\t}\n}\n"),
		New: []byte("package p\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n\tt.Skip()\n\tif price(2) != 4 {\n\t\tt.Error()\n\t}\n}\n"),
	})
	for _, f := range tests.Compare(testFiles(changes)) {
		if f.Rule == "TS002" && f.Path == "price_test.go" {
			return
		}
	}
	t.Error("the skipped test is not found")
}

// TestCheckNothingRuns plants what git could run or follow in a clone, and wants
// nothing of it to.
func TestCheckNothingRuns(t *testing.T) {
	s := openShop(t)
	ran := filepath.Join(t.TempDir(), "ran")
	evil := "touch '" + ran + "'; cat"
	pull := s.open(t, "evil", shopPull{}, map[string]string{
		".gitattributes": "* filter=evil diff=evil merge=evil\n", ".gitmodules": "[submodule \"x\"]\n\tpath = x\n\turl = ext::sh -c touch% " + ran + "\n\tupdate = !" + evil + "\n",
		"src/price.ts": "export const price = (n: number) => n + n;\n", "evil.inc": "[core]\n\tfsmonitor = " + evil + "\n",
	})
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	for _, setting := range [][2]string{
		{"includeIf.gitdir:**.path", filepath.Join(dir, "evil.inc")},
		{"include.path", filepath.Join(dir, "evil.inc")},
		{"filter.evil.smudge", evil},
		{"filter.evil.clean", evil},
		{"filter.evil.process", evil},
		{"diff.evil.textconv", evil},
		{"diff.evil.command", evil},
		{"diff.external", evil},
		{"core.pager", evil},
		{"core.sshCommand", evil},
		{"core.editor", evil},
		{"alias.rev-parse", "!" + evil},
		{"alias.cat-file", "!" + evil},
		{"uploadpack.packObjectsHook", evil},
	} {
		gitIn(t, dir, "config", setting[0], setting[1])
	}
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"} {
		if err := os.WriteFile(filepath.Join(dir, ".git", "hooks", hook), []byte("#!/bin/sh\n"+evil+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(ran); err != nil { // what git itself ran while this was set up
		t.Fatal(err)
	}
	head := strings.TrimSpace(pull.merge)
	for _, args := range [][]string{nil, {"--base", "HEAD^1"}, {"--base", s.base, "--head", head}} {
		got := s.check(t, dir, "pull_request", s.event(t, pull, false), map[string]string{"GITHUB_SHA": head}, args...)
		if got.code != 0 {
			t.Errorf("%q: exit code %d:\n%s%s", args, got.code, got.stdout, got.stderr)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Fatalf("%q: something of the repository was run", args)
		}
	}
}

// TestCheckHostileBranch gives a branch whose name a shell would run, and wants
// the command that a hint names to run nothing but git.
func TestCheckHostileBranch(t *testing.T) {
	s := openShop(t)
	pull := s.open(t, "other", shopPull{}, map[string]string{"src/price.ts": "export const price = (n: number) => n + n;\n"})
	dir := s.checkout(t, pull.mergeRef(), "--depth=2")
	for _, name := range []string{"x$(touch${IFS}ran)", "x`touch${IFS}ran`", "x;touch${IFS}ran", "x'$(touch${IFS}ran)'", "x|touch${IFS}ran", "x&&touch${IFS}ran"} {
		event, err := json.Marshal(map[string]any{"ref": "refs/heads/other", "repository": map[string]any{"full_name": "acme/shop", "default_branch": name}})
		if err != nil {
			t.Fatal(err)
		}
		got := s.check(t, dir, "workflow_dispatch", string(event), nil)
		m := fetchHintForm.FindStringSubmatch(got.stderr)
		if got.code != 2 || m == nil {
			t.Fatalf("%s: exit code %d, want 2 and a fetch to run:\n%s", name, got.code, got.stderr)
		}
		cmd := exec.Command("sh", "-c", m[1])
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "couldn't find remote ref") {
			t.Errorf("%s: %s: %v\n%s", name, m[1], err, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
			t.Fatalf("%s: the hint ran it: %s", name, m[1])
		}
	}
}

// TestCheckBounds holds that no change hides what it brings behind a bound of
// the walk, and that what a link leads to is found.
func TestCheckBounds(t *testing.T) {
	s := openShop(t)
	deep := s.open(t, "deep", shopPull{}, map[string]string{strings.Repeat("d/", 70) + ".mcp.json": unpinned})
	got := s.check(t, s.fetchOnly(t, deep), "pull_request", s.event(t, deep, false), nil)
	if got.code != 2 {
		t.Errorf("exit code %d, want 2:\n%s", got.code, got.stdout)
	}
	says(t, "standard error", got.stderr, "the change makes the tree larger than can be looked at, and could hide anything in the rest", "more than 64 folders deep: the rest was not looked at")

	// Where it was so before, the change is not what hides it.
	s.base = commitFiles(t, s.dir, "deep", map[string]string{strings.Repeat("d/", 70) + "AGENTS.md": "# Deep\n"})
	pull := s.open(t, "link", shopPull{}, map[string]string{"setup/settings.json": `{"permissions": {"allow": ["Bash(*)"]}}` + "\n"})
	blob := filepath.Join(t.TempDir(), "target")
	if err := os.WriteFile(blob, []byte("setup"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.index(t, "link", pull, "120000 "+gitIn(t, s.dir, "hash-object", "-w", blob)+"\t.claude")
	got = s.check(t, s.fetchOnly(t, pull), "pull_request", s.event(t, pull, false), nil, "--output", "text")
	if got.code != 1 {
		t.Errorf("exit code %d, want 1:\n%s", got.code, got.stderr)
	}
	says(t, "the result", got.stdout, "setup/settings.json:1:28: error:", "[PM002", "needs the review of an owner")
}
