package tests

import "strings"

// textGone reports whether a text of an assertion lost what product code wrote
// and no longer writes: a prefix of all its messages, say.
func (c *change) textGone(a, b *assertion) bool {
	if a.shape != b.shape || len(a.texts) != len(b.texts) {
		return false
	}
	lost := ""
	for i, was := range a.texts {
		if was == b.texts[i] {
			continue
		}
		rest, ok := shorter(inner(was), inner(b.texts[i]))
		if !ok || lost != "" && lost != rest {
			return false
		}
		lost = rest
	}
	if lost = strings.TrimSpace(lost); len(lost) < 5 {
		return false
	}
	wrote := false
	for _, p := range c.files {
		if p.test || len(p.Old)+len(p.New) > maxSize {
			continue
		}
		if strings.Contains(string(p.New), lost) {
			return false
		}
		wrote = wrote || strings.Contains(string(p.Old), lost)
	}
	return wrote
}

// shorter is what one text has in one piece more than another.
func shorter(was, now string) (string, bool) {
	if len(now) >= len(was) {
		return "", false
	}
	from := 0
	for from < len(now) && was[from] == now[from] {
		from++
	}
	end := len(now) - from
	if was[len(was)-end:] != now[from:] {
		return "", false
	}
	return was[from : len(was)-end], true
}
