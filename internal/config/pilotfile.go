package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// PilotFile is the definition of a pilot as a file has it, in YAML or JSON.
// The keys are those of the report's JSON, so what "steelyard pilot show"
// prints can be edited and read back. What the values mean is checked by
// whoever uses them; [PilotFile.Place] says where a bad one stands.
type PilotFile struct {
	ID             string           `yaml:"id,omitempty"`
	Title          string           `yaml:"title,omitempty"`
	Subject        string           `yaml:"subject,omitempty"`
	Description    string           `yaml:"description,omitempty"`
	Level          string           `yaml:"level,omitempty"`
	UnitNoun       string           `yaml:"unit_noun,omitempty"`
	PeriodNoun     string           `yaml:"period_noun,omitempty"`
	Treated        []PilotAdoption  `yaml:"treated,omitempty"`
	Comparison     []string         `yaml:"comparison,omitempty"`
	Before         PilotWindow      `yaml:"before,omitempty"`
	After          PilotWindow      `yaml:"after,omitempty"`
	LeftOut        []PilotExclusion `yaml:"left_out,omitempty"`
	Hours          *PilotHours      `yaml:"hours,omitempty"`
	Outcomes       []PilotOutcome   `yaml:"outcomes,omitempty"`
	SmallestEffect *float64         `yaml:"smallest_effect,omitempty"`
	Seed           uint64           `yaml:"seed,omitempty"`
	Sources        []PilotSource    `yaml:"sources,omitempty"`

	file string
	root *yaml.Node
}

// PilotAdoption is a treated unit and its first treated day.
type PilotAdoption struct {
	Unit  string `yaml:"unit,omitempty"`
	Start string `yaml:"start,omitempty"`
}

// PilotWindow is [From, To); an empty end is open.
type PilotWindow struct {
	From string `yaml:"from,omitempty"`
	To   string `yaml:"to,omitempty"`
}

// PilotExclusion is a span that is left out, and why.
type PilotExclusion struct {
	From   string `yaml:"from,omitempty"`
	To     string `yaml:"to,omitempty"`
	Reason string `yaml:"reason,omitempty"`
}

// PilotHours says how a pilot counts hours. Where Count is [Working] and no
// zone is given, the calendars are those of the settings.
type PilotHours struct {
	Count     string `yaml:"count,omitempty"` // [Elapsed] or [Working]; empty: working
	PilotWeek `yaml:",inline"`
	Teams     []PilotTeamHours `yaml:"teams,omitempty"`
}

// PilotTeamHours are the hours of one team.
type PilotTeamHours struct {
	Team      string `yaml:"team"`
	PilotWeek `yaml:",inline"`
}

// PilotWeek is when work is done, as it is written.
type PilotWeek struct {
	Zone     string   `yaml:"zone,omitempty"`
	Weekdays []string `yaml:"weekdays,omitempty"`
	From     string   `yaml:"from,omitempty"`
	Until    string   `yaml:"until,omitempty"`
	Holidays []string `yaml:"holidays,omitempty"`
}

// PilotWeek is the week as the file of a pilot has it.
func (w Week) PilotWeek() PilotWeek {
	out := PilotWeek{Zone: w.Zone, From: clockText(w.From), Until: clockText(w.Until)}
	for _, d := range w.Weekdays {
		out.Weekdays = append(out.Weekdays, dayNames[d])
	}
	for _, h := range w.Holidays {
		out.Holidays = append(out.Holidays, h.Format(time.DateOnly))
	}
	return out
}

// PilotHours are the hours of the settings as the file of a pilot has them.
func (h Hours) PilotHours() *PilotHours {
	out := &PilotHours{Count: Working, PilotWeek: h.Week.PilotWeek()}
	for _, t := range h.Teams {
		out.Teams = append(out.Teams, PilotTeamHours{Team: t.Team, PilotWeek: t.Week.PilotWeek()})
	}
	return out
}

// PilotOutcome is one thing that is measured.
type PilotOutcome struct {
	ID     string `yaml:"id,omitempty"`
	Title  string `yaml:"title,omitempty"`
	Unit   string `yaml:"unit,omitempty"`
	Better string `yaml:"better,omitempty"`
	Scale  string `yaml:"scale,omitempty"`
	Role   string `yaml:"role,omitempty"`
}

// PilotSource says where the data comes from.
type PilotSource struct {
	Title   string `yaml:"title,omitempty"`
	URL     string `yaml:"url,omitempty"`
	Licence string `yaml:"licence,omitempty"`
	MadeUp  bool   `yaml:"made_up,omitempty"`
	Note    string `yaml:"note,omitempty"`
}

// ReadPilot reads the definition of a pilot. Mistakes are [Problems] with file
// as their place.
func ReadPilot(file string, r io.Reader) (*PilotFile, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read pilot %s: %w", file, err)
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		// JSON may be indented with tabs, YAML may not; a JSON text holds no raw tab.
		data = bytes.ReplaceAll(data, []byte("\t"), []byte(" "))
	}
	root, err := parse(file, data, pilotShape())
	if err != nil {
		return nil, err
	}
	p := &PilotFile{file: file, root: root}
	if root == nil {
		return nil, Problems{{File: file, Text: "the file is empty", Hint: "\"steelyard pilot define --help\" shows an example"}}
	}
	if err := root.Decode(p); err != nil {
		return nil, Problems{{File: file, Text: strings.TrimPrefix(err.Error(), "yaml: ")}}
	}
	return p, nil
}

// Place returns what is wrong with a field, such as "outcomes[1].scale", as a
// [Problem] at its place in the file: its own, or that of the nearest thing
// around it that was written.
func (p *PilotFile) Place(field, text, hint string) Problem {
	if p.root == nil { // made of flags
		return Problem{File: "pilot " + p.ID, Text: text, Hint: hint}
	}
	n := p.root
	for part := range strings.FieldsFuncSeq(field, func(r rune) bool { return r == '.' || r == '[' || r == ']' }) {
		next := child(n, part)
		if i, err := strconv.Atoi(part); err == nil && n.Kind == yaml.SequenceNode && i < len(n.Content) {
			next = n.Content[i]
		}
		if next == nil {
			break
		}
		n = next
	}
	return Problem{File: p.file, Line: n.Line, Column: n.Column, Text: text, Hint: hint}
}

// PilotYAML writes a definition in the form that [ReadPilot] reads.
func PilotYAML(p *PilotFile) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(p), e.Close()); err != nil {
		return nil, fmt.Errorf("write pilot %s: %w", p.ID, err)
	}
	return b.Bytes(), nil
}

// pilotShape describes the file of a pilot's definition.
func pilotShape() shape {
	word := func(name string) key { return key{name: name} }
	day := func(name string) key { return key{name: name, shape: shape{kind: moment}} }
	rows := func(name string, keys ...key) key {
		return key{name: name, shape: shape{kind: list, element: &shape{kind: table, keys: keys}}}
	}
	needed := func(k key, doc string) key {
		k.required, k.doc = true, doc
		return k
	}
	window := shape{kind: table, keys: []key{day("from"), day("to")}}
	week := []key{
		word("zone"),
		{name: "weekdays", shape: shape{kind: list, element: &shape{}}},
		word("from"), word("until"),
		{name: "holidays", shape: shape{kind: list, element: &shape{kind: moment}}},
	}
	return shape{kind: table, keys: []key{
		word("id"), word("title"), word("subject"), word("description"),
		word("level"), word("unit_noun"), word("period_noun"),
		rows("treated", needed(word("unit"), "the unit's name"), needed(day("start"), "its first treated day")),
		{name: "comparison", shape: shape{kind: list, element: &shape{}}},
		{name: "before", shape: window},
		{name: "after", shape: window},
		rows("left_out", day("from"), day("to"), word("reason")),
		{name: "hours", shape: shape{kind: table, keys: append([]key{
			{name: "count", shape: shape{choices: []string{Elapsed, Working}}},
			rows("teams", append([]key{needed(word("team"), "the team's name")}, week...)...),
		}, week...)}},
		rows(
			"outcomes", needed(word("id"), "the outcome's id"),
			word("title"), word("unit"), word("better"), word("scale"), word("role"),
		),
		{name: "smallest_effect", shape: shape{kind: number}},
		{name: "seed", shape: shape{kind: whole, above: -1, upTo: 1 << 63}},
		rows(
			"sources", word("title"), word("url"), word("licence"),
			key{name: "made_up", shape: shape{kind: truth}}, word("note"),
		),
	}}
}
