package metrics

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limits of a period number's text, so that arithmetic on periods cannot
// overflow.
const maxPeriodDigits = 9

var epoch = time.Date(1970, time.January, 1, 0, 0, 0, 0, time.UTC)

// ParsePeriod reads a period and says what kind it is:
//
//	"2024-08-05"                      a day
//	"2024-08-05T00:00:00Z"            a day; any time of day but midnight is refused
//	"2024-W32", "2024W32"             the Monday of an ISO week, a day
//	"2024-W32-3", "2024W323"          a day of an ISO week
//	"2024-08", "2024/08"              a month
//	"2003"                            a year, 1900 to 2199
//	"7", "-3", "20240"                an integer
//
// A column of integers may hold a number that reads like a year; once a file's
// kind is known, read its other rows with [PeriodKind.Parse].
func ParsePeriod(s string) (PeriodKind, int, error) {
	t := strings.TrimSpace(s)
	if t == "" {
		return "", 0, periodError(s, "is empty")
	}
	if len(t) > 40 {
		return "", 0, periodError(s, "is too long")
	}
	if isInteger(t) {
		if n, err := PeriodYear.Parse(t); err == nil && len(t) == 4 {
			return PeriodYear, n, nil
		}
		n, err := PeriodInteger.Parse(t)
		return PeriodInteger, n, err
	}
	if n, err := PeriodMonth.Parse(t); err == nil {
		return PeriodMonth, n, nil
	}
	n, err := PeriodDay.Parse(t)
	if err != nil {
		return "", 0, err
	}
	return PeriodDay, n, nil
}

// Parse reads a period of a known kind. Its errors name the value and how it
// is to be written.
func (k PeriodKind) Parse(s string) (int, error) {
	t := strings.TrimSpace(s)
	switch k {
	case PeriodInteger, PeriodYear:
		return k.parseNumber(s, t)
	case PeriodMonth:
		d, err := time.Parse("2006-01", strings.Replace(t, "/", "-", 1))
		if err != nil || !sensible(d) {
			return 0, periodError(s, "is not a month")
		}
		return k.At(d), nil
	case PeriodDay:
		d, err := parseDay(t)
		if err != nil {
			return 0, periodError(s, err.Error())
		}
		return k.At(d), nil
	}
	return 0, fmt.Errorf("period kind %q is not known", string(k))
}

func (k PeriodKind) parseNumber(s, t string) (int, error) {
	if !isInteger(t) {
		return 0, periodError(s, "is not a whole number")
	}
	if len(strings.TrimLeft(t, "+-")) > maxPeriodDigits {
		return 0, periodError(s, "is too large")
	}
	n, err := strconv.Atoi(t)
	if err != nil {
		return 0, periodError(s, "is not a whole number")
	}
	if k == PeriodYear && (n < 1900 || n > 2199) {
		return 0, periodError(s, "is not a year between 1900 and 2199")
	}
	return n, nil
}

func isInteger(t string) bool {
	digits := strings.TrimLeft(t, "+-")
	if len(t)-len(digits) > 1 || digits == "" {
		return false
	}
	for _, r := range digits {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

func parseDay(t string) (time.Time, error) {
	if d, ok, err := parseISOWeek(t); ok {
		return d, err
	}
	for _, layout := range []string{time.DateOnly, "2006/01/02", time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05"} {
		d, err := time.Parse(layout, t)
		if err != nil {
			continue
		}
		d = d.UTC()
		if !d.Equal(d.Truncate(24 * time.Hour)) {
			return d, fmt.Errorf("has a time of day; a period is a whole day (UTC)")
		}
		if !sensible(d) {
			return d, fmt.Errorf("lies outside the years 1900 to 2199")
		}
		return d, nil
	}
	return time.Time{}, fmt.Errorf("is not a period")
}

// parseISOWeek reads 2024-W32, 2024W32, 2024-W32-3 and 2024W323 (ISO 8601);
// ok is false where t is written in another way.
func parseISOWeek(t string) (d time.Time, ok bool, err error) {
	year, rest, found := strings.Cut(strings.ToUpper(t), "W")
	year = strings.TrimSuffix(year, "-")
	rest = strings.Replace(rest, "-", "", 1)
	if !found || len(year) != 4 || !isInteger(year) || !isInteger(rest) || len(rest) < 2 || len(rest) > 3 {
		return time.Time{}, false, nil
	}
	y, _ := strconv.Atoi(year)
	week, _ := strconv.Atoi(rest[:2])
	day := 1
	if len(rest) == 3 {
		day = int(rest[2] - '0')
	}
	// 4 January always lies in week 1.
	jan4 := time.Date(y, time.January, 4, 0, 0, 0, 0, time.UTC)
	monday := jan4.AddDate(0, 0, -(int(jan4.Weekday())+6)%7)
	d = monday.AddDate(0, 0, 7*(week-1))
	if gotYear, gotWeek := d.ISOWeek(); gotYear != y || gotWeek != week || day < 1 || day > 7 {
		return d, true, fmt.Errorf("is not a week of that year")
	}
	if !sensible(d) {
		return d, true, fmt.Errorf("lies outside the years 1900 to 2199")
	}
	return d.AddDate(0, 0, day-1), true, nil
}

func sensible(d time.Time) bool { return d.Year() >= 1900 && d.Year() < 2200 }

func periodError(s, problem string) error {
	return fmt.Errorf("period %q %s; write 2024-08-05, 2024-W32, 2024-08, 2024 or a whole number", clip(s, 40), problem)
}

// At is the number of the period that holds t. Integer periods have no place
// in time; their number is 0.
func (k PeriodKind) At(t time.Time) int {
	t = t.UTC()
	switch k {
	case PeriodYear:
		return t.Year()
	case PeriodMonth:
		return 12*t.Year() + int(t.Month()) - 1
	case PeriodDay:
		return floorDiv(int(t.Unix()), 24*60*60)
	default:
		return 0
	}
}

// Start is the first moment of a period; zero for integer periods.
func (k PeriodKind) Start(period int) time.Time {
	switch k {
	case PeriodYear:
		return time.Date(period, time.January, 1, 0, 0, 0, 0, time.UTC)
	case PeriodMonth:
		return time.Date(floorDiv(period, 12), time.Month(period-12*floorDiv(period, 12)+1), 1, 0, 0, 0, 0, time.UTC)
	case PeriodDay:
		return epoch.AddDate(0, 0, period)
	default:
		return time.Time{}
	}
}

// Label is how a period is written: "2024-08-05", "2024-08", "2003", "7". It
// reads back with [PeriodKind.Parse].
func (k PeriodKind) Label(period int) string {
	switch k {
	case PeriodMonth:
		return k.Start(period).Format("2006-01")
	case PeriodDay:
		return k.Start(period).Format(time.DateOnly)
	default:
		return strconv.Itoa(period)
	}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
