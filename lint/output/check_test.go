package output_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"steelyard/lint"
	"steelyard/lint/output"
	"steelyard/rules"
)

// checked is a check of the sample, and how it is written in the tests.
func checked(t *testing.T) (output.Check, output.Options) {
	t.Helper()
	o := output.Options{
		Version: "0.1.0", Rules: sarifOptions(t).Rules, Folder: "services/pay ments",
		Source: "https://github.com/acme/shop/blob/4f2c6c1", Marker: output.Marker("services/pay ments"),
	}
	return output.Check{
		Result: sample(t), Repository: "acme/shop", Base: "main", Head: "4f2c6c1", FailOn: "error",
		LeftOut: []string{"no token: reviews and requested reviewers were not looked at", "the branch \"x\u202e@acme\" is gone"},
	}, o
}

// written is a check in one of the formats.
func written(t *testing.T, format string, c output.Check, o output.Options) string {
	t.Helper()
	var text bytes.Buffer
	if err := output.Write(&text, format, c, o); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestWriteGolden(t *testing.T) {
	for _, format := range output.Formats() {
		t.Run(format, func(t *testing.T) {
			c, o := checked(t)
			got := written(t, format, c, o)
			if strings.Contains(got, "q7Zt2mWx9Lb4") {
				t.Errorf("the secret is shown:\n%s", got)
			}
			if i := strings.IndexAny(got, "\x1b\u202e"); i >= 0 {
				t.Errorf("unsafe character at %d", i)
			}
			golden := "testdata/check-" + format + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("output differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWriteClean wants every form to say that nothing was found.
func TestWriteClean(t *testing.T) {
	for format, want := range map[string]string{
		"text": "No findings in 3 governed files.\n", "github": "", "summary": "## Steelyard: no findings\n",
		"markdown": "## Steelyard: no findings\n", "junit": `tests="1" failures="0"`, "rdjson": `"diagnostics": []`,
		"sarif": `"results": []`, "json": `"findings": []`,
	} {
		got := written(t, format, output.Check{Result: lint.Result{Files: 3}}, output.Options{})
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q does not say %q", format, got, want)
		}
	}
}

// TestTextOfAChange does not say that nothing was checked where a change was,
// and says which.
func TestTextOfAChange(t *testing.T) {
	commit := strings.Repeat("0123456789abcdef", 3)[:40]
	check := output.Check{Base: commit, BaseName: "origin/main", Head: "the working directory", HeadName: "the working directory"}
	got := written(t, "text", check, output.Options{})
	if want := "No findings in what changed; no file here steers an assistant.\nLooked at what changed from 0123456789ab (origin/main) to the working directory.\n"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

func TestWriteRefuses(t *testing.T) {
	if err := output.Write(&bytes.Buffer{}, "html", output.Check{}, output.Options{}); err == nil || !strings.Contains(err.Error(), `no format "html"`) {
		t.Errorf("error is %v", err)
	}
	for _, format := range output.Formats() {
		c, o := checked(t)
		if err := output.Write(full{}, format, c, o); !errors.Is(err, errFull) {
			t.Errorf("%s: error is %v, want the writer's", format, err)
		}
	}
}

func TestFails(t *testing.T) {
	c := output.Check{Result: lint.Result{Findings: []lint.Finding{{Severity: rules.Warning}}}}
	for least, want := range map[string]bool{"note": true, "warning": true, "error": false, "never": false, "": false} {
		c.FailOn = least
		if got := c.Fails(); got != want {
			t.Errorf("%q: fails is %v", least, got)
		}
	}
}

func TestParseTargets(t *testing.T) {
	got, err := output.ParseTargets([]string{"text", "sarif:out/a.sarif", `json:C:\a.json`, "junit:b.xml"})
	want := []output.Target{{Format: "text"}, {"sarif", "out/a.sarif"}, {"json", `C:\a.json`}, {"junit", "b.xml"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if both, err := output.ParseTargets([]string{"text", "github:-"}); err != nil || len(both) != 2 {
		t.Errorf("text and annotations: %v, %v", both, err)
	}
	for _, bad := range [][]string{{"html"}, {"text", "github", "json"}, {""}, {"text", "json:-"}, {"text:a", "json:./a"}} {
		if _, err := output.ParseTargets(bad); err == nil || !strings.Contains(err.Error(), "--output") {
			t.Errorf("%q: error is %v", bad, err)
		}
	}
}

// TestMarker wants one marker a folder, which no folder's name can break out of.
func TestMarker(t *testing.T) {
	root, sub, bad := output.Marker(""), output.Marker("a/b"), output.Marker("x --> @y")
	if root == sub || strings.Count(bad, "-->") != 1 || strings.ContainsAny(bad, "@\n") {
		t.Errorf("markers are %q, %q and %q", root, sub, bad)
	}
}

// TestCheckSchema holds the JSON of a check to the published schema.
func TestCheckSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(output.Schema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("findings.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("findings.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	c, o := checked(t)
	text := written(t, "json", c, o)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Error(err)
	}
	var got struct {
		Check struct{ Failed bool }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || !got.Check.Failed {
		t.Errorf("failed is %v, %v", got.Check.Failed, err)
	}
}
