package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"steelyard/lint"
)

// TestReplace writes over a file as it was read, and over no other: not what
// somebody else wrote since, not a read-only file, not a link in its place.
func TestReplace(t *testing.T) {
	const name = "AGENTS.md"
	change := lint.Change{Path: name, Source: []byte("before\n"), Text: []byte("after\n")}
	for what, test := range map[string]struct {
		text   string
		mode   os.FileMode
		link   string
		want   string
		refuse string
	}{
		"as it was read":     {text: "before\n", mode: 0o640, want: "after\n"},
		"mended by somebody": {text: "after\n", mode: 0o640, want: "after\n"},
		"written since":      {text: "mine\n", mode: 0o640, want: "mine\n", refuse: "it changed while it was checked"},
		"read-only":          {text: "before\n", mode: 0o440, want: "before\n", refuse: "it is read-only"},
		"a link":             {link: "other.md", want: "before\n", refuse: "not a regular file any more"},
		"gone":               {refuse: "no such file"},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			full := filepath.Join(dir, name)
			if test.link != "" {
				test.text, test.mode = "before\n", 0o640
				full = filepath.Join(dir, test.link)
				if err := os.Symlink(test.link, filepath.Join(dir, name)); err != nil {
					t.Skip("no symbolic links here")
				}
			}
			if test.mode != 0 {
				if err := os.WriteFile(full, []byte(test.text), test.mode); err != nil {
					t.Fatal(err)
				}
			}
			err := replace(dir, change)
			if test.refuse == "" && err != nil || test.refuse != "" && (err == nil || !strings.Contains(err.Error(), test.refuse)) {
				t.Errorf("the error is %v, want %q", err, test.refuse)
			}
			if err != nil && !strings.Contains(err.Error(), name) {
				t.Errorf("the error names no file: %v", err)
			}
			if got, _ := os.ReadFile(full); string(got) != test.want {
				t.Errorf("the file holds %q, want %q", got, test.want)
			}
			if info, err := os.Lstat(full); err == nil && info.Mode().Perm() != test.mode {
				t.Errorf("its mode is %v, want %v", info.Mode().Perm(), test.mode)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, ".*steelyard*")); len(left) > 0 {
				t.Errorf("files are left behind: %v", left)
			}
		})
	}
}

// TestFixesOfManyRounds wants a file with more to mend than all rounds show to
// be mended as far as they go, and not refused.
func TestFixesOfManyRounds(t *testing.T) {
	var text strings.Builder
	const lines = 30_000 // a round shows 500 findings of a file
	for range lines {
		text.WriteString("<!-- steelyard: ignore MC002 because nothing is here -->\n")
	}
	before := text.String()
	changes, err := fixes(t.Context(), fstest.MapFS{"AGENTS.md": {Data: []byte(before)}}, lint.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 1 || string(changes[0].Source) != before || len(changes[0].Text) >= len(before) || changes[0].Fixed < maxRounds {
		t.Errorf("%d files are changed, want one, and some of it mended", len(changes))
	}
}
