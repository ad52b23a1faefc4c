package change_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/change"
	"steelyard/lint/owners"
	"steelyard/rules"
)

// risky is a policy about one folder, and a change that touches it.
func risky() *change.Change {
	return &change.Change{
		PullRequest: change.PullRequest{
			Described: true, Author: change.Account{Login: "ada"}, ReviewsKnown: true,
			Files: []change.File{{Path: "auth/login.go", Kind: change.Code}, {Path: "AGENTS.md", Kind: change.Docs}},
		},
		Policy: change.Policy{
			Risky:      []change.Paths{{Globs: []string{"auth/**"}, Who: []string{"@acme/security"}, Approvals: 1, Reason: "who may sign in"}},
			OwnersOnly: []change.Paths{{Globs: []string{"auth/**"}, Who: []string{"@acme/security"}, Reason: "who may sign in"}},
		},
		Owners: owners.Parse([]byte("* @acme/platform\n")),
	}
}

func run(t *testing.T, c *change.Change) []lint.Finding {
	t.Helper()
	res, err := lint.Run(t.Context(), fstest.MapFS{"auth/login.go": {}, "AGENTS.md": {Data: []byte("Run the tests.\n")}}, change.Rules(), lint.Config{Given: []any{c}})
	if err != nil {
		t.Fatal(err)
	}
	return res.Findings
}

// TestSeverity holds that a review that is only missing so far is a note, and
// that required reviews and a merge queue make it weigh what its rule weighs.
func TestSeverity(t *testing.T) {
	for name, test := range map[string]struct {
		set  func(*change.Change)
		want rules.Severity
	}{
		"just opened":    {func(*change.Change) {}, rules.Note},
		"required":       {func(c *change.Change) { c.Policy.Require = true }, rules.Error},
		"about to merge": {func(c *change.Change) { c.Queued = true }, rules.Error},
	} {
		c := risky()
		c.Policy.OwnersOnly = nil
		c.Teams = map[string][]string{"@acme/security": {"carol"}, "@acme/platform": {"dan"}}
		test.set(c)
		found := run(t, c)
		if len(found) != 2 {
			t.Errorf("%s: findings are %v, want one of PR002 and one of PR005", name, found)
		}
		for _, f := range found {
			if f.Severity != test.want {
				t.Errorf("%s: %v is of severity %s, want %s", name, f, f.Severity, test.want)
			}
		}
		if left := c.LeftOut(); len(left) > 0 {
			t.Errorf("%s: left out %q", name, left)
		}
	}
}

// TestLeftOut wants no finding about what is not known, and a sentence for it.
func TestLeftOut(t *testing.T) {
	for name, test := range map[string]struct {
		set  func(*change.Change)
		want []string
	}{
		"no reviews": {
			func(c *change.Change) {
				c.ReviewsKnown, c.Unknown = false, "there is no token"
				c.Teams = map[string][]string{"@acme/security": {"ada"}}
			},
			[]string{
				"whether an owner has reviewed AGENTS.md (PR005): there is no token",
				"whether auth/login.go may be merged (PR002, who may sign in): there is no token",
			},
		},
		"no teams": {
			func(c *change.Change) {
				c.Commit = last
				c.Reviews = []change.Review{{By: change.Account{Login: "carol"}, State: "APPROVED", Commit: last}}
			},
			[]string{
				"whether @ada may change auth/login.go (PR007): the members of @acme/security could not be read",
				"whether one of @acme/security has approved auth/login.go (PR002): the members of @acme/security could not be read",
				"whether one of the owners @acme/platform has reviewed AGENTS.md (PR005): the members of @acme/platform could not be read",
			},
		},
		"a file too large": {
			func(c *change.Change) {
				c.Policy = change.Policy{Size: change.Size{Lines: 10}}
				c.Owners = nil
				c.Files = []change.File{{Path: "data.go", Kind: change.Code, Uncounted: true}, {Path: "go.sum", Kind: change.Lockfile, Uncounted: true}}
			},
			[]string{"how many lines of data.go change (PR003): it is too large to be compared"},
		},
		"nothing described": {
			func(c *change.Change) {
				c.Described, c.ReviewsKnown = false, false
				c.Policy.Disclosure.Section = "AI"
				c.Owners, c.Policy.Risky = nil, nil
			},
			[]string{
				"the disclosure section of the pull request (PR001): its text is not known",
				"whether its author may change auth/login.go (PR007): who opened the pull request is not known",
			},
		},
	} {
		c := risky()
		test.set(c)
		if found := run(t, c); len(found) > 0 {
			t.Errorf("%s: findings are %v", name, found)
		}
		if diff := cmp.Diff(test.want, c.LeftOut()); diff != "" {
			t.Errorf("%s: left out (-want +got):\n%s", name, diff)
		}
	}
}

func TestKindOf(t *testing.T) {
	made := change.MarkedGenerated([]byte("# comment\n*.sql linguist-generated\n/api/*.go linguist-generated=true\ndocs/x.md -linguist-generated\n*.go text\n"))
	for path, want := range map[string]change.Kind{
		"main.go": change.Code, "main_test.go": change.Test, "src/a.spec.ts": change.Test, "tests/helper.py": change.Test, "test_a.py": change.Test,
		"a/__tests__/b.js": change.Test, "src/FooTest.java": change.Test, "latest.py": change.Code, "contest/a.go": change.Code,
		"README.md": change.Docs, "docs/a.png": change.Docs, "requirements.txt": change.Code, "LICENSE": change.Docs, "docs/x.md": change.Docs,
		"go.sum": change.Lockfile, "web/package-lock.json": change.Lockfile, "package.json": change.Code,
		"a.pb.go": change.Generated, "vendor/x/y.go": change.Generated, "web/a.min.js": change.Generated, "db/x.sql": change.Generated, "api/a.go": change.Generated, "api/v1/a.go": change.Code,
	} {
		if got := change.KindOf(path, nil, made); got != want {
			t.Errorf("%s counts as %s, want %s", path, got, want)
		}
	}
	for text, want := range map[string]change.Kind{
		"// Code generated by x. DO NOT EDIT.\n\npackage a\n": change.Generated, "/**\n * @generated\n */\n": change.Generated,
		"# This file is automatically generated\n": change.Generated, "// The code generated here is good.\n": change.Code,
	} {
		if got := change.KindOf("a.go", []byte(text), nil); got != want {
			t.Errorf("%q counts as %s, want %s", text, got, want)
		}
	}
}

// FuzzDisclosure wants an end and no panic on any text.
func FuzzDisclosure(f *testing.F) {
	f.Add("## AI\n- [x] yes\n", "AI")
	f.Add("```\n## AI\n~~~\n<!-- ## AI", "## AI")
	f.Fuzz(func(t *testing.T, body, heading string) {
		c := risky()
		c.Body, c.Policy.Disclosure = body, change.Disclosure{Section: heading, Boxes: change.OneBox}
		for _, finding := range run(t, c) {
			if strings.Contains(finding.Message, "\n") {
				t.Errorf("a message of several lines: %q", finding.Message)
			}
		}
	})
}
