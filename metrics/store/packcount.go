package store

import "encoding/binary"

// packCounts is what the summary of what is stored needs of a pack: it stands
// beside it, so that counting reads no rows.
type packCounts struct {
	rows, bots, open int
	// first is the first opening, last the newest opening, merge or closing, in
	// milliseconds.
	first, last int64
	// authors are the people among the authors, without deleted accounts.
	authors []string
}

// countPack counts pull requests in any order.
func countPack(rows []packedPull) packCounts {
	var c packCounts
	seen := newTexts()
	for i := range rows {
		p := &rows[i]
		c.rows++
		if p.AuthorBot {
			c.bots++
		} else if p.Author != "" {
			seen.add(p.Author)
		}
		if p.Open() {
			c.open++
		}
		opened := p.Opened.UnixMilli()
		if i == 0 {
			c.first, c.last = opened, opened
		}
		c.first, c.last = min(c.first, opened), max(c.last, opened)
		if !p.Merged.IsZero() {
			c.last = max(c.last, p.Merged.UnixMilli())
		}
		if !p.Closed.IsZero() {
			c.last = max(c.last, p.Closed.UnixMilli())
		}
	}
	c.authors = seen.all
	return c
}

func appendCounts(b []byte, c packCounts) []byte {
	for _, n := range []int64{int64(c.rows), int64(c.bots), int64(c.open), c.first, c.last} {
		b = binary.AppendVarint(b, n)
	}
	names := texts32{all: c.authors}
	return names.append(b)
}

// readCounts is false where b is not what [appendCounts] wrote.
func readCounts(b []byte) (packCounts, bool) {
	r := &packReader{b: b}
	c := packCounts{rows: int(r.varint()), bots: int(r.varint()), open: int(r.varint()), first: r.varint(), last: r.varint()}
	c.authors = r.texts()
	if r.broken || len(r.b) > 0 || c.rows <= 0 {
		return packCounts{}, false
	}
	return c, true
}
