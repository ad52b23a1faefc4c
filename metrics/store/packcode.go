package store

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"steelyard/metrics"
)

// packVersion is the version of the form that [appendPack] writes. Packs of
// another version are made anew.
const packVersion = 1

// packSpan is the length of a pack's span, in milliseconds: four weeks. The
// number of the span of an opening time is its quotient, towards 0, as in the
// triggers that name stale packs.
const packSpan = 28 * 24 * 60 * 60 * 1000

// packedPull is a pull request as a pack holds it: what measurement needs of
// it, and the number of the import it came with. ID, number, base and commits
// are not in it.
type packedPull struct {
	metrics.PullRequest
	imported int64
}

// The bits that say which fields of a row follow.
const (
	hasReady = 1 << iota
	hasFirstReview
	hasMerged
	hasClosed
	hasRevertedAt
	hasFirstCommit
	hasDeployed
	hasSeen
	hasAdditions
	hasDeletions
	hasRounds
	hasComments
	hasThreads
	hasActedOn
	hasAssisted
	hasSetApart
	isBot
	closedWithMerge // the two times are the same
)

// packTimes are the times of a pull request that a row holds as distances from
// its opening, by their bits.
func packTimes(p *metrics.PullRequest) [8]*time.Time {
	return [8]*time.Time{&p.Ready, &p.FirstReview, &p.Merged, &p.Closed, &p.RevertedAt, &p.FirstCommit, &p.Deployed, &p.Seen}
}

func packNumbers(p *metrics.PullRequest) [6]*int {
	return [6]*int{&p.Additions, &p.Deletions, &p.ReviewRounds, &p.ReviewerComments, &p.BotThreads, &p.BotThreadsActedOn}
}

// appendPack writes pull requests of one team, sorted by their opening.
//
// A pack is: the number of rows; the unit of its times in milliseconds; the
// list of people, then that of other texts, each its length and then its texts
// with their lengths; the list of imports; and the rows. Every number is a
// varint.
func appendPack(b []byte, rows []packedPull) []byte {
	people, others, imports := newTexts(), newTexts(), newNumbers()
	unit := int64(1000)
	for i := range rows {
		p := &rows[i]
		if p.AuthorBot {
			others.add(p.Author)
		} else {
			people.add(p.Author)
		}
		others.add(p.Repository)
		others.add(p.Assisted)
		others.add(p.SetApart)
		imports.add(p.imported)
		if p.Opened.UnixMilli()%1000 != 0 {
			unit = 1
		}
		for _, t := range packTimes(&p.PullRequest) {
			if !t.IsZero() && t.UnixMilli()%1000 != 0 {
				unit = 1
			}
		}
	}
	b = binary.AppendUvarint(b, uint64(len(rows)))
	b = binary.AppendUvarint(b, uint64(unit))
	b = people.append(b)
	b = others.append(b)
	b = imports.append(b)
	last := int64(0)
	for i := range rows {
		p := &rows[i]
		opened := p.Opened.UnixMilli() / unit
		b = binary.AppendVarint(b, opened-last)
		b = appendRow(b, p, people, others, imports, unit)
		last = opened
	}
	return b
}

func appendRow(b []byte, p *packedPull, people, others *texts32, imports *numbers, unit int64) []byte {
	var flags uint64
	times, counts := packTimes(&p.PullRequest), packNumbers(&p.PullRequest)
	for i, t := range times {
		if !t.IsZero() {
			flags |= 1 << i
		}
	}
	if !p.Merged.IsZero() && p.Closed.Equal(p.Merged) {
		flags = flags&^hasClosed | closedWithMerge
	}
	for i, n := range counts {
		if *n >= 0 {
			flags |= hasAdditions << i
		}
	}
	author := people
	if p.AuthorBot {
		flags, author = flags|isBot, others
	}
	if p.Assisted != "" {
		flags |= hasAssisted
	}
	if p.SetApart != "" {
		flags |= hasSetApart
	}
	b = binary.AppendUvarint(b, flags)
	b = binary.AppendUvarint(b, author.at[p.Author])
	b = binary.AppendUvarint(b, others.at[p.Repository])
	b = binary.AppendUvarint(b, imports.at[p.imported])
	opened := p.Opened.UnixMilli()
	for i, t := range times {
		if flags&(1<<i) != 0 {
			b = binary.AppendVarint(b, (t.UnixMilli()-opened/unit*unit)/unit)
		}
	}
	for i, n := range counts {
		if flags&(hasAdditions<<i) != 0 {
			b = binary.AppendUvarint(b, uint64(*n))
		}
	}
	if flags&hasAssisted != 0 {
		b = binary.AppendUvarint(b, others.at[p.Assisted])
	}
	if flags&hasSetApart != 0 {
		b = binary.AppendUvarint(b, others.at[p.SetApart])
	}
	return b
}

// texts32 numbers texts in the order in which they come.
type texts32 struct {
	all []string
	at  map[string]uint64
}

func newTexts() *texts32 { return &texts32{at: map[string]uint64{}} }

func (t *texts32) add(s string) {
	if _, known := t.at[s]; !known {
		t.at[s] = uint64(len(t.all))
		t.all = append(t.all, s)
	}
}

func (t *texts32) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(t.all)))
	for _, s := range t.all {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return b
}

// numbers numbers numbers.
type numbers struct {
	all []int64
	at  map[int64]uint64
}

func newNumbers() *numbers { return &numbers{at: map[int64]uint64{}} }

func (n *numbers) add(x int64) {
	if _, known := n.at[x]; !known {
		n.at[x] = uint64(len(n.all))
		n.all = append(n.all, x)
	}
}

func (n *numbers) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(n.all)))
	for _, x := range n.all {
		b = binary.AppendVarint(b, x)
	}
	return b
}

// errPack says that a pack is not what [appendPack] wrote. Its rows are then
// read from where they were packed.
var errPack = errors.New("a pack of pull requests is damaged")

// packReader reads a pack.
type packReader struct {
	b      []byte
	broken bool
}

func (r *packReader) uvarint() uint64 {
	x, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.broken, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return x
}

func (r *packReader) varint() int64 {
	x, n := binary.Varint(r.b)
	if n <= 0 {
		r.broken, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return x
}

// length reads how many things follow, of which each takes a byte at least.
func (r *packReader) length() int {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.broken = true
		return 0
	}
	return int(n)
}

func (r *packReader) texts() []string {
	out := make([]string, r.length())
	for i := range out {
		n := r.length()
		out[i] = string(r.b[:n])
		r.b = r.b[n:]
	}
	return out
}

// one picks a thing by its number.
func one[T any](r *packReader, all []T) T {
	n := r.uvarint()
	if n >= uint64(len(all)) {
		r.broken = true
		var none T
		return none
	}
	return all[n]
}

// packHead is what stands before the rows of a pack.
type packHead struct {
	rows           int
	unit           int64
	people, others []string
	origins        []origin // of the imports
	deployed       []bool   // of others, where they name a repository
}

func (r *packReader) head(from *sources) packHead {
	h := packHead{rows: r.length(), unit: int64(r.uvarint())}
	if h.unit != 1 && h.unit != 1000 {
		r.broken = true
	}
	h.people, h.others = r.texts(), r.texts()
	for range r.length() {
		h.origins = append(h.origins, from.imports[r.varint()])
	}
	h.deployed = make([]bool, len(h.others))
	for i, name := range h.others {
		h.deployed[i] = from.deployed[name]
	}
	return h
}

// readPack reads the pull requests of a team's pack into rows, which it
// returns.
func readPack(rows []metrics.PullRequest, team string, pack []byte, from *sources) ([]metrics.PullRequest, error) {
	r := &packReader{b: pack}
	h := r.head(from)
	if r.broken {
		return rows, errPack
	}
	begin := len(rows)
	rows = slices.Grow(rows, h.rows)[:begin+h.rows]
	opened := int64(0)
	for i := begin; i < len(rows) && !r.broken; i++ {
		p := &rows[i]
		*p = metrics.PullRequest{Team: team}
		opened += r.varint()
		r.row(p, &h, opened)
	}
	if r.broken || len(r.b) > 0 {
		return rows[:begin], errPack
	}
	return rows, nil
}

func (r *packReader) row(p *metrics.PullRequest, h *packHead, opened int64) {
	p.Opened = time.UnixMilli(opened * h.unit).UTC()
	flags := r.uvarint()
	if flags&isBot != 0 {
		p.AuthorBot, p.Author = true, one(r, h.others)
	} else {
		p.Author = one(r, h.people)
	}
	repository := r.uvarint()
	if repository >= uint64(len(h.others)) {
		r.broken = true
		return
	}
	p.Repository = h.others[repository]
	from := one(r, h.origins)
	for i, t := range packTimes(p) {
		if flags&(1<<i) != 0 {
			*t = time.UnixMilli((opened + r.varint()) * h.unit).UTC()
		}
	}
	if flags&closedWithMerge != 0 {
		p.Closed = p.Merged
	}
	for i, n := range packNumbers(p) {
		if *n = -1; flags&(hasAdditions<<i) != 0 {
			*n = int(r.uvarint())
		}
	}
	if flags&hasAssisted != 0 {
		p.Assisted = one(r, h.others)
	}
	if flags&hasSetApart != 0 {
		p.SetApart = one(r, h.others)
	}
	from.complete(p, h.deployed[repository])
}
