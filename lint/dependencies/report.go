package dependencies

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"steelyard/lint"
)

// report reports what one rule has to say about a change.
func (a *Assessment) report(p *lint.Pass, rule string) {
	switch rule {
	case ruleUnreadable:
		for _, u := range a.Unread {
			p.ReportFile(fileAt(p, u.Path), nil, "cannot be read, so its dependencies were not checked: %s", u.Reason)
		}
		return
	case ruleExpired:
		for _, d := range a.Expired {
			f := fileAt(p, d.Source)
			p.Reportf(f, lineAt(f, d.Line), "the decision about %q ended on %s", d.Package, d.Until.Format(time.DateOnly))
		}
		return
	}
	for _, v := range a.Verdicts() {
		for _, e := range v.Evidence {
			if e.Rule == rule {
				f := fileAt(p, v.Path)
				p.ReportRelated(f, v.At, related(v), "%s: %s", quoted(v.Entry), e.Text)
			}
		}
	}
}

// quoted names an entry in a message: as written, and as it is asked.
func quoted(e Entry) string {
	text := fmt.Sprintf("%s package %q", e.Ecosystem.Title(), e.Name)
	switch e.Ecosystem {
	case Actions:
		text = fmt.Sprintf("action %q", e.Name)
	case Docker:
		text = fmt.Sprintf("image %q", e.Name)
	case Go:
		text = fmt.Sprintf("module %q", e.Name)
	}
	if e.ResolvedName != "" {
		text += fmt.Sprintf(" (really %q)", e.ResolvedName)
	}
	return text
}

func related(v Verdict) []lint.Related {
	var list []lint.Related
	for _, p := range v.Also {
		list = append(list, lint.Related{Path: p.Path, Line: p.Line, Message: "it is named here too"})
	}
	return list
}

// lineAt is the beginning of a line.
func lineAt(f *lint.File, line int) lint.Span {
	text, err := f.Bytes()
	if err != nil {
		return lint.Span{}
	}
	at := 0
	for range line - 1 {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return lint.Span{Start: at, End: at}
}

// fileAt is the file of an entry. A file that the tree cannot give (it is too
// large, or no more there) stands for itself by its name.
func fileAt(p *lint.Pass, path string) *lint.File {
	if f, ok := p.Named(path); ok {
		return f
	}
	return p.Missing(path)
}

// Report is an assessment as JSON, version 1. Lists are never null.
type Report struct {
	Version int `json:"version"`
	// Judged counts entries by judgement.
	Judged     map[Judgement]int `json:"judged"`
	Added      []Item            `json:"added"`
	Changed    []Item            `json:"changed"`
	Transitive []Item            `json:"transitive"`
	Lockfile   []Item            `json:"lockfile"`
	Unchecked  []Item            `json:"unchecked"`
	Unread     []Unread          `json:"unread"`
	Expired    []ExpiredItem     `json:"expired"`
}

// Item is one entry of a report.
type Item struct {
	Ecosystem    Ecosystem    `json:"ecosystem"`
	Name         string       `json:"name"`
	ResolvedName string       `json:"resolved_name,omitempty"`
	Version      string       `json:"version"`
	Spec         string       `json:"spec,omitempty"`
	Path         string       `json:"path"`
	Line         int          `json:"line"`
	Direct       bool         `json:"direct"`
	Source       Source       `json:"source"`
	Was          []Source     `json:"was,omitempty"`
	Judgement    Judgement    `json:"judgement"`
	Evidence     []string     `json:"evidence"`
	Rules        []string     `json:"rules"`
	Also         []Place      `json:"also,omitempty"`
	Decision     *DecisionRef `json:"decision,omitempty"`
}

// DecisionRef is the decision that answered an item.
type DecisionRef struct {
	Reason string `json:"reason"`
	Owner  string `json:"owner,omitempty"`
	Until  string `json:"until,omitempty"`
}

// ExpiredItem is a decision past its end.
type ExpiredItem struct {
	Package string `json:"package"`
	Until   string `json:"until"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
}

// Report returns the assessment in the form that is written as JSON.
func (a *Assessment) Report() Report {
	r := Report{
		Version: 1, Judged: map[Judgement]int{}, Added: items(a.Added), Changed: items(a.Changed),
		Transitive: items(a.Transitive), Lockfile: items(a.Lockfile), Unchecked: []Item{}, Unread: []Unread{}, Expired: []ExpiredItem{},
	}
	counts := a.Count()
	for _, j := range Judgements() {
		r.Judged[j] = counts[j]
	}
	for _, u := range a.Unchecked {
		r.Unchecked = append(r.Unchecked, NewItem(Verdict{Entry: u.Entry, Judgement: Unverified, Evidence: []Evidence{{"", Unverified, u.Reason}}}))
	}
	r.Unread = append(r.Unread, a.Unread...)
	for _, d := range a.Expired {
		r.Expired = append(r.Expired, ExpiredItem{d.Package, d.Until.Format(time.DateOnly), d.Source, d.Line})
	}
	return r
}

func items(list []Verdict) []Item {
	out := []Item{}
	for _, v := range list {
		out = append(out, NewItem(v))
	}
	return out
}

// NewItem returns a verdict in the form that is written as JSON.
func NewItem(v Verdict) Item {
	i := Item{
		Ecosystem: v.Ecosystem, Name: v.Name, ResolvedName: v.ResolvedName, Version: v.Version, Spec: withoutSecrets(v.Spec),
		Path: v.Path, Line: v.Line, Direct: v.Direct, Source: v.Source, Was: v.Was,
		Judgement: v.Judgement, Evidence: []string{}, Rules: []string{}, Also: v.Also,
	}
	if i.Spec == i.Version {
		i.Spec = ""
	}
	for _, e := range v.Evidence {
		i.Evidence = append(i.Evidence, e.Text)
		if e.Rule != "" && !slices.Contains(i.Rules, e.Rule) {
			i.Rules = append(i.Rules, e.Rule)
		}
	}
	slices.Sort(i.Rules)
	if d := v.Decision; d != nil {
		i.Decision = &DecisionRef{Reason: d.Reason, Owner: d.Owner}
		if !d.Until.IsZero() {
			i.Decision.Until = d.Until.Format(time.DateOnly)
		}
	}
	return i
}

// Reasons are a verdict's reasons in one line, worst first.
func (v Verdict) Reasons() string {
	var texts []string
	for _, e := range v.Evidence {
		texts = append(texts, e.Text)
	}
	return strings.Join(texts, "; ")
}
