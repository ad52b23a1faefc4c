package web

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"steelyard/metrics"
)

// stamp is a moment for people; the machine's form is [machine].
func stamp(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04 UTC") }

// machine is a moment for the datetime attribute.
func machine(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// some writes a number with its noun: "1 repository", "41 repositories".
func some(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return metrics.FormatCount(n) + " " + plural(noun)
}

// plural of an English noun that the product or a pilot's definition uses.
func plural(noun string) string {
	switch {
	case noun == "":
		return ""
	case strings.HasSuffix(noun, "s") || strings.HasSuffix(noun, "x") || strings.HasSuffix(noun, "ch") || strings.HasSuffix(noun, "sh"):
		if strings.HasSuffix(noun, "weeks") || strings.HasSuffix(noun, "months") || strings.HasSuffix(noun, "days") {
			return noun
		}
		return noun + "es"
	case len(noun) > 1 && strings.HasSuffix(noun, "y") && !strings.ContainsRune("aeiou", rune(noun[len(noun)-2])):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

// count writes small numbers as words, as a headline does.
func count(n int) string {
	words := strings.Fields("no one two three four five six seven eight nine")
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return metrics.FormatCount(n)
}

// capital sets the first letter of s in upper case.
func capital(s string) string {
	if s == "" {
		return s
	}
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

// sentence ends s with a full stop.
func sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:") {
		return s
	}
	return s + "."
}

// list joins with commas and "and".
func list(parts []string) string {
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// leftOut writes what was left out: "12 rows left out because …".
func leftOut(l metrics.LeftOut) string {
	what := l.What
	if l.Count == 1 {
		what = strings.TrimSuffix(what, "s")
	}
	return fmt.Sprintf("%s %s, because %s", metrics.FormatCount(l.Count), what, l.Reason)
}

// better names the side of an outcome, with an arrow that points along the
// axis.
func better(b metrics.Better) string {
	switch b {
	case metrics.BetterLower:
		return "← lower is better"
	case metrics.BetterHigher:
		return "higher is better →"
	default:
		return "no better side"
	}
}

// unitWords names an effect's unit for an axis.
func unitWords(e metrics.EffectUnit) string {
	switch e {
	case metrics.UnitPoints:
		return "points"
	case metrics.UnitPercent:
		return "percent"
	case metrics.UnitRatio:
		return "ratio of ratios"
	default:
		return "its own unit"
	}
}

// external is s where it is an address on the web, else "": what was imported
// must not become another kind of link.
func external(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return s
}

// pilotPath is a pilot's address.
func pilotPath(id string) string { return "/pilots/" + url.PathEscape(id) }

// short is the first part of a digest, enough to compare by eye.
func short(hash string) string {
	if len(hash) > 12 {
		return hash[:12]
	}
	return hash
}

// when writes a period's label for people where it is a day or a month.
func when(label string) string {
	if t, err := time.Parse("2006-01-02", label); err == nil {
		return metrics.FormatDate(t)
	}
	if t, err := time.Parse("2006-01", label); err == nil {
		return t.Format("Jan 2006")
	}
	return label
}

// shareOf writes a part of a whole: "31 of 2,736 (1.1 %)".
func shareOf(n, of int) string {
	if of == 0 {
		return metrics.FormatCount(n)
	}
	return metrics.FormatCount(n) + " of " + metrics.FormatCount(of) + " (" + metrics.FormatShare(float64(n)/float64(of)) + ")"
}
