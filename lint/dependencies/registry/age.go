package registry

import (
	"fmt"
	"iter"
	"strings"
	"time"
)

// A mirror may give the time at which it copied a version for the time of its
// publication. Times are taken for such where a mirror has nothing older than
// freshCopy, and anywhere where many versions appear within one bulk.
const (
	freshCopy    = 7 * 24 * time.Hour
	bulk         = time.Hour
	bulkVersions = 5
)

// firstRegistry is the year of the first registry of packages, CPAN. A time
// before it stands for none, as 1970 and 1980 do.
const firstRegistry = 1995

// firstTime is when a package was first published, and why that is not known:
// created is what the registry says, times are those of its versions.
func firstTime(created time.Time, times []time.Time, a Address, now time.Time) (time.Time, string) {
	var earliest, latest time.Time
	for _, t := range times {
		if earliest.IsZero() || t.Before(earliest) {
			earliest = t
		}
		if t.After(latest) {
			latest = t
		}
	}
	const slack = 24 * time.Hour
	switch {
	case !created.IsZero() && created.Year() < firstRegistry:
		return time.Time{}, fmt.Sprintf("the registry says %s, when there was none", created.UTC().Format(time.DateOnly))
	case created.IsZero():
		return time.Time{}, "the registry does not say when it was created"
	case created.After(now.Add(slack)):
		return time.Time{}, "the registry gives a time in the future"
	case !earliest.IsZero() && earliest.Before(created.Add(-slack)):
		return time.Time{}, fmt.Sprintf("the registry says %s, yet has versions from before that", created.UTC().Format(time.DateOnly))
	case len(times) >= bulkVersions && latest.Sub(earliest) < bulk && now.Sub(created) < freshCopy*5:
		return time.Time{}, fmt.Sprintf("all %d versions have the same time, as on mirrors that give the time of copying", len(times))
	case !a.Canonical && len(times) > 1 && now.Sub(earliest) < freshCopy:
		return time.Time{}, "every version is a few days old, as on mirrors that give the time of copying"
	}
	if earliest.IsZero() || created.Before(earliest) {
		return created.UTC(), ""
	}
	return earliest.UTC(), ""
}

func mapValues[K comparable, V any](m map[K]V) iter.Seq[V] {
	return func(yield func(V) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

// firstLine is the beginning of a text from a registry, fit for one line.
func firstLine(s string) string {
	const most = 160
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// versionCount is a number of versions in words.
func versionCount(n int) string {
	if n == 1 {
		return "1 version"
	}
	return fmt.Sprintf("%d versions", n)
}
