package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Digest is what a week brought, for a chat or an issue.
type Digest struct {
	// From and To bound the time that changes are told of.
	From, To time.Time
	Pilots   []DigestPilot
	// Guardrails are sentences about what steers assistants, the one that
	// matters most first; none are told of where there is nothing.
	Guardrails []string
	// Link is where the dashboard is; empty leaves links out.
	Link string
}

// DigestPilot is one pilot now and at the beginning of the time.
type DigestPilot struct {
	Now Summary
	// Then is nil where the pilot could not be judged then, or was not there.
	Then *Summary
	// New is true for a pilot that was defined in the time; Changed says when
	// its definition changed in it, as sentences.
	New     bool
	Changed []string
	// Health is what must be read first.
	Health []string
}

// NewDigest weighs every pilot of a store now and as of from. What a report said
// then is computed from what had happened by then, with today's definition.
func NewDigest(ctx context.Context, s Store, from, to time.Time) (Digest, error) {
	d := Digest{From: from, To: to}
	reports := NewReporter(s)
	now, err := reports.Summaries(ctx)
	if err != nil {
		return d, err
	}
	then, err := NewReporter(AsOf(s, from)).Summaries(ctx)
	if err != nil {
		return d, fmt.Errorf("look at %s: %w", FormatDate(from), err)
	}
	for _, n := range now {
		p := DigestPilot{Now: n}
		if i := slices.IndexFunc(then, func(t Summary) bool { return t.ID == n.ID && t.Error == "" }); i >= 0 {
			p.Then = &then[i]
		}
		r, err := reports.Report(ctx, n.ID)
		switch {
		case ctx.Err() != nil:
			return d, ctx.Err()
		case err == nil:
			p.Health = r.Health
			p.tellDefinition(r.Definition, from)
		case errors.Is(err, ErrNotFound), isPermanent(err):
		default:
			return d, err
		}
		d.Pilots = append(d.Pilots, p)
	}
	return d, nil
}

// tellDefinition says what became of the definition since.
func (p *DigestPilot) tellDefinition(def Definition, since time.Time) {
	first := def.SavedAt
	if len(def.Changes) > 0 {
		first = def.Changes[0].SavedAt
	}
	p.New = !first.Before(since)
	for _, c := range def.Changes {
		if !c.ReplacedAt.Before(since) && !p.New {
			p.Changed = append(p.Changed, fmt.Sprintf("The definition was changed on %s: %s.", FormatDate(c.ReplacedAt), list(fieldWords(c.What))))
		}
	}
}

// change says what is different from then.
func (p DigestPilot) change() string {
	n := p.Now
	switch {
	case p.New:
		return "Defined in this time."
	case p.Then == nil:
		return "Before that there was no answer."
	case p.Then.Verdict.Value != n.Verdict.Value:
		return fmt.Sprintf("The verdict changed: before it was “%s” (%s).", p.Then.Verdict.Word, p.Then.Headline.Text)
	case p.Then.Headline.Text != n.Headline.Text:
		return fmt.Sprintf("The verdict stands; before it was %s.", p.Then.Headline.Text)
	}
	return fmt.Sprintf("Nothing new; the data goes to %s.", periodText(n.Through))
}

// periodText writes a day for people, anything else as it is.
func periodText(s string) string {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return FormatDate(t)
	}
	return s
}

// WriteDigest writes a digest as Markdown that chats and issues read alike:
// headings, lists and bold, no tables.
func WriteDigest(w io.Writer, d Digest) error {
	p := &markdown{}
	p.f("# Assistants, %s to %s\n", FormatDate(d.From), FormatDate(d.To))
	p.f("## Pilots\n")
	if len(d.Pilots) == 0 {
		p.f("No pilot is defined.\n")
	}
	for _, x := range d.Pilots {
		p.digestPilot(x, d.Link)
	}
	p.f("")
	if len(d.Guardrails) > 0 {
		p.f("## Guardrails\n")
		for _, g := range d.Guardrails {
			p.item("- %s", g)
		}
		p.f("")
	}
	if d.Link != "" {
		p.b.WriteString("[The dashboard](" + d.Link + "/)\n")
	}
	if _, err := io.WriteString(w, strings.TrimRight(p.b.String(), "\n")+"\n"); err != nil {
		return fmt.Errorf("write digest: %w", err)
	}
	return nil
}

func (p *markdown) digestPilot(x DigestPilot, link string) {
	n := x.Now
	title := escapeMarkdown(n.Title)
	if link != "" {
		title = "[" + title + "](" + link + "/pilots/" + n.ID + ")"
	}
	if n.Error != "" {
		p.b.WriteString("- **" + title + "**: ")
		p.item("no report. %s", sentence(n.Error))
		return
	}
	p.b.WriteString("- **" + title + "**: ")
	p.item("**%s.** %s", n.Verdict.Word, n.Verdict.Sentence)
	for _, h := range x.Health {
		p.item("  - %s", h)
	}
	number := n.Headline.Text
	if n.Disagree {
		number = "the methods disagree, no number is the answer"
	}
	p.item("  - %s: %s", n.Primary, number)
	if n.Counter != nil {
		p.item("  - %s: %s", n.Counter.Title, n.Counter.Text)
	} else {
		p.item("  - No counter-metric is defined.")
	}
	p.item("  - %s", x.change())
	for _, c := range x.Changed {
		p.item("  - %s", c)
	}
}
