package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCheckFolderOwners checks a folder of a repository: the owners of its files
// stand in the CODEOWNERS at the repository's root, as GitHub reads it.
func TestCheckFolderOwners(t *testing.T) {
	s := openShop(t)
	for _, test := range []struct {
		name, owners string // .github/CODEOWNERS, "" for none
		change       map[string]string
		want         []string
	}{
		{
			"owned",
			"* @acme/platform\n",
			map[string]string{"services/payments/CLAUDE.md": "Use tabs.\n"},
			[]string{"!CO001", "!CO002", "CLAUDE.md:1:1: note: what steers assistants needs the review of an owner (@acme/platform)"},
		},
		{
			"matched from the root",
			"/services/payments/AGENTS.md @acme/platform\n",
			map[string]string{"services/payments/CLAUDE.md": "Use tabs.\n"},
			[]string{"!CO002", "CLAUDE.md:1:1: warning: no pattern in .github/CODEOWNERS of the repository gives this file an owner [CO001 "},
		},
		{
			"taken away by the change",
			"* @acme/platform\n",
			map[string]string{
				".github/CODEOWNERS": "* @acme/platform\n/services/payments/CLAUDE.md\n", "services/payments/CLAUDE.md": "Use tabs.\n",
			},
			[]string{"line 2 of .github/CODEOWNERS of the repository takes this file's owner away [CO001 "},
		},
		{
			"one that GitHub does not read",
			"* @acme/platform\n",
			map[string]string{"services/payments/CODEOWNERS": "* @acme/payments\n"},
			[]string{"!CO002", "!@acme/payments)", "[CO005 "},
		},
		{
			"none",
			"",
			map[string]string{"services/payments/CLAUDE.md": "Use tabs.\n"},
			[]string{"!CO001"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			gitIn(t, s.dir, "checkout", "-q", "main")
			if test.owners == "" {
				gitIn(t, s.dir, "rm", "-q", ".github/CODEOWNERS")
			} else if err := os.WriteFile(filepath.Join(s.dir, ".github", "CODEOWNERS"), []byte(test.owners), 0o644); err != nil {
				t.Fatal(err)
			}
			s.base = commitFiles(t, s.dir, test.name, map[string]string{"services/payments/AGENTS.md": "Run the tests.\n", "turn": test.name})
			pull := s.open(t, test.name[:3], shopPull{}, test.change)
			dir := filepath.Join(s.checkout(t, pull.mergeRef(), "--depth=2"), "services", "payments")
			got := s.check(t, dir, "pull_request", s.event(t, pull, false), nil, "--output", "text", "--fail-on", "never")
			if got.code != 0 {
				t.Errorf("exit code %d:\n%s", got.code, got.stderr)
			}
			says(t, "the result", got.stdout, append(test.want, "Left out: only the folder services/payments is looked at, with the steelyard.yaml that stands in it")...)
			got = s.check(t, dir, "", "{}", byHand, "--base", s.base, "--fail-on", "never")
			says(t, "by hand", got.stdout, test.want[0])
		})
	}
}
