package tests

import (
	"slices"
	"strings"
)

// testAnnotations make a method a test: JUnit and TestNG, xUnit, NUnit and
// MSTest, Rust's attributes.
var testAnnotations = map[string]bool{
	"Test": true, "ParameterizedTest": true, "RepeatedTest": true, "TestFactory": true, "TestTemplate": true, "Property": true,
	"Fact": true, "Theory": true, "TestMethod": true, "DataTestMethod": true, "TestCase": true, "TestCaseSource": true,
	"ConditionalFact": true, "ConditionalTheory": true, "SkippableFact": true, "SkippableTheory": true, "StaFact": true, "UIFact": true,
	"test": true, "rstest": true, "test_case": true, "quickcheck": true, "test_log": true, "wasm_bindgen_test": true, "googletest": true, "proptest": true,
	"RetryingTest": true, "RepeatedIfExceptionsTest": true, "RetryFact": true, "FlakyTest": true, "CartesianTest": true, "FuzzTest": true,
}

// hookAnnotations make a method run around tests.
var hookAnnotations = map[string]bool{
	"BeforeEach": true, "BeforeAll": true, "Before": true, "BeforeClass": true, "BeforeMethod": true, "BeforeTest": true, "BeforeSuite": true,
	"SetUp": true, "OneTimeSetUp": true, "TestInitialize": true, "ClassInitialize": true,
}

// annotated finds the methods that an annotation calls a test, in Java,
// Kotlin, C# and Rust, and JUnit 3's test methods.
func (s *suite) annotated() {
	src := s.src
	var pending []span // annotations since the last statement
	from := -1
	for i := 0; i < len(src.tokens); i++ {
		switch {
		case s.annotationAt(i):
			r := s.annotation(i)
			if from < 0 {
				from = i
			}
			pending = append(pending, r)
			i = max(r.to-1, i)
			continue
		case src.is(i, "class") && src.isWord(i+1) && !src.is(i-1, "."), src.is(i, "mod") && src.lang == rust && src.is(i+2, "{"):
			s.class(i, pending)
		case src.lang == rust && src.is(i+1, "!") && src.is(i+2, "("):
			s.macroTest(i, from, pending)
		case src.is(i, "(") && s.named(i) >= 0:
			name := s.named(i)
			if body, ok := s.method(name, i); ok {
				start := from
				if start < 0 {
					start = src.statement(name, span{0, len(src.tokens)}).from
				}
				s.annotatedMethod(start, name, body, pending)
				pending, from = nil, -1
				if s.src.lang == rust || s.src.lang == kotlin {
					continue
				}
				i = body.from - 1
				continue
			}
			if c := src.close(i); c > 0 && from < 0 {
				continue
			}
		}
		if v := src.at(i); src.kind(i) == mark && (v == ";" || v == "{" || v == "}") {
			pending, from = nil, -1
		}
	}
}

// annotationAt reports whether an annotation or attribute begins here.
func (s *suite) annotationAt(i int) bool {
	src := s.src
	switch src.lang {
	case java, kotlin, groovy:
		return src.is(i, "@") && src.isWord(i+1) && !src.is(i+1, "interface")
	case rust:
		return src.is(i, "#") && src.is(i+1, "[")
	case csharp:
		return src.is(i, "[") && src.isWord(i+1) && src.token(i).first
	}
	return false
}

// annotation is the extent of the one at i.
func (s *suite) annotation(i int) span {
	src := s.src
	if src.lang == rust {
		return span{i, max(src.close(i+1), i) + 1}
	}
	if src.lang == csharp {
		return span{i, max(src.close(i), i) + 1}
	}
	end := i + 1
	for src.is(end+1, ".") || src.is(end+1, ":") && src.isWord(end+2) && src.lang == kotlin {
		end += 2
	}
	if c := src.close(end + 1); src.is(end+1, "(") && c > 0 {
		end = c
	}
	return span{i, end + 1}
}

// named is the name before the bracket at i, with type parameters between them
// or without, or -1. In Kotlin it may stand between backticks.
func (s *suite) named(i int) int {
	src := s.src
	if src.isWord(i-1) || src.lang == kotlin && strings.HasPrefix(src.at(i-1), "`") || src.lang == groovy && src.kind(i-1) == text && src.isWord(i-2) {
		return i - 1
	}
	if src.is(i-1, ">") {
		for j := i - 2; j > max(i-30, 0); j-- {
			if src.is(j, "<") && src.isWord(j-1) {
				return j - 1
			}
		}
	}
	return -1
}

// method reports whether the bracket at i opens the parameters of a method
// with a body, and where the body is.
func (s *suite) method(name, i int) (span, bool) {
	src := s.src
	end := src.close(i)
	if end < 0 {
		return span{}, false
	}
	before := src.at(name - 1)
	switch src.lang {
	case rust:
		if before != "fn" {
			return span{}, false
		}
	case kotlin:
		if !src.declaresFun(name) {
			return span{}, false
		}
	case groovy:
		if before != "def" && before != "void" {
			return span{}, false
		}
	default:
		if before == "." || before == "new" || before == "class" || before == "record" || before == "struct" || before == ":" || before == "return" || before == "=" || before == "(" || before == "," || statementWords[src.at(name)] {
			return span{}, false
		}
	}
	for j := end + 1; j < min(end+40, len(src.tokens)); j++ {
		switch src.at(j) {
		case "(", "[": // a type such as Result<()>
			if c := src.close(j); c > 0 {
				j = c
			}
		case "{":
			if c := src.close(j); c > 0 {
				return span{j + 1, c}, true
			}
			return span{}, false
		case "=>":
			if src.lang == csharp {
				st := src.statement(j+1, span{j + 1, len(src.tokens)})
				return span{j + 1, st.to}, true
			}
		case "=":
			if src.lang == kotlin {
				st := src.statement(j+1, span{j + 1, len(src.tokens)})
				return span{j + 1, st.to}, true
			}
			return span{}, false
		case ";", ".", ")", "}", "+", "&&", "||", "==":
			return span{}, false
		}
	}
	return span{}, false
}

var statementWords = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "catch": true, "using": true, "lock": true, "foreach": true, "synchronized": true, "try": true, "fixed": true, "when": true,
}

// annotatedMethod keeps a method as a test or as a helper.
func (s *suite) annotatedMethod(from, name int, body span, pending []span) {
	isTest, cases := false, 0
	var marks []marker
	var wanted []assertion
	var values *valueSource
	for _, r := range pending {
		for _, part := range s.attributes(r) {
			simple := s.simpleName(part)
			if a, ok := s.wantedError(simple, part); ok {
				wanted = append(wanted, a)
			}
			if testAnnotations[simple] || testAnnotations[strings.TrimSuffix(simple, "Attribute")] || s.src.lang == rust && strings.HasSuffix(simple, "_test") || s.ownAttribute(simple) || s.ownAnnotation(simple) {
				isTest = true
			}
			if rows := simple; rows == "InlineData" || rows == "TestCase" || rows == "DataRow" || rows == "case" || rows == "test_case" {
				cases++
			}
			if listed[simple] {
				cases += s.rowsOf(part)
			}
			if simple == "EnumSource" {
				values = s.enumSource(part)
			}
			if m, ok := s.attributeMark(simple, part); ok {
				marks = append(marks, m)
			}
			if m, ok := s.displayed(simple, part); ok {
				marks = append(marks, m)
			}
		}
	}
	title := strings.Trim(s.src.at(name), "`")
	if s.src.lang == groovy {
		title, isTest = s.feature(name, body, isTest)
	}
	if !isTest && len(pending) == 0 && strings.HasPrefix(title, "test") && len(title) > 4 && !lowerAt(title, 4) && (s.src.lang == java || s.src.lang == kotlin) && s.extendsTestCase() {
		isTest = true
	}
	if isTest {
		if m, ok := s.unseen(from, name, pending); ok {
			marks = append(marks, m)
		}
		t := s.add(title, span{from, body.to + 1}, body, marks)
		t.cases, t.asserts, t.values = cases, wanted, values
		s.override(name, body, pending, marks)
		return
	}
	s.helpers[title] = body
	s.override(name, body, pending, marks)
	for _, r := range pending {
		for _, part := range s.attributes(r) {
			if hookAnnotations[s.simpleName(part)] {
				s.hooks[title] = true
			}
		}
	}
}

// lowerAt reports whether a name goes on at a place with a small letter:
// "testedOnce" begins with no word "test".
func lowerAt(name string, at int) bool { return name[at] >= 'a' && name[at] <= 'z' }

func (s *suite) extendsTestCase() bool {
	if s.words == nil {
		s.words = s.src.count()
	}
	if s.src.lang == kotlin {
		for w := range s.words {
			if strings.HasSuffix(w, "TestCase") {
				return true
			}
		}
	}
	return s.words["TestCase"] > 0
}

// attributes cuts an annotation into its parts: C# and Rust allow several.
func (s *suite) attributes(r span) []span {
	switch s.src.lang {
	case csharp:
		return s.src.arguments(r.from)
	case rust:
		return []span{{r.from + 2, r.to - 1}}
	}
	return []span{{r.from + 1, r.to}}
}

// simpleName is the last word of an attribute's dotted name.
func (s *suite) simpleName(r span) string {
	i := r.from
	for i+2 < r.to && (s.src.is(i+1, ".") || s.src.is(i+1, "::") || s.src.is(i+1, ":")) {
		i += 2
	}
	return s.src.at(i)
}

// attributeMark is what an attribute does to a test.
func (s *suite) attributeMark(name string, r span) (marker, bool) {
	src := s.src
	m := marker{at: r.from, words: src.join(span{r.from, min(r.to, r.from+1)})}
	has := func(want string) bool {
		for i := r.from; i < r.to; i++ {
			if src.is(i, want) {
				return true
			}
		}
		return false
	}
	if kind, ok := spockMarks[name]; ok && src.lang == groovy {
		m.kind, m.words = kind, "@"+name
		if kind == skipsIf && r.len() > 2 {
			m.cond, m.runs = src.join(span{r.from + 2, r.to - 1}), name == "Requires"
		}
		return m, true
	}
	switch {
	case name == "Disabled" || name == "Ignore" || name == "Ignored" || name == "ignore":
		m.kind = skips
	case name == "Test" && has("enabled") && has("false"):
		m.kind = skips
	case name == "Test" && has("retryAnalyzer"):
		m.kind, m.count = retries, 1
	case name == "Test" && src.lang.jvm() && s.leftGroup(r):
		m.kind, m.cond = skipsIf, ""
	case src.lang == csharp && has("Skip") && src.is(r.from+1, "(") && s.skipArgument(r):
		m.kind, m.words = skips, "Skip"
		if cond := src.directiveAt(r.from - 1); cond != "" {
			m.kind, m.cond = skipsIf, cond
		}
	case src.lang == csharp && (name == "Explicit" || name == "Platform" || name == "PlatformSpecific" || s.skipArgument(r) || has("SkipReason") || strings.HasPrefix(name, "SkipOn") || strings.HasPrefix(name, "SkipIf") || strings.HasPrefix(name, "SkipFor")):
		m.kind, m.words = skipsIf, name
	case src.lang.jvm() && skipAnnotation.MatchString(name):
		m.kind, m.cond = skipsIf, src.alternativesIn(r)
	case src.lang == csharp && strings.HasPrefix(name, "Conditional") && s.ownAttribute(name) && r.len() > 1:
		m.kind, m.words = skipsIf, name
	case strings.HasPrefix(name, "Quarantine") || name == "ActiveIssue":
		m.kind, m.words = skips, name
	case strings.HasPrefix(name, "DisabledOn") || strings.HasPrefix(name, "DisabledIf") || strings.HasPrefix(name, "EnabledIf") || strings.HasPrefix(name, "EnabledOn") || strings.HasPrefix(name, "DisabledFor"):
		m.kind, m.cond, m.runs = skipsIf, src.alternativesIn(r), strings.HasPrefix(name, "Enabled")
	case name == "cfg_attr" && has("ignore"):
		m.kind, m.cond = skipsIf, src.join(r)
	case src.lang == rust && name == "cfg" && has("feature") && flakyTagged.MatchString(src.join(r)):
		m.kind, m.cond = skipsIf, src.join(r)
	case src.lang == rust && name == "cfg" && !has("feature") && (!has("test") || has("not") || has("windows") || has("unix") || has("target_os") || has("target_arch") || has("target_pointer_width")):
		m.kind, m.cond = skipsIf, src.join(r)
	case name == "RetryingTest" || name == "Retry" || name == "Flaky" || name == "RetryFact" || name == "RepeatedIfExceptionsTest" || name == "FlakyTest":
		m.kind, m.count = retries, 1
	case name == "ExtendWith" && r.len() > 2 && retryingName(src.join(r)):
		m.kind, m.count = retries, 1
	case s.ownAttribute(name) && conditionalAttribute(name):
		m.kind, m.words = skipsIf, name
	case s.switchedOff(r):
		m.kind = skipsIf
	case (src.lang != rust || r.len() == 1) && name != "Test" && houseDecoration(strings.TrimSuffix(name, "Attribute")):
		m.kind, m.words = skipsIf, name
	case tagAttributes[name] && failingTag(src.join(r)):
		m.kind, m.words = skipsIf, short(src.join(r))
		return m, true
	default:
		return m, false
	}
	if src.lang.jvm() {
		m.words = "@" + name
	}
	return m, true
}

// class keeps a class or a module as a scope.
func (s *suite) class(i int, pending []span) {
	open := -1
	for j := i + 2; j < min(i+120, len(s.src.tokens)); j++ {
		if s.src.is(j, "{") {
			open = j
			break
		}
		if s.src.is(j, ";") {
			return
		}
	}
	if open < 0 || s.src.close(open) < 0 {
		return
	}
	var marks []marker
	for _, r := range pending {
		for _, part := range s.attributes(r) {
			if m, ok := s.attributeMark(s.simpleName(part), part); ok {
				marks = append(marks, m)
			}
		}
	}
	s.scopes = append(s.scopes, &scope{name: s.src.at(i + 1), body: span{i, s.src.close(open) + 1}, mark: slices.Clip(marks)})
}

// count says how often each word stands in a file.
func (s *source) count() map[string]int {
	counts := map[string]int{}
	for i := range s.tokens {
		if s.token(i).kind == word {
			counts[s.at(i)]++
		}
	}
	return counts
}
