package output_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"steelyard/lint"
	"steelyard/lint/mcpconfig"
	"steelyard/lint/output"
)

// junitAllowed are, for each element of JUnit XML, the attributes it may have,
// those it must have, and the elements within it, in the part that the schemas
// of Jenkins' xUnit plugin (junit-10.xsd) and of Maven Surefire
// (surefire-test-report-3.0.xsd) both allow. testsuites is Jenkins' alone.
var junitAllowed = map[string]struct{ may, must, within []string }{
	"testsuites": {[]string{"name", "tests", "failures", "errors", "time"}, nil, []string{"testsuite"}},
	"testsuite":  {[]string{"name", "tests", "failures", "errors", "skipped", "time"}, []string{"name", "tests", "failures", "errors", "skipped", "time"}, []string{"testcase"}},
	"testcase":   {[]string{"name", "classname", "time"}, []string{"name", "time"}, []string{"skipped", "failure", "system-out"}},
	"failure":    {[]string{"message", "type"}, nil, nil},
	"skipped":    {[]string{"message"}, nil, nil},
	"system-out": {},
}

// TestJUnitIsWhatReadersTake holds the XML to the schemas, and its sums to what
// stands in it.
func TestJUnitIsWhatReadersTake(t *testing.T) {
	sampled, o := checked(t)
	many := manyFindings(t, 300, 0)
	many.FailOn = "warning"
	for what, c := range map[string]output.Check{"clean": {}, "sample": sampled, "many": many, "hostile": hostileCheck("]]>\x00\x1b<a b=\"c\">\ufffe")} {
		dec := xml.NewDecoder(strings.NewReader(written(t, "junit", c, o)))
		var path []string
		sums := map[string]int{}
		said := map[string]int{}
		for {
			token, err := dec.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			switch e := token.(type) {
			case xml.StartElement:
				name := e.Name.Local
				allowed, known := junitAllowed[name]
				if !known || len(path) > 0 && !slices.Contains(junitAllowed[path[len(path)-1]].within, name) || len(path) == 0 && name != "testsuites" {
					t.Fatalf("%s: element %s in %v", what, name, path)
				}
				path = append(path, name)
				sums[name]++
				has := map[string]string{}
				for _, a := range e.Attr {
					has[a.Name.Local] = a.Value
					if !slices.Contains(allowed.may, a.Name.Local) {
						t.Errorf("%s: %s has the attribute %s", what, name, a.Name.Local)
					}
					if n, err := strconv.Atoi(a.Value); err == nil && name == "testsuite" {
						said[a.Name.Local] += n
					}
				}
				for _, must := range allowed.must {
					if _, ok := has[must]; !ok {
						t.Errorf("%s: %s has no %s", what, name, must)
					}
				}
			case xml.EndElement:
				path = path[:len(path)-1]
			}
		}
		if said["tests"] != sums["testcase"] || said["failures"] != sums["failure"] || said["skipped"] != sums["skipped"] || sums["testcase"] == 0 {
			t.Errorf("%s: it says %v of %v", what, said, sums)
		}
	}
}

// rdf is reviewdog's diagnostic format, whole.
//
// Source: reviewdog, proto/rdf/reviewdog.proto.
type rdf struct {
	Source      *struct{ Name, URL string }
	Severity    string
	Diagnostics []struct {
		Message     string
		Location    rdfLocation
		Severity    string
		Source      *struct{ Name, URL string }
		Code        *struct{ Value, URL string }
		Suggestions []struct {
			Range rdfRange
			Text  string
		}
		OriginalOutput   string `json:"original_output"`
		RelatedLocations []struct {
			Message  string
			Location rdfLocation
		} `json:"relatedLocations"`
	}
}

type rdfLocation struct {
	Path  string
	Range *rdfRange
}

type rdfRange struct {
	Start *rdfPosition
	End   *rdfPosition
}

type rdfPosition struct{ Line, Column int }

// TestRDJSONIsWhatReviewdogTakes wants no other field and no other word than
// reviewdog knows, and positions that it counts from 1.
func TestRDJSONIsWhatReviewdogTakes(t *testing.T) {
	c, o := checked(t)
	c.Result.Findings = append(c.Result.Findings, manyFindings(t, 100, 0).Result.Findings...)
	dec := json.NewDecoder(strings.NewReader(written(t, "rdjson", c, o)))
	dec.DisallowUnknownFields()
	var got rdf
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if len(got.Diagnostics) != len(c.Result.Findings) || got.Source.Name != "steelyard" {
		t.Fatalf("%d diagnostics of %s", len(got.Diagnostics), got.Source.Name)
	}
	for _, d := range got.Diagnostics {
		if !slices.Contains([]string{"ERROR", "WARNING", "INFO"}, d.Severity) || d.Message == "" || !strings.HasPrefix(d.Location.Path, "services/pay ments/") ||
			d.Location.Range.Start.Line < 1 || d.Location.Range.Start.Column < 1 || d.Code.Value == "" {
			t.Errorf("diagnostic %+v", d)
		}
	}
}

// TestRDJSONSuggests applies the suggestions to the file, as a reviewer would
// with a click, and wants what --fix makes of it.
func TestRDJSONSuggests(t *testing.T) {
	const before = `{
	"mcpServers": {
		"ä": {"command": "npx", "args": ["-y", "@acme/search@1.2.3"], "env": {"API_KEY": "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"}}
	}
}
`
	res, err := lint.Run(t.Context(), fstest.MapFS{".mcp.json": {Data: []byte(before)}}, mcpconfig.Rules(), lint.Config{})
	if err != nil {
		t.Fatal(err)
	}
	changes, err := lint.Mend(res.Findings)
	if err != nil || len(changes) != 1 {
		t.Fatalf("%d changes, %v", len(changes), err)
	}
	var got rdf
	if err := json.Unmarshal([]byte(written(t, "rdjson", output.Check{Result: res}, output.Options{})), &got); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(before, "\n")
	applied := 0
	for _, d := range got.Diagnostics {
		for _, s := range d.Suggestions {
			if s.Range.Start.Line != s.Range.End.Line {
				t.Fatalf("a suggestion over several lines: %+v", s)
			}
			line := lines[s.Range.Start.Line-1]
			lines[s.Range.Start.Line-1] = line[:s.Range.Start.Column-1] + s.Text + line[s.Range.End.Column-1:]
			applied++
		}
	}
	if after := strings.Join(lines, ""); applied != 1 || after != string(changes[0].Text) {
		t.Errorf("%d suggestions make\n%s\nwant\n%s", applied, after, changes[0].Text)
	}
	if text := fmt.Sprint(got); strings.Contains(text, "q7Zt2mWx") {
		t.Error("the secret is shown")
	}
}
