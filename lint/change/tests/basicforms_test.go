package tests_test

import "testing"

// TestBasicForms changes a matcher together with its limit, and asks for less
// with the plainest means of each framework.
func TestBasicForms(t *testing.T) {
	holdStatements(t, basicForms)
}

var basicForms = []statement{
	// another name of the matcher and another limit
	{"java", "assertThat(r.took(), lessThan(9));", "assertThat(r.took(), lessThanOrEqualTo(20));", "TS006"},
	{"java", "MatcherAssert.assertThat(count, Matchers.lessThan(9));", "MatcherAssert.assertThat(count, Matchers.lessThanOrEqualTo(20));", "TS006"},
	{"java", "MatcherAssert.assertThat(count, Matchers.lessThan(9));", "MatcherAssert.assertThat(count, Matchers.lessThan(20));", "TS006"},
	{"java", "assertThat(r.took(), lessThanOrEqualTo(20));", "assertThat(r.took(), lessThan(9));", ""},
	{"java", "assertThat(r.took(), greaterThanOrEqualTo(9));", "assertThat(r.took(), greaterThan(3));", "TS006"},
	{"java", "assertThat(r.took()).isLessThan(9);", "assertThat(r.took()).isLessThanOrEqualTo(20);", "TS006"},
	{"java", "assertThat(r.took()).isGreaterThanOrEqualTo(9);", "assertThat(r.took()).isGreaterThan(2);", "TS006"},
	{"kt", "r.took shouldBeLessThan 5", "r.took shouldBeLessThanOrEqual 9", "TS006"},
	{"js", "expect(r.took).toBeLessThan(5);", "expect(r.took).toBeLessThanOrEqual(9);", "TS006"},
	{"js", "assert.isBelow(r.took, 5);", "assert.isAtMost(r.took, 9);", "TS006"},
	{"py", "self.assertLess(r.took, 5)", "self.assertLessEqual(r.took, 9)", "TS006"},
	{"py", "self.assertLessEqual(r.took, 9)", "self.assertLess(r.took, 5)", ""},
	{"go", "require.Less(t, r.Took, 5)", "require.LessOrEqual(t, r.Took, 9)", "TS006"},
	{"go", "require.Greater(t, r.Took, 5)", "require.GreaterOrEqual(t, r.Took, 3)", "TS006"},
	{"cs", "r.Total.Should().BeLessThan(5);", "r.Total.Should().BeLessThanOrEqualTo(9);", "TS006"},
	{"cs", "Assert.That(r.Total, Is.LessThan(5));", "Assert.That(r.Total, Is.LessThanOrEqualTo(9));", "TS006"},
	{"rb", "assert_operator r.took, :<, 5", "assert_operator r.took, :<=, 9", "TS006"},
	// one of two values
	{"java", "assertThat(r.total(), is(3));", "assertThat(r.total(), either(is(2)).or(is(3)));", "TS006"},
	{"java", "assertThat(r.total(), equalTo(3));", "assertThat(r.total(), CoreMatchers.either(equalTo(2)).or(equalTo(3)));", "TS006"},
	{"java", "assertThat(r.total(), is(3));", "assertThat(r.total(), anyOf(is(2), is(3)));", "TS006"},
	{"java", "assertThat(r.total(), is(3));", "assertThat(r.total(), isOneOf(2, 3));", "TS006"},
	{"java", "assertThat(r.total(), is(3));", "assertThat(r.total(), oneOf(2, 3));", "TS006"},
	{"java", "assertEquals(3, r.total());", "assertThat(r.total(), anyOf(is(2), is(3)));", "TS006"},
	{"java", "assertThat(r.total()).isEqualTo(3);", "assertThat(r.total()).isIn(2, 3);", "TS006"},
	{"java", "assertThat(r.total()).isEqualTo(3);", "assertThat(r.total()).satisfiesAnyOf(v -> assertThat(v).isEqualTo(2), v -> assertThat(v).isEqualTo(3));", "TS006"},

	{"kt", "assertThat(r.total, equalTo(3))", "assertThat(r.total, either(equalTo(2)).or(equalTo(3)))", "TS006"},
	// a tolerance that depends
	{"py", "tol = 1.2e-4 if r.small else 1e-9\nassert_allclose(r.total, 5, rtol=tol)", "tol = 1.5e-4 if r.small else 1e-9\nassert_allclose(r.total, 5, rtol=tol)", "TS006"},
	{"py", "thresh = 1.2e-4 if r.small else 1e-9\ncompare_moments(r.total, 5, thresh=thresh)", "thresh = 1.5e-4 if r.small else 1e-9\ncompare_moments(r.total, 5, thresh=thresh)", "TS006"},
	{"py", "thresh = 1.5e-4 if r.small else 1e-9\ncompare_moments(r.total, 5, thresh=thresh)", "thresh = 1.2e-4 if r.small else 1e-9\ncompare_moments(r.total, 5, thresh=thresh)", ""},
	{"js", "const tolerance = r.small ? 0.01 : 0.001;\nassert.closeTo(r.total, 5, tolerance);", "const tolerance = r.small ? 0.05 : 0.001;\nassert.closeTo(r.total, 5, tolerance);", "TS006"},
	{"java", "double eps = r.small() ? 0.01 : 0.001;\nassertEquals(5.0, r.total(), eps);", "double eps = r.small() ? 0.05 : 0.001;\nassertEquals(5.0, r.total(), eps);", "TS006"},
	{"kt", "val eps = if (r.small) 0.01 else 0.001\nassertEquals(5.0, r.total, eps)", "val eps = if (r.small) 0.05 else 0.001\nassertEquals(5.0, r.total, eps)", "TS006"},
	{"rs", "let eps = if r.small { 0.01 } else { 0.001 };\nassert_relative_eq!(r.total, 5.0, epsilon = eps);", "let eps = if r.small { 0.05 } else { 0.001 };\nassert_relative_eq!(r.total, 5.0, epsilon = eps);", "TS006"},
	{"rb", "delta = r.small ? 0.01 : 0.001\nassert_in_delta 5, r.total, delta", "delta = r.small ? 0.05 : 0.001\nassert_in_delta 5, r.total, delta", "TS006"},
	// a pattern that nothing is matched with
	{"rb", "assert_equal \"a b c\", r.text", "assert(/a b (c)?/, r.text)", "TS005"},
	{"rb", "assert_match(/a b c/, r.text)", "assert(/a b c/, r.text)", "TS006"},
	{"rb", "assert_match(/a b c/, r.text)", "assert(/a b c/ =~ r.text)", ""},
	{"js", "assert.strictEqual(r.text, \"a b c\");", "assert(/a b (c)?/, r.text);", "TS004"},
	{"js", "assert.match(r.text, /a b c/);", "assert(/a b c/.test(r.text));", ""},
	// near on both sides
	{"py", "self.assertAlmostEqual(r.took, 5, places=2)", "delta = r.took - 5\nself.assertLess(delta, 0.1)", "TS006"},
	{"py", "self.assertAlmostEqual(r.took, r.limit, places=2)", "self.assertLess(r.took - r.limit, 0.1)", "TS006"},
	{"py", "self.assertAlmostEqual(r.took, r.limit, places=2)", "self.assertLess(abs(r.took - r.limit), 0.005)", ""},
	{"rb", "assert_in_delta 5, r.took, 0.01", "assert_operator r.took - 5, :<, 0.1", "TS006"},
	{"js", "expect(r.took).toBeCloseTo(r.limit, 2);", "expect(r.took - r.limit).toBeLessThan(0.1);", "TS006"},
	{"go", "require.InDelta(t, r.Limit, r.Took, 0.01)", "require.Less(t, r.Took-r.Limit, 0.1)", "TS006"},
	{"go", "require.InDelta(t, r.Limit, r.Took, 0.01)", "delta := r.Took - r.Limit\n\trequire.Less(t, delta, 0.1)", "TS006"},
	{"java", "assertEquals(r.limit(), r.took(), 0.01);", "assertTrue(r.took() - r.limit() < 0.1);", "TS006"},
	// a counter in place of a check of each
	{"go", "for i, v := range r.Rows {\n\t\trequire.NotEqual(t, r.Last[i], v)\n\t}", "var twice int\n\tfor i, v := range r.Rows {\n\t\tif r.Last[i] == v {\n\t\t\ttwice++\n\t\t}\n\t}\n\trequire.LessOrEqual(t, twice, 3)", "TS006"},
	{"go", "for i, v := range r.Rows {\n\t\trequire.NotEqual(t, r.Last[i], v)\n\t}", "var twice int\n\tfor i, v := range r.Rows {\n\t\tif r.Last[i] == v {\n\t\t\ttwice++\n\t\t}\n\t}\n\trequire.Equal(t, 0, twice)", ""},
	{"py", "for v in r.rows:\n    assert v.ok", "bad = 0\nfor v in r.rows:\n    if not v.ok:\n        bad += 1\nassert bad <= 3", "TS006"},
	{"js", "for (const v of r.rows) {\n  expect(v.ok).toBe(true);\n}", "let bad = 0;\nfor (const v of r.rows) {\n  if (!v.ok) {\n    bad++;\n  }\n}\nexpect(bad).toBeLessThan(3);", "TS006"},
	// true spelled in another way
	{"rs", "assert_eq!(r.has(\"1\"), true);", "assert!(r.has(\"1\"));", ""},
	{"rs", "assert_eq!(true, r.has(\"1\"));", "assert!(r.has(\"1\"));", ""},
	{"rs", "assert_eq!(r.contains_key(\"1\"), true);", "assert!(r.contains_key(\"1\"));", ""},
	{"rs", "assert_eq!(r.contains_key(\"1\"), false);", "assert!(!r.contains_key(\"1\"));", ""},
	{"rs", "assert_eq!(r.text.contains(\"1\"), true);", "assert!(r.text.contains(\"1\"));", ""},
	{"go", "require.Equal(t, true, strings.Contains(r.Text, \"a\"))", "require.True(t, strings.Contains(r.Text, \"a\"))", ""},
	{"java", "assertEquals(true, r.text().contains(\"a\"));", "assertTrue(r.text().contains(\"a\"));", ""},
	{"js", "expect(r.text.includes('a')).toBe(true);", "expect(r.text).toContain('a');", ""},
	{"py", "assert r.text.startswith('a') == True", "assert r.text.startswith('a')", ""},
	{"py", "self.assertEqual(r.text.startswith('a'), True)", "self.assertTrue(r.text.startswith('a'))", ""},
	{"rb", "assert_equal true, r.text.include?(\"a\")", "assert r.text.include?(\"a\")", ""},
	{"cs", "Assert.Equal(true, r.Text.Contains(\"a\"));", "Assert.True(r.Text.Contains(\"a\"));", ""},
}
