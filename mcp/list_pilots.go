package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"steelyard/metrics"
)

const listPilotsName = "list_pilots"

type listPilotsIn struct {
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the last page"`
}

type listPilotsOut struct {
	Pilots     []pilotLine `json:"pilots"`
	Total      int         `json:"total"`
	NextCursor string      `json:"next_cursor,omitempty"`
}

// pilotLine is one pilot in the list.
type pilotLine struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	MadeUp  bool   `json:"made_up" jsonschema:"invented numbers"`
	Verdict string `json:"verdict"`
	Says    string `json:"says" jsonschema:"the verdict in words"`
	Primary string `json:"primary" jsonschema:"metric that decides"`
	Better  string `json:"better"`
	// Effect is left out where the report failed.
	Effect     *effect   `json:"effect,omitempty" jsonschema:"difference to the comparison"`
	Counter    string    `json:"counter,omitempty" jsonschema:"most worrying counter-metric"`
	Through    string    `json:"through,omitempty" jsonschema:"last day, or period, that the data covers"`
	ImportedAt time.Time `json:"imported_at,omitzero"`
	Error      string    `json:"error,omitempty" jsonschema:"why there is no report"`
}

func (s *Server) listPilots() tool[listPilotsIn, listPilotsOut] {
	return tool[listPilotsIn, listPilotsOut]{
		name:  listPilotsName,
		title: "List pilots",
		description: "Pilots with their verdict, effect on the primary metric with interval, and how fresh the data is. " +
			"Use it first, to find the id. It does not give reasons or other metrics: get_pilot_report does.",
		tighten: func(p map[string]*jsonschema.Schema) { tightenCursor(p["cursor"]) },
		describe: func(p map[string]*jsonschema.Schema) {
			p["pilots"].Items.Properties["effect"] = &jsonschema.Schema{Type: "object", Description: "like difference of get_pilot_report"}
		},
		answer: s.answerListPilots,
		text:   listPilotsText,
	}
}

func (s *Server) answerListPilots(ctx context.Context, in listPilotsIn) (listPilotsOut, error) {
	ids, summary, err := s.summaries(ctx)
	if err != nil {
		return listPilotsOut{}, err
	}
	query := digest(ids...)
	start, err := offsetOf(in.Cursor, listPilotsName, query)
	if err != nil {
		return listPilotsOut{}, err
	}
	ready, stop := context.WithTimeout(ctx, s.o.CallTimeout*2/3)
	defer stop()
	out := listPilotsOut{Pilots: []pilotLine{}, Total: len(ids)}
	for i := start; i < len(ids); i++ {
		one, err := summary(ready, i)
		if ctx.Err() != nil {
			return listPilotsOut{}, fmt.Errorf("read summaries: %w", ctx.Err())
		}
		p := unreadyLine(ids[i], one.Title)
		if ready.Err() == nil || err == nil {
			if err != nil {
				return listPilotsOut{}, fmt.Errorf("read the summary of %q: %w", ids[i], err)
			}
			p = s.pilotLineOf(ctx, one)
		}
		longer := out
		longer.Pilots = append(longer.Pilots, p)
		longer.NextCursor = cursor{Tool: listPilotsName, Offset: i, Query: query}.String()
		if len(out.Pilots) > 0 && (size(longer) > maxBytes || utf8.RuneCountInString(listPilotsText(longer)) > maxText) {
			out.NextCursor = longer.NextCursor
			break
		}
		out.Pilots = longer.Pilots
	}
	return out, nil
}

// summaries are the ids of all pilots, and what makes the summary of one of
// them. Where reports are made one at a time, only those that are shown are.
func (s *Server) summaries(ctx context.Context) (ids []string, one func(context.Context, int) (metrics.Summary, error), err error) {
	if each, ok := s.o.Reports.(metrics.PilotSummaries); ok {
		ids, err = each.PilotIDs(ctx)
		if err != nil {
			return nil, nil, fmt.Errorf("read the pilots: %w", err)
		}
		return ids, func(ctx context.Context, i int) (metrics.Summary, error) { return each.Summary(ctx, ids[i]) }, nil
	}
	all, err := s.o.Reports.Summaries(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("read summaries: %w", err)
	}
	for _, p := range all {
		ids = append(ids, p.ID)
	}
	return ids, func(_ context.Context, i int) (metrics.Summary, error) { return all[i], nil }, nil
}

// unreadyLine stands for a pilot whose report is not there in time: after new
// data each is worked out once, and is kept then.
func unreadyLine(id, title string) pilotLine {
	p := pilotLine{ID: id, Title: firstText(title, id), Error: "Its report was not ready in time. Call " + listPilotsName + " once more in a few seconds."}
	clean(&p)
	return p
}

func (s *Server) pilotLineOf(ctx context.Context, p metrics.Summary) pilotLine {
	out := pilotLine{
		ID:         p.ID,
		Title:      line(p.Title, 120),
		MadeUp:     p.MadeUp,
		Verdict:    string(p.Verdict.Value),
		Says:       joined(". ", p.Verdict.Word, p.Verdict.Sentence),
		Primary:    p.Primary,
		Better:     string(p.Better),
		Through:    p.Through,
		ImportedAt: p.ImportedAt,
	}
	if p.Error != "" {
		out.Error = "No report could be made (ref " + s.logFailure(ctx, "summary of "+p.ID, errors.New(p.Error)) +
			"). Tell the user that `steelyard report " + p.ID + "` says why."
		return out
	}
	e := effectOf(p.Headline)
	out.Effect = &e
	if p.Counter != nil {
		out.Counter = p.Counter.Text
		if !strings.HasPrefix(p.Counter.Text, p.Counter.Title) {
			out.Counter = joined(": ", p.Counter.Title, p.Counter.Text)
		}
	}
	clean(&out)
	return out
}

func listPilotsText(out listPilotsOut) string {
	if out.Total == 0 {
		return "No pilot is defined yet. A person adds one with `steelyard import panel` or `steelyard pilot define`, or looks at real bundled data with `steelyard demo`."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d pilots:\n", len(out.Pilots), out.Total)
	for _, p := range out.Pilots {
		fmt.Fprintf(&b, "- %s (%s)", p.ID, p.Title)
		if p.MadeUp {
			b.WriteString(" MADE-UP NUMBERS")
		}
		if p.Error != "" {
			fmt.Fprintf(&b, ": %s\n", p.Error)
			continue
		}
		fmt.Fprintf(&b, ": %s %s (%s), difference to the comparison: %s", sentence(p.Says), p.Primary, betterText(p.Better), p.difference())
		if p.Counter != "" {
			fmt.Fprintf(&b, " Counter: %s", sentence(p.Counter))
		}
		if p.Through != "" {
			fmt.Fprintf(&b, " Data through %s.", p.Through)
		}
		b.WriteByte('\n')
	}
	if out.NextCursor != "" {
		b.WriteString("There are more: call again with cursor = next_cursor.\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// difference is the effect in words; where there is none and the verdict has
// said why, the reason is not repeated.
func (p pilotLine) difference() string {
	reason := strings.ToLower(strings.TrimRight(p.Effect.Missing, "."))
	if p.Effect.Estimate == nil && reason != "" && strings.Contains(strings.ToLower(p.Says), reason) {
		return "no number."
	}
	return p.Effect.String()
}

// betterText is a metric's good side in words.
func betterText(better string) string {
	if better == string(metrics.BetterNeutral) {
		return "no better side"
	}
	return better + " is better"
}

// tightenCursor narrows a cursor argument.
func tightenCursor(p *jsonschema.Schema) {
	p.Pattern = fmt.Sprintf(`^[\w-]{0,%d}$`, maxCursor)
}
