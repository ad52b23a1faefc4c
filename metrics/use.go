package metrics

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// UsePart is one of the two things that GitHub tells of the use of Copilot.
type UsePart string

// The parts.
const (
	// UseSeats is who has a seat today, and when it was last used.
	UseSeats UsePart = "seats"
	// UseReports is who used it on a day.
	UseReports UsePart = "reports"
)

// SeatDay is an organisation's seats as they were on one day. Nobody is named.
type SeatDay struct {
	Organisation string
	Day          time.Time // midnight, UTC
	Seats        []SeatCount
}

// SeatCount counts the seats of a team that were last used on a day.
type SeatCount struct {
	Team       string    // empty: in no team, or in several
	LastActive time.Time // midnight, UTC; zero: never
	Seats      int
}

// UseDay is how many people of an organisation used Copilot on one day, by
// team; empty: those in no team, or in several.
type UseDay struct {
	Organisation string
	Day          time.Time // midnight, UTC
	Active       map[string]int
}

// UseSource is how far one organisation's figures are known.
type UseSource struct {
	Organisation string `json:"organisation"`
	// SeatsOn is the day of the newest list of seats, ReportedUntil the newest
	// day with a report; zero: there is none.
	SeatsOn       time.Time `json:"seats_on,omitzero"`
	ReportedUntil time.Time `json:"reported_until,omitzero"`
	// NoSeats and NoReports say why GitHub gave none when it was last asked;
	// empty: it did.
	NoSeats   string `json:"no_seats,omitempty"`
	NoReports string `json:"no_reports,omitempty"`
}

// UseFigures is what is stored of GitHub's own figures.
type UseFigures struct {
	// Read is set where anything is read from GitHub at all.
	Read    bool
	Sources []UseSource // by organisation
	// People counts who was in a team in the last of the windows, by team.
	People  map[string]int
	Windows []UseWindow // in the order asked for, which is that of time
}

// UseWindow is what is known of one window.
type UseWindow struct {
	// Day is that of the newest list of seats in the window; zero: there is
	// none. Seats are those on it, Active those of them last used on a day of
	// the window, by team.
	Day           time.Time
	Seats, Active map[string]int
	// Reported counts the days of the window with a report, Used the people who
	// used it on each of them, added up, by team.
	Reported int
	Used     map[string]int
}

// UseStore keeps GitHub's own figures on the use of assistants.
type UseStore interface {
	UseSources(ctx context.Context) ([]UseSource, error)
	Use(ctx context.Context, windows ...Window) (UseFigures, error)
}

// Use is what GitHub itself says of the use of its assistant. It is description
// only and never the treatment; a side of fewer than five people is not shown.
type Use struct {
	Sides []UseSide `json:"sides"`
	// Unknown says what is not known, and why, as sentences.
	Unknown []string `json:"unknown,omitempty"`
}

// UseSide is one side of the comparison.
type UseSide struct {
	Label string `json:"label"`
	// People is how many are known to be in the side's teams; nil where the side
	// is not shown.
	People *int `json:"people"`
	// Before and After are the times before and after the first start; nil
	// where nothing is known of them.
	Before *UseSpan `json:"before,omitempty"`
	After  *UseSpan `json:"after,omitempty"`
	Text   string   `json:"text"`
}

// UseSpan is what is known of one side in one time.
type UseSpan struct {
	// SeatsOn is the day on which Seats were assigned; Active of them had been
	// used since the time began. All three are absent where no list is known.
	SeatsOn time.Time `json:"seats_on,omitzero"`
	Seats   *int      `json:"seats,omitempty"`
	Active  *int      `json:"active,omitempty"`
	// Days have a report; Daily is how many people used it on their average.
	Days  int      `json:"days"`
	Daily *float64 `json:"daily,omitempty"`
	Text  string   `json:"text"`
}

// useFigures reads what GitHub says of use before and after a pilot's start;
// nil where the store keeps no such thing.
func (r *Reporter) useFigures(ctx context.Context, p Pilot) (*UseFigures, error) {
	store, ok := r.store.(UseStore)
	if !ok || len(p.Treated) == 0 {
		return nil, nil
	}
	_, _, start := sidesOf(p)
	before := Window{From: p.Before.From, To: start}
	if !p.Before.To.IsZero() && p.Before.To.Before(start) {
		before.To = p.Before.To
	}
	figures, err := store.Use(ctx, before, Window{From: later(start, p.After.From), To: p.After.To})
	if err != nil {
		return nil, fmt.Errorf("read what GitHub says of use for %q: %w", p.ID, err)
	}
	return &figures, nil
}

// use puts the figures on the sides of a comparison; nil where nothing is read
// from GitHub.
func (f *frame) use(figures *UseFigures) *Use {
	if f.problem != nil || figures == nil || len(figures.Windows) != 2 || !figures.Read && len(figures.Sources) == 0 {
		return nil
	}
	u := &Use{Sides: []UseSide{
		useSide(f.side(), f.names(f.treated), figures), useSide("comparison", f.names(f.comparison), figures),
	}}
	u.Unknown = figures.unknown(u.Sides)
	return u
}

func (f *frame) names(units []int) []string {
	var out []string
	for _, u := range units {
		out = append(out, f.units[u].name)
	}
	return out
}

func useSide(label string, teams []string, figures *UseFigures) UseSide {
	s := UseSide{Label: label}
	people := total(figures.People, teams)
	before, after := figures.Windows[0].span(teams), figures.Windows[1].span(teams)
	known := before != nil || after != nil
	switch size := max(people, before.seats(), after.seats()); {
	case size == 0 && known:
		// Nobody is known to be in these teams, so that nothing is known of them.
		s.Text = "not known"
	case known && size < smallGroup:
		s.Text = fmt.Sprintf("not shown, because there are fewer than %d people", smallGroup)
	case known:
		s.People, s.Before, s.After = &people, before, after
		s.Text = useText(people, before, after)
	default:
		s.Text = "not known"
	}
	return s
}

func total(of map[string]int, teams []string) int {
	n := 0
	for _, t := range teams {
		n += of[t]
	}
	return n
}

// seats is how many there are, 0 where none are known.
func (s *UseSpan) seats() int {
	if s == nil || s.Seats == nil {
		return 0
	}
	return *s.Seats
}

// span is what is known of some teams in a window; nil: nothing.
func (w UseWindow) span(teams []string) *UseSpan {
	s := &UseSpan{Days: w.Reported}
	var parts []string
	if !w.Day.IsZero() {
		seats, active := total(w.Seats, teams), total(w.Active, teams)
		s.SeatsOn, s.Seats, s.Active = w.Day, &seats, &active
		parts = append(parts, fmt.Sprintf("%s on %s, %s of them used", counted(seats, "seat"), FormatDate(w.Day), FormatCount(active)))
	}
	if w.Reported > 0 {
		s.Daily = finitePtr(float64(total(w.Used, teams)) / float64(w.Reported))
		parts = append(parts, fmt.Sprintf("used by %s a day on average (%s reported)", peopleOf(*s.Daily), counted(w.Reported, "day")))
	}
	if len(parts) == 0 {
		return nil
	}
	s.Text = strings.Join(parts, ", ")
	return s
}

// peopleOf is a mean number of people: "1 person", "3.4 people".
func peopleOf(mean float64) string {
	mean = math.Round(10*mean) / 10
	if mean == 1 {
		return "1 person"
	}
	return FormatNumber(mean) + " people"
}

func useText(people int, before, after *UseSpan) string {
	say := func(s *UseSpan) string {
		if s == nil {
			return "not known"
		}
		return s.Text
	}
	text := fmt.Sprintf("before the start %s; after it %s", say(before), say(after))
	if people > 0 {
		text += fmt.Sprintf(". People known in its teams: %s", FormatCount(people))
	}
	return text
}

// unknown says why figures are missing.
func (figures *UseFigures) unknown(sides []UseSide) []string {
	var out []string
	if len(figures.Sources) == 0 {
		return []string{"GitHub was not asked yet; “steelyard ingest” and “steelyard work” ask for the organisations that the settings name."}
	}
	for _, s := range figures.Sources {
		switch {
		case s.NoSeats != "" && s.NoReports != "":
			out = append(out, fmt.Sprintf("GitHub gives neither seats nor reports of use of %s to these credentials.", s.Organisation))
		case s.NoSeats != "":
			out = append(out, fmt.Sprintf("GitHub gives no seats of %s to these credentials.", s.Organisation))
		case s.NoReports != "":
			out = append(out, fmt.Sprintf("GitHub gives no reports of use of %s to these credentials.", s.Organisation))
		}
	}
	before, after := figures.Windows[0], figures.Windows[1]
	read := slices.ContainsFunc(figures.Sources, func(s UseSource) bool { return !s.SeatsOn.IsZero() })
	if read && (before.Day.IsZero() || after.Day.IsZero()) {
		out = append(out, "GitHub tells seats only as they are on the day it is asked, and not how they were before.")
	}
	if placed := slices.ContainsFunc(sides, func(s UseSide) bool { return s.Text != "not known" }); !placed && (!before.nothing() || !after.nothing()) {
		out = append(out, "Nobody is known to be in the teams compared: figures of people need teams that are made of people, not of repositories.")
	}
	return out
}

func (w UseWindow) nothing() bool { return w.Day.IsZero() && w.Reported == 0 }

// facts are the figures as lines.
func (u *Use) facts() []Fact {
	var out []Fact
	for _, s := range u.Sides {
		out = append(out, Fact{upperFirst(s.Label), upperFirst(s.Text) + "."})
	}
	if len(u.Unknown) > 0 {
		out = append(out, Fact{"Not known", strings.Join(u.Unknown, " ")})
	}
	return append(out, Fact{"What it says", "GitHub’s own figures on Copilot. Other assistants are not in them, a seat is not use, and who is treated is decided by team and date alone."})
}

// contaminated adds to what the marks say that the comparison used seats, too.
func (u *Use) contaminated(marks string) string {
	if u == nil {
		return marks
	}
	s := u.Sides[len(u.Sides)-1]
	if s.People == nil || s.After == nil || s.After.Active == nil {
		return marks
	}
	of, active := max(*s.People, s.After.seats()), *s.After.Active
	if float64(active) <= manyAssisted*float64(of) {
		return marks
	}
	text := fmt.Sprintf("GitHub says that %s of the comparison’s %s people used Copilot after the start.", FormatCount(active), FormatCount(of))
	if marks != "" {
		return marks + " " + text
	}
	return text + " It did not go without, so the difference shows less than the whole effect."
}
