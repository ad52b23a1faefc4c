package output_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"steelyard/lint"
	"steelyard/lint/output"
	"steelyard/rules"
)

// sarifSchema returns the official schema of SARIF 2.1.0. It is not ours to
// carry; gosec, which the linters bring, has it among its tests' data.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-modfile=../../tools/go.mod", "-f", "{{.Dir}}", "github.com/securego/gosec/v2")
	dir, err := cmd.Output()
	if err != nil {
		t.Skipf("the schema of SARIF is not here: %v", err)
	}
	name := filepath.Join(strings.TrimSpace(string(dir)), "report/sarif/testdata/sarif-schema-2.1.0.json")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Skipf("the schema of SARIF is not here: %v; \"go mod download -modfile=tools/go.mod\" brings it", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestSARIFSchema holds real results to the official schema.
func TestSARIFSchema(t *testing.T) {
	schema := sarifSchema(t)
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	for name, res := range map[string]lint.Result{"sample": sample(t), "clean": {}} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			if err := output.SARIF(&text, res, output.SARIFOptions{Version: "v0.1.0", Rules: pages}); err != nil {
				t.Fatal(err)
			}
			value, err := jsonschema.UnmarshalJSON(&text)
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); err != nil {
				t.Error(err)
			}
		})
	}
}

// sarifFile is the part of a SARIF file that GitHub reads.
type sarifFile struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				Rules []struct {
					ID   string
					Full struct{ Text string } `json:"fullDescription"`
					Help struct{ Markdown string }
				}
			}
		}
		Results []struct {
			RuleID    string
			RuleIndex *int
			Level     string
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine, StartColumn, EndLine, EndColumn int }
				}
			}
			PartialFingerprints map[string]string
			RelatedLocations    []any
		}
		Invocations []struct {
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
	}
}

func sarifOf(t *testing.T, res lint.Result) sarifFile {
	t.Helper()
	pages, err := rules.All()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := output.SARIF(&text, res, output.SARIFOptions{Rules: pages}); err != nil {
		t.Fatal(err)
	}
	var file sarifFile
	if err := json.Unmarshal(text.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestSARIFPlaces wants columns in UTF-16 units, paths as URIs and fingerprints
// that stay when a line moves.
func TestSARIFPlaces(t *testing.T) {
	f := lint.Finding{
		Rule: "MC002", Severity: rules.Error, Path: "a b/ü#.json", Line: 3, Column: 7, EndLine: 3, EndColumn: 10,
		Message: "m", Snippet: "ä😀npx", Related: []lint.Related{{Path: "x", Line: 0}},
	}
	moved := f
	moved.Line, moved.EndLine = 30, 30
	file := sarifOf(t, lint.Result{Findings: []lint.Finding{f, f}})
	again := sarifOf(t, lint.Result{Findings: []lint.Finding{moved}})
	r := file.Runs[0].Results
	place := r[0].Locations[0].PhysicalLocation
	if place.ArtifactLocation.URI != "a%20b/%C3%BC%23.json" {
		t.Errorf("URI is %q", place.ArtifactLocation.URI)
	}
	if got := fmt.Sprint(place.Region); got != "{3 4 3 7}" {
		t.Errorf("region is %s, want {3 4 3 7}", got)
	}
	first, second := r[0].PartialFingerprints["steelyard/v1"], r[1].PartialFingerprints["steelyard/v1"]
	if first == second || first != again.Runs[0].Results[0].PartialFingerprints["steelyard/v1"] {
		t.Errorf("fingerprints are %q and %q, after a move %v", first, second, again.Runs[0].Results[0].PartialFingerprints)
	}
	if rule := file.Runs[0].Tool.Driver.Rules[*r[0].RuleIndex]; rule.ID != "MC002" {
		t.Errorf("the rule's index leads to %s", rule.ID)
	}
}

// TestSARIFLimits holds the file to what GitHub takes: 25,000 results, of the
// worst first, descriptions of 1,024 characters, no more locations than 1,000.
func TestSARIFLimits(t *testing.T) {
	var res lint.Result
	for i := range output.MaxResults + 10 {
		res.Findings = append(res.Findings, lint.Finding{Rule: "CO002", Severity: rules.Note, Path: "a", Line: i + 1, Column: 1, Message: "m"})
	}
	many := lint.Finding{Rule: "MC002", Severity: rules.Error, Path: "z", Line: 1, Column: 1, Message: "m"}
	for range 2000 {
		many.Related = append(many.Related, lint.Related{Path: "x", Line: 1})
	}
	res.Findings = append(res.Findings, many)
	run := sarifOf(t, res).Runs[0]
	if len(run.Results) != output.MaxResults || run.Results[0].RuleID != "MC002" || len(run.Results[0].RelatedLocations) >= 1000 {
		t.Errorf("%d results, the first of %s with %d locations", len(run.Results), run.Results[0].RuleID, len(run.Results[0].RelatedLocations))
	}
	if said := run.Invocations[0].ToolExecutionNotifications; len(said) != 1 || !strings.Contains(said[0].Message.Text, "11 findings") {
		t.Errorf("notifications are %v", said)
	}
	for _, rule := range run.Tool.Driver.Rules {
		if n := len([]rune(rule.Full.Text)); n == 0 || n > 1024 {
			t.Errorf("the description of %s has %d characters", rule.ID, n)
		}
		if rule.Help.Markdown == "" {
			t.Errorf("%s has no help", rule.ID)
		}
	}
}

func TestDiff(t *testing.T) {
	var before, after strings.Builder
	for i := range 30 {
		fmt.Fprintf(&before, "line %d\n", i)
		switch i {
		case 3:
			fmt.Fprint(&after, "line three\n")
		case 20:
		case 25:
			fmt.Fprint(&after, "line 25\nnew\n")
		default:
			fmt.Fprintf(&after, "line %d\n", i)
		}
	}
	var got bytes.Buffer
	if err := output.Diff(&got, []lint.Change{{Path: "a.json", Before: before.String(), After: after.String()}, {Path: "b", Before: "x", After: "y\n"}}); err != nil {
		t.Fatal(err)
	}
	want := `--- a.json
+++ a.json
@@ -1,7 +1,7 @@
 line 0
 line 1
 line 2
-line 3
+line three
 line 4
 line 5
 line 6
@@ -18,12 +18,12 @@
 line 17
 line 18
 line 19
-line 20
 line 21
 line 22
 line 23
 line 24
 line 25
+new
 line 26
 line 27
 line 28
--- b
+++ b
@@ -1,1 +1,1 @@
-x
\ No newline at end of file
+y
`
	if got.String() != want {
		t.Errorf("diff is:\n%s", got.String())
	}
}
