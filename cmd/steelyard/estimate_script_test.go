package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"steelyard/metrics/estimate"
)

// answer FILE [TERM FIELD NUMBER|null] holds an answer in JSON to the published
// schema, and a term's estimate, se, low, high or p to a number, to six digits.
func answer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 && len(args) != 4 {
		ts.Fatalf("usage: answer FILE [TERM FIELD NUMBER|null]")
	}
	text := ts.ReadFile(args[0])
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(estimate.Schema))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("estimate.json", schema))
	s, err := c.Compile("estimate.json")
	ts.Check(err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	ts.Check(err)
	if err := s.Validate(doc); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	if len(args) == 1 {
		return
	}
	var a estimate.Answer
	ts.Check(json.Unmarshal([]byte(text), &a))
	i := slices.IndexFunc(a.Results, func(r estimate.Result) bool { return r.Term == args[1] })
	if i < 0 {
		ts.Fatalf("there is no term %q", args[1])
	}
	r := a.Results[i]
	got, ok := map[string]*float64{"estimate": r.Estimate, "se": r.SE, "low": r.CI[0], "high": r.CI[1], "p": r.P}[args[2]]
	if !ok {
		ts.Fatalf("a term has no %q", args[2])
	}
	if args[3] == "null" {
		if got != nil {
			ts.Fatalf("%s of %s is %v, want none", args[2], args[1], *got)
		}
		return
	}
	want := parseNumber(ts, args[3])
	if got == nil || math.Abs(*got-want) > 1e-6*math.Abs(want) {
		ts.Fatalf("%s of %s is %s, want %v", args[2], args[1], pointed(got), want)
	}
}

// TestEstimateScripts wants a script that asks each method.
func TestEstimateScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/script/estimate*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^exec steelyard estimate .*--method ([a-z-]+)`).FindAllStringSubmatch(string(text), -1) {
			asked = append(asked, m[1])
		}
	}
	for _, name := range append(estimate.Names(), "all") {
		if !slices.Contains(asked, name) {
			t.Errorf("no script of testdata/script/estimate*.txtar has an answer of --method %s", name)
		}
	}
}
