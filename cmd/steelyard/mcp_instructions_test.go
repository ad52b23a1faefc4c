package main

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/lint/families"
	"steelyard/mcp"
	"steelyard/rules"
)

// instructedTree has instructions of several assistants, nested, linked,
// imported, scoped and in conflict, beside files that are none.
func instructedTree() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"AGENTS.md":                                file("# Rules\n\nUse tabs for indentation.\n"),
		"AGENTS.override.md":                       file("Use tabs for indentation.\n"),
		"CLAUDE.md":                                file("Use tabs for indentation.\n\nSee @docs/style.md.\n"),
		"docs/style.md":                            file("Indent with two spaces.\n\nMore in @deep.md.\n"),
		"docs/deep.md":                             file("Never use npm; use pnpm.\n"),
		"services/pay/AGENTS.md":                   file("Use 4 spaces for indentation.\n"),
		"services/pay/CLAUDE.md":                   {Data: []byte("AGENTS.md"), Mode: fs.ModeSymlink},
		"GEMINI.md":                                {Data: []byte("../outside.md"), Mode: fs.ModeSymlink},
		".github/copilot-instructions.md":          file("Use spaces for indentation.\n"),
		".github/instructions/go.instructions.md":  file("---\napplyTo: \"**/*.go\"\n---\nUse tabs for indentation.\n"),
		".github/instructions/web.instructions.md": file("---\napplyTo: \"web/**\"\n---\nUse yarn.\n"),
		".cursor/rules/style.mdc":                  file("---\nalwaysApply: true\n---\nUse tabs.\n"),
		".clinerules":                              file("Use tabs.\n"),
		"services/pay/main.go":                     file("package main\n"),
		"web/app.ts":                               file("export {}\n"),
	}
}

// kept is a [lint.TextStore] of one repository.
type kept struct{ texts lint.InstructionTexts }

func (k kept) TextRepositories(context.Context) ([]string, error) {
	return []string{k.texts.Repository}, nil
}

func (k kept) InstructionTexts(_ context.Context, repository string) (lint.InstructionTexts, error) {
	if repository != k.texts.Repository {
		return lint.InstructionTexts{}, nil
	}
	return k.texts, nil
}

// TestWhatAScanKeepsAnswersAsTheTree holds that the texts of a scan say the same
// as the repository itself, for every assistant.
func TestWhatAScanKeepsAnswersAsTheTree(t *testing.T) {
	tree := instructedTree()
	res, err := lint.Run(t.Context(), tree, nil, lint.Config{Committed: true, Observe: families.Observers()})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, time.August, 4, 9, 0, 0, 0, time.UTC)
	r := &instructionReader{now: func() time.Time { return at }, texts: kept{lint.InstructionTexts{Repository: "acme/pay", Commit: "ab12", At: at, Texts: res.Inventory.Texts}}}
	surfaces, err := rules.Surfaces()
	if err != nil {
		t.Fatal(err)
	}
	read, conflicts := 0, 0
	for _, s := range surfaces {
		for _, file := range []string{"services/pay/main.go", "web/app.ts", "new/thing.py"} {
			reading, err := readingOf(t.Context(), tree, lint.Config{Committed: true}, s, file)
			if err != nil {
				t.Fatal(err)
			}
			want := mcp.Instructions{Repository: "acme/pay", Commit: "ab12", At: at, Title: s.Title}
			fillInstructions(&want, reading)
			got, err := r.Effective(t.Context(), "acme/pay", s.ID, file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s on %s (-tree +kept):\n%s", s.ID, file, diff)
			}
			read, conflicts = read+len(want.Texts), conflicts+len(want.Conflicts)
		}
	}
	if read < 40 || conflicts < 5 {
		t.Errorf("the tree has %d texts and %d conflicts: too little to tell", read, conflicts)
	}
	for _, file := range []string{"../x", "/etc/passwd", ".", ""} {
		if _, err := r.Effective(t.Context(), "acme/pay", "codex", file); !errors.Is(err, mcp.ErrNoFile) {
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestNoSecretIsKept holds that a secret in an instruction file leaves with its
// stars only.
func TestNoSecretIsKept(t *testing.T) {
	const secret = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
	tree := fstest.MapFS{"AGENTS.md": {Data: []byte("Use `" + secret + "` to push.\n\nUse tabs.\n")}}
	res, err := lint.Run(t.Context(), tree, families.All(), lint.Config{Committed: true, Observe: families.Observers()})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Inventory.Texts) != 1 || !strings.Contains(res.Inventory.Texts[0].Text, "Use tabs.") {
		t.Fatalf("kept %v", res.Inventory.Texts)
	}
	if strings.Contains(res.Inventory.Texts[0].Text, secret) {
		t.Errorf("kept %q", res.Inventory.Texts[0].Text)
	}
}
