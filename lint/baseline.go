package lint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Baseline is what a team has accepted to find for now. A finding is known by
// its rule, its file and the text of its line, not by the line's number, so
// that lines may move; of several equal ones as many are known as there were.
type Baseline struct {
	counts map[baselineKey]int
}

type baselineKey struct{ rule, path, line string }

func keyOf(f Finding) baselineKey { return baselineKey{f.Rule, f.Path, f.NormalLine()} }

// NormalLine is the text of the finding's line as it stays the same when lines
// move: without white space or a comma at its ends, and with any other run of
// white space as one space. A secret stands in it starred. It is "" for a
// finding about a file as a whole.
func (f Finding) NormalLine() string {
	return strings.TrimRight(strings.Join(strings.Fields(f.Snippet), " "), ", ")
}

// NewBaseline accepts these findings.
func NewBaseline(findings []Finding) Baseline {
	b := Baseline{counts: map[baselineKey]int{}}
	for _, f := range findings {
		b.counts[keyOf(f)]++
	}
	return b
}

// Or knows what either of two baselines knows: of equal findings as many as the
// one that knows more of them.
func (b Baseline) Or(other Baseline) Baseline {
	both := Baseline{counts: map[baselineKey]int{}}
	for _, one := range []Baseline{b, other} {
		for key, n := range one.counts {
			both.counts[key] = max(both.counts[key], n)
		}
	}
	return both
}

// Split tells the findings that the baseline does not know from those it does.
// gone reports whether a file is no longer there: what was known in it counts
// for a file that has the same line, because files are renamed. A nil gone means
// that none is. left counts what the baseline knows and nobody found.
func (b Baseline) Split(findings []Finding, gone func(path string) bool) (fresh, known []Finding, left int) {
	counts := make(map[baselineKey]int, len(b.counts))
	moved := map[baselineKey]int{}
	for key, n := range b.counts {
		counts[key] = n
	}
	var later []Finding
	for _, f := range findings {
		if key := keyOf(f); counts[key] > 0 {
			counts[key]--
			known = append(known, f)
			continue
		}
		later = append(later, f)
	}
	for key, n := range counts {
		if gone != nil && key.line != "" && gone(key.path) {
			key.path = ""
			moved[key] += n
			continue
		}
		left += n
	}
	for _, f := range later {
		key := keyOf(f)
		key.path = ""
		if moved[key] > 0 {
			moved[key]--
			known = append(known, f)
			continue
		}
		fresh = append(fresh, f)
	}
	for _, n := range moved {
		left += n
	}
	return fresh, known, left
}

// BaselineVersion is the version of the form in which baselines are kept.
const BaselineVersion = 1

// baselineFile is a baseline as it is written.
type baselineFile struct {
	Version  int             `json:"version"`
	Findings []baselineEntry `json:"findings"`
}

type baselineEntry struct {
	Rule  string `json:"rule"`
	Path  string `json:"path"`
	Line  string `json:"line,omitempty"`
	Count int    `json:"count"`
}

// Write writes the baseline as JSON, sorted, one finding a line, so that a
// change to it can be read in a pull request.
func (b Baseline) Write(w io.Writer) error {
	entries := make([]baselineEntry, 0, len(b.counts))
	for key, n := range b.counts {
		entries = append(entries, baselineEntry{key.rule, key.path, key.line, n})
	}
	slices.SortFunc(entries, func(a, b baselineEntry) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Line, b.Line))
	})
	var text strings.Builder
	fmt.Fprintf(&text, "{\n  \"version\": %d,\n  \"findings\": [", BaselineVersion)
	for i, e := range entries {
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("encode baseline: %w", err)
		}
		if i > 0 {
			text.WriteString(",")
		}
		text.WriteString("\n    ")
		text.Write(line)
	}
	if len(entries) > 0 {
		text.WriteString("\n  ")
	}
	text.WriteString("]\n}\n")
	if _, err := io.WriteString(w, text.String()); err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	return nil
}

// maxBaselineBytes bounds a baseline that is read.
const maxBaselineBytes = 32 << 20

// ReadBaseline reads what [Baseline.Write] wrote. Unknown keys are errors.
func ReadBaseline(r io.Reader) (Baseline, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBaselineBytes+1))
	if err != nil {
		return Baseline{}, fmt.Errorf("read baseline: %w", err)
	}
	if len(data) > maxBaselineBytes {
		return Baseline{}, fmt.Errorf("read baseline: more than %d bytes: %w", maxBaselineBytes, ErrTooLarge)
	}
	var file baselineFile
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return Baseline{}, fmt.Errorf("read baseline: it is not what --write-baseline writes: %w", err)
	}
	if file.Version != BaselineVersion {
		return Baseline{}, fmt.Errorf("read baseline: its version is %d, this program reads %d; write it anew with --write-baseline", file.Version, BaselineVersion)
	}
	b := Baseline{counts: map[baselineKey]int{}}
	for i, e := range file.Findings {
		if e.Rule == "" || e.Path == "" || e.Count < 1 {
			return Baseline{}, fmt.Errorf("read baseline: finding %d needs a rule, a path and a count of 1 or more", i+1)
		}
		b.counts[baselineKey{e.Rule, e.Path, e.Line}] += e.Count
	}
	return b, nil
}
