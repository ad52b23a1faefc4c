package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"steelyard/metrics"
)

// Manifest is a YAML file that describes several pilots and the files their
// data comes from:
//
//	pilots:
//	  - pilot:                 # the keys of a pilot's JSON
//	      id: agents-weekly
//	      …
//	    panel:                 # or pull_requests
//	      file: data/weeks.csv.gz
//	      unit: repo
//	      time: week_start
//	      starts: {owner/name: 2026-01-12}
//
// Unknown keys are errors.
type Manifest struct {
	Pilots []ManifestPilot `yaml:"pilots"`

	name string
}

// ManifestPilot is one pilot and its data: a panel or pull requests.
type ManifestPilot struct {
	Pilot        PilotYAML        `yaml:"pilot"`
	Panel        *PanelYAML       `yaml:"panel"`
	PullRequests *PullRequestYAML `yaml:"pull_requests"`
}

// PilotYAML is a [metrics.Pilot] with the keys of its JSON.
type PilotYAML struct {
	ID          string         `yaml:"id"`
	Title       string         `yaml:"title"`
	Subject     string         `yaml:"subject"`
	Description string         `yaml:"description"`
	UnitNoun    string         `yaml:"unit_noun"`
	PeriodNoun  string         `yaml:"period_noun"`
	Treated     []AdoptionYAML `yaml:"treated"`
	Comparison  []string       `yaml:"comparison"`
	Before      WindowYAML     `yaml:"before"`
	After       WindowYAML     `yaml:"after"`
	LeftOut     []LeftOutYAML  `yaml:"left_out"`
	Outcomes    []OutcomeYAML  `yaml:"outcomes"`
	// SmallestEffect of 0 is the default.
	SmallestEffect float64      `yaml:"smallest_effect"`
	Seed           uint64       `yaml:"seed"`
	Sources        []SourceYAML `yaml:"sources"`
}

// Day is a date, written 2026-01-12, at midnight UTC; the zero time where it is
// not given.
type Day struct{ time.Time }

// UnmarshalYAML reads a day.
func (d *Day) UnmarshalYAML(n *yaml.Node) error {
	t, err := time.Parse(time.DateOnly, n.Value)
	if err != nil {
		return &yaml.TypeError{Errors: []string{fmt.Sprintf("line %d: %q is not a day; write it like 2026-01-12", n.Line, shown(n.Value))}}
	}
	d.Time = t
	return nil
}

func (w WindowYAML) window() metrics.Window { return metrics.Window{From: w.From.Time, To: w.To.Time} }

// AdoptionYAML is a [metrics.Adoption].
type AdoptionYAML struct {
	Unit  string `yaml:"unit"`
	Start Day    `yaml:"start"`
}

// WindowYAML is a [metrics.Window]: to is the day after the last.
type WindowYAML struct {
	From Day `yaml:"from"`
	To   Day `yaml:"to"`
}

// LeftOutYAML is a [metrics.Exclusion].
type LeftOutYAML struct {
	From   Day    `yaml:"from"`
	To     Day    `yaml:"to"`
	Reason string `yaml:"reason"`
}

// OutcomeYAML is a [metrics.Outcome]; Columns are those of [OutcomeColumn].
type OutcomeYAML struct {
	ID      string   `yaml:"id"`
	Title   string   `yaml:"title"`
	Unit    string   `yaml:"unit"`
	Better  string   `yaml:"better"`
	Scale   string   `yaml:"scale"`
	Role    string   `yaml:"role"`
	Columns []string `yaml:"columns"`
}

// SourceYAML is a [metrics.Source].
type SourceYAML struct {
	Title   string `yaml:"title"`
	URL     string `yaml:"url"`
	Licence string `yaml:"licence"`
	MadeUp  bool   `yaml:"made_up"`
	Note    string `yaml:"note"`
}

// PanelYAML is the data part of a [PanelSpec].
type PanelYAML struct {
	File         string            `yaml:"file"`
	Unit         string            `yaml:"unit"`
	Time         string            `yaml:"time"`
	FirstTreated string            `yaml:"first_treated"`
	Exposure     string            `yaml:"exposure"`
	Starts       map[string]string `yaml:"starts"`
	OnlyUnits    []string          `yaml:"only_units"`
	Drop         []DropYAML        `yaml:"drop"`
}

// PullRequestYAML is a [PullRequestSpec].
type PullRequestYAML struct {
	File       string            `yaml:"file"`
	Columns    map[string]string `yaml:"columns"`
	Repository string            `yaml:"repository"`
	Drop       []DropYAML        `yaml:"drop"`
}

// DropYAML is a [Filter].
type DropYAML struct {
	Column string `yaml:"column"`
	Value  string `yaml:"value"`
	Reason string `yaml:"reason"`
}

// maxManifest bounds a manifest, in bytes.
const maxManifest = 1 << 20

// ReadManifest reads the manifest of that name. Mistakes are named with their
// line.
func ReadManifest(fsys fs.FS, name string) (*Manifest, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read manifest %s: %w", name, err)
	case len(text) > maxManifest:
		return nil, fmt.Errorf("read manifest %s: it is longer than %d bytes; split it", name, maxManifest)
	}
	return parseManifest(name, text)
}

func parseManifest(name string, text []byte) (*Manifest, error) {
	m := &Manifest{name: name}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	switch err := d.Decode(m); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: the manifest is empty; it must list pilots", name)
	case err != nil:
		return nil, manifestError(name, err)
	case !errors.Is(d.Decode(new(any)), io.EOF):
		return nil, fmt.Errorf("%s: the manifest is more than one YAML document; keep one", name)
	case len(m.Pilots) == 0:
		return nil, fmt.Errorf("%s: the manifest lists no pilots", name)
	}
	for i, p := range m.Pilots {
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("%s: pilots[%d] (%q): %w", name, i, shown(p.Pilot.ID), err)
		}
	}
	return m, nil
}

func (p ManifestPilot) check() error {
	switch {
	case (p.Panel == nil) == (p.PullRequests == nil):
		return errors.New("give its data as panel or as pull_requests, one of the two")
	case p.Panel != nil && p.Panel.File == "" || p.PullRequests != nil && p.PullRequests.File == "":
		return errors.New("name the file of its data")
	}
	for _, o := range p.Pilot.Outcomes {
		if p.PullRequests != nil && (len(o.Columns) > 0 || o.Scale != "") {
			return fmt.Errorf("outcome %q: columns and scale belong to panels; metrics of pull requests have their own", shown(o.ID))
		}
	}
	return nil
}

// unknownKey is how the decoder reports one.
var unknownKey = regexp.MustCompile(`^line (\d+): field (.*) not found in type ingest\.(\w+)$`)

// manifestError names the place of the decoder's first complaint, and the
// nearest key where it is an unknown one.
func manifestError(name string, err error) error {
	var typed *yaml.TypeError
	if !errors.As(err, &typed) || len(typed.Errors) == 0 {
		return fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	parts := unknownKey.FindStringSubmatch(typed.Errors[0])
	if parts == nil {
		return fmt.Errorf("%s: %s", name, typed.Errors[0])
	}
	keys := manifestKeys(reflect.TypeFor[Manifest](), parts[3])
	cure := "it may have " + list(keys)
	if near := nearest(parts[2], keys); near != "" {
		cure = fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Errorf("%s:%s: unknown key %q; %s", name, parts[1], shown(parts[2]), cure)
}

// manifestKeys are the keys of the named type, looked for inside t.
func manifestKeys(t reflect.Type, name string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[Day]() {
		return nil
	}
	var keys []string
	for f := range t.Fields() {
		if key := f.Tag.Get("yaml"); key != "" && t.Name() == name {
			keys = append(keys, key)
		} else if inner := manifestKeys(f.Type, name); t.Name() != name && inner != nil {
			return inner
		}
	}
	return keys
}

// pilot is the domain's value.
func (p PilotYAML) pilot(level metrics.Level) metrics.Pilot {
	out := metrics.Pilot{
		ID: p.ID, Title: p.Title, Subject: p.Subject, Description: p.Description, Level: level,
		UnitNoun: p.UnitNoun, PeriodNoun: p.PeriodNoun, Comparison: p.Comparison,
		Before: p.Before.window(), After: p.After.window(),
		SmallestEffect: p.SmallestEffect, Seed: p.Seed,
	}
	for _, a := range p.Treated {
		out.Treated = append(out.Treated, metrics.Adoption{Unit: a.Unit, Start: a.Start.Time})
	}
	for _, l := range p.LeftOut {
		out.LeftOut = append(out.LeftOut, metrics.Exclusion{Window: WindowYAML{l.From, l.To}.window(), Reason: l.Reason})
	}
	for _, s := range p.Sources {
		out.Sources = append(out.Sources, metrics.Source(s))
	}
	return out
}

// outcome is the domain's value with its columns.
func (o OutcomeYAML) outcome() OutcomeColumn {
	return OutcomeColumn{
		Outcome: metrics.Outcome{
			ID: o.ID, Title: o.Title, Unit: o.Unit,
			Better: metrics.Better(o.Better), Scale: metrics.Scale(o.Scale), Role: metrics.Role(o.Role),
		},
		Columns: o.Columns,
	}
}

func filtersOf(drop []DropYAML) []Filter {
	var out []Filter
	for _, d := range drop {
		out = append(out, Filter(d))
	}
	return out
}
