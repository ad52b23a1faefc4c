package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"

	"steelyard/lint"
	"steelyard/rules"
)

// SARIFOptions say what stands in a SARIF file beside the findings.
type SARIFOptions struct {
	// Version is the program's own.
	Version string
	// Rules are the pages of the rules that ran.
	Rules []rules.Page
}

// MaxResults is how many results GitHub takes of one run; it refuses a file
// with more. The worst are kept, and a notification says how many were not.
const MaxResults = 25_000

// maxRelated is how many locations GitHub takes of one result.
const maxRelated = 1000

// SARIF writes a result as SARIF 2.1.0, in the part that GitHub code scanning
// reads: rules with their pages as help, results with a fingerprint that
// survives moved lines, paths as relative URIs, columns in UTF-16 units. What
// was skipped is in the run's notifications.
//
// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version
// 2.1.0"; GitHub, "SARIF support for code scanning".
func SARIF(w io.Writer, res lint.Result, o SARIFOptions) error {
	findings := worstFirst(res.Findings)
	used := map[string]int{}
	driver := sarifDriver{Name: "Steelyard", SemanticVersion: semantic(o.Version), Version: o.Version, Rules: []sarifRule{}}
	for _, page := range o.Rules {
		used[page.ID] = len(driver.Rules)
		driver.Rules = append(driver.Rules, ruleOf(page))
	}
	run := sarifRun{
		Tool:           sarifTool{driver},
		ColumnKind:     "utf16CodeUnits",
		Invocations:    []sarifInvocation{{ExecutionSuccessful: true, Notifications: notifications(res, len(findings))}},
		Results:        []sarifResult{},
		OriginalURIIDs: map[string]sarifURI{"%SRCROOT%": {Description: &sarifText{Text: "The folder that was checked."}}},
	}
	seen := map[string]int{}
	for _, f := range findings {
		r := resultOf(f, seen)
		if at, ok := used[f.Rule]; ok {
			r.RuleIndex = &at
		}
		run.Results = append(run.Results, r)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
	if err != nil {
		return fmt.Errorf("encode SARIF: %w", err)
	}
	if _, err := w.Write(escapeUnsafe(text.Bytes())); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

// worstFirst returns at most [MaxResults] findings: where there are more, the
// worst of them, in their order.
func worstFirst(findings []lint.Finding) []lint.Finding {
	if len(findings) <= MaxResults {
		return findings
	}
	order := []rules.Severity{rules.Error, rules.Warning, rules.Note}
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b lint.Finding) int {
		return slices.Index(order, a.Severity) - slices.Index(order, b.Severity)
	})
	return sorted[:MaxResults]
}

func notifications(res lint.Result, kept int) []sarifNotification {
	list := []sarifNotification{}
	for _, s := range res.Skipped {
		list = append(list, sarifNotification{
			Level: "warning", Message: sarifText{Text: s.Path + " was not looked at: " + s.Reason},
			Locations: []sarifLocation{{Physical: sarifPhysical{Artifact: artifact(s.Path)}}},
		})
	}
	if more := len(res.Findings) - kept; more > 0 {
		list = append(list, sarifNotification{
			Level: "warning", Message: sarifText{Text: fmt.Sprintf("%d findings are not in this file: GitHub takes %d", more, MaxResults)},
		})
	}
	return list
}

// levels are SARIF's words for the severities.
var levels = map[rules.Severity]string{rules.Error: "error", rules.Warning: "warning", rules.Note: "note"}

// problems are GitHub's.
var problems = map[rules.Severity]string{rules.Error: "error", rules.Warning: "warning", rules.Note: "recommendation"}

func ruleOf(p rules.Page) sarifRule {
	return sarifRule{
		ID: p.ID, Name: p.Name,
		Short:   sarifText{Text: p.Title},
		Full:    sarifText{Text: firstParagraph(p.Why)},
		Help:    sarifMultiText{Text: p.HowToFix, Markdown: p.Markdown},
		Default: sarifConfiguration{Level: levels[p.Severity]},
		Properties: map[string]any{
			"tags": []string{"assistants", strings.ToLower(p.ID[:2])}, "precision": "high",
			"problem.severity": problems[p.Severity],
			"lifecycle":        string(p.Lifecycle),
		},
	}
}

// firstParagraph is what GitHub shows of a rule: at most 1,024 characters.
func firstParagraph(text string) string {
	const most = 1024
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	if runes := []rune(first); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return first
}

func resultOf(f lint.Finding, seen map[string]int) sarifResult {
	r := sarifResult{
		RuleID: f.Rule, Level: levels[f.Severity],
		Message:      sarifText{Text: f.Message},
		Locations:    []sarifLocation{{Physical: sarifPhysical{Artifact: artifact(f.Path), Region: regionOf(f)}}},
		Fingerprints: map[string]string{"steelyard/v1": fingerprint(f, seen)},
	}
	for i, rel := range f.Related[:min(len(f.Related), maxRelated-1)] {
		one := sarifLocation{ID: i + 1, Physical: sarifPhysical{Artifact: artifact(rel.Path), Region: &sarifRegion{StartLine: max(rel.Line, 1)}}}
		if rel.Message != "" {
			one.Message = &sarifText{Text: rel.Message}
		}
		r.Related = append(r.Related, one)
	}
	return r
}

// fingerprint is the same for a finding as long as its rule, its file and the
// text of its line are; equal ones are numbered.
func fingerprint(f lint.Finding, seen map[string]int) string {
	key := strings.Join([]string{f.Rule, f.Path, f.NormalLine()}, "\x00")
	seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
	return hex.EncodeToString(sum[:16])
}

func artifact(path string) sarifArtifact {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return sarifArtifact{URI: strings.Join(segments, "/"), Base: "%SRCROOT%"}
}

// regionOf turns byte columns into columns of UTF-16 units, as far as the line
// is known.
func regionOf(f lint.Finding) *sarifRegion {
	r := &sarifRegion{StartLine: max(f.Line, 1)}
	if f.Snippet == "" {
		return r
	}
	r.StartColumn = units(f.Snippet, f.Column)
	switch {
	case f.EndLine == f.Line && f.EndColumn > f.Column:
		r.EndLine, r.EndColumn = f.EndLine, units(f.Snippet, f.EndColumn)
	case f.EndLine > f.Line:
		r.EndLine = f.EndLine
	}
	return r
}

// units is the 1-based column of a byte column in UTF-16 units.
func units(line string, column int) int {
	before := line[:min(max(column-1, 0), len(line))]
	return len(utf16.Encode([]rune(before))) + 1
}

// semantic is a version without its leading v, "" where it is none.
func semantic(version string) string {
	v := strings.TrimPrefix(version, "v")
	if v == "" || v[0] < '0' || v[0] > '9' {
		return ""
	}
	return v
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool           sarifTool           `json:"tool"`
	ColumnKind     string              `json:"columnKind"`
	OriginalURIIDs map[string]sarifURI `json:"originalUriBaseIds"`
	Invocations    []sarifInvocation   `json:"invocations"`
	Results        []sarifResult       `json:"results"`
}

type sarifURI struct {
	Description *sarifText `json:"description,omitempty"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name            string      `json:"name"`
	Version         string      `json:"version,omitempty"`
	SemanticVersion string      `json:"semanticVersion,omitempty"`
	Rules           []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID         string             `json:"id"`
	Name       string             `json:"name"`
	Short      sarifText          `json:"shortDescription"`
	Full       sarifText          `json:"fullDescription"`
	Help       sarifMultiText     `json:"help"`
	Default    sarifConfiguration `json:"defaultConfiguration"`
	Properties map[string]any     `json:"properties"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifMultiText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    *int              `json:"ruleIndex,omitempty"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	ID       int           `json:"id,omitempty"`
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifText    `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}
