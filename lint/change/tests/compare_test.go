package tests_test

import (
	"fmt"
	"strings"
	"testing"

	"steelyard/lint/change/tests"
)

// edit is one change to one file and the rules that it breaks.
type edit struct {
	name     string
	path     string
	old, now string
	want     string // rules with lines, "" for none
}

// js wraps a body in a test.
func js(body string) string {
	return "test('a', () => {\n  const r = run(1);\n" + body + "\n});\n"
}

func py(body string) string { return "def test_a():\n    r = run(1)\n" + body + "\n" }

func goTest(body string) string {
	return "package a\n\nfunc TestA(t *testing.T) {\n\tr := run(1)\n" + body + "\n}\n"
}

func java(body string) string {
	return "class ATest {\n  @Test\n  void a() {\n    var r = run(1);\n" + body + "\n  }\n}\n"
}

func sharp(body string) string {
	return "public class ATests\n{\n    [Fact]\n    public void A()\n    {\n        var r = Run(1);\n" + body + "\n    }\n}\n"
}

func rs(body string) string { return "#[test]\nfn a() {\n    let r = run(1);\n" + body + "\n}\n" }

func rb(body string) string {
	return "describe A do\n  it \"a\" do\n    r = run(1)\n" + body + "\n  end\nend\n"
}

var edits = []edit{
	{"truthy", "a.test.ts", js("  expect(r.total).toEqual(5);"), js("  expect(r.total).toBeTruthy();"), "3 TS006"},
	{"true for true", "a.test.ts", js("  expect(r.ok).toBe(true);"), js("  expect(r.ok).toBeTruthy();"), ""},
	{"other value", "a.test.ts", js("  expect(r.total).toEqual(5);"), js("  expect(r.total).toEqual(6);"), ""},
	{"wildcard", "a.test.ts", js("  expect(f).toHaveBeenCalledWith('a', 5);"), js("  expect(f).toHaveBeenCalledWith('a', expect.anything());"), "3 TS006"},
	{"any error", "a.test.ts", js("  expect(() => run()).toThrow(TypeError);"), js("  expect(() => run()).toThrow();"), "3 TS006"},
	{"swallowed", "a.test.ts", js("  expect(r.total).toBe(5);"), js("  try {\n    expect(r.total).toBe(5);\n  } catch (e) {\n    console.log(e);\n  }"), "4 TS013"},
	{"rethrown", "a.test.ts", js("  expect(r.total).toBe(5);"), js("  try {\n    expect(r.total).toBe(5);\n  } catch (e) {\n    throw e;\n  }"), ""},
	{"conditional", "a.test.ts", js("  expect(r.total).toBe(5);"), js("  if (r) {\n    expect(r.total).toBe(5);\n  }"), "4 TS013"},
	{"logged", "a.test.ts", js("  expect(r.total).toBe(5);\n  expect(r.name).toBe('x');"), js("  console.log(r.total);\n  expect(r.name).toBe('x');"), "3 TS013"},
	{"commented out", "a.test.ts", js("  expect(r.total).toBe(5);\n  expect(r.name).toBe('x');"), js("  // expect(r.total).toBe(5);\n  expect(r.name).toBe('x');"), "1 TS005"},
	{"skipped group", "a.test.ts", "describe('g', () => {\n" + js("  expect(r).toBe(5);") + "});\n", "describe.skip('g', () => {\n" + js("  expect(r).toBe(5);") + "});\n", "1 TS002"},
	{"framework", "a.test.ts", js("  assert.equal(r.total, 5);"), js("  expect(r.total).toBe(5);"), ""},
	{"one object", "a.test.ts", js("  expect(r.total).toBe(5);\n  expect(r.name).toBe('x');"), js("  expect(r).toEqual({ total: 5, name: 'x' });"), ""},
	{"helper", "a.test.ts", js("  expect(r.total).toBe(5);\n  expect(r.name).toBe('x');"), js("  expectRow(r, 5, 'x');"), ""},
	{"quotes and layout", "a.test.ts", js("  expect(r.total).toBe('x');"), js("  expect(\n    r.total,\n  ).toBe(\"x\")"), ""},
	{"tautology", "test_a.py", py("    assert r.total == 5"), py("    assert True"), "1 TS004"},
	{"tolerance", "test_a.py", py("    assert r.total == pytest.approx(5, rel=1e-6)"), py("    assert r.total == pytest.approx(5, rel=1e-2)"), "3 TS006"},
	{"tolerance narrowed", "test_a.py", py("    assert r.total == pytest.approx(5, rel=1e-2)"), py("    assert r.total == pytest.approx(5, rel=1e-6)"), ""},
	{"limit", "test_a.py", py("    assert r.error < 0.01"), py("    assert r.error < 0.1"), "3 TS006"},
	{"broad error", "test_a.py", py("    with pytest.raises(ValueError):\n        run()"), py("    with pytest.raises(Exception):\n        run()"), "3 TS006"},
	{"any message", "test_a.py", py("    with pytest.raises(ValueError, match='x'):\n        run()"), py("    with pytest.raises(ValueError):\n        run()"), "3 TS006"},
	{"unittest to pytest", "test_a.py", py("    self.assertEqual(r.total, 5)\n    self.assertTrue(r.ok)"), py("    assert r.total == 5\n    assert r.ok"), ""},
	{"suppressed", "test_a.py", py("    assert r.total == 5"), py("    with contextlib.suppress(Exception):\n        assert r.total == 5"), "4 TS013"},
	{"wider skip", "test_a.py", "@pytest.mark.skipif(a and b, reason='x')\n" + py("    assert r == 5"), "@pytest.mark.skipif(a, reason='x')\n" + py("    assert r == 5"), "1 TS002"},
	{"if to log", "a_test.go", goTest("\tif r != 5 {\n\t\tt.Errorf(\"%d\", r)\n\t}\n\tif r < 1 {\n\t\tt.Error(r)\n\t}"), goTest("\tif r != 5 {\n\t\tt.Logf(\"%d\", r)\n\t}\n\tif r < 1 {\n\t\tt.Error(r)\n\t}"), "6 TS013"},
	{"any Go error", "a_test.go", goTest("\trequire.ErrorContains(t, err, \"x\")"), goTest("\trequire.Error(t, err)"), "5 TS006"},
	{"testify", "a_test.go", goTest("\tif r != 5 {\n\t\tt.Errorf(\"%d\", r)\n\t}"), goTest("\trequire.Equal(t, 5, r)"), ""},
	{"short", "a_test.go", goTest("\trequire.Equal(t, 5, r)"), goTest("\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\trequire.Equal(t, 5, r)"), "6 TS002"},
	{"build tag", "a_test.go", goTest("\trequire.Equal(t, 5, r)"), "//go:build never\n\n" + goTest("\trequire.Equal(t, 5, r)"), "1 TS011"},
	{"hamcrest", "ATest.java", java("    assertThat(r.total(), is(5));"), java("    assertThat(r.total()).isEqualTo(5);"), ""},
	{"not null", "ATest.java", java("    assertThat(r.total()).isEqualTo(5);"), java("    assertThat(r.total()).isNotNull();"), "5 TS006"},
	{"broad throws", "ATest.java", java("    assertThrows(IllegalStateException.class, () -> run());"), java("    assertThrows(Exception.class, () -> run());"), "5 TS006"},
	{"disabled", "ATest.java", java("    assertEquals(5, r);"), strings.Replace(java("    assertEquals(5, r);"), "@Test", "@Disabled @Test", 1), "2 TS002"},
	{"sharp", "ATests.cs", sharp("        Assert.Equal(5, r.Total);"), sharp("        Assert.NotNull(r.Total);"), "7 TS006"},
	{"sharp skip", "ATests.cs", sharp("        Assert.Equal(5, r);"), strings.Replace(sharp("        Assert.Equal(5, r);"), "[Fact]", "[Fact(Skip = \"x\")]", 1), "3 TS002"},
	{"fluent", "ATests.cs", sharp("        Assert.Equal(5, r.Total);"), sharp("        r.Total.Should().Be(5);"), ""},
	{"rust", "tests/a.rs", rs("    assert_eq!(r.total, 5);"), rs("    assert!(r.total > 0);"), "4 TS006"},
	{"rust ignore", "tests/a.rs", rs("    assert_eq!(r, 5);"), "#[ignore]\n" + rs("    assert_eq!(r, 5);"), "1 TS002"},
	{"ruby", "a_spec.rb", rb("    expect(r.total).to eq(5)"), rb("    expect(r.total).to be_truthy"), "4 TS006"},
	{"ruby raise", "a_spec.rb", rb("    expect { run }.to raise_error(KeyError)"), rb("    expect { run }.to raise_error"), "4 TS006"},
	{"ruby pending", "a_spec.rb", rb("    expect(r).to eq(5)"), rb("    skip \"later\"\n    expect(r).to eq(5)"), "4 TS002"},
	{"workflow", ".github/workflows/a.yml", "jobs:\n  a:\n    steps:\n      - run: go test ./...\n", "jobs:\n  a:\n    steps:\n      - run: go test ./... || true\n", "4 TS011"},
}

// TestEdits makes one edit at a time.
func TestEdits(t *testing.T) {
	for _, e := range edits {
		t.Run(e.path+" "+e.name, func(t *testing.T) {
			var got []string
			for _, f := range tests.Compare([]tests.File{{Path: e.path, Old: []byte(e.old), New: []byte(e.now)}}) {
				got = append(got, fmt.Sprintf("%d %s", f.Line, f.Rule))
			}
			if list := strings.Join(got, ", "); list != e.want {
				t.Errorf("got %q, want %q\n%v", list, e.want, tests.Compare([]tests.File{{Path: e.path, Old: []byte(e.old), New: []byte(e.now)}}))
			}
		})
	}
}

// TestTogether deletes a test with what it tests, renames both, and moves a
// test into another file.
func TestTogether(t *testing.T) {
	test := []byte("import { total } from './cart';\n" + js("  expect(total(r)).toBe(5);"))
	product := []byte("export function total(r) {\n  return r;\n}\n")
	for name, files := range map[string][]tests.File{
		"deleted with its product": {{Path: "cart.test.ts", Old: test}, {Path: "cart.ts", Old: product}},
		"deleted with a function":  {{Path: "cart.test.ts", Old: test}, {Path: "sums.ts", Old: product, New: []byte("export const x = 1;\n")}},
		"moved":                    {{Path: "cart.test.ts", Old: test}, {Path: "b.test.ts", New: test}},
		"renamed test":             {{Path: "cart.test.ts", Old: test, New: []byte(strings.Replace(string(test), "'a'", "'adds up'", 1))}},
	} {
		for _, f := range tests.Compare(files) {
			t.Errorf("%s: %v", name, f)
		}
	}
}
