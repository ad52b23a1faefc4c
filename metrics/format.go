package metrics

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Numbers as people read them: a proper minus sign (U+2212), a narrow no-break
// space (U+202F) before %, h and d, an arrow from before to after, and no more
// digits than the number can carry.
const (
	minus  = "\u2212"
	narrow = "\u202f"
	arrow  = " → "
	times  = "×" + narrow
	dash   = "–"
)

// decimals is how many digits after the point show x with that many
// significant ones.
func decimals(x float64, significant int) int {
	x = math.Abs(x)
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	d := significant - 1 - int(math.Floor(math.Log10(x)))
	return min(max(d, 0), 12)
}

// fixed writes x with d digits after the point, a thousands comma from 1,000
// on, and no minus before a zero.
func fixed(x float64, d int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return dash
	}
	s := strconv.FormatFloat(math.Abs(x), 'f', d, 64)
	whole, frac, found := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if found {
		whole += "." + frac
	}
	if x < 0 && strings.Trim(s, "0.") != "" {
		return minus + whole
	}
	return whole
}

// FormatNumber writes a value with two significant digits under 10 and as a
// whole number from there on: "0.81", "5.2", "18", "1,240".
func FormatNumber(x float64) string {
	if x == 0 {
		return "0"
	}
	if math.Abs(x) < 9.95 {
		return trimZeros(fixed(x, decimals(x, 2)), x)
	}
	return fixed(x, 0)
}

// trimZeros drops ".0" of a number that is whole.
func trimZeros(s string, x float64) string {
	if x == math.Trunc(x) {
		whole, _, _ := strings.Cut(s, ".")
		return whole
	}
	return s
}

// FormatCount writes a whole number with thousands commas: "2,736".
func FormatCount(n int) string { return fixed(float64(n), 0) }

// FormatSigned writes a change: "+9", "−17", "0", "+0.4".
func FormatSigned(x float64) string { return signed(x, signedDecimals(x)) }

func signedDecimals(x float64) int {
	if a := math.Abs(x); a >= 0.95 || a < 0.05 {
		return 0
	}
	return 1
}

func signed(x float64, d int) string {
	s := fixed(x, d)
	if x > 0 && strings.Trim(s, "0.,") != "" {
		return "+" + s
	}
	return s
}

// FormatPercent writes a change in percent: "−33 %", "+5 %", "+0.4 %".
func FormatPercent(x float64) string { return FormatSigned(x) + narrow + "%" }

// FormatShare writes a share between 0 and 1 in percent: "8.0 %", "52 %".
func FormatShare(x float64) string {
	p := 100 * x
	if p != 0 && math.Abs(p) < 9.95 {
		return fixed(p, 1) + narrow + "%"
	}
	return fixed(p, 0) + narrow + "%"
}

// FormatPoints writes a difference of two percentage changes: "−17 points",
// "+1 point".
func FormatPoints(x float64) string {
	s := FormatSigned(x)
	if s == "+1" || s == minus+"1" {
		return s + " point"
	}
	return s + " points"
}

// FormatRatio writes a ratio: "× 2.33", "× 0.18", "× 29.5".
func FormatRatio(x float64) string { return times + ratioDigits(x) }

func ratioDigits(x float64) string {
	switch a := math.Abs(x); {
	case a == 0:
		return "0"
	case a < 0.0995:
		return fixed(x, decimals(x, 2))
	case a < 9.995:
		return fixed(x, 2)
	case a < 99.95:
		return fixed(x, 1)
	}
	return fixed(x, 0)
}

// FormatP writes a p-value: "p = 0.11", "p = 0.004", "p < 0.001", with two
// digits, and three where two would not say on which side of 0.05 it lies.
func FormatP(p float64) string {
	switch {
	case p < 0.001:
		return "p < 0.001"
	case p > 0.045 && p < 0.055: // 0.05 itself would not say on which side
		return "p = " + strconv.FormatFloat(p, 'f', 3, 64)
	case p < 0.0095:
		return "p = " + strconv.FormatFloat(p, 'f', 3, 64)
	case p > 0.995:
		return "p = 1"
	}
	return "p = " + strconv.FormatFloat(p, 'f', 2, 64)
}

// FormatDate writes a day: "3 Aug 2026".
func FormatDate(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

// FormatValue writes a value in its unit: hours as "18 h" (days, "4.2 d", from
// 96 hours on), shares as "8.0 %", all else as a plain number.
func FormatValue(x float64, unit string) string { return inUnit(x, unit, x) }

// FormatChange writes before and after in one unit: "18 h → 12 h", "3 → 7".
func FormatChange(before, after float64, unit string) string {
	scale := math.Max(math.Abs(before), math.Abs(after))
	return inUnit(before, unit, scale) + arrow + inUnit(after, unit, scale)
}

// inUnit writes x in the form that suits a number of the size of scale, so
// that two numbers beside each other share one.
func inUnit(x float64, unit string, scale float64) string {
	switch unit {
	case "hours":
		if math.Abs(scale) >= 96 {
			return measured(x/24) + narrow + "d"
		}
		if math.Abs(scale) < 1 && scale != 0 {
			return measured(60*x) + narrow + "min"
		}
		return measured(x) + narrow + "h"
	case "share":
		return FormatShare(x)
	}
	return measured(x)
}

// measured writes a measured value with three significant digits and no zeros
// at its end, so that a change computed by hand comes close to the one shown:
// "22.4", "18", "5.23", "1,240".
func measured(x float64) string {
	s := fixed(x, decimals(x, 3))
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// levelDecimals is how many digits an effect in the outcome's own unit may
// show: two significant ones of its standard error, or three of its own where
// it has none.
func levelDecimals(x float64, se *float64) int {
	if se != nil && *se > 0 {
		return decimals(*se, 2)
	}
	return decimals(x, 3)
}

// FormatEffect writes x in unit u. se decides the digits of UnitLevel; nil
// where there is none.
func FormatEffect(x float64, u EffectUnit, se *float64) string {
	switch u {
	case UnitPoints:
		return FormatPoints(x)
	case UnitPercent:
		return FormatPercent(x)
	case UnitRatio:
		return FormatRatio(x)
	default:
		return signed(x, levelDecimals(x, se))
	}
}

// FormatInterval writes an interval: "−41 to +9", "−41 % to +9 %",
// "× 0.18 to 29.5". A nil end is open: "over × 0.18", "no bound".
func FormatInterval(low, high *float64, u EffectUnit, se *float64) string {
	end := func(x float64) string {
		switch u {
		case UnitPoints:
			return FormatSigned(x)
		case UnitRatio:
			return ratioDigits(x)
		default:
			return FormatEffect(x, u, se)
		}
	}
	prefix := ""
	if u == UnitRatio {
		prefix = times
	}
	switch {
	case low == nil && high == nil:
		return ""
	case low == nil:
		return "up to " + prefix + end(*high)
	case high == nil:
		return prefix + end(*low) + " or more"
	}
	return prefix + end(*low) + " to " + end(*high)
}

// plural makes a singular noun plural where n is not 1: "team", "teams".
func plural(n int, noun string) string {
	if n == 1 || noun == "" {
		return noun
	}
	switch {
	case strings.HasSuffix(noun, "y") && len(noun) > 1 && !strings.ContainsRune("aeiou", rune(noun[len(noun)-2])):
		return noun[:len(noun)-1] + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	}
	return noun + "s"
}

// counted is a number with its noun: "1 team", "7 teams".
func counted(n int, noun string) string { return FormatCount(n) + " " + plural(n, noun) }
