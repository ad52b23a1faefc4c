package output_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"steelyard/lint"
	"steelyard/lint/output"
	"steelyard/rules"
)

// manyFindings are n findings of every severity and of many rules, the errors
// last; noise makes each message that many characters longer, which nothing
// compresses much.
func manyFindings(t *testing.T, n, noise int) output.Check {
	t.Helper()
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	c := output.Check{FailOn: "error"}
	for i := range n {
		severity := rules.Note
		if i >= n*9/10 {
			severity = rules.Error
		} else if i%3 == 0 {
			severity = rules.Warning
		}
		text := make([]byte, noise)
		for k := range text {
			text[k] = letters[random.IntN(len(letters))]
		}
		page := pages[i%len(pages)]
		c.Result.Findings = append(c.Result.Findings, lint.Finding{
			Rule: page.ID, Name: page.Name, Severity: severity, Path: fmt.Sprintf("services/part-%d/.mcp.json", i/7), Line: i%500 + 1, Column: 9,
			EndLine: i%500 + 1, EndColumn: 20, Message: fmt.Sprintf(`npx fetches "@acme/server-%d" without an exact version%s`, i, text),
			Snippet: fmt.Sprintf(`    "command": "npx", "args": ["@acme/server-%d"]`, i),
			Related: []lint.Related{{Path: "AGENTS.md", Line: 3, Message: "says otherwise"}},
		})
	}
	return c
}

func pagesOf(t *testing.T) []rules.Page {
	t.Helper()
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// limited is the part of a SARIF file that GitHub bounds.
type limited struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Name  string
				Rules []struct {
					ID, Name   string
					HelpURI    *string               `json:"helpUri"`
					Short      struct{ Text string } `json:"shortDescription"`
					Full       struct{ Text string } `json:"fullDescription"`
					Help       struct{ Text string } `json:"help"`
					Properties struct{ Tags []string }
				}
			}
		}
		Results []struct {
			RuleID, Level       string
			Message             struct{ Text string }
			Locations           []any
			RelatedLocations    []any
			PartialFingerprints map[string]string
		}
		Invocations []struct {
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
	}
}

// holdToGitHub holds a SARIF file to what GitHub documents.
//
// Source: GitHub, "SARIF support for code scanning" and "SARIF results exceed
// one or more limits".
func holdToGitHub(t *testing.T, text string) limited {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > 10_000_000 {
		t.Errorf("the file has %d bytes compressed", packed.Len())
	}
	var file limited
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Runs) == 0 || len(file.Runs) > 20 {
		t.Fatalf("there are %d runs", len(file.Runs))
	}
	run := file.Runs[0]
	if len(run.Results) > 25_000 || len(run.Tool.Driver.Rules) > 25_000 {
		t.Errorf("%d results, %d rules", len(run.Results), len(run.Tool.Driver.Rules))
	}
	for _, r := range run.Tool.Driver.Rules {
		if len(r.Properties.Tags) > 10 || r.HelpURI != nil && *r.HelpURI == "" || len(r.Name) > 255 || r.Help.Text == "" ||
			r.Short.Text == "" || len(r.Short.Text) > 1024 || r.Full.Text == "" || len([]rune(r.Full.Text)) > 1024 {
			t.Errorf("rule %s is over a limit", r.ID)
		}
	}
	seen := map[string]bool{}
	for i, r := range run.Results {
		if len(r.Locations) != 1 || len(r.Locations)+len(r.RelatedLocations) > 1000 || r.Message.Text == "" || len(r.PartialFingerprints) == 0 {
			t.Fatalf("result %d is over a limit", i)
		}
		if _, ours := r.PartialFingerprints["primaryLocationLineHash"]; ours {
			t.Fatal("primaryLocationLineHash is GitHub's to set")
		}
		print := r.PartialFingerprints["steelyard/v1"]
		if seen[print] {
			t.Fatalf("two results have the fingerprint %s: they would be one alert", print)
		}
		seen[print] = true
	}
	return file
}

// TestSARIFManyFindings keeps 5,000 and 30,000 findings within every limit, with
// every error among them.
func TestSARIFManyFindings(t *testing.T) {
	for _, c := range []struct{ n, noise, least int }{{5_000, 0, 5_000}, {30_000, 0, 25_000}, {9_000, 1_800, 1_000}} {
		check := manyFindings(t, c.n, c.noise)
		text := written(t, "sarif", check, output.Options{Version: "v1.2.3", Rules: pagesOf(t)})
		run := holdToGitHub(t, text).Runs[0]
		errors := 0
		for _, r := range run.Results {
			if r.Level == "error" {
				errors++
			}
		}
		if len(run.Results) < c.least || errors != c.n/10 {
			t.Errorf("of %d findings %d are kept, of %d errors %d", c.n, len(run.Results), c.n/10, errors)
		}
		if left := c.n - len(run.Results); left > 0 {
			said := run.Invocations[0].ToolExecutionNotifications
			if len(said) != 1 || !strings.HasPrefix(said[0].Message.Text, fmt.Sprintf("%d findings are not in this file", left)) {
				t.Errorf("it says %v of %d left out", said, left)
			}
		}
	}
}

// TestSARIFManyFindingsSchema holds the largest file that GitHub shows in full to
// the official schema.
func TestSARIFManyFindingsSchema(t *testing.T) {
	schema := sarifSchema(t)
	text := written(t, "sarif", manyFindings(t, 5_000, 0), output.Options{Version: "v1.2.3", Rules: pagesOf(t), Folder: "a b"})
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
}

// TestReportsAreBounded keeps what GitHub takes of a step and of a comment, the
// errors first, and says how many findings are left out.
func TestReportsAreBounded(t *testing.T) {
	for format, most := range map[string]int{"summary": 1 << 20, "markdown": 65_536} {
		check := manyFindings(t, 30_000, 0)
		check.LeftOut = []string{strings.Repeat("no token; ", 1000)}
		for i := range 500 {
			check.Result.Skipped = append(check.Result.Skipped, lint.Skip{Path: strings.Repeat("p", 2000) + fmt.Sprint(i), Reason: strings.Repeat("\x1b", 5000)})
		}
		text := written(t, format, check, output.Options{Rules: pagesOf(t), Source: sourceAddress, Marker: marker})
		if len(text) > most || len(text) < most*3/4 {
			t.Errorf("%s has %d bytes of %d", format, len(text), most)
		}
		shown := strings.Count(text, "\n- [")
		if want := fmt.Sprintf("%d findings are left out here", 30_000-shown); !strings.Contains(text, want) {
			t.Errorf("%s shows %d and does not say %q", format, shown, want)
		}
		if note := strings.Index(text, "### Note"); note >= 0 && note < strings.LastIndex(text, "### Error") {
			t.Errorf("%s shows notes before errors", format)
		}
		if !strings.Contains(text, "### Not looked at") || !strings.Contains(text, "- and 480 more") {
			t.Errorf("%s does not say what was not looked at", format)
		}
	}
}

// TestAnnotationsAreBounded shows ten of a severity, the tenth of which says how
// many more there are; ten are shown whole.
func TestAnnotationsAreBounded(t *testing.T) {
	for _, n := range []int{1, 9, 10, 11, 500} {
		var check output.Check
		for i := range n {
			for _, s := range []rules.Severity{rules.Note, rules.Error, rules.Warning} {
				check.Result.Findings = append(check.Result.Findings, lint.Finding{Rule: "MC002", Severity: s, Path: "a", Line: i + 1, Message: "m"})
			}
		}
		lines := strings.Split(strings.TrimSuffix(written(t, "github", check, output.Options{}), "\n"), "\n")
		for k, command := range []string{"::error ", "::warning ", "::notice "} {
			shown := min(n, 10)
			part := lines[k*shown : (k+1)*shown]
			for i, line := range part {
				if !strings.HasPrefix(line, command) {
					t.Errorf("%d: line %d is %q, want %s", n, i, line, command)
				}
				if more := strings.Contains(line, "more::"); more != (n > 10 && i == 9) {
					t.Errorf("%d: line %d is %q", n, i, line)
				}
			}
			if want := fmt.Sprintf("title=and %d more::", n-9); n > 10 && !strings.Contains(part[9], want) {
				t.Errorf("%d: the last is %q, without %q", n, part[9], want)
			}
		}
	}
}
