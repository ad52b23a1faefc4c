package tests

import (
	"path"
	"strings"
)

// language is a language whose tests are read.
type language uint8

const (
	other language = iota
	golang
	javascript // and TypeScript, with JSX
	python
	java
	kotlin
	ruby
	rust
	csharp
	groovy
)

// languageOf tells a language from a path.
func languageOf(name string) language {
	switch strings.ToLower(path.Ext(name)) {
	case ".go":
		return golang
	case ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts":
		return javascript
	case ".py":
		return python
	case ".java":
		return java
	case ".kt":
		return kotlin
	case ".rb":
		return ruby
	case ".rs":
		return rust
	case ".cs":
		return csharp
	case ".groovy":
		return groovy
	}
	return other
}

// jvm reports whether a language has the annotations of JUnit.
func (l language) jvm() bool { return l == java || l == kotlin || l == groovy }

// indented reports whether blocks are told by indentation. Ruby's end keyword
// stands where its line began in any formatted file, and its many forms of
// opening a block need not be known then.
func (l language) indented() bool { return l == python || l == ruby }

// testFolders are the folders that hold tests and what tests need.
var testFolders = map[string]bool{
	"test": true, "tests": true, "__tests__": true, "spec": true, "specs": true, "e2e": true, "cypress": true,
	"testing": true, "__mocks__": true, "testdata": true, "fixtures": true, "androidtest": true, "testfixtures": true,
	"jvmtest": true, "commontest": true, "integration-test": true, "integration_tests": true, "testutil": true,
	"testutils": true, "test-utils": true, "__snapshots__": true, "benches": true, "benchmarks": true,
	"spec_helper": true, "integrationtest": true, "unittest": true, "unittests": true, "nativetest": true,
}

// isTestPath reports whether a file is there for tests by where it lies and
// what it is called. Rust keeps unit tests inside product files; those are
// found by their attribute, not here.
func isTestPath(name string) bool {
	dir, base := path.Split(strings.TrimSuffix(name, "/"))
	for part := range strings.SplitSeq(dir, "/") {
		lower := strings.ToLower(part)
		if testFolders[lower] || strings.HasSuffix(part, ".Tests") || strings.HasSuffix(part, ".Test") || strings.HasSuffix(part, "Tests") ||
			strings.HasSuffix(lower, ".unittests") || strings.HasSuffix(lower, ".specs") || strings.HasSuffix(lower, "-tests") {
			return true
		}
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	lower := strings.ToLower(stem)
	switch languageOf(name) {
	case golang:
		return strings.HasSuffix(lower, "_test")
	case javascript:
		if strings.HasPrefix(strings.ToLower(name), "test-") && dir != "" {
			return true // a folder at the top for the tests of one runner: test-tap/api.js
		}
		if kind := strings.TrimPrefix(path.Ext(lower), "."); hasAnySuffix(kind, "test", "tests", "spec") {
			return true // a project's own kind: tree.clienttest.ts
		}
		return hasAnySuffix(lower, ".test", ".spec", "-test", "_test", ".cy", ".e2e", ".unit", ".test-d", "-spec", "_spec")
	case python:
		return strings.HasPrefix(lower, "test_") || hasAnySuffix(lower, "_test", "_tests") || lower == "tests" || lower == "conftest"
	case java, kotlin, csharp, groovy:
		return hasAnySuffix(stem, "Test", "Tests", "TestCase", "IT", "Spec", "Specs", "TestBase") || strings.HasPrefix(stem, "Test") && len(stem) > 4
	case ruby:
		return hasAnySuffix(lower, "_spec", "_test") || strings.HasPrefix(lower, "test_") || lower == "spec_helper"
	case rust:
		return lower == "tests" || lower == "test" || hasAnySuffix(lower, "_test", "_tests") || strings.HasPrefix(lower, "test_")
	}
	return false
}

func hasAnySuffix(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// subjectStem is what a test file's name says that it tests:
// "src/cart.test.ts" is about "cart", "tests/test_cart.py" too.
func subjectStem(name string) string {
	base := path.Base(name)
	stem, _, _ := strings.Cut(base, ".")
	lower := strings.ToLower(stem)
	for _, prefix := range []string{"test_", "test-"} {
		lower = strings.TrimPrefix(lower, prefix)
	}
	for _, suffix := range []string{"_test", "_spec", "-test", "-spec", "_tests", "tests", "test", "spec"} {
		if trimmed := strings.TrimSuffix(lower, suffix); trimmed != lower && trimmed != "" {
			return trimmed
		}
	}
	return lower
}
