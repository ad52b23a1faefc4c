package output

import (
	"bytes"
	"encoding/json"
	"io"

	"steelyard/lint"
	"steelyard/rules"
)

// writeRDJSON writes a check as reviewdog's JSON. Columns count bytes from 1,
// ends are exclusive; a finding that --fix mends carries the change as a
// suggestion. Messages are Markdown, which reviewdog makes comments of.
//
// Source: reviewdog, "Reviewdog Diagnostic Format", rdjson.
func writeRDJSON(w io.Writer, c Check, o Options) error {
	result := rdResult{Source: rdSource{Name: "steelyard"}, Diagnostics: []rdDiagnostic{}}
	for _, f := range c.Result.Findings {
		result.Diagnostics = append(result.Diagnostics, diagnosticOf(f, o))
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(result); err != nil {
		return err
	}
	_, err := w.Write(escapeUnsafe(text.Bytes()))
	return err
}

// rdSeverities are reviewdog's words for the severities.
var rdSeverities = map[rules.Severity]string{rules.Error: "ERROR", rules.Warning: "WARNING", rules.Note: "INFO"}

func diagnosticOf(f lint.Finding, o Options) rdDiagnostic {
	d := rdDiagnostic{
		Message:  prose(plain(f.Message)),
		Severity: rdSeverities[f.Severity],
		Location: rdLocation{Path: o.from(f.Path), Range: &rdRange{Start: rdPosition{max(f.Line, 1), max(f.Column, 1)}}},
		Code:     rdCode{Value: f.Rule},
	}
	if f.EndLine > 0 {
		d.Location.Range.End = &rdPosition{f.EndLine, max(f.EndColumn, 1)}
	}
	for _, r := range f.Related {
		at := rdLocation{Path: o.from(r.Path), Range: &rdRange{Start: rdPosition{Line: max(r.Line, 1), Column: r.Column}}}
		d.Related = append(d.Related, rdRelated{prose(plain(r.Message)), at})
	}
	suggested := f.Suggestions()
	if len(suggested) > 1 { // each could be taken without the others
		suggested = nil
	}
	for _, s := range suggested {
		d.Suggestions = append(d.Suggestions, rdSuggestion{
			Range: rdRange{Start: rdPosition{s.Line, s.Column}, End: &rdPosition{s.EndLine, s.EndColumn}}, Text: s.Text,
		})
	}
	return d
}

type rdResult struct {
	Source      rdSource       `json:"source"`
	Diagnostics []rdDiagnostic `json:"diagnostics"`
}

type rdSource struct {
	Name string `json:"name"`
}

type rdDiagnostic struct {
	Message     string         `json:"message"`
	Location    rdLocation     `json:"location"`
	Severity    string         `json:"severity"`
	Code        rdCode         `json:"code"`
	Suggestions []rdSuggestion `json:"suggestions,omitempty"`
	Related     []rdRelated    `json:"relatedLocations,omitempty"`
}

type rdLocation struct {
	Path  string   `json:"path"`
	Range *rdRange `json:"range,omitempty"`
}

type rdRange struct {
	Start rdPosition  `json:"start"`
	End   *rdPosition `json:"end,omitempty"`
}

type rdPosition struct {
	Line   int `json:"line"`
	Column int `json:"column,omitempty"`
}

type rdCode struct {
	Value string `json:"value"`
}

type rdSuggestion struct {
	Range rdRange `json:"range"`
	Text  string  `json:"text"`
}

type rdRelated struct {
	Message  string     `json:"message,omitempty"`
	Location rdLocation `json:"location"`
}
