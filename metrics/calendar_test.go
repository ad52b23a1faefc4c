package metrics_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"steelyard/metrics"
)

// office is nine to five, Monday to Friday, in Berlin, without Christmas.
func office() metrics.Calendar {
	return metrics.Calendar{
		Zone: "Europe/Berlin", Weekdays: []string{"monday", "tuesday", "wednesday", "thursday", "friday"},
		From: "09:00", Until: "17:00", Holidays: []string{"2026-12-25"},
	}
}

func workTime(t *testing.T, c metrics.Calendar) *metrics.WorkTime {
	t.Helper()
	w, err := c.WorkTime()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestWorkTimeBetween(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) time.Time {
		v, err := time.ParseInLocation("2006-01-02 15:04", text, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	round := office()
	round.Weekdays, round.From, round.Until, round.Holidays = append(round.Weekdays, "saturday", "sunday"), "00:00", "24:00", nil
	night := office()
	night.From, night.Until, night.Weekdays = "01:00", "05:00", round.Weekdays
	for _, c := range []struct {
		name     string
		calendar metrics.Calendar
		from, to string
		want     time.Duration
	}{
		{"within-a-day", office(), "2026-11-02 10:00", "2026-11-02 12:30", 150 * time.Minute},
		{"over-night", office(), "2026-11-02 16:00", "2026-11-03 10:00", 2 * time.Hour},
		{"over-a-weekend", office(), "2026-11-06 16:00", "2026-11-09 10:00", 2 * time.Hour},
		{"inside-a-weekend", office(), "2026-11-07 10:00", "2026-11-08 12:00", 0},
		{"before-work", office(), "2026-11-02 05:00", "2026-11-02 09:00", 0},
		{"inside-a-holiday", office(), "2026-12-25 10:00", "2026-12-25 16:00", 0},
		{"over-a-holiday", office(), "2026-12-24 16:00", "2026-12-28 10:00", 2 * time.Hour},
		{"a-week", office(), "2026-11-02 00:00", "2026-11-09 00:00", 40 * time.Hour},
		{"backwards", office(), "2026-11-03 00:00", "2026-11-02 00:00", 0},
		{"clocks-forward", round, "2026-03-29 00:00", "2026-03-30 00:00", 23 * time.Hour},
		{"clocks-back", round, "2026-10-25 00:00", "2026-10-26 00:00", 25 * time.Hour},
		{"the-hour-that-is-not", night, "2026-03-29 00:00", "2026-03-30 00:00", 3 * time.Hour},
		{"the-hour-twice", night, "2026-10-25 00:00", "2026-10-26 00:00", 5 * time.Hour},
		{"a-working-day-around-it", office(), "2026-03-27 16:00", "2026-03-30 10:00", 2 * time.Hour},
		{"over-a-year", round, "2025-12-31 23:00", "2026-01-01 01:00", 2 * time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := workTime(t, c.calendar)
			if got := w.Between(at(c.from), at(c.to)); got != c.want {
				t.Errorf("from %s to %s: %v of work, want %v", c.from, c.to, got, c.want)
			}
		})
	}
}

// Whatever the calendar, work adds up over any moment between, is never more
// than the time on the clock, never shrinks, and is the same minute by minute.
func TestWorkTimeProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	zones := []string{"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "America/Sao_Paulo"}
	days := []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
	for i := range 400 {
		c := metrics.Calendar{Zone: zones[i%len(zones)], From: "08:30", Until: []string{"17:00", "24:00", "09:00"}[i%3]}
		if i%5 == 0 {
			c.From = "00:00"
		}
		for _, d := range days {
			if r.IntN(3) > 0 {
				c.Weekdays = append(c.Weekdays, d)
			}
		}
		if len(c.Weekdays) == 0 {
			c.Weekdays = days[1:2]
		}
		start := time.Date(2011+r.IntN(15), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), 0, 0, time.UTC)
		for range r.IntN(4) {
			c.Holidays = append(c.Holidays, start.AddDate(0, 0, r.IntN(5)).Format(time.DateOnly))
		}
		w := workTime(t, c)
		length := time.Duration(r.IntN(6*24*60)) * time.Minute
		middle, end := start.Add(time.Duration(r.Int64N(int64(length)+1))).Truncate(time.Minute), start.Add(length)
		if middle.Before(start) {
			middle = start
		}
		whole := w.Between(start, end)
		if parts := w.Between(start, middle) + w.Between(middle, end); parts != whole {
			t.Errorf("%+v from %v by %v to %v: %v in parts, %v at once", c, start, middle, end, parts, whole)
		}
		if whole < 0 || whole > length {
			t.Errorf("%+v: %v of work in %v", c, whole, length)
		}
		if later := w.Between(start, end.Add(time.Hour)); later < whole {
			t.Errorf("%+v: an hour more takes work from %v to %v", c, whole, later)
		}
		if i%20 == 0 {
			if slow := minuteByMinute(t, c, start, end); slow != whole {
				t.Errorf("%+v from %v to %v: %v, minute by minute %v", c, start, end, whole, slow)
			}
		}
	}
}

// minuteByMinute counts working minutes by looking at the clock in each.
func minuteByMinute(t *testing.T, c metrics.Calendar, from, to time.Time) time.Duration {
	t.Helper()
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		t.Fatal(err)
	}
	var total time.Duration
	for at := from; at.Before(to); at = at.Add(time.Minute) {
		local := at.In(zone)
		clock, works := local.Format("15:04"), false
		for _, d := range c.Weekdays {
			works = works || d == map[time.Weekday]string{0: "sunday", 1: "monday", 2: "tuesday", 3: "wednesday", 4: "thursday", 5: "friday", 6: "saturday"}[local.Weekday()]
		}
		for _, h := range c.Holidays {
			works = works && h != local.Format(time.DateOnly)
		}
		if works && clock >= c.From && clock < c.Until {
			total += time.Minute
		}
	}
	return total
}

func TestBadCalendars(t *testing.T) {
	for field, edit := range map[string]func(*metrics.Calendar){
		"hours.zone":     func(c *metrics.Calendar) { c.Zone = "Mars/Olympus" },
		"hours.weekdays": func(c *metrics.Calendar) { c.Weekdays = []string{"caturday"} },
		"hours.from":     func(c *metrics.Calendar) { c.From = "9:00" },
		"hours.until":    func(c *metrics.Calendar) { c.Until = "08:00" },
		"hours.holidays": func(c *metrics.Calendar) { c.Holidays = []string{"25.12.2026"} },
	} {
		p := workedPilot()
		c := office()
		edit(&c)
		p.Hours = &metrics.WorkingHours{Calendar: c}
		err := p.Validate()
		if bad, ok := err.(*metrics.FieldError); !ok || bad.Field != field || bad.Cure == "" { //nolint:errorlint // it is returned as it is
			t.Errorf("%s: %v", field, err)
		}
	}
	p := workedPilot()
	p.Hours = &metrics.WorkingHours{Calendar: office(), Teams: []metrics.TeamCalendar{{Team: "a", Calendar: office()}, {Team: "a", Calendar: office()}}}
	if err := p.Validate(); err == nil {
		t.Error("a team has two calendars")
	}
}

// A pilot that counts working hours measures them, each team by its own
// calendar, and its definition is another one.
func TestWorkingHoursAreMeasured(t *testing.T) {
	s := workedStore()
	p := workedPilot()
	elapsed, err := p.Hash()
	if err != nil {
		t.Fatal(err)
	}
	whole := office()
	whole.Weekdays, whole.From, whole.Until = append(whole.Weekdays, "saturday", "sunday"), "00:00", "24:00"
	p.Hours = &metrics.WorkingHours{Calendar: whole, Teams: []metrics.TeamCalendar{{Team: "payments", Calendar: office()}}}
	if working, err := p.Hash(); err != nil || working == elapsed {
		t.Errorf("the definition is the same with other hours (%v)", err)
	}
	before := metricOf(t, reportOf(t, s, p.ID), "open_to_merge")
	s.put(p, nil)
	after := metricOf(t, reportOf(t, s, p.ID), "open_to_merge")
	if after.Measure != "median working hours" {
		t.Errorf("measure %q", after.Measure)
	}
	if !near(after.Comparison.Before, *before.Comparison.Before, 1e-9) {
		t.Errorf("the comparison, which works round the clock, changed from %v to %v", *before.Comparison.Before, *after.Comparison.Before)
	}
	if *after.Pilot.Before >= *before.Pilot.Before || *after.Pilot.Before <= 0 {
		t.Errorf("the pilot's median went from %v to %v working hours", *before.Pilot.Before, *after.Pilot.Before)
	}
}
