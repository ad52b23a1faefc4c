package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/metrics"
)

// TestNoReportSaysWhy holds that a report which the data does not allow is
// answered with what to do about it, and a fault with nothing of it.
func TestNoReportSaysWhy(t *testing.T) {
	o, _ := options()
	why := fmt.Errorf("measure %q: no pull request of its teams lies in its windows; check the team names with the data page", "worked-example")
	for _, c := range []struct {
		err        error
		want, hide string
	}{
		{fmt.Errorf("report: %w", &metrics.BuildError{Err: why}), "check the team names with the data page", "Internal error"},
		{why, "Internal error (ref ", "team names"},
	} {
		all := o.Reports.(reports).all
		o.Reports = reports{all: all, report: func(context.Context, string) (*metrics.Report, error) { return nil, c.err }}
		res, err := connect(t, o).CallTool(t.Context(), &sdk.CallToolParams{Name: "get_pilot_report", Arguments: map[string]any{"pilot": "worked-example"}})
		if err != nil {
			t.Fatal(err)
		}
		text := res.Content[0].(*sdk.TextContent).Text
		if !res.IsError || !strings.Contains(text, c.want) || strings.Contains(text, c.hide) {
			t.Errorf("answer %q", text)
		}
	}
}

// TestToolList holds the interface: names, descriptions and schemas are what
// clients are written against.
func TestToolList(t *testing.T) {
	o, _ := options()
	cs := connect(t, o)
	list, err := cs.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	compact, err := json.Marshal(map[string]any{"tools": list.Tools})
	if err != nil {
		t.Fatal(err)
	}
	checkListSize(t, list.Tools)
	if bytes.Contains(compact, []byte(`"null"`)) {
		t.Error("a schema allows null; some clients refuse a list of types")
	}
	if list.CacheScope != "private" {
		t.Errorf("cacheScope = %q, want private", list.CacheScope)
	}
	for _, tool := range list.Tools {
		checkTool(t, tool)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, compact, "", "  "); err != nil {
		t.Fatal(err)
	}
	indented.WriteByte('\n')
	golden(t, "tools-list.json", indented.Bytes())
}

// checkListSize holds what every client pays for with every conversation. The
// output schemas are for programs: hosts do not show them to a model.
func checkListSize(t *testing.T, tools []*sdk.Tool) {
	t.Helper()
	bytesOf := func(schemas bool) int {
		all := make([]sdk.Tool, len(tools))
		for i, tool := range tools {
			if all[i] = *tool; !schemas {
				all[i].OutputSchema = nil
			}
		}
		compact, err := json.Marshal(map[string]any{"tools": all})
		if err != nil {
			t.Fatal(err)
		}
		return len(compact)
	}
	whole, shown := bytesOf(true), bytesOf(false)
	if whole >= 20_000 || shown >= 8_000 {
		t.Errorf("tools/list is %d bytes, %d without output schemas; must stay under 20,000 and 8,000", whole, shown)
	}
	t.Logf("tools/list is %d bytes, %d without output schemas", whole, shown)
}

func checkTool(t *testing.T, tool *sdk.Tool) {
	t.Helper()
	a := tool.Annotations
	if !a.ReadOnlyHint || !a.IdempotentHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint != (tool.Name == "check_dependency") {
		t.Errorf("%s: annotations %+v, want read-only, idempotent and not destructive, open-world only for registries, all said", tool.Name, a)
	}
	if !regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`).MatchString(tool.Name) || tool.Title == "" || len(tool.Description) < 80 {
		t.Errorf("%s: name must be verb_noun, with a title and a description that says when to use it", tool.Name)
	}
	for kind, schema := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
		s := schema.(map[string]any)
		if s["type"] != "object" {
			t.Errorf("%s: %s schema has type %v, must be object", tool.Name, kind, s["type"])
		}
		if kind == "input" {
			if s["additionalProperties"] != false {
				t.Errorf("%s: the input schema accepts arguments it does not know", tool.Name)
			}
			properties, _ := s["properties"].(map[string]any) // a tool may take none
			for name, p := range properties {
				if p.(map[string]any)["description"] == nil {
					t.Errorf("%s: argument %s is not described", tool.Name, name)
				}
			}
		}
	}
}

func TestCapabilities(t *testing.T) {
	o, _ := options()
	res := connect(t, o).InitializeResult()
	caps, err := json.Marshal(res.Capabilities)
	if err != nil {
		t.Fatal(err)
	}
	if string(caps) != `{"completions":{},"prompts":{},"resources":{},"tools":{}}` {
		t.Errorf("capabilities %s, want no list changes, subscriptions or logging", caps)
	}
	if res.ServerInfo.Name != "steelyard" || res.ServerInfo.Version != "0.0.0-test" || len(res.Instructions) < 200 {
		t.Errorf("server info %+v, instructions %q", res.ServerInfo, res.Instructions)
	}
}

// TestAnswers holds what a model reads, text and structure.
func TestAnswers(t *testing.T) {
	o, log := options()
	cs := connect(t, o)
	for _, c := range []struct {
		name, tool string
		args       map[string]any
	}{
		{"list-pilots", "list_pilots", nil},
		{"report", "get_pilot_report", map[string]any{"pilot": "worked-example"}},
		{"report-metric", "get_pilot_report", map[string]any{"pilot": "worked-example", "metric": "open_to_merge"}},
		{"report-missing-numbers", "get_pilot_report", map[string]any{"pilot": "agents-weekly"}},
		{"findings", "list_findings", nil},
		{"findings-filtered", "list_findings", map[string]any{"repository": "acme/shop", "rule": "mcp-unpinned-server", "severity": "warning", "limit": 1}},
		{"findings-none", "list_findings", map[string]any{"repository": "acme/empty"}},
		{"rule", "explain_rule", map[string]any{"rule": "mcp-literal-secret"}},
		{"series", "get_metric_series", map[string]any{"pilot": "worked-example"}},
		{"series-short", "get_metric_series", map[string]any{"pilot": "worked-example", "metric": "open_to_merge", "points": 6}},
		{"series-none", "get_metric_series", map[string]any{"pilot": "worked-example", "metric": "reverts"}},
		{"pulls", "list_pull_requests", map[string]any{"pilot": "worked-example"}},
		{"pulls-filtered", "list_pull_requests", map[string]any{"pilot": "worked-example", "state": "reverted", "team": "Payments", "limit": 1}},
		{"pulls-none", "list_pull_requests", map[string]any{"pilot": "worked-example", "state": "open", "team": "Ledger"}},
		{"data", "get_data_health", nil},
		{"servers", "list_mcp_servers", nil},
		{"servers-filtered", "list_mcp_servers", map[string]any{"repository": "acme/shop", "problem": "unpinned"}},
		{"instructions", "get_effective_instructions", map[string]any{"repository": "acme/shop", "surface": "claude-code", "file": "services/pay/main.go"}},
		{"dependency", "check_dependency", map[string]any{"package": "npm:gone"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := call(t, cs, c.tool, c.args)
			if res.IsError {
				t.Fatalf("isError: %s\n%s", textOf(res), log)
			}
			checkBudget(t, res)
			var indented bytes.Buffer
			if err := json.Indent(&indented, structured(t, res), "", "  "); err != nil {
				t.Fatal(err)
			}
			golden(t, c.name+".golden", []byte(textOf(res)+"\n\n"+indented.String()+"\n"))
		})
	}
}

func checkBudget(t *testing.T, res *sdk.CallToolResult) {
	t.Helper()
	text, data := textOf(res), structured(t, res)
	if n := len([]rune(text)); n >= 2000 {
		t.Errorf("%d characters of text, must be under 2,000", n)
	}
	if n := len(data); n >= 8<<10 {
		t.Errorf("%d bytes of structured content, must be under 8 KiB", n)
	}
	if bytes.Contains(data, []byte("null")) {
		t.Errorf("structured content holds null: %s", data)
	}
}

// TestRefusals holds the errors that a model can act on: they name what to do
// and the valid choices.
func TestRefusals(t *testing.T) {
	o, log := options()
	cs := connect(t, o)
	for _, c := range []struct {
		name, tool string
		args       any
		want       []string
	}{
		{"unknown-pilot", "get_pilot_report", map[string]any{"pilot": "worked-sample"}, []string{`no pilot "worked-sample"`, "one of: worked-example, agents-weekly."}},
		{"no-pilot-named", "get_pilot_report", nil, []string{"Which pilot?", "agents-weekly, worked-example"}},
		{"pilot-out-of-pattern", "get_pilot_report", map[string]any{"pilot": "Worked Example"}, []string{"Bad arguments for get_pilot_report", "pilot", "Pilots: agents-weekly, worked-example."}},
		{"unknown-metric", "get_pilot_report", map[string]any{"pilot": "worked-example", "metric": "speed"}, []string{`no metric "speed"`, "open_to_merge, reverts"}},
		{"unknown-argument", "get_pilot_report", map[string]any{"pilot": "worked-example", "team": "x"}, []string{"Bad arguments", "team"}},
		{"unknown-rule", "explain_rule", map[string]any{"rule": "MC999"}, []string{`no rule "MC999"`, "MC001 (mcp-literal-secret)"}},
		{"no-rule-named", "explain_rule", map[string]any{}, []string{"Bad arguments for explain_rule", "rule", "Rules: MC001 (mcp-literal-secret)"}},
		{"unknown-repository", "list_findings", map[string]any{"repository": "acme/shp"}, []string{`repository "acme/shp"`, "acme/shop"}},
		{"limit-too-large", "list_findings", map[string]any{"limit": 101}, []string{"Bad arguments for list_findings", "limit", "100"}},
		{"limit-zero", "list_findings", map[string]any{"limit": 0}, []string{"limit"}},
		{"limit-fraction", "list_findings", map[string]any{"limit": 1.5}, []string{"limit"}},
		{"severity", "list_findings", map[string]any{"severity": "fatal"}, []string{"severity", "error"}},
		{"series-unknown-metric", "get_metric_series", map[string]any{"pilot": "worked-example", "metric": "speed"}, []string{`no metric "speed"`, "open_to_merge, reverts"}},
		{"series-too-long", "get_metric_series", map[string]any{"pilot": "worked-example", "points": 105}, []string{"Bad arguments for get_metric_series", "points", "104"}},
		{"pulls-of-a-table", "list_pull_requests", map[string]any{"pilot": "agents-weekly"}, []string{"measured by an imported table", "get_metric_series"}},
		{"pulls-unknown-pilot", "list_pull_requests", map[string]any{"pilot": "worked-sample"}, []string{`no pilot "worked-sample"`, "one of: worked-example"}},
		{"pulls-unknown-team", "list_pull_requests", map[string]any{"pilot": "worked-example", "team": "Paymnts"}, []string{`no team "Paymnts"`, "one of: Payments, Ledger"}},
		{"pulls-no-day", "list_pull_requests", map[string]any{"pilot": "worked-example", "from": "2026-02-30"}, []string{"no day of the calendar"}},
		{"pulls-turned-around", "list_pull_requests", map[string]any{"pilot": "worked-example", "from": "2026-03-02", "to": "2026-03-01"}, []string{"lies after to"}},
		{"pulls-cursor", "list_pull_requests", map[string]any{"pilot": "worked-example", "cursor": "AAAA"}, []string{"leave cursor out"}},
		{"servers-unknown-repository", "list_mcp_servers", map[string]any{"repository": "acme/shp"}, []string{"acme/shop"}},
		{"instructions-which", "get_effective_instructions", map[string]any{"surface": "codex", "file": "a.go"}, []string{"Which repository?", "acme/empty, acme/shop"}},
		{"instructions-unknown", "get_effective_instructions", map[string]any{"repository": "acme/shp", "surface": "codex", "file": "a.go"}, []string{"acme/shop", "steelyard scan"}},
		{"instructions-no-surface", "get_effective_instructions", map[string]any{"repository": "acme/shop", "surface": "clippy", "file": "a.go"}, []string{"Bad arguments", "surface", "claude-code"}},
		{"instructions-no-path", "get_effective_instructions", map[string]any{"repository": "acme/shop", "surface": "codex", "file": "/etc/passwd"}, []string{"no path of a file"}},
		{"cursor-garbage", "list_findings", map[string]any{"cursor": "AAAA"}, []string{"leave cursor out"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := call(t, cs, c.tool, c.args)
			text := textOf(res)
			if !res.IsError || res.StructuredContent != nil {
				t.Errorf("isError = %v with structured %v, want an error alone", res.IsError, res.StructuredContent)
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("text %q, want %q in it", text, want)
				}
			}
		})
	}
	if strings.Contains(log.String(), `"level":"ERROR"`) {
		t.Errorf("a refusal was logged as a failure:\n%s", log)
	}
	if _, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "delete_pilot"}); err == nil {
		t.Error("an unknown tool gave a result")
	}
}

func TestEmptyDatabase(t *testing.T) {
	o, _ := options()
	o.Reports, o.Findings = reports{}, findings{}
	cs := connect(t, o)
	for tool, want := range map[string]string{
		"list_pilots":   "No pilot is defined yet",
		"list_findings": "Nothing has been scanned yet",
	} {
		res := call(t, cs, tool, nil)
		if text := textOf(res); res.IsError || !strings.Contains(text, want) {
			t.Errorf("%s: isError %v, %q; want %q", tool, res.IsError, text, want)
		}
		checkBudget(t, res)
	}
	if res := call(t, cs, "get_pilot_report", nil); !res.IsError || !strings.Contains(textOf(res), "No pilot is defined yet") {
		t.Errorf("get_pilot_report: %q", textOf(res))
	}
}

func TestPilotWithoutData(t *testing.T) {
	o, _ := options()
	all := reports{all: []*metrics.Report{workedExample()}}
	all.report = func(_ context.Context, id string) (*metrics.Report, error) {
		return nil, fmt.Errorf("read panel of %q: %w", id, metrics.ErrNotFound)
	}
	o.Reports = all
	res := call(t, connect(t, o), "get_pilot_report", map[string]any{"pilot": "worked-example"})
	if !res.IsError || !strings.Contains(textOf(res), "is defined but has no data yet") {
		t.Errorf("isError %v: %s", res.IsError, textOf(res))
	}
}

func TestOnlyPilotNeedsNoName(t *testing.T) {
	o, _ := options()
	o.Reports = reports{all: []*metrics.Report{workedExample()}}
	res := call(t, connect(t, o), "get_pilot_report", nil)
	if res.IsError || !strings.Contains(textOf(res), "worked-example") {
		t.Errorf("isError %v: %s", res.IsError, textOf(res))
	}
}

// TestCoercion holds that arguments a model got almost right are understood.
func TestCoercion(t *testing.T) {
	o, log := options()
	cs := connect(t, o)
	for name, args := range map[string]any{
		"number-as-text":   map[string]any{"limit": "1"},
		"padded-number":    map[string]any{"limit": " +01.0 "},
		"case-of-enum":     map[string]any{"severity": "Error", "limit": 1},
		"case-of-rule":     map[string]any{"rule": " mc001 "},
		"null-and-empty":   map[string]any{"limit": 1, "rule": nil, "severity": "", "cursor": ""},
		"object-as-text":   `{"limit": "1"}`,
		"case-of-repo":     map[string]any{"repository": "ACME/Shop", "limit": 1},
		"empty-for-number": map[string]any{"limit": "", "severity": "error"},
	} {
		t.Run(name, func(t *testing.T) {
			res := call(t, cs, "list_findings", args)
			var out struct {
				Findings []struct {
					Rule string `json:"rule"`
				} `json:"findings"`
			}
			if err := json.Unmarshal(structured(t, res), &out); err != nil || len(out.Findings) != 1 || out.Findings[0].Rule != "MC001" {
				t.Errorf("got %+v, %v: %s", out, err, textOf(res))
			}
		})
	}
	if strings.Contains(log.String(), "bad_arguments") {
		t.Errorf("some arguments were refused:\n%s", log)
	}
}

// TestPaging walks through more findings than one answer may hold and meets
// each exactly once.
func TestPaging(t *testing.T) {
	o, _ := options()
	many := sampleFindings()
	many.all = nil
	for i := range 137 {
		f := sampleFindings().all[i%2]
		f.Line = i + 1
		f.Message += strings.Repeat(" and more", i%40)
		many.all = append(many.all, f)
	}
	o.Findings = many
	cs := connect(t, o)
	for _, limit := range []int{0, 3, 100} {
		seen := map[int]int{}
		args := map[string]any{}
		if limit > 0 {
			args["limit"] = limit
		}
		for pages := 0; ; pages++ {
			res := call(t, cs, "list_findings", args)
			var out struct {
				Findings []struct {
					Line int `json:"line"`
				} `json:"findings"`
				Total      int    `json:"total"`
				NextCursor string `json:"next_cursor"`
			}
			if err := json.Unmarshal(structured(t, res), &out); err != nil || res.IsError || pages > 137 {
				t.Fatalf("page %d: %v: %s", pages, err, textOf(res))
			}
			if limit <= 20 {
				checkBudget(t, res)
			}
			if out.Total != 137 || len(out.Findings) == 0 || limit > 0 && len(out.Findings) > limit {
				t.Fatalf("page %d holds %d of %d", pages, len(out.Findings), out.Total)
			}
			for _, f := range out.Findings {
				seen[f.Line]++
			}
			if out.NextCursor == "" {
				t.Logf("limit %d: %d pages", limit, pages+1)
				break
			}
			if !strings.Contains(textOf(res), "next_cursor") {
				t.Error("the text does not say that there are more")
			}
			args["cursor"] = out.NextCursor
		}
		if len(seen) != 137 {
			t.Errorf("limit %d: saw %d findings, want 137 once each: %v", limit, len(seen), seen)
		}
	}

	t.Run("cursor-of-another-query", func(t *testing.T) {
		first := call(t, cs, "list_findings", map[string]any{"limit": 3})
		var out struct {
			NextCursor string `json:"next_cursor"`
		}
		if err := json.Unmarshal(structured(t, first), &out); err != nil {
			t.Fatal(err)
		}
		res := call(t, cs, "list_findings", map[string]any{"limit": 3, "severity": "error", "cursor": out.NextCursor})
		if !res.IsError || !strings.Contains(textOf(res), "another query") {
			t.Errorf("isError %v: %s", res.IsError, textOf(res))
		}
	})
}

func TestManyPilotsArePaged(t *testing.T) {
	o, _ := options()
	var all []*metrics.Report
	for i := range 57 {
		r := workedExample()
		r.Definition.Pilot.ID = "pilot-" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		r.Verdict.Sentence = strings.Repeat("A long sentence. ", i%30)
		all = append(all, r)
	}
	o.Reports = reports{all: all}
	cs := connect(t, o)
	seen := map[string]int{}
	args := map[string]any{}
	for {
		res := call(t, cs, "list_pilots", args)
		var out struct {
			Pilots []struct {
				ID string `json:"id"`
			} `json:"pilots"`
			NextCursor string `json:"next_cursor"`
		}
		if err := json.Unmarshal(structured(t, res), &out); err != nil || res.IsError {
			t.Fatalf("%v: %s", err, textOf(res))
		}
		checkBudget(t, res)
		for _, p := range out.Pilots {
			seen[p.ID]++
		}
		if out.NextCursor == "" {
			break
		}
		args["cursor"] = out.NextCursor
	}
	if len(seen) != 57 {
		t.Errorf("saw %d pilots, want 57", len(seen))
	}
}

// oneByOne makes summaries one at a time; those of slow are never ready.
type oneByOne struct {
	reports
	slow map[string]bool
}

func (o oneByOne) PilotIDs(context.Context) (ids []string, err error) {
	for _, r := range o.all {
		ids = append(ids, r.Definition.Pilot.ID)
	}
	return ids, nil
}

func (o oneByOne) Summary(ctx context.Context, pilot string) (metrics.Summary, error) {
	all, err := o.Summaries(ctx)
	if err != nil {
		return metrics.Summary{}, err
	}
	for _, s := range all {
		switch {
		case s.ID != pilot:
		case o.slow[pilot]:
			<-ctx.Done()
			return metrics.Summary{ID: s.ID, Title: s.Title}, ctx.Err()
		default:
			return s, nil
		}
	}
	return metrics.Summary{}, metrics.ErrNotFound
}

// TestListPilotsWaitsForNobody holds that a pilot whose report takes long is
// listed, that the others are shown, and that only the shown ones are made.
func TestListPilotsWaitsForNobody(t *testing.T) {
	o, _ := options()
	o.CallTimeout = 2 * time.Second
	o.Reports = oneByOne{reports{all: []*metrics.Report{workedExample(), second()}}, map[string]bool{"agents-weekly": true}}
	res := call(t, connect(t, o), "list_pilots", nil)
	text := textOf(res)
	for _, want := range []string{"2 of 2 pilots", "worked-example (Worked example)", "−17 points", "agents-weekly (Agents, by week)", "not ready in time. Call list_pilots once more"} {
		if res.IsError || !strings.Contains(text, want) {
			t.Errorf("isError %v, no %q in:\n%s", res.IsError, want, text)
		}
	}
}

// TestLongReportStaysWithinBudget holds that what is cut is said, and that no
// number is shown without its interval.
func TestLongReportStaysWithinBudget(t *testing.T) {
	long := func(metricCount, textLength int) *metrics.Report {
		r := workedExample()
		filler := strings.Repeat("long words ", textLength/11+1)[:textLength]
		r.Design.Why = append(r.Design.Why, filler, filler)
		r.Verdict.WouldChange = append(r.Verdict.WouldChange, filler, filler, filler)
		for i := range metricCount {
			m := openToMerge()
			m.Outcome.ID += string(rune('a' + i))
			m.Outcome.Role = metrics.RoleSecondary
			m.Against = append(m.Against, metrics.Reason{Title: "More", Text: filler})
			m.Headline.Notes = append(m.Headline.Notes, filler)
			r.Metrics = append(r.Metrics, m)
		}
		return r
	}
	for _, c := range []struct{ metrics, text int }{{1, 50}, {6, 50}, {20, 100}, {20, 3000}, {1, 3000}, {0, 100000}} {
		o, _ := options()
		o.Reports = reports{all: []*metrics.Report{long(c.metrics, c.text)}}
		cs := connect(t, o)
		for _, metric := range []string{"", "open_to_merge", "reverts"} {
			res := call(t, cs, "get_pilot_report", map[string]any{"metric": metric})
			checkBudget(t, res)
			text, data := textOf(res), string(structured(t, res))
			if metric == "" && c.metrics > 5 && (!strings.Contains(text, "Left out here to stay short") || !strings.Contains(data, `"shortened":["`)) {
				t.Errorf("%+v: the cut is not said:\n%s\n%s", c, text, data)
			}
			if metric != "reverts" && !strings.Contains(text, "−17 points, 95 % interval −41 to +9, p = 0.11") {
				t.Errorf("%+v: the primary effect is not whole:\n%s", c, text)
			}
		}
	}
}

// TestManual holds docs/mcp.md to the tools and their arguments.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	o, _ := options()
	list, err := connect(t, o).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		_, row, ok := strings.Cut(string(manual), "\n| `"+tool.Name+"` |")
		if !ok {
			t.Errorf("docs/mcp.md has no row for %s", tool.Name)
			continue
		}
		row, _, _ = strings.Cut(row, "\n")
		properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for name := range properties {
			if !strings.Contains(row, "`"+name+"`") {
				t.Errorf("docs/mcp.md does not name argument %s of %s", name, tool.Name)
			}
		}
	}
}
