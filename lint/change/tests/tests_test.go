package tests_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint/change/tests"
)

// sample is a test file of each language with one test that asserts.
var sample = map[string]string{
	"cart_test.go":             "package cart\n\nfunc TestTotal(t *testing.T) {\n\tfor _, tt := range []struct{ a, b int }{{1, 2}, {3, 4}} {\n\t\tt.Run(\"row\", func(t *testing.T) {\n\t\t\tif got := Total(tt.a); got != tt.b {\n\t\t\t\tt.Errorf(\"%d\", got)\n\t\t\t}\n\t\t\trequire.Equal(t, tt.b, Total(tt.a))\n\t\t})\n\t}\n}\n",
	"cart.test.tsx":            "describe('cart', () => {\n  it.each([[1, 2], [3, 4]])('totals %d', async (a, b) => {\n    render(<p>Don't</p>);\n    expect(await total(a, /x['\"]/.test(`${a}`))).not.toEqual({ b, c: expect.any(Number) });\n  });\n});\n",
	"test_cart.py":             "import pytest\n\n\nclass TestCart:\n    @pytest.mark.parametrize('a, b', [(1, 2), (3, 4)])\n    def test_total(self, a, b):\n        with pytest.raises(ValueError, match='x'):\n            total(None)\n        assert total(a) == pytest.approx(b, rel=1e-3), f\"{a} 'x'\"\n",
	"CartTest.java":            "class CartTest {\n  @ParameterizedTest\n  @ValueSource(ints = {1, 2})\n  void total(int a) {\n    assertThat(cart.total(a)).as(\"\"\"\n      sum\"\"\").isEqualTo(2);\n    assertThrows(IllegalStateException.class, () -> cart.total(-1));\n  }\n}\n",
	"CartTest.kt":              "class CartTest {\n  @Test\n  fun `adds up`() {\n    assertThat(cart.total).isEqualTo(5)\n    cart.lines shouldBe 2\n  }\n}\n",
	"cart_spec.rb":             "describe Cart do\n  it \"adds up\", :slow do\n    text = <<~TEXT\n      it's\n    TEXT\n    expect(cart.total).to eq(5)\n    expect { cart.total(%w[a b]) }.to raise_error(ArgumentError, /x/) if text\n  end\nend\n",
	"tests/cart.rs":            "#[test]\n#[should_panic(expected = \"x\")]\nfn totals<'a>() {\n    let c = 'c';\n    assert_eq!(total(r#\"a\"b\"#), 5, \"{}\", c);\n    assert!(total(\"a\").is_ok());\n}\n",
	"CartTests.cs":             "public class CartTests\n{\n    [Theory]\n    [InlineData(1, 2)]\n    [InlineData(3, 4)]\n    public void Totals(int a, int b)\n    {\n        Assert.Equal(b, cart.Total(a));\n        cart.Name.Should().Be(@\"a\"\"b\", because: $\"{a}\");\n        Assert.Throws<InvalidOperationException>(() => cart.Total(-1));\n    }\n}\n",
	"package.json":             "{\"jest\": {\"testPathIgnorePatterns\": [\"a\"], \"coverageThreshold\": {\"global\": {\"lines\": 90}}}}\n",
	"a.snap":                   "exports[`a 1`] = `1`;\n",
	"src/cart.ts":              "export function total(a) {\n  if (a === 'hello') {\n    return 'world!';\n  }\n}\n",
	".github/workflows/ci.yml": "jobs:\n  test:\n    steps:\n      - run: go test ./...\n",
}

// TestNoChange finds nothing where nothing changes, whatever the language.
func TestNoChange(t *testing.T) {
	for name, text := range sample {
		if found := tests.Compare([]tests.File{{Path: name, Old: []byte(text), New: []byte(text)}}); len(found) != 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// TestMoved finds nothing where a file moves, with and without git saying so,
// and where lines and margins change.
func TestMoved(t *testing.T) {
	for name, text := range sample {
		spaced := strings.ReplaceAll(text, "\n\n", "\n\n\n")
		to := "below/" + name
		if name == "package.json" || strings.HasPrefix(name, ".github/") {
			continue
		}
		for _, files := range [][]tests.File{
			{{Path: to, OldPath: name, Old: []byte(text), New: []byte(spaced)}},
			{{Path: name, Old: []byte(text)}, {Path: to, New: []byte(spaced)}},
		} {
			for _, f := range tests.Compare(files) {
				t.Errorf("%s: %v", name, f)
			}
		}
	}
}

// TestEmptied deletes each sample's assertions or its file and wants to hear of
// it in every language.
func TestEmptied(t *testing.T) {
	for name, text := range sample {
		switch name {
		case "package.json", "a.snap", "src/cart.ts", ".github/workflows/ci.yml":
			continue
		}
		found := tests.Compare([]tests.File{{Path: name, Old: []byte(text)}})
		if len(found) != 1 || found[0].Rule != "TS001" || found[0].Line < 1 || len(found[0].Related) == 0 {
			t.Errorf("%s deleted: %v", name, found)
		}
	}
}

// TestOrder gives the same findings in whatever order the files come.
func TestOrder(t *testing.T) {
	var files, backwards []tests.File
	for i := range 8 {
		for name, text := range sample {
			files = append(files, tests.File{Path: fmt.Sprintf("d%d/%s", i, name), Old: []byte(text)})
		}
	}
	for i := range files {
		backwards = append(backwards, files[len(files)-1-i])
	}
	if diff := cmp.Diff(tests.Compare(files), tests.Compare(backwards)); diff != "" {
		t.Errorf("(-one way +the other):\n%s", diff)
	}
}

// TestBounds names what it does not read.
func TestBounds(t *testing.T) {
	large := []byte(strings.Repeat("x = 1\n", 1<<19))
	found := tests.Compare([]tests.File{{Path: "test_large.py", Old: large, New: large}})
	if len(found) != 1 || found[0].Rule != "TS000" {
		t.Errorf("a large file: %v", found)
	}
}

// hostile are texts that make a careless reader quadratic or deep.
func hostile() map[string]string {
	n := 100_000
	return map[string]string{
		"deep":     strings.Repeat("(", n) + strings.Repeat("{", n),
		"pairs":    strings.Repeat("expect(a).toBe(1);\n", n/4),
		"nested":   strings.Repeat("describe('a', () => { it('b', () => { ", n/40),
		"ifs":      "def test_a():\n    if a:\n" + strings.Repeat("        assert a == 1\n", n/4),
		"quotes":   strings.Repeat("'\"`", n),
		"stairs":   stairs(900),
		"one line": "it('a', () => {" + strings.Repeat("expect(a).toBe(1);", n/4) + "});",
		"asserts":  "func TestA(t *testing.T) {\n" + strings.Repeat("assert.Equal(t, 1, a)\n", n/4) + "}\n",
		"slashes":  strings.Repeat("a = /", n),
		"heredocs": strings.Repeat("a(<<~A, <<~B)\n", n/4),
		"marks":    strings.Repeat("@a @b(", n/4),
		"defs":     strings.Repeat("def test_a; assert a; end\n", n/4),
	}
}

// hostileChanges are pairs of versions, with the file they are of, that make a
// comparison quadratic.
func hostileChanges() map[string][3]string {
	n := 20_000
	repeat := func(form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	return map[string][3]string{
		"rows":       {"test_a.py", "rows = [\n" + repeat("    (%d, 1),\n") + "]\n\n\ndef test_a():\n    assert a\n", "rows = [\n" + repeat("    pytest.param(%d, 1, marks=pytest.mark.skip),\n") + "]\n\n\ndef test_a():\n    assert a\n"},
		"returns":    {"a.test.ts", "it('a', () => {\n" + repeat("  expect(a%d).toBe(1);\n") + "});\n", "it('a', () => {\n" + repeat("  if (a) return;\n  expect(a%d).toBe(1);\n") + "});\n"},
		"steps":      {".github/workflows/a.yml", "jobs:\n  a:\n", "jobs:\n  a:\n" + repeat("    continue-on-error: true\n    a%d: 1\n")},
		"hidden":     {"test_a.py", repeat("def test_a%d():\n    assert b == 1\n"), repeat("def xtest_a%d():\n    assert b == 1\n")},
		"skips":      {"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\trequire.True(t, a)\n}\n", "package a\n\nfunc TestA(t *testing.T) {\n\trequire.True(t, a)\n}\n\nfunc b(t *testing.T) {\n" + repeat("\tt.Skip(%d)\n") + "}\n"},
		"conditions": {"a.test.ts", repeat("it('a%d', () => { expect(a).toBe(1); });\n"), repeat("if (a) {\nit('a%d', () => { expect(a).toBe(1); });\n}\n")},
		"directives": {"ATests.cs", repeat("[Fact]\npublic void A%d() { Assert.True(a); }\n"), repeat("#if A\n[Fact]\npublic void A%d() { Assert.True(a); }\n#endif\n")},
		"groups":     {"a_spec.rb", repeat("describe \"a%d\" do\n  it \"b\" do\n    expect(a).to eq(1)\n  end\nend\n"), repeat("xdescribe \"c%d\" do\n  it \"b\" do\n    expect(a).to eq(1)\n  end\nend\n")},
		"texts":      {"a.test.ts", "it('a', () => {\n" + repeat("  expect(a).toContain('one two %d');\n") + "});\n", "it('a', () => {\n" + repeat("  expect(a).toContain('two %d');\n") + "});\n"},
		"moved":      {"a.test.ts", "it('a', () => {\n" + repeat("  expect(a%d).toEqual(['a long expected value']);\n") + "});\n", "it('a', () => {\n" + repeat("  until(a%d, ['a long expected value']);\n") + "});\n"},
	}
}

// TestHostileChanges compares each of them within a generous bound.
func TestHostileChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a few megabytes of nonsense")
	}
	for what, c := range hostileChanges() {
		start := time.Now()
		tests.Compare([]tests.File{{Path: c[0], Old: []byte(c[1]), New: []byte(c[2])}})
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s took %s", what, took)
		} else {
			t.Logf("%s took %s", what, took)
		}
	}
}

func stairs(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sif a:\n", strings.Repeat(" ", i))
	}
	return b.String()
}

// TestHostile reads each hostile text as every language within a generous
// bound.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a few megabytes of nonsense")
	}
	for what, text := range hostile() {
		for name := range sample {
			start := time.Now()
			tests.Compare([]tests.File{{Path: name, Old: []byte(text), New: []byte("x\n" + text)}})
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%s as %s took %s", what, name, took)
			}
		}
	}
}

// TestMutated damages each sample in many ways, always the same ones: nothing
// may panic. It finds in seconds what a fuzzer needs minutes for.
func TestMutated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 800
	if testing.Short() {
		rounds = 60
	}
	for range rounds {
		for _, name := range slices.Sorted(maps.Keys(sample)) {
			text := []byte(sample[name])
			damaged := damage(r, text)
			tests.Compare([]tests.File{{Path: name, Old: text, New: damaged}, {Path: "x/" + name, Old: damaged}})
		}
	}
}

// damage deletes, replaces and repeats a few pieces of a text.
func damage(r *rand.Rand, text []byte) []byte {
	b := slices.Clone(text)
	for range r.IntN(6) + 1 {
		i := r.IntN(len(b))
		switch r.IntN(3) {
		case 0:
			b = slices.Delete(b, i, min(i+r.IntN(4), len(b)))
		case 1:
			b[i] = "\"'`(){}[]<>#/\\\n @%:;"[r.IntN(20)]
		default:
			b = slices.Insert(b, i, text[r.IntN(len(text)):]...)
		}
		if len(b) == 0 {
			b = []byte("x")
		}
	}
	return b
}

// fuzzed compares two versions of one file: nothing may panic, and a finding
// stands in a file that was given.
func fuzzed(f *testing.F, name string) {
	text := sample[name]
	f.Add(text, strings.Replace(text, "5", "6", 1))
	f.Add(text, text[:len(text)/2])
	f.Add(text[len(text)/3:], text)
	f.Fuzz(func(t *testing.T, before, after string) {
		if len(before)+len(after) > 1<<16 {
			t.Skip("long enough")
		}
		files := []tests.File{{Path: name, Old: []byte(before), New: []byte(after)}, {Path: "x/" + name, Old: []byte(after)}}
		for _, found := range tests.Compare(files) {
			if found.Line < 1 || found.Path != name && found.Path != "x/"+name || found.Severity == "" {
				t.Errorf("%+v", found)
			}
		}
	})
}

func FuzzGo(f *testing.F)         { fuzzed(f, "cart_test.go") }
func FuzzTypeScript(f *testing.F) { fuzzed(f, "cart.test.tsx") }
func FuzzPython(f *testing.F)     { fuzzed(f, "test_cart.py") }
func FuzzJava(f *testing.F)       { fuzzed(f, "CartTest.java") }
func FuzzKotlin(f *testing.F)     { fuzzed(f, "CartTest.kt") }
func FuzzRuby(f *testing.F)       { fuzzed(f, "cart_spec.rb") }
func FuzzRust(f *testing.F)       { fuzzed(f, "tests/cart.rs") }
func FuzzCSharp(f *testing.F)     { fuzzed(f, "CartTests.cs") }
func FuzzWorkflow(f *testing.F)   { fuzzed(f, ".github/workflows/ci.yml") }

// BenchmarkCompare compares 300 changed files with some 4,000 tests.
func BenchmarkCompare(b *testing.B) {
	var files []tests.File
	size := 0
	for i := range 300 {
		var old, now strings.Builder
		for j := range 14 {
			fmt.Fprintf(&old, "test('case %d of %d', () => {\n  const cart = new Cart(%d, %d);\n", j, i, j, i)
			fmt.Fprintf(&now, "test('case %d of %d', () => {\n  const cart = new Cart(%d, %d);\n", j, i+j%3, j, i+1)
			for k := range 8 {
				fmt.Fprintf(&old, "  expect(cart.line(%d).name).toEqual('a%d');\n", k, j)
				fmt.Fprintf(&now, "  expect(cart.line(%d).name).toEqual('b%d');\n", k, j)
			}
			old.WriteString("});\n\n")
			now.WriteString("});\n\n")
		}
		size += old.Len() + now.Len()
		files = append(files, tests.File{Path: fmt.Sprintf("src/a%d.test.ts", i), Old: []byte(old.String()), New: []byte(now.String())})
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		tests.Compare(files)
	}
}
