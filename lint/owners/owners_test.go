package owners

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hmarr/codeowners"

	"steelyard/lint"
)

// TestDecides follows GitHub's manual and the bugs that other readers had.
func TestDecides(t *testing.T) {
	text := "\ufeff# comment\r\n" +
		"*.md @a # inline\r\n" + // 2
		"/docs/* @a\r\n" + // 3: one level
		"apps/ @a\r\n" + // 4: any depth
		"/build/logs/ @a\r\n" + // 5
		"/src @a\r\n" + // 6: file or folder
		"**/logs @a\r\n" + // 7
		"/un/owned\r\n" + // 8
		"docs/caf\u00e9/ @a/b.c one@acme.example\r\n" + // 9
		"/with\\ space.md @a\r\n" + // 10
		"!*.md @a\r\n/[ab].md @a\r\n\\#x @a\r\n/bad.md not-an-owner\r\n/a***b @a\r\n" +
		"/x{1}.md @a\r\n" // 16
	lines, _ := parseLines([]byte(text))
	c := &Codeowners{Lines: lines}
	for path, want := range map[string]int{
		"README.md": 2, "x/README.md": 2, "x/README.MD": 0, "docs/a.txt": 3, "docs/b/a.txt": 0, "x/docs/a.txt": 0,
		"apps/x": 4, "x/apps/y/z": 4, "apps": 0, "build/logs/x": 7, "build/logs": 7, "x/build/logs/x": 7, "src": 6, "src/a/b": 6, "srcs": 0,
		"logs": 7, "a/b/logs/c": 7, "un/owned": 8, "un/owned/x": 8, "docs/café/x/y": 9, "docs/cafe/x": 0,
		"with space.md": 10, "a.md": 2, "bad.md": 2, "x{1}.md": 16, "x1.md": 2,
	} {
		got := 0
		if line, _ := c.Decides(path); line != nil {
			got = line.Number
		}
		if got != want {
			t.Errorf("line %d decides about %q, want %d", got, path, want)
		}
	}
	if line, _ := c.Decides("un/owned"); line == nil || line.Owned() {
		t.Error("a pattern without owner leaves its file owned")
	}
}

// TestTooLarge wants one finding for a CODEOWNERS that GitHub does not load.
func TestTooLarge(t *testing.T) {
	tree := fstest.MapFS{
		"CODEOWNERS": {Data: []byte(strings.Repeat("* @acme/platform\n", 200_000))},
		"AGENTS.md":  {Data: []byte("Run the tests.\n")},
	}
	res, err := lint.Run(t.Context(), tree, Rules(), lint.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Findings) != 1 || res.Findings[0].Rule != "CO002" || !strings.Contains(res.Findings[0].Message, "3 MB") {
		t.Errorf("findings are %v", res.Findings)
	}
}

// TestUnread wants no word about GitHub where it was this run that could not
// read the file.
func TestUnread(t *testing.T) {
	tree := fstest.MapFS{"CODEOWNERS": {Data: []byte("* @a\xff\n")}, "AGENTS.md": {Data: []byte("Run the tests.\n")}}
	res, err := lint.Run(t.Context(), tree, Rules(), lint.Config{})
	if err != nil {
		t.Fatal(err)
	}
	const want = "this file could not be read (not UTF-8 text), so it is not known who owns the one governed file"
	if len(res.Findings) != 1 || res.Findings[0].Message != want {
		t.Errorf("findings are %v, want %q alone", res.Findings, want)
	}
}

// TestHostileSize bounds the work on very many lines and files, and wants it
// said.
func TestHostileSize(t *testing.T) {
	tree := fstest.MapFS{"CODEOWNERS": {Data: []byte(strings.Repeat("/*a*b @a\n", 100_000))}}
	for i := range 300 {
		tree["d"+strings.Repeat("x", i)+"/AGENTS.md"] = &fstest.MapFile{}
	}
	res, err := lint.Run(t.Context(), tree, Rules(), lint.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Skipped) == 0 {
		t.Error("nothing is said to be left out")
	}
	for _, s := range res.Skipped {
		if !strings.Contains(s.Reason, "too many lines") {
			t.Errorf("skipped %v", s)
		}
	}
}

var (
	bothRead = regexp.MustCompile(`^[A-Za-z0-9_.@+*?/-]+$`)
	aPath    = regexp.MustCompile(`^[A-Za-z0-9_.@+-]+(/[A-Za-z0-9_.@+-]+)*$`)
)

// FuzzPattern holds the patterns to hmarr/codeowners on the characters that
// both read.
func FuzzPattern(f *testing.F) {
	for _, seed := range []string{"*", "/a/*", "a/b", "a/", "/a", "**/a", "a/**", "a/**/b", "*.md", "/a?b", "**", "/", "a**b", `a\*b`} {
		f.Add(seed, "a/b/c.md")
		f.Add(seed, "a")
	}
	f.Fuzz(func(t *testing.T, glob, path string) {
		if strings.Trim(glob, "*/") == "" && glob != "*" && glob != "**" {
			return // on "/" the library panics, and its "**/" matches nothing
		}
		if strings.Contains(glob, "**/**") {
			return // the library wants a folder between the two; gitignore does not
		}
		if !bothRead.MatchString(glob) || !aPath.MatchString(path) || strings.Contains(glob, "//") {
			return
		}
		set, err := codeowners.ParseFile(strings.NewReader(glob + " @a"))
		if err != nil || len(set) != 1 {
			return
		}
		want, err := set[0].Match(path)
		if err != nil {
			return
		}
		p, fault := newPattern(glob)
		if fault != "" {
			t.Fatalf("%q is refused", glob)
		}
		if got := p.match(path); got != want {
			t.Errorf("%q on %q is %v, want %v", glob, path, got, want)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("* @a\n!x @b\n/[a] @c\n\\# @d\n/x y@z.example # c\n", "a/b")
	f.Fuzz(func(t *testing.T, text, path string) {
		lines, skipped := parseLines([]byte(text))
		for _, s := range skipped {
			if s.At.Start < 0 || s.At.End > len(text) || text[s.At.Start:s.At.End] != s.Text {
				t.Errorf("%q is said to stand at %v of %q", s.Text, s.At, text)
			}
		}
		c := &Codeowners{Lines: lines}
		if line, _ := c.Decides(path); line != nil && (line.Number < 1 || line.Number > strings.Count(text, "\n")+1) {
			t.Errorf("line %d of %q decides", line.Number, text)
		}
	})
}
