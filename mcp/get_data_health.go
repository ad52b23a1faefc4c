package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"steelyard/metrics"
)

type getDataHealthIn struct{}

type getDataHealthOut struct {
	// Missing comes first: it is what the tool is asked for.
	Missing      []string       `json:"missing" jsonschema:"gaps, weightiest first; empty: none is known"`
	Pilots       []dataSetLine  `json:"pilots"`
	PullRequests pullCountsLine `json:"pull_requests"`
	GitHub       gitHubLine     `json:"github"`
	Shortened    []string       `json:"shortened" jsonschema:"left out for length"`
}

// dataSetLine is what one pilot's numbers rest on.
type dataSetLine struct {
	Pilot    string    `json:"pilot"`
	Title    string    `json:"title"`
	Level    string    `json:"level" jsonschema:"panel (an imported table) or pull_requests"`
	MadeUp   bool      `json:"made_up"`
	Units    string    `json:"units" jsonschema:"how many units and periods"`
	First    string    `json:"first,omitempty"`
	Last     string    `json:"last,omitempty"`
	LeftOut  []string  `json:"left_out"`
	Imported time.Time `json:"imported,omitzero"`
	Error    string    `json:"error,omitempty" jsonschema:"why there is no report"`
}

type pullCountsLine struct {
	Total    int       `json:"total"`
	Open     int       `json:"open"`
	Unplaced int       `json:"unplaced" jsonschema:"in no team"`
	Bots     int       `json:"bots"`
	Teams    int       `json:"teams"`
	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
}

type gitHubLine struct {
	Repositories int       `json:"repositories"`
	Whole        int       `json:"whole" jsonschema:"read to the end"`
	LastRead     time.Time `json:"last_read,omitzero"`
	Oldest       time.Time `json:"oldest,omitzero" jsonschema:"all whole ones are known until then"`
}

func (s *Server) getDataHealth() tool[getDataHealthIn, getDataHealthOut] {
	return tool[getDataHealthIn, getDataHealthOut]{
		name:  "get_data_health",
		title: "Data health",
		description: "What the numbers rest on and what is missing: when GitHub was last read, what each pilot left out, pull requests in no team, repositories not read or failing. " +
			"Use it when a number looks wrong, old or absent. It has no metrics.",
		answer: s.answerGetDataHealth,
		text:   dataHealthText,
	}
}

func (s *Server) answerGetDataHealth(ctx context.Context, _ getDataHealthIn) (getDataHealthOut, error) {
	d, err := s.o.Reports.Data(ctx)
	if err != nil {
		return getDataHealthOut{}, fmt.Errorf("read the state of the data: %w", err)
	}
	p := d.PullRequests
	out := getDataHealthOut{
		Missing: gaps(d), Pilots: []dataSetLine{}, Shortened: []string{},
		PullRequests: pullCountsLine{Total: p.Total, Open: p.Open, Unplaced: p.Unplaced, Bots: p.Bots, Teams: len(p.Teams), First: p.First, Last: p.Last},
	}
	for _, set := range d.DataSets {
		out.Pilots = append(out.Pilots, dataSetOf(set))
	}
	if d.Ingest != nil {
		out.GitHub = gitHubOf(d.Ingest.Repositories)
	}
	clean(&out)
	out.shorten()
	return out, nil
}

// shorten leaves out, least needed first, what does not fit the budget.
func (o *getDataHealthOut) shorten() {
	if size(o) > maxBytes {
		for i := range o.Pilots {
			o.Pilots[i].LeftOut = o.Pilots[i].LeftOut[:min(2, len(o.Pilots[i].LeftOut))]
		}
		o.Shortened = append(o.Shortened, "notes on what was left out")
	}
	bounded(o, &o.Missing, "gaps")
	bounded(o, &o.Pilots, "pilots")
	if size(o) > maxBytes { // hostile lengths
		o.Shortened = append(o.Shortened, "the ends of long texts")
		for limit := 300; size(o) > maxBytes && limit > 10; limit /= 2 {
			bound(o, limit)
		}
	}
}

// bounded takes entries from a list's end until the answer fits, and leaves
// five.
func bounded[T any](o *getDataHealthOut, list *[]T, what string) {
	n := len(*list)
	for len(*list) > 5 && size(o) > maxBytes-40 {
		*list = (*list)[:len(*list)-1]
	}
	if gone := n - len(*list); gone > 0 {
		o.Shortened = append(o.Shortened, counted(gone, what))
	}
}

// gaps says in sentences what is missing.
func gaps(d *metrics.DataHealth) []string {
	out := []string{}
	for _, set := range d.DataSets {
		if set.Error != "" {
			out = append(out, fmt.Sprintf("Pilot %s has no report: %s", set.Pilot, sentence(set.Error)))
		}
	}
	out = append(out, d.PullRequests.Incomplete...)
	if g := d.Ingest; g != nil {
		for _, r := range g.Repositories {
			if !r.Gone.IsZero() {
				out = append(out, fmt.Sprintf("%s is gone from GitHub since %s; what was read of it stays.", r.Name, r.Gone.UTC().Format(time.DateOnly)))
			} else if r.Problem != "" {
				out = append(out, fmt.Sprintf("The last reading of %s ended early: %s", r.Name, sentence(line(r.Problem, 300))))
			}
		}
		out = append(out, g.TeamProblems...)
		out = append(out, countedGaps("pull requests are in no team because", g.Unplaced)...)
		out = append(out, countedGaps("changes look like reverts and were not resolved because", g.Unresolved)...)
	} else if n := d.PullRequests.Unplaced; n > 0 {
		out = append(out, fmt.Sprintf("%d pull requests are in no team.", n))
	}
	for _, u := range d.Use {
		for _, why := range []string{u.NoSeats, u.NoReports} {
			if why != "" {
				out = append(out, fmt.Sprintf("Use of Copilot in %s: %s", u.Organisation, sentence(why)))
			}
		}
	}
	return out
}

func countedGaps(what string, all []metrics.LeftOut) []string {
	var out []string
	for _, l := range all {
		out = append(out, sentence(fmt.Sprintf("%d %s %s", l.Count, what, l.Reason)))
	}
	return out
}

func dataSetOf(set metrics.DataSet) dataSetLine {
	out := dataSetLine{
		Pilot: set.Pilot, Title: line(set.Title, 120), Level: string(set.Level), First: set.First, Last: set.Last,
		LeftOut: leftOutOf(set.LeftOut), Error: line(set.Error, 300),
	}
	if set.Error == "" {
		out.Units = fmt.Sprintf("%d units (%s), %d of %d periods (%s) used", set.Units, firstText(set.UnitNoun, "unit"), set.Used, set.Periods, firstText(set.PeriodNoun, "period"))
	}
	for _, source := range set.Sources {
		out.MadeUp = out.MadeUp || source.MadeUp
	}
	if set.Import != nil {
		out.Imported = set.Import.At.UTC()
	}
	return out
}

func gitHubOf(all []metrics.RepositoryHealth) gitHubLine {
	out := gitHubLine{Repositories: len(all)}
	for _, r := range all {
		if r.Ran.After(out.LastRead) {
			out.LastRead = r.Ran.UTC()
		}
		if !r.Whole {
			continue
		}
		out.Whole++
		// What is gone from GitHub gets no older by that.
		if r.Gone.IsZero() && !r.Until.IsZero() && (out.Oldest.IsZero() || r.Until.Before(out.Oldest)) {
			out.Oldest = r.Until.UTC()
		}
	}
	return out
}

func dataHealthText(o getDataHealthOut) string {
	var pieces []piece
	if len(o.Missing) == 0 {
		pieces = append(pieces, piece{text: "No gap in the data is known."})
	} else {
		pieces = append(pieces, piece{text: fmt.Sprintf("Missing (%d):", len(o.Missing))})
	}
	for i, m := range o.Missing {
		rank := 0
		if i > 2 {
			rank = 2
		}
		pieces = append(pieces, piece{text: "- " + cut(m, 300), rank: rank, what: "gaps"})
	}
	p := o.PullRequests
	if p.Total == 0 {
		pieces = append(pieces, piece{text: "No pull requests are stored."})
	} else {
		pieces = append(pieces, piece{text: fmt.Sprintf("Pull requests: %d, %s to %s, teams: %d; %d open, %d in no team, %d by bots.",
			p.Total, p.First.Format(time.DateOnly), p.Last.Format(time.DateOnly), p.Teams, p.Open, p.Unplaced, p.Bots)})
	}
	pieces = append(pieces, piece{text: o.GitHub.String()})
	if len(o.Pilots) == 0 {
		pieces = append(pieces, piece{text: "No pilot is defined."})
	}
	for i, set := range o.Pilots {
		pieces = append(pieces, piece{text: set.String(), rank: min(3+i, 20), what: "pilots"})
		for _, l := range set.LeftOut {
			pieces = append(pieces, piece{text: "  " + l, rank: 21, what: "what was left out"})
		}
	}
	return compose(pieces, o.Shortened, maxText, "get_pilot_report has one pilot's; the structured content and the dashboard's data page have more.")
}

// String is in words how far GitHub is known.
func (g gitHubLine) String() string {
	if g.Repositories == 0 {
		return "Nothing here was read from GitHub."
	}
	text := "GitHub:"
	if !g.LastRead.IsZero() {
		text += " last read " + g.LastRead.Format("2006-01-02 15:04") + " UTC;"
	}
	text += fmt.Sprintf(" %d of %d repositories are read to the end", g.Whole, g.Repositories)
	if !g.Oldest.IsZero() {
		text += ", and those are known until " + g.Oldest.Format("2006-01-02 15:04") + " UTC at least"
	}
	return text + "."
}

// String is one pilot's data in words.
func (d dataSetLine) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s (%s, %s)", d.Pilot, d.Title, d.Level)
	if d.MadeUp {
		b.WriteString(" MADE-UP NUMBERS")
	}
	if d.Error != "" {
		b.WriteString(": no report")
		return b.String()
	}
	fmt.Fprintf(&b, ": %s, %s to %s", d.Units, firstText(d.First, "?"), firstText(d.Last, "?"))
	if !d.Imported.IsZero() {
		b.WriteString(", imported " + d.Imported.Format(time.DateOnly))
	}
	return b.String()
}
