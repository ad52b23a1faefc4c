package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/config"
)

func TestProblems(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{
			"unknown-key", "databse: sqlite:x\n",
			`steelyard.yaml:1:1: unknown key "databse" (did you mean "database"?)`,
		},
		{
			"unknown-key-inside", "lint:\n  failon: error\n",
			`steelyard.yaml:2:3: unknown key "failon" in lint (did you mean "fail_on"?)`,
		},
		{
			"unknown-key-far-from-all", "lint:\n  zzz: error\n",
			`steelyard.yaml:2:3: unknown key "zzz" in lint (valid: fail_on, exclude, rules, suppressions)`,
		},
		{
			"number-for-text", "serve:\n  addr: 8484\n",
			`steelyard.yaml:2:9: serve.addr: expected HOST:PORT such as 127.0.0.1:8484, found the number 8484 (quote it to make it text: "8484")`,
		},
		{
			"text-for-number", "report:\n  smallest_effect: ten\n",
			`steelyard.yaml:2:20: report.smallest_effect: expected a share such as 0.10, found "ten"`,
		},
		{
			"not-a-number", "report: {smallest_effect: .nan}\n",
			`steelyard.yaml:1:27: report.smallest_effect: expected a share such as 0.10, found ".nan"`,
		},
		{
			"out-of-range", "report: {smallest_effect: 0}\n",
			`steelyard.yaml:1:27: report.smallest_effect: 0 is out of range: more than 0, at most 1 (expected a share such as 0.10)`,
		},
		{
			"list-for-mapping", "lint: [a]\n",
			`steelyard.yaml:1:7: lint holds the keys fail_on, exclude, rules, suppressions, found a list`,
		},
		{
			"text-for-mapping", "hello\n",
			`steelyard.yaml:1:1: the file holds the keys database, serve, lint, dependencies, servers, policy, report, github, teams, hours, exclusions, found "hello"`,
		},
		{
			"text-for-list", "lint: {exclude: vendor/**}\n",
			`steelyard.yaml:1:17: lint.exclude is a list, found "vendor/**" (write [a, b], or one "- a" a line)`,
		},
		{
			"mapping-for-text", "database: {url: x}\n",
			`steelyard.yaml:1:11: database: expected sqlite:PATH or postgres://USER@HOST/NAME, found a mapping`,
		},
		{
			"bad-severity", "lint: {rules: {MC002: high}}\n",
			`steelyard.yaml:1:23: lint.rules.MC002: expected one of off, note, warning, error, found "high" (valid: off, note, warning, error)`,
		},
		{
			"bad-rule-id", "lint: {rules: {mc_2: off}}\n",
			`steelyard.yaml:1:16: lint.rules: "mc_2" is not a rule's id or name, such as MC002 or mcp-unpinned-server`,
		},
		{
			"bad-glob", "lint: {exclude: ['a[']}\n",
			`steelyard.yaml:1:18: lint.exclude[0]: expected a glob such as vendor/**, found "a[": it is not a valid glob`,
		},
		{
			"duplicate-key", "database: sqlite:a\nserve: {}\ndatabase: sqlite:b\n",
			`steelyard.yaml:3:1: key "database" comes twice, first in line 1`,
		},
		{
			"suppression-without-path", "lint:\n  suppressions:\n    - rule: MC001\n      reason: revoked\n",
			`steelyard.yaml:3:7: lint.suppressions[0] has no path (The file, relative to the linted folder, or a glob of files.)`,
		},
		{
			"suppression-null-path", "lint:\n  suppressions:\n    - {rule: MC001, path: , reason: b}\n",
			`steelyard.yaml:3:27: lint.suppressions[0].path has no value`,
		},
		{
			"suppression-bad-day", "lint:\n  suppressions:\n    - {rule: MC001, path: a, reason: b, until: 2027-02-30}\n",
			`steelyard.yaml:3:48: lint.suppressions[0].until: expected a day such as 2027-01-31, found "2027-02-30"`,
		},
		{
			"suppression-outside", "lint:\n  suppressions:\n    - {rule: MC001, path: ../../etc, reason: b}\n",
			`steelyard.yaml:3:27: lint.suppressions[0].path: expected a relative path such as .mcp.json, found "../../etc": it leaves the linted folder`,
		},
		{
			"suppression-fraction-of-a-line", "lint:\n  suppressions:\n    - {rule: MC001, path: a, reason: b, line: 1.5}\n",
			`steelyard.yaml:3:47: lint.suppressions[0].line: expected a line number, 1 or more, found the number 1.5`,
		},
		{
			"alias", "lint: &a {fail_on: error}\nreport: *a\n",
			`steelyard.yaml:2:9: YAML aliases (*a) are not supported (write the value out)`,
		},
		{
			"tab", "lint:\n\tfail_on: error\n",
			`steelyard.yaml:2: not valid YAML: found character that cannot start any token (YAML is indented with spaces, not tabs)`,
		},
		{
			"two-documents", "database: sqlite:a\n---\ndatabase: sqlite:b\n",
			`steelyard.yaml:2:1: a second YAML document begins here (the file holds one; remove the ---)`,
		},
		{
			"key-is-a-list", "[a, b]: c\n",
			`steelyard.yaml:1:1: a key is a list, not a name`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(tt.text)
			if diff := cmp.Diff(tt.want, errText(err)); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			var problems config.Problems
			if !errors.As(err, &problems) {
				t.Errorf("%T is not Problems", err)
			}
		})
	}
}

func TestAllProblemsAtOnce(t *testing.T) {
	_, err := load("a: 1\nb: 2\nserve: {addr: 1}\n")
	if got := strings.Count(errText(err), "\n") + 1; got != 3 {
		t.Errorf("%d problems, want 3:\n%v", got, err)
	}
}

// TestHostileFiles bounds what a file may cost.
func TestHostileFiles(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a: &a [x, x, x, x, x, x, x, x, x]\n")
	for c := 'b'; c <= 'k'; c++ {
		fmt.Fprintf(&bomb, "%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat("*"+string(c-1)+", ", 9), ", "))
	}
	for name, tt := range map[string]struct{ text, want string }{
		"large":  {"# " + strings.Repeat("x", 1<<20), "larger than 1024 KiB"},
		"deep":   {strings.Repeat("[", 40) + strings.Repeat("]", 40), "nested more than 16 deep"},
		"deeper": {strings.Repeat("[", 200_000), "steelyard.yaml"},
		"wide":   {"lint: {exclude: [" + strings.Repeat("a,", 60_000) + "]}", "more than 50000 values"},
		"bomb":   {bomb.String(), "aliases"},
		"many":   {strings.Repeat("serve: {x: 1}\n", 5000), "unknown key"},
		"binary": {"\x00\x01\x02", "not valid YAML"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Load(config.Sources{Dir: fstest.MapFS{config.FileName: {Data: []byte(tt.text)}}})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error is %.200v, want %q", err, tt.want)
			}
			if strings.Count(err.Error(), "\n") > 20 {
				t.Errorf("%d lines of problems", strings.Count(err.Error(), "\n"))
			}
		})
	}
}

func TestSuggest(t *testing.T) {
	valid := []string{"lint", "explain", "rules", "import", "report", "pull-requests", "MC001", "mcp-unpinned-server"}
	for word, want := range map[string]string{
		"lnit": "lint", "LINT": "lint", "explian": "explain", "raport": "report", "imp": "import",
		"pull-request": "pull-requests", "mc001": "MC001", "mcp-unpined-server": "mcp-unpinned-server",
		"rep": "report", "mcp": "mcp-unpinned-server", "zebra": "", "x": "", "": "",
	} {
		if got := config.Suggest(word, valid); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", word, got, want)
		}
	}
}

// FuzzLoad holds that no file makes the loader panic, and that what it
// refuses is said with a place.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"", "database: sqlite:a\n", "lint: {rules: {MC002: off}}", "lint:\n  suppressions:\n    - rule: MC001\n",
		"&a [*a]", "a: b: c", "? [x]\n: y", "<<: {a: b}", "!!binary x", "\xff\xfe", "- - - -", "serve:\n  addr: 1", "%YAML 1.1\n---\n...",
		string(config.Starter(config.Found{})),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := config.Load(config.Sources{Dir: fstest.MapFS{config.FileName: {Data: data}}})
		if err == nil {
			if len(c.Settings()) == 0 {
				t.Error("no settings")
			}
			return
		}
		var problems config.Problems
		if !errors.As(err, &problems) || len(problems) == 0 {
			t.Errorf("%T: %v", err, err)
		}
	})
}
