package reverts

import (
	"strconv"
	"strings"
	"time"
)

// Gathered is what became of commits that were pushed to a branch, once the
// pull requests are known.
type Gathered struct {
	// Changes are the pull requests and the commits that came without one.
	Changes []Facts
	// PartOf maps the hash of a commit to the ID of the pull request that
	// brought it; Listed are those of them that the pull request lists itself.
	PartOf map[string]string
	Listed map[string]bool
	// OnBranch holds IDs of pull requests whose merge is on the branch.
	OnBranch map[string]bool
}

// rebaseTime is how long before or after its pull request's merge a rebased
// commit is made.
const rebaseTime = time.Hour

// Gather tells the commits of one branch that a pull request brought from those
// pushed without one. A commit belongs to a pull request as its merge, as one
// of its own, as a rebased copy of one of its own (the same title, written at
// the same time), or by the number in a squash's title where the merge is not
// known. The pull request is then called by it too. What the branch is called
// is the caller's: give commits their branch as Base.
func Gather(pulls, commits []Facts) Gathered {
	g := Gathered{PartOf: map[string]string{}, Listed: map[string]bool{}, OnBranch: map[string]bool{}}
	g.Changes = append(g.Changes, pulls...)
	at := newHomes(g.Changes)
	for _, c := range commits {
		place, listed := at.find(g.Changes, c)
		if place < 0 {
			g.Changes = append(g.Changes, c)
			continue
		}
		p := &g.Changes[place]
		hash := strings.ToLower(c.Commit)
		g.PartOf[hash] = p.ID
		switch {
		case sameHash(p.Commit, hash):
			g.OnBranch[p.ID] = true
			g.Listed[hash] = true
		case p.Commit == "":
			g.OnBranch[p.ID] = true
			p.Commit = c.Commit
		case listed:
			g.Listed[hash] = true
		default:
			own := FactCommit{Hash: c.Commit, Title: c.Subject, Authored: c.Authored}
			p.Commits = append(p.Commits[:len(p.Commits):len(p.Commits)], own)
			g.OnBranch[p.ID] = true
		}
	}
	return g
}

// homes finds the pull request of a commit.
type homes struct {
	hashes  map[string]int
	written map[written][]int
	numbers map[int]int // of pull requests whose merge is not known
}

type written struct {
	title string
	at    int64
}

func newHomes(pulls []Facts) homes {
	h := homes{hashes: map[string]int{}, written: map[written][]int{}, numbers: map[int]int{}}
	for i, p := range pulls {
		if p.Commit == "" {
			h.numbers[p.Number] = i
		} else {
			h.hashes[strings.ToLower(p.Commit)] = i
		}
	}
	for i, p := range pulls {
		for _, own := range p.Commits {
			hash := strings.ToLower(own.Hash)
			if _, taken := h.hashes[hash]; !taken {
				h.hashes[hash] = i
			}
			if own.Authored != 0 && own.Title != "" {
				key := written{own.Title, own.Authored}
				h.written[key] = append(h.written[key], i)
			}
		}
	}
	return h
}

// find returns the place of the pull request that brought c, or −1, and whether
// the pull request lists it itself.
func (h homes) find(pulls []Facts, c Facts) (place int, listed bool) {
	if i, ok := h.hashes[strings.ToLower(c.Commit)]; ok {
		return i, true
	}
	for _, i := range h.written[written{c.Subject, c.Authored}] {
		if d := c.Merged.Sub(pulls[i].Merged); d.Abs() <= rebaseTime {
			return i, false
		}
	}
	if i, ok := h.numbers[c.Named]; ok && c.Named > 0 {
		return i, false
	}
	return -1, false
}

// numberOf is the pull request that the first line of a commit's message says
// it merges or squashes; 0 where it says none.
func numberOf(message string) int {
	first := subject(message[:min(len(message), maxText)])
	m := mergeSubject.FindStringSubmatch(first)
	if m == nil {
		m = ownNumber.FindStringSubmatch(first)
	}
	if m == nil || len(m[1]) > 9 {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return n
}
