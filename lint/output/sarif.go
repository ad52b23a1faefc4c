package output

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
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
	// Folder is where the checked folder stands in the repository, empty for
	// its root; LeftOut what the run could not look at as a whole.
	Folder  string
	LeftOut []string
}

// Limits of GitHub's code scanning.
//
// Source: GitHub, "SARIF support for code scanning".
const (
	// MaxResults is how many results GitHub takes of one run; it refuses a file
	// with more. The worst are kept, and a notification says how many were not.
	MaxResults = 25_000
	// MaxCompressed is how many bytes the file may have compressed with gzip:
	// 10 MB, less what another compressor may do worse.
	MaxCompressed = 9_500_000
	// maxRelated is how many locations GitHub takes of one result.
	maxRelated = 1000
	// maxSARIFMessage bounds a message in bytes.
	maxSARIFMessage = 4000
)

// SARIF writes a result as SARIF 2.1.0, in the part that GitHub code scanning
// reads: rules with their pages as help, results with a fingerprint that
// survives moved lines, paths as relative URIs, columns in UTF-16 units. What
// was skipped is in the run's notifications.
//
// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version
// 2.1.0".
func SARIF(w io.Writer, res lint.Result, o SARIFOptions) error {
	findings := res.Findings
	if len(findings) > MaxResults {
		findings = bySeverity(findings)[:MaxResults]
	}
	text, err := encodeSARIF(res, findings, o)
	for err == nil && len(text) > MaxCompressed && len(findings) > 0 {
		size := compressed(text)
		if size <= MaxCompressed {
			break
		}
		keep := min(len(findings)*MaxCompressed/size*9/10, len(findings)-1)
		findings = bySeverity(findings)[:keep]
		text, err = encodeSARIF(res, findings, o)
	}
	if err != nil {
		return fmt.Errorf("encode SARIF: %w", err)
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

// compressed is the length of a text in gzip.
func compressed(text []byte) int {
	var n counter
	z, err := gzip.NewWriterLevel(&n, gzip.BestSpeed)
	if err != nil {
		return len(text) // the level is a constant that gzip knows
	}
	_, _ = z.Write(text) // a counter takes everything
	_ = z.Close()
	return int(n)
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func encodeSARIF(res lint.Result, findings []lint.Finding, o SARIFOptions) ([]byte, error) {
	used := map[string]int{}
	driver := sarifDriver{Name: "Steelyard", SemanticVersion: semantic(o.Version), Version: o.Version, Rules: []sarifRule{}}
	for _, page := range o.Rules {
		used[page.ID] = len(driver.Rules)
		driver.Rules = append(driver.Rules, ruleOf(page))
	}
	at := Options{Folder: o.Folder}
	run := sarifRun{
		Tool:           sarifTool{driver},
		ColumnKind:     "utf16CodeUnits",
		Invocations:    []sarifInvocation{{ExecutionSuccessful: true, Notifications: notifications(res, len(findings), o)}},
		Results:        []sarifResult{},
		OriginalURIIDs: map[string]sarifURI{"%SRCROOT%": {Description: &sarifText{Text: "The repository that was checked."}}},
	}
	seen := map[string]int{}
	for _, f := range findings {
		r := resultOf(f, seen, at)
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
	return escapeUnsafe(text.Bytes()), err
}

// maxNotifications bounds what is said of single paths.
const maxNotifications = 200

func notifications(res lint.Result, kept int, o SARIFOptions) []sarifNotification {
	list := []sarifNotification{}
	say := func(format string, args ...any) {
		list = append(list, sarifNotification{Level: "warning", Message: sarifText{Text: unlinked(short(fmt.Sprintf(format, args...), maxSARIFMessage))}})
	}
	for _, s := range res.Skipped[:min(len(res.Skipped), maxNotifications)] {
		path := Options{Folder: o.Folder}.from(s.Path)
		say("%s was not looked at: %s", path, s.Reason)
		list[len(list)-1].Locations = []sarifLocation{{Physical: sarifPhysical{Artifact: artifact(path)}}}
	}
	if more := len(res.Skipped) - maxNotifications; more > 0 {
		say("%d more paths were not looked at", more)
	}
	for _, s := range o.LeftOut[:min(len(o.LeftOut), maxNotifications)] {
		say("%s", s)
	}
	if more := len(res.Findings) - kept; more > 0 {
		say("%d findings are not in this file: GitHub takes %d results and 10 MB compressed", more, MaxResults)
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

func resultOf(f lint.Finding, seen map[string]int, o Options) sarifResult {
	r := sarifResult{
		RuleID: f.Rule, Level: levels[f.Severity],
		Message:      sarifText{Text: messageOf(f, o)},
		Locations:    []sarifLocation{{Physical: sarifPhysical{Artifact: artifact(o.from(f.Path)), Region: regionOf(f)}}},
		Fingerprints: map[string]string{"steelyard/v1": fingerprint(f, o.from(f.Path), seen)},
	}
	for i, rel := range f.Related[:min(len(f.Related), maxRelated-1)] {
		one := sarifLocation{ID: i + 1, Physical: sarifPhysical{Artifact: artifact(o.from(rel.Path)), Region: &sarifRegion{StartLine: max(rel.Line, 1)}}}
		if rel.Message != "" {
			one.Message = &sarifText{Text: unlinked(short(rel.Message, maxSARIFMessage))}
		}
		r.Related = append(r.Related, one)
	}
	return r
}

// messageOf is a finding's message and the first other places that it is about:
// GitHub shows no related location that the message does not name.
func messageOf(f lint.Finding, o Options) string {
	const named = 3
	text := short(f.Message, maxSARIFMessage)
	for _, r := range f.Related[:min(len(f.Related), named)] {
		text += fmt.Sprintf("; see %s:%d", short(o.from(r.Path), maxPath), max(r.Line, 1))
	}
	return unlinked(text)
}

// unlinked is a text that holds no link: SARIF reads [words](address) as one,
// in plain text too (section 3.11.6).
func unlinked(s string) string { return strings.ReplaceAll(s, "](", "] (") }

// fingerprint is the same for a finding as long as its rule, its file and the
// text of its line are; equal ones are numbered.
func fingerprint(f lint.Finding, path string, seen map[string]int) string {
	key := strings.Join([]string{f.Rule, path, f.NormalLine()}, "\x00")
	seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, seen[key]))
	return hex.EncodeToString(sum[:16])
}

func artifact(path string) sarifArtifact {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	// A colon in the first one would make what stands before it a scheme.
	segments[0] = strings.ReplaceAll(segments[0], ":", "%3A")
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
