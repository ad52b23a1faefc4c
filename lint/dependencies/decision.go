package dependencies

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Decision is what a person has decided about a package, kept in the
// configuration.
type Decision struct {
	// Package is "ecosystem:name", or "ecosystem:name@version" for one version
	// alone.
	Package string
	// For lists the judgements that it answers; empty means ask, legal and
	// unverified. A block is answered only where it is named.
	For    []Judgement
	Reason string
	Owner  string
	// Until is the last day on which it holds (UTC); zero means for good.
	Until time.Time
	// Source and Line are where it is written.
	Source string
	Line   int
}

// ParsePackage reads "ecosystem:name" or "ecosystem:name@version".
func ParsePackage(s string) (Query, error) {
	word, name, ok := strings.Cut(s, ":")
	e, known := ParseEcosystem(word)
	if !ok || !known {
		return Query{}, fmt.Errorf("%q is not ECOSYSTEM:NAME such as npm:left-pad; ecosystems are %s", s, ecosystemWords())
	}
	q := Query{Ecosystem: e, Name: name}
	switch e {
	case Docker:
		d := imageReference(name)
		q.Name, q.Version = d.Name, d.Version
	case PyPI:
		q.Name, q.Version, _ = strings.Cut(strings.Replace(name, "==", "@", 1), "@")
	default:
		q.Name, q.Version = cutVersion(name)
	}
	if q.Name == "" || len(q.Name) > maxNameBytes || strings.ContainsAny(q.Name, " \t\r\n\x00") {
		return Query{}, fmt.Errorf("%q names no package", s)
	}
	return q, nil
}

func ecosystemWords() string {
	var words []string
	for _, e := range Ecosystems() {
		words = append(words, string(e))
	}
	return strings.Join(words, ", ")
}

// expired reports whether today is after the last day of a decision.
func (d Decision) expired(today time.Time) bool {
	return !d.Until.IsZero() && today.UTC().Format(time.DateOnly) > d.Until.Format(time.DateOnly)
}

func (d Decision) covers(e Entry) bool {
	q, err := ParsePackage(d.Package)
	if err != nil || q.Ecosystem != e.Ecosystem || q.Version != "" && q.Version != e.Version {
		return false
	}
	name := q.Ecosystem.Canonical(q.Name)
	return name == q.Ecosystem.Canonical(e.Name) || name == q.Ecosystem.Canonical(e.Asked())
}

func (d Decision) answers(j Judgement) bool {
	if len(d.For) == 0 {
		return j == Ask || j == Legal || j == Unverified
	}
	return slices.Contains(d.For, j)
}

// describe says who allowed it, why and for how long.
func (d Decision) describe() string {
	text := "allowed"
	if d.Owner != "" {
		text += " by " + d.Owner
	}
	text += " because " + d.Reason
	if !d.Until.IsZero() {
		text += ", until " + d.Until.Format(time.DateOnly)
	}
	return text
}

// decide applies the decisions that cover an entry. The reasons that one of
// them answers stay in sight, but lead to nothing any more.
func (p Policy) decide(e Entry, all []Evidence) ([]Evidence, *Decision) {
	for i := range p.Decisions {
		d := &p.Decisions[i]
		if !d.covers(e) || d.expired(p.Today) || strings.TrimSpace(d.Reason) == "" {
			continue
		}
		used := false
		out := slices.Clone(all)
		for j := range out {
			if out[j].Judgement != OK && d.answers(out[j].Judgement) {
				out[j].Judgement, out[j].Rule = OK, ""
				used = true
			}
		}
		if used {
			out = append([]Evidence{{"", OK, d.describe()}}, out...)
			sortEvidence(out)
			return out, d
		}
	}
	return all, nil
}
