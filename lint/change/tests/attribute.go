package tests

import (
	"regexp"
	"strings"
)

// ownAttribute reports whether an attribute is a project's own kind of xUnit's
// Fact and Theory.
func (s *suite) ownAttribute(name string) bool {
	name = strings.TrimSuffix(name, "Attribute")
	return s.src.lang == csharp && (strings.HasSuffix(name, "Fact") || strings.HasSuffix(name, "Theory")) && len(name) > 6
}

// ownAnnotation reports whether an annotation of a method is a project's own
// kind of JUnit's Test, or an attribute one of MSTest's TestMethod.
func (s *suite) ownAnnotation(name string) bool {
	switch s.src.lang {
	case java, kotlin:
		return (strings.HasSuffix(name, "Test") || testWithForm.MatchString(name)) && !strings.HasPrefix(name, "Before") && !strings.HasPrefix(name, "After") && !strings.HasSuffix(name, "ForTest")
	case csharp:
		return strings.HasSuffix(strings.TrimSuffix(name, "Attribute"), "TestMethod")
	}
	return false
}

// testWithForm is the name of a project's own annotation that stands for one of
// JUnit's with settings: ParameterizedTestWithName.
var testWithForm = regexp.MustCompile(`^(Parameterized|Repeated|Property|Unit|Integration|Spring|Db|Cartesian)?Test(With|For|On|In)[A-Z]\w*$`)

// skipAnnotation are the names of annotations by which projects of Java leave
// tests out, always or here and there.
var skipAnnotation = regexp.MustCompile(`^(Skip(If|For|On|When|Unless|Test|Version)?[A-Z]?\w*|Skip|IgnoreIf|IgnoreOn\w*|IgnoreFor\w*|Enabled(For|When|Unless)\w*|DisabledWhen\w*|Requires(Dialect|Docker|Jdk|Java|Feature|Os)\w*|NotImplementedYet|NotYetImplemented|FailureExpected|AwaitsFix|KnownFailure|KnownIssue|ExpectedToFail|Unstable|BugInTest)$`)

// conditionalAttribute reports whether the name of such an attribute says that
// its tests run only here or there.
func conditionalAttribute(name string) bool {
	for _, part := range []string{"Only", "Skip", "Platform", "Windows", "Linux", "Unix", "Mac", "Mono", "Requires", "Local", "Manual", "NotIn", "Explicit", "If"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// tagAttributes put a test into a category.
var tagAttributes = map[string]bool{
	"Tag": true, "Tags": true, "Category": true, "Trait": true, "TestCategory": true, "TestProperty": true, "Label": true, "Categories": true, "tag": true, "mark": true,
}

// failingTags are parts of the names of categories that runs leave out.
var failingTags = []string{"flak", "failing", "fails", "broken", "quarantin", "disabled", "skip", "ignore", "unstable", "known", "nightly", "excluded"}

// failingTag reports whether a category is one that runs leave out.
func failingTag(words string) bool {
	lower := strings.ToLower(words)
	for _, tag := range failingTags {
		if strings.Contains(lower, tag) {
			return true
		}
	}
	return seldomTag.MatchString(words)
}

// seldomTag is a category of tests that runs leave out since they take long or
// need a person.
var seldomTag = regexp.MustCompile(`(?i:^|[^a-z])(?i:slow|manual|long_?running|interactive|local_?only|explicit)(?i:_?tests?)?([^a-z]|$)|(Slow|Manual|LongRunning|LocalOnly)(Tests?)?([^a-z]|$)`)

// wantedError is what @Test(expected = E.class), [ExpectedException] and
// #[should_panic(expected = "…")] want, as an assertion.
func (s *suite) wantedError(name string, r span) (assertion, bool) {
	src := s.src
	wanted := ""
	a := assertion{name: name, at: r.from, end: r.to, level: exact, raises: &wanted}
	switch {
	case name == "ExpectedException" && src.lang == csharp:
		wanted = lastName(src, span{r.from + 1, r.to})
	case name == "should_panic" && src.lang == rust:
		a.setup = true // without it the test must not panic
		for i := r.from; i < r.to; i++ {
			if src.kind(i) == text {
				a.detail = src.at(i)
			}
		}
	case name == "Test" && (src.lang == java || src.lang == kotlin):
		for i := r.from; i < r.to; i++ {
			if (src.is(i, "expected") || src.is(i, "expectedExceptions")) && src.is(i+1, "=") {
				end := i + 2
				for end < r.to && !src.is(end, ",") && !src.is(end, ")") {
					end++
				}
				wanted = lastName(src, span{i + 2, end})
			}
		}
		if wanted == "" {
			return assertion{}, false
		}
	default:
		return assertion{}, false
	}
	a.text = src.join(span{a.at, a.end})
	return a, true
}

// alternativesIn are the constants that an annotation lists, joined as the
// alternatives that they are: OS.LINUX || OS.MAC.
func (s *source) alternativesIn(r span) string {
	var names []string
	for i := r.from + 1; i < r.to && len(names) < maxTexts; i++ {
		if s.kind(i) == text || s.isWord(i) && !s.is(i+1, ".") && !s.is(i+1, "=") && !s.is(i+1, "(") {
			names = append(names, s.value(i))
		}
	}
	return strings.Join(names, " || ")
}

// skipArgument reports whether an attribute has an argument such as
// "SkipOnOSX = true".
func (s *suite) skipArgument(r span) bool {
	for i := r.from; i+2 < r.to; i++ {
		if s.src.isWord(i) && strings.HasPrefix(s.src.at(i), "Skip") && s.src.is(i+1, "=") && !s.src.is(i+2, "false") && !s.src.is(i+2, "null") {
			return true
		}
	}
	return false
}

// flakyTagged is a feature of Rust by which tests that fail now and then are
// left out.
var flakyTagged = regexp.MustCompile(`(?i)flaky|unreliable|quarantin|broken_?test|failing_?test|["_ -](slow|expensive|manual)["_ -]`)

// switchField is an argument of an annotation that leaves tests out.
var switchField = regexp.MustCompile(`^(disabled(If|On|When|Without|For|In)\w*|skip(If|On|When|Without|For|In)\w*|ignore(If|On|When)\w*)$`)

// switchedOff reports whether an annotation has such an argument:
// @Containers(disabledWithoutDocker = true).
func (s *suite) switchedOff(r span) bool {
	if s.src.lang != java && s.src.lang != kotlin && s.src.lang != csharp {
		return false
	}
	for i := r.from + 1; i+2 < r.to; i++ {
		if s.src.is(i+1, "=") && (s.src.is(i-1, "(") || s.src.is(i-1, ",")) && switchField.MatchString(s.src.at(i)) && !s.src.is(i+2, "false") && !s.src.is(i+2, "null") {
			return true
		}
	}
	return false
}
