package output

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"

	"steelyard/lint"
)

// Version is the version of the JSON form. Fields may be added under the same
// version; a field that changes or goes raises it.
const Version = 1

// Schema is the JSON schema of the format "json" of [Write].
//
//go:embed findings.schema.json
var Schema []byte

// document is the JSON form of a result.
type document struct {
	Version  int            `json:"version"`
	Findings []lint.Finding `json:"findings"`
	Summary  summary        `json:"summary"`
	Check    *checked       `json:"check,omitempty"`
}

// checked is what only a check knows.
type checked struct {
	Repository string   `json:"repository"`
	Base       string   `json:"base"`
	Head       string   `json:"head"`
	BaseName   string   `json:"base_name"`
	HeadName   string   `json:"head_name"`
	FailOn     string   `json:"fail_on"`
	Failed     bool     `json:"failed"`
	LeftOut    []string `json:"left_out"`
}

type summary struct {
	Files      int         `json:"files"` // governed files
	Findings   int         `json:"findings"`
	Errors     int         `json:"errors"`
	Warnings   int         `json:"warnings"`
	Notes      int         `json:"notes"`
	Suppressed int         `json:"suppressed"`
	Known      int         `json:"known"` // left out: in a baseline or an earlier revision
	Skipped    []lint.Skip `json:"skipped"`
}

// writeJSON writes a check as one JSON object and a line break, as [Schema]
// describes it. Unsafe characters are written as escapes, so the values stay
// what they are and a terminal shows nothing else.
func writeJSON(w io.Writer, c Check, _ Options) error {
	doc := documentOf(c.Result)
	if c.Repository != "" || c.Base != "" || c.Head != "" || len(c.LeftOut) > 0 {
		doc.Check = &checked{
			Repository: c.Repository, Base: c.Base, Head: c.Head, BaseName: c.BaseName, HeadName: c.HeadName,
			FailOn: c.FailOn, Failed: c.Fails(), LeftOut: append([]string{}, c.LeftOut...),
		}
	}
	return encodeDocument(w, doc)
}

func documentOf(res lint.Result) document {
	c := count(res.Findings)
	doc := document{Version: Version, Findings: []lint.Finding{}, Summary: summary{
		Files: res.Files, Findings: len(res.Findings),
		Errors: c.errors, Warnings: c.warnings, Notes: c.notes,
		Suppressed: res.Suppressed, Known: res.Known, Skipped: append([]lint.Skip{}, res.Skipped...),
	}}
	for _, f := range res.Findings {
		if f.Related == nil {
			f.Related = []lint.Related{}
		}
		doc.Findings = append(doc.Findings, f)
	}
	return doc
}

func encodeDocument(w io.Writer, doc document) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("encode findings: %w", err)
	}
	if _, err := w.Write(escapeUnsafe(text.Bytes())); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	return nil
}

// escapeUnsafe writes the unsafe characters that encoding/json leaves as they
// are, and what would begin a command to a runner; in its output they can only
// stand inside strings.
func escapeUnsafe(text []byte) []byte {
	text = MuteJSON(text)
	var b bytes.Buffer
	b.Grow(len(text))
	for _, r := range string(text) {
		switch {
		case r == '\n' || !unsafe(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default: // a surrogate pair
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.Bytes()
}
