package tests

// levels says how much each known assertion and matcher pins down. The names
// are those of Jest, Vitest, Chai, Node, AVA, unittest, pytest, NumPy, testify,
// Gomega, JUnit, AssertJ, Hamcrest, RSpec, minitest, Rust's standard library,
// xUnit, NUnit, MSTest, FluentAssertions and Shouldly.
var levels = map[string]level{
	// exact
	"toBe": exact, "toEqual": exact, "toStrictEqual": exact, "equal": exact, "equals": exact, "eql": exact, "deepEqual": exact, "strictEqual": exact,
	"deepStrictEqual": exact, "toMatchSnapshot": exact, "toMatchInlineSnapshot": exact, "toHaveBeenCalledWith": exact, "toHaveBeenNthCalledWith": exact,
	"toHaveBeenLastCalledWith": exact, "toBeCalledWith": exact, "toHaveText": exact, "toHaveValue": exact, "toHaveURL": exact, "toHaveAttribute": exact, "same": exact, "strictSame": exact, "calledWith": exact,
	"assertEqual": exact, "assertEquals": exact, "assertListEqual": exact, "assertDictEqual": exact, "assertSequenceEqual": exact, "assertSetEqual": exact,
	"assertCountEqual": exact, "assertMultiLineEqual": exact, "assertTupleEqual": exact, "assertIs": exact, "assert_equal": exact, "assert_array_equal": exact,
	"assert_frame_equal": exact, "assert_series_equal": exact, "assert_called_with": exact, "assert_called_once_with": exact, "assert_has_calls": exact, "assert_awaited_once_with": exact,
	"Equal": exact, "EqualValues": exact, "Exactly": exact, "JSONEq": exact, "YAMLEq": exact, "DeepEqual": exact, "Same": exact, "BeEquivalentTo": exact,
	"isEqualTo": exact, "isSameAs": exact, "containsExactly": exact, "containsExactlyInAnyOrder": exact, "hasToString": exact, "equalTo": exact, "assertSame": exact,
	"assertArrayEquals": exact, "assertIterableEquals": exact, "assertLinesMatch": exact, "hasMessage": exact, "isEqualByComparingTo": exact, "assertContentEquals": exact, "isEqualToIgnoringCase": partial,
	"eq": exact, "must_equal": exact, "match_array": exact, "contain_exactly": exact, "assert_same": exact, "eqls": exact, "be_eq": exact,
	"assert_eq": exact, "assert_snapshot": exact, "assert_debug_snapshot": exact, "debug_assert_eq": exact, "assert_json_eq": exact, "assert_str_eq": exact,
	"AreEqual": exact, "AreSame": exact, "StrictEqual": exact, "Be": exact, "ShouldBe": exact, "BeSameAs": exact, "SequenceEqual": exact, "AreEquivalent": exact, "ShouldBeEquivalentTo": exact, "Equivalent": exact, "shouldBe": exact, "Multiple": unknown,
	"is": exact, "have.text": exact, "eq.text": exact, "have.value": exact, "have_attributes": partial,
	// a part, a size, about
	"toMatchObject": partial, "toContain": partial, "toContainEqual": partial, "toMatch": partial, "toBeCloseTo": partial, "toHaveLength": partial,
	"toHaveProperty": partial, "toHaveBeenCalledTimes": partial, "toHaveCount": partial, "toContainText": partial, "contain": partial, "include": partial, "match": partial, "closeTo": partial, "lengthOf": partial, "property": partial, "like": partial,
	"have.length": partial, "contain.text": partial, "includes": partial, "regex": partial, "matches": partial, "partialDeepStrictEqual": partial,
	"assertIn": partial, "assertRegex": partial, "assertAlmostEqual": partial, "assertDictContainsSubset": partial, "assert_allclose": partial, "assert_almost_equal": partial,
	"assert_array_almost_equal": partial, "assert_array_almost_equal_nulp": partial, "assertContains": partial, "assert_any_call": partial, "assert_in_delta": partial, "assert_in_epsilon": partial,
	"Contains": partial, "Subset": partial, "ElementsMatch": partial, "Len": partial, "InDelta": partial, "InEpsilon": partial, "Regexp": partial, "WithinDuration": partial,
	"HaveLen": partial, "ContainElement": partial, "ContainElements": partial, "ConsistOf": exact, "ContainSubstring": partial, "MatchRegexp": partial, "BeNumerically": partial, "HaveKeyWithValue": partial, "HaveKey": partial,
	"contains": partial, "hasSize": partial, "startsWith": partial, "endsWith": partial, "isCloseTo": partial, "containsString": partial, "hasItem": partial, "hasItems": partial, "containsAll": partial,
	"containsOnly": partial, "containsEntry": partial, "containsKey": partial, "containsKeys": partial, "hasMessageContaining": partial, "hasMessageStartingWith": partial, "matchesPattern": partial, "containsIgnoringCase": partial,
	"assert_includes": partial, "assert_include": partial, "assert_match": partial, "include_json": partial, "be_within": partial, "must_include": partial, "must_match": partial, "start_with": partial, "end_with": partial, "a_string_including": partial, "a_hash_including": partial, "have_received": partial,
	"assert_matches": partial, "assert_contains": partial, "assert_relative_eq": partial, "assert_abs_diff_eq": partial,
	"StartsWith": partial, "EndsWith": partial, "Matches": partial, "Single": partial, "HasCount": partial, "Contain": partial, "StartWith": partial, "EndWith": partial, "HaveCount": partial, "BeCloseTo": partial, "BeApproximately": partial, "ContainSingle": partial, "ContainEquivalentOf": partial, "ShouldContain": partial, "ShouldStartWith": partial, "MatchRegex": partial, "AllSatisfy": partial,
	// more or less
	"toBeGreaterThan": ordered, "toBeGreaterThanOrEqual": ordered, "toBeLessThan": ordered, "toBeLessThanOrEqual": ordered, "above": ordered, "below": ordered, "least": ordered, "most": ordered,
	"assertGreater": ordered, "assertLess": ordered, "assertGreaterEqual": ordered, "assertLessEqual": ordered, "Greater": ordered, "GreaterOrEqual": ordered, "Less": ordered, "LessOrEqual": ordered,
	"isGreaterThan": ordered, "isLessThan": ordered, "isBetween": ordered, "greaterThan": ordered, "lessThan": ordered, "assert_operator": ordered, "InRange": ordered, "BeGreaterThan": ordered, "BeLessThan": ordered, "isAtLeast": ordered, "isAtMost": ordered,
	// true, false, null
	"toBeTruthy": truth, "toBeFalsy": truth, "toBeNull": truth, "toBeUndefined": truth, "true": truth, "false": truth, "null": truth, "undefined": truth, "truthy": truth, "falsy": truth, "ok": truth, "notOk": truth,
	"assertTrue": truth, "assertFalse": truth, "assertIsNone": truth, "assert_true": truth, "True": truth, "False": truth, "Nil": truth, "isTrue": truth, "isFalse": truth, "isNull": truth, "assertNull": truth,
	"nullValue": truth, "be_truthy": truth, "be_falsey": truth, "be_nil": truth, "be_falsy": truth, "assert_nil": truth, "refute": truth, "must_be_nil": truth, "IsTrue": truth, "IsFalse": truth, "IsNull": truth, "Null": truth, "BeTrue": truth, "BeFalse": truth, "BeNull": truth, "BeNil": truth, "ShouldBeTrue": truth, "ShouldBeFalse": truth, "ShouldBeNull": truth,
	"Empty": partial, "BeEmpty": partial, "isEmpty": partial, "be_empty": partial, "assert_empty": partial, "toBeEmpty": partial, "IsEmpty": partial, "empty": partial, "Zero": exact,
	// presence
	"toBeDefined": presence, "toBeInstanceOf": presence, "toHaveBeenCalled": presence, "toBeCalled": presence, "toBeTypeOf": presence, "exist": presence, "called": presence, "instanceOf": presence, "a": presence, "an": presence, "not.be.empty": presence,
	"assertIsNotNone": presence, "assertIsInstance": presence, "assertNotEqual": presence, "assertNotEquals": presence, "assertIsNot": presence, "assert_called": presence, "assert_called_once": partial,
	"NotNil": presence, "NotEmpty": presence, "NotEqual": presence, "IsType": presence, "NotZero": presence, "isNotNull": presence, "isNotEmpty": presence, "isNotBlank": presence, "isInstanceOf": presence, "isPresent": presence, "isNotEqualTo": presence, "assertNotNull": presence, "assertNotSame": presence, "assertInstanceOf": presence, "notNullValue": presence, "instanceOf_": presence, "assertDoesNotThrow": presence,
	"be_present": presence, "be_a": presence, "be_an": presence, "be_kind_of": presence, "be_an_instance_of": presence, "be_instance_of": presence, "assert_instance_of": presence, "assert_kind_of": presence, "assert_not_nil": presence, "refute_nil": presence, "refute_empty": presence, "refute_equal": presence, "assert_not_equal": presence, "respond_to": presence, "assert_ne": presence,
	"NotNull": presence, "IsNotNull": presence, "AreNotEqual": presence, "IsInstanceOfType": presence, "BeOfType": presence, "NotBeNull": presence, "NotBeEmpty": presence, "NotBe": presence, "ShouldNotBeNull": presence, "ShouldNotBeEmpty": presence, "IsAssignableFrom": presence, "BeAssignableTo": presence, "IsNotEmpty": presence,
	"DoesNotThrow": presence, "assert_nothing_raised": presence, "NotThrow": presence,
}
