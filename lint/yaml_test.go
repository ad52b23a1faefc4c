package lint

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseYAML(t *testing.T) {
	for name, test := range map[string]struct{ src, want string }{
		"values": {"a: [1, true, x]\nb: {c: d}\n", `
$ 1:1-2:9 {
$.a 1:4-1:15 [
$.a[0] 1:5-1:6 "1"
$.a[1] 1:8-1:12 "true"
$.a[2] 1:14-1:15 "x"
$.b 2:4-2:9 {
$.b.c 2:8-2:9 "d"
`},
		"quotes": {"- 'it''s'\n- \"a\\tb\"\n- 'é' # note\n", `
$ 1:1-3:7 [
$[0] 1:3-1:10 "it's"
$[1] 2:3-2:9 "a\tb"
$[2] 3:3-3:7 "é"
`},
		"alias": {"a: &x {b: c}\nd: *x\n", `
$ 1:1-2:2 {
$.a 1:4-1:12 {
$.a.b 1:11-1:12 "c"
$.d 1:4-1:12 {
$.d.b 1:11-1:12 "c"
`},
		"block":    {"a: |\n  one\n  two\n", "\n$ 1:1-1:5 {\n$.a 1:4-1:5 \"one\\ntwo\\n\"\n"},
		"empty":    {"", "\nnone\n"},
		"comments": {"# nothing\n", "\nnone\n"},
	} {
		t.Run(name, func(t *testing.T) {
			n, err := ParseYAML([]byte(test.src))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want[1:], outline(test.src, n)); diff != "" {
				t.Errorf("document differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseFrontMatter(t *testing.T) {
	src := "---\nname: reviewer\ntools: [Read]\n---\n# Body: not: yaml\n"
	n, err := ParseFrontMatter([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if name, _ := n.Get("name").Str(); name != "reviewer" || n.Get("tools").At.Start != strings.Index(src, "[") {
		t.Errorf("front matter is %s", outline(src, n))
	}
	if n, err := ParseFrontMatter([]byte("# Title\n---\na: b\n---\n")); n != nil || err != nil {
		t.Errorf("a rule in the text is taken for front matter: %v, %v", n, err)
	}
}

// TestHostileYAML wants clean errors within bounds.
func TestHostileYAML(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c < 'k'; c++ {
		prev := string(c - 1)
		bomb += string(c) + ": &" + string(c) + " [*" + strings.Repeat(prev+",*", 8) + prev + "]\n"
	}
	for name, test := range map[string]struct{ src, want string }{
		"bomb":       {bomb, "more than 20000 values"},
		"cycle":      {"a: &a\n  b: *a\n", "levels deep"},
		"deep":       {strings.Repeat("[", 100_000), "levels deep"},
		"deep-lists": {strings.Repeat("- ", 50_000), "levels deep"},
		"large":      {strings.Repeat("a: b\n", 300_000), "bytes"},
		"syntax":     {"a: b: c\n", "mapping values"},
		"secret":     {"a: *ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6\n", "unknown anchor"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := ParseYAML([]byte(test.src))
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "A1b2C3") {
				t.Errorf("error is %v, want one with %q", err, test.want)
			}
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func FuzzParseYAML(f *testing.F) {
	for _, seed := range []string{"a: b\n", "- 'x'\n- \"y\\n\"\n", "a: &x [1]\nb: *x\n", "a: |\n  t\n", "\ufeffa: é\n", "? a\n: b\n", "%YAML 1.2\n---\na\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, err := ParseYAML(src)
		if err != nil || n == nil {
			return
		}
		var check func(*Node)
		check = func(n *Node) {
			if n.At.Start < 0 || n.At.Start > n.At.End || n.At.End > len(src) {
				t.Fatalf("place %v in %d bytes", n.At, len(src))
			}
			for _, m := range n.Members {
				check(m.Value)
			}
			for _, e := range n.Elements {
				check(e)
			}
		}
		check(n)
	})
}
