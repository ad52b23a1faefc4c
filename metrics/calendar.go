package metrics

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// WorkingHours says that a pilot's durations count only working time: each
// pull request by the calendar of its team. It is a part of the definition, so
// that a change of it is a change of what is measured.
type WorkingHours struct {
	// Calendar is that of teams without one of their own.
	Calendar
	Teams []TeamCalendar `json:"teams,omitempty"`
}

// TeamCalendar is the calendar of one team.
type TeamCalendar struct {
	Team string `json:"team"`
	Calendar
}

// Calendar is when work is done.
type Calendar struct {
	// Zone is the name of a time zone, such as Europe/Berlin.
	Zone string `json:"zone"`
	// Weekdays are the days on which work is done, in lower case: "monday".
	Weekdays []string `json:"weekdays"`
	// From and Until are the ends of a working day on the clock of the zone:
	// "09:00"; "24:00" is midnight.
	From  string `json:"from"`
	Until string `json:"until"`
	// Holidays are days without work: "2026-12-25".
	Holidays []string `json:"holidays,omitempty"`
}

// maxHolidays bounds the holidays of a calendar.
const maxHolidays = 2000

// WorkTime is a [Calendar] that was read, ready to count with.
type WorkTime struct {
	zone        *time.Location
	weekdays    [7]bool
	from, until clockTime
	holidays    map[civilDay]bool
}

type clockTime struct{ hour, minute int }

type civilDay struct {
	year  int
	month time.Month
	day   int
}

// WorkTime reads the calendar. Its error names the field and what is wrong.
func (c Calendar) WorkTime() (*WorkTime, error) {
	out := &WorkTime{holidays: make(map[civilDay]bool, len(c.Holidays))}
	if c.Zone == "" || c.Zone == "Local" {
		return nil, invalid("zone", c.Zone, "is no time zone", "name one, such as Europe/Berlin or UTC")
	}
	var err error
	if out.zone, err = time.LoadLocation(c.Zone); err != nil {
		return nil, invalid("zone", c.Zone, "is no time zone", "name one, such as Europe/Berlin or UTC")
	}
	if len(c.Weekdays) == 0 {
		return nil, invalid("weekdays", "", "is empty", "name the days on which work is done")
	}
	for _, name := range c.Weekdays {
		day, ok := weekday(name)
		if !ok {
			return nil, invalid("weekdays", name, "is no day of the week", `write it like "monday"`)
		}
		out.weekdays[day] = true
	}
	if out.from, err = parseClock("from", c.From); err != nil {
		return nil, err
	}
	if out.until, err = parseClock("until", c.Until); err != nil {
		return nil, err
	}
	if !out.from.before(out.until) {
		return nil, invalid("until", c.Until, "is not after the beginning of the working day", "write a later time of day")
	}
	if len(c.Holidays) > maxHolidays {
		return nil, invalid("holidays", fmt.Sprint(len(c.Holidays)), "is too many", fmt.Sprintf("name at most %d", maxHolidays))
	}
	for _, h := range c.Holidays {
		t, err := time.Parse(time.DateOnly, h)
		if err != nil {
			return nil, invalid("holidays", h, "is no day", `write it like "2026-12-25"`)
		}
		out.holidays[civil(t)] = true
	}
	return out, nil
}

func weekday(name string) (time.Weekday, bool) {
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.ToLower(d.String()) == name {
			return d, true
		}
	}
	return 0, false
}

// parseClock reads 09:30, 00:00 to 24:00.
func parseClock(field, s string) (clockTime, error) {
	var c clockTime
	ok := len(s) == 5 && s[2] == ':'
	for i := 0; ok && i < 5; i++ {
		ok = i == 2 || s[i] >= '0' && s[i] <= '9'
	}
	if ok {
		c = clockTime{int(s[0]-'0')*10 + int(s[1]-'0'), int(s[3]-'0')*10 + int(s[4]-'0')}
		ok = c.minute < 60 && (c.hour < 24 || c == clockTime{hour: 24})
	}
	if !ok {
		return c, invalid(field, s, "is no time of day", `write it like "09:00"`)
	}
	return c, nil
}

func (c clockTime) before(d clockTime) bool {
	return c.hour < d.hour || c.hour == d.hour && c.minute < d.minute
}

func civil(t time.Time) civilDay {
	y, m, d := t.Date()
	return civilDay{y, m, d}
}

// Between is how much of the time from one moment to another is working time;
// 0 where to is not after from. Days on which clocks are set forward or back
// are as long as they are.
func (w *WorkTime) Between(from, to time.Time) time.Duration {
	if !to.After(from) {
		return 0
	}
	var total time.Duration
	year, month, day := from.In(w.zone).Date()
	for {
		opens := w.clock(year, month, day, w.from)
		if !opens.Before(to) {
			return total
		}
		if w.works(year, month, day) {
			closes := w.clock(year, month, day, w.until)
			if part := earlier(closes, to).Sub(later(opens, from)); part > 0 {
				total += part
			}
		}
		day++
	}
}

// works reports whether work is done on a day, which may lie past the month's
// end.
func (w *WorkTime) works(year int, month time.Month, day int) bool {
	t := time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
	return w.weekdays[t.Weekday()] && !w.holidays[civil(t)]
}

func (w *WorkTime) clock(year int, month time.Month, day int, c clockTime) time.Time {
	return time.Date(year, month, day, c.hour, c.minute, 0, 0, w.zone)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// check reports the first thing that is wrong with the hours, as a
// [*FieldError].
func (h *WorkingHours) check() error {
	if h == nil {
		return nil
	}
	check := func(field string, c Calendar) error {
		_, err := c.WorkTime()
		if bad, ok := err.(*FieldError); ok { //nolint:errorlint // it is made just above
			return invalid(field+bad.Field, bad.Value, bad.Problem, bad.Cure)
		}
		return err
	}
	if err := check("hours.", h.Calendar); err != nil {
		return err
	}
	if len(h.Teams) > maxUnits {
		return invalid("hours.teams", fmt.Sprint(len(h.Teams)), "is too many teams", fmt.Sprintf("name at most %d", maxUnits))
	}
	seen := map[string]bool{}
	for i, t := range h.Teams {
		field := fmt.Sprintf("hours.teams[%d].", i)
		if err := checkUnitName(field+"team", t.Team); err != nil {
			return err
		}
		if seen[t.Team] {
			return invalid(field+"team", t.Team, "stands twice", "give each team one calendar")
		}
		seen[t.Team] = true
		if err := check(field, t.Calendar); err != nil {
			return err
		}
	}
	return nil
}

// workTimes are the calendars of teams; the one of all others stands under
// the empty name, which is no team's.
func (h *WorkingHours) workTimes() (map[string]*WorkTime, error) {
	if h == nil {
		return nil, nil
	}
	out := map[string]*WorkTime{}
	var err error
	if out[""], err = h.WorkTime(); err != nil {
		return nil, err
	}
	for _, t := range h.Teams {
		if out[t.Team], err = t.WorkTime(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// canonical is the calendars in the form that the definition's hash is taken
// of: lists whose order means nothing sorted.
func (h *WorkingHours) canonical() *WorkingHours {
	if h == nil {
		return nil
	}
	sorted := func(c Calendar) Calendar {
		c.Weekdays = slices.Sorted(slices.Values(c.Weekdays))
		c.Holidays = slices.Sorted(slices.Values(c.Holidays))
		return c
	}
	out := &WorkingHours{Calendar: sorted(h.Calendar), Teams: slices.Clone(h.Teams)}
	for i := range out.Teams {
		out.Teams[i].Calendar = sorted(out.Teams[i].Calendar)
	}
	slices.SortFunc(out.Teams, func(a, b TeamCalendar) int { return strings.Compare(a.Team, b.Team) })
	return out
}
