package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCheckPullRequests runs the check over twelve pull requests as a job of
// GitHub Actions would, and holds each to its findings in every form.
func TestCheckPullRequests(t *testing.T) {
	s := openShop(t)
	packages := func(name string) string {
		return strings.Replace(shopFiles["package.json"], "\"old\": \"1.0.0\"", "\"old\": \"1.0.0\",\n    \""+name+"\": \"1.0.0\"", 1)
	}
	server := func(line string) string {
		return strings.Replace(shopFiles[".mcp.json"], "    }\n  }", "    },\n    \"extra\": "+line+"\n  }", 1)
	}
	for _, test := range []struct {
		name    string
		pull    shopPull
		files   map[string]string
		reviews []string
		code    int
		want    []string // rule and severity, and the file
	}{
		{
			name: "contradiction", files: map[string]string{"CLAUDE.md": "# Shop\n\nAlways use double quotes.\n"},
			code: 1, want: []string{"IN002 error CLAUDE.md", "PR005 note CLAUDE.md"},
		},
		{
			name: "secret", files: map[string]string{".mcp.json": server(`{"command": "npx", "args": ["-y", "old@1.0.0"], "env": {"API_KEY": "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"}}`)},
			code: 1, want: []string{"MC001 error .mcp.json", "PR005 note .mcp.json"},
		},
		{
			name: "unpinned", files: map[string]string{".mcp.json": server(`{"command": "npx", "args": ["-y", "old"]}`)},
			code: 1, want: []string{"MC002 error .mcp.json", "PR005 note .mcp.json"},
		},
		{
			name: "unowned", files: map[string]string{".github/CODEOWNERS": "* @acme/platform\n*.md\n"},
			code: 0, want: []string{"CO001 warning AGENTS.md", "PR005 note .github/CODEOWNERS"},
		},
		{name: "invented", files: map[string]string{"package.json": packages("gone")}, code: 1, want: []string{"DP001 error package.json"}},
		{name: "young", files: map[string]string{"package.json": packages("young")}, code: 0, want: []string{"DP006 warning package.json"}},
		{name: "copyleft", files: map[string]string{"package.json": packages("copyleft")}, code: 0, want: []string{"DP015 warning package.json"}},
		{
			name: "weakened", files: map[string]string{"src/price.test.ts": "import { price } from './price';\n\ntest('doubles', () => {\n  expect(price(2)).toBeDefined();\n  expect(price(3)).toBe(6);\n});\n"},
			code: 0, want: []string{"TS006 warning src/price.test.ts"},
		},
		{
			name: "agent", pull: shopPull{author: "copilot-swe-agent", kind: "Bot", assignees: []string{"ada"}},
			files: map[string]string{"src/price.ts": "export const price = (n: number) => n + n;\n"}, reviews: []string{"ada"},
			code: 1, want: []string{"PR004 error src/price.ts"},
		},
		{
			name: "risky", files: map[string]string{"auth/login.ts": "export const login = (u: string) => u !== '';\n"}, reviews: []string{"bob"},
			code: 0, want: []string{"PR002 note auth/login.ts"},
		},
		{
			name: "large", files: map[string]string{"src/list.ts": lines(201, "export const n%d = %[1]d;\n"), "pnpm-lock.yaml": "lockfileVersion: '9.0'\n" + lines(900, "# %d\n")},
			code: 0, want: []string{"PR003 warning steelyard.yaml"},
		},
		{name: "clean", files: map[string]string{"src/price.ts": "export const price = (n: number) => 2 * n;\n"}, code: 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			pull := s.open(t, test.name, test.pull, test.files)
			for _, login := range test.reviews {
				s.world.Review("acme/shop", pull.number, s.world.Person(login), "APPROVED")
			}
			dir := s.checkout(t, pull.mergeRef(), "--depth=2")
			sarif := filepath.Join(t.TempDir(), "out.sarif")
			got := s.check(t, dir, "pull_request", s.event(t, pull, false), nil, "--output", "json", "--output", "sarif:"+sarif)
			if found := jsonFindings(t, got.stdout); !slices.Equal(found, test.want) || got.code != test.code {
				t.Errorf("findings are %q, exit code %d; want %q, %d\n%s", found, got.code, test.want, test.code, got.stderr)
			}
			holdSARIF(t, sarif, test.want)
			holdAnnotations(t, s.check(t, dir, "pull_request", s.event(t, pull, false), nil), test.want)
		})
	}
}

func (p *shopPull) mergeRef() string { return fmt.Sprintf("refs/pull/%d/merge", p.number) }

func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// jsonFindings are "RULE SEVERITY PATH" of each finding, sorted.
func jsonFindings(t *testing.T, text string) []string {
	t.Helper()
	var doc struct {
		Findings []struct{ Rule, Severity, Path string }
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	var all []string
	for _, f := range doc.Findings {
		all = append(all, f.Rule+" "+f.Severity+" "+f.Path)
	}
	slices.Sort(all)
	return all
}

func holdSARIF(t *testing.T, file string, want []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Results []struct{ RuleID string }
		}
	}
	if err := json.Unmarshal(text, &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("no SARIF of one run: %v", err)
	}
	if n := len(log.Runs[0].Results); n != len(want) {
		t.Errorf("SARIF has %d results, want %d", n, len(want))
	}
	for i, r := range log.Runs[0].Results {
		if i < len(want) && !slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(w, r.RuleID) }) {
			t.Errorf("SARIF has a result of %s", r.RuleID)
		}
	}
}

// holdAnnotations holds what a runner and a reader of the summary see.
func holdAnnotations(t *testing.T, got checkRun, want []string) {
	t.Helper()
	commands := map[string]string{"error": "::error ", "warning": "::warning ", "note": "::notice "}
	for _, one := range want {
		rule, rest, _ := strings.Cut(one, " ")
		severity, path, _ := strings.Cut(rest, " ")
		found := false
		for line := range strings.Lines(got.stdout) {
			found = found || strings.HasPrefix(line, commands[severity]) && strings.Contains(line, "file="+path) && strings.Contains(line, rule)
		}
		if !found {
			t.Errorf("no annotation of %s:\n%s", one, got.stdout)
		}
		says(t, "the summary", got.summary, rule)
	}
	if len(want) == 0 {
		says(t, "the log", got.stdout, "!::error", "!::warning", "!::notice")
		if got.summary == "" {
			t.Error("there is no summary")
		}
	}
}
