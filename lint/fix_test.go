package lint_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint"
	"steelyard/rules"
)

// shout mends every "bad" to "good", and every "worse" to "bad".
var shout = lint.Rule{ID: "MC002", Check: func(p *lint.Pass) {
	for _, f := range p.Files(rules.Instructions) {
		text, err := f.Bytes()
		if err != nil {
			continue
		}
		for from, to := range map[string]string{"bad": "good", "worse": "bad", "se b": "overlaps"} {
			for at := 0; ; {
				i := bytes.Index(text[at:], []byte(from))
				if i < 0 {
					break
				}
				span := lint.Span{Start: at + i, End: at + i + len(from)}
				p.ReportFix(f, span, lint.Fix{Edits: []lint.Edit{{At: span, New: to}}, Says: "say " + to}, "%q", from)
				at = span.End
			}
		}
	}
}}

// mendAll mends until nothing is left, as --fix does.
func mendAll(t *testing.T, tree fs.FS, cfg lint.Config, list ...lint.Rule) (mended map[string][]byte, rounds int) {
	t.Helper()
	mended = map[string][]byte{}
	for ; rounds < 10; rounds++ {
		res, err := lint.Run(t.Context(), lint.Overlay{Below: tree, Files: mended}, append(list, lint.SuppressionRules()...), cfg)
		if err != nil {
			t.Fatal(err)
		}
		changes, err := lint.Mend(res.Findings)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) == 0 {
			return mended, rounds
		}
		for _, c := range changes {
			mended[c.Path] = c.Text
		}
	}
	t.Fatal("mending has no end")
	return nil, 0
}

// TestMend wants every fix applied in the end, of two that overlap one at a
// time, and nothing to do after that.
func TestMend(t *testing.T) {
	tree := fstest.MapFS{"AGENTS.md": {Data: []byte("a bad line, a worse bad line\n")}, "CLAUDE.md": {Data: []byte("fine\n")}}
	mended, rounds := mendAll(t, tree, lint.Config{}, shout)
	if got := string(mended["AGENTS.md"]); got != "a good line, a good good line\n" || len(mended) != 1 || rounds != 2 {
		t.Errorf("after %d rounds files are %q", rounds, mended)
	}
}

// TestMendShowsNoSecret wants secrets starred on both sides of a change, and
// none of a file shown that was not looked through.
func TestMendShowsNoSecret(t *testing.T) {
	const secret = "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"
	text := "key=" + secret + " bad\n"
	for name, unchecked := range map[string]bool{"checked": false, "unchecked": true} {
		t.Run(name, func(t *testing.T) {
			masking := lint.Rule{ID: "MC001", Check: func(p *lint.Pass) {
				f := p.Files()[0]
				f.Mask(lint.Span{Start: 4, End: 4 + len(secret)}, secret)
				if unchecked {
					f.Unchecked("MC")
				}
			}}
			res, err := lint.Run(t.Context(), fstest.MapFS{"AGENTS.md": {Data: []byte(text)}}, []lint.Rule{masking, shout}, lint.Config{})
			if err != nil {
				t.Fatal(err)
			}
			changes, err := lint.Mend(res.Findings)
			if err != nil {
				t.Fatal(err)
			}
			if unchecked {
				if len(changes) != 0 {
					t.Errorf("a file that was not looked through is changed: %v", changes)
				}
				return
			}
			if len(changes) != 1 || strings.Contains(changes[0].Before+changes[0].After, secret[:12]) || !strings.Contains(string(changes[0].Text), secret) {
				t.Errorf("changes are %+v", changes)
			}
		})
	}
}

// TestSuppressionsAreTakenOut mends suppressions that have no effect, and leaves
// those that have one or that nobody can judge.
func TestSuppressionsAreTakenOut(t *testing.T) {
	tree := fstest.MapFS{"AGENTS.md": {Data: []byte(`# Rules

<!-- steelyard: ignore MC002 because nothing is here -->
fine
<!-- steelyard: ignore MC002 because it is meant so -->
a bad line
some text <!-- steelyard: ignore MC001 because nothing is here --> and more
<!-- steelyard: ignore MC002 until 2020-01-01 because it was to be mended -->
<!-- steelyard: ignore MC002 -->
`)}}
	mended, _ := mendAll(t, tree, lint.Config{Today: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)}, word, lint.Rule{ID: "MC001"})
	want := `# Rules

fine
<!-- steelyard: ignore MC002 because it is meant so -->
a bad line
some text and more
<!-- steelyard: ignore MC002 -->
`
	if diff := cmp.Diff(want, string(mended["AGENTS.md"])); diff != "" {
		t.Errorf("file differs (-want +got):\n%s", diff)
	}
}

// TestOverlay holds the overlay to what a file tree has to do.
func TestOverlay(t *testing.T) {
	below := fstest.MapFS{"a.md": {Data: []byte("old")}, "d/b.md": {Data: []byte("b")}, "l.md": {Data: []byte("a.md"), Mode: fs.ModeSymlink | 0o777}}
	o := lint.Overlay{Below: below, Files: map[string][]byte{"a.md": []byte("new"), "d/c.md": []byte("c"), "e/f/g.md": []byte("g"), "l.md": []byte("link no more")}}
	for name, want := range map[string]string{"a.md": "new", "d/b.md": "b", "d/c.md": "c", "e/f/g.md": "g", "l.md": "link no more"} {
		if text, err := fs.ReadFile(o, name); err != nil || string(text) != want {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
	for dir, want := range map[string]string{".": "[a.md d/ e/ l.md]", "d": "[b.md c.md]", "e": "[f/]", "e/f": "[g.md]"} {
		entries, err := fs.ReadDir(o, dir)
		var names []string
		for _, e := range entries {
			name := e.Name()
			if e.IsDir() {
				name += "/"
			}
			names = append(names, name)
		}
		if got := fmt.Sprint(names); err != nil || got != want {
			t.Errorf("%s holds %s, %v, want %s", dir, got, err, want)
		}
	}
	if info, err := fs.Lstat(o, "l.md"); err != nil || !info.Mode().IsRegular() {
		t.Errorf("l.md is %v, %v", info, err)
	}
	if _, err := fs.ReadDir(o, "x"); err == nil {
		t.Error("a folder that is not there is listed")
	}
}

// TestMendedLines wants no second empty line where a suppression stood alone,
// and no other line gone with it.
func TestMendedLines(t *testing.T) {
	const comment = "<!-- steelyard: ignore MC002 because it was so -->\n"
	for before, want := range map[string]string{
		comment + "\n# Rules\n":              "# Rules\n",
		"# Rules\n\n" + comment + "\nAsk.\n": "# Rules\n\nAsk.\n",
		"Ask.\n" + comment + "Answer.\n":     "Ask.\nAnswer.\n",
		"Ask.\n" + comment + "\nAnswer.\n":   "Ask.\n\nAnswer.\n",
		"Ask.\n\n" + comment:                 "Ask.\n\n",
		"Ask.\n\n" + comment + "Answer.\n":   "Ask.\n\nAnswer.\n",
	} {
		tree := fstest.MapFS{"AGENTS.md": &fstest.MapFile{Data: []byte(before)}}
		mended, _ := mendAll(t, tree, lint.Config{}, lint.Rule{ID: "MC002", Check: func(*lint.Pass) {}})
		if got := string(mended["AGENTS.md"]); got != want {
			t.Errorf("%q became %q, want %q", before, got, want)
		}
	}
}
