package metrics

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// canonical is the pilot in the one form its hash is taken of: times in UTC,
// and the lists whose order means nothing sorted. The order of outcomes is the
// order of the report and stays.
func (p Pilot) canonical() Pilot {
	p.Treated = slices.Clone(p.Treated)
	for i := range p.Treated {
		p.Treated[i].Start = p.Treated[i].Start.UTC()
	}
	slices.SortFunc(p.Treated, func(a, b Adoption) int { return strings.Compare(a.Unit, b.Unit) })
	p.Comparison = slices.Sorted(slices.Values(p.Comparison))
	p.Before, p.After = p.Before.utc(), p.After.utc()
	p.Hours = p.Hours.canonical()
	p.LeftOut = slices.Clone(p.LeftOut)
	for i := range p.LeftOut {
		p.LeftOut[i].Window = p.LeftOut[i].utc()
	}
	slices.SortFunc(p.LeftOut, func(a, b Exclusion) int {
		return cmp.Or(a.From.Compare(b.From), a.To.Compare(b.To), strings.Compare(a.Reason, b.Reason))
	})
	return p
}

func (w Window) utc() Window { return Window{From: w.From.UTC(), To: w.To.UTC()} }

// Contains reports whether t lies in w.
func (w Window) Contains(t time.Time) bool {
	return (w.From.IsZero() || !t.Before(w.From)) && (w.To.IsZero() || t.Before(w.To))
}

// Hash is the hexadecimal SHA-256 of the pilot's canonical JSON. Two
// definitions that mean the same comparison have the same hash, whatever the
// order in which units and spans are named.
func (p Pilot) Hash() (string, error) {
	data, err := json.Marshal(p.canonical())
	if err != nil {
		return "", fmt.Errorf("hash pilot %q: %w", p.ID, err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// Diff names the fields in which q differs from p, in alphabetical order, by
// their JSON names ("comparison", "smallest_effect"); outcomes that differ in
// titles and units alone are "outcome_words". It is empty where the two hashes
// are equal.
func (p Pilot) Diff(q Pilot) []string {
	a, b := p.fields(), q.fields()
	names := make(map[string]bool, len(a))
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		switch {
		case bytes.Equal(a[name], b[name]):
		case name == "outcomes" && slices.EqualFunc(p.Outcomes, q.Outcomes, sameOutcome):
			out = append(out, outcomeWords)
		default:
			out = append(out, name)
		}
	}
	return out
}

// sameOutcome reports whether two outcomes measure the same.
func sameOutcome(a, b Outcome) bool {
	a.Title, a.Unit, b.Title, b.Unit = "", "", "", ""
	return a == b
}

// fields is the canonical JSON split by field. A pilot holds strings, numbers
// and times only; the one value JSON has no form for is a number that is not
// finite, and then the fields cannot be told apart.
func (p Pilot) fields() map[string]json.RawMessage {
	data, err := json.Marshal(p.canonical())
	if err != nil {
		return nil
	}
	out := map[string]json.RawMessage{}
	if err := json.Unmarshal(data, &out); err != nil {
		return nil
	}
	return out
}

// Slug makes an id out of a title: lower-case letters and digits, joined by
// '-', at most 64. It is empty where the title holds none.
func Slug(title string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(title) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			dash = false
		} else {
			dash = true
		}
		if b.Len() >= 63 {
			break
		}
	}
	return b.String()
}
