package reverts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// History is what one repository's branches received.
type History struct {
	// Names are the repository's names, "owner/name", the former ones too: a
	// renamed repository is still called by its old name in old texts.
	Names   []string
	Changes []Change
}

// index finds changes by what a text may name. Changes are numbered by their
// place in order of merging, which the rest of the package calls a place.
type index struct {
	changes []Facts
	names   map[string]bool
	numbers map[int][]int
	hashes  []hashAt // sorted by hash
	titles  map[string][]int
}

type hashAt struct {
	hash  string
	place int
}

// minHash is the shortest abbreviation that Git and GitHub write.
const minHash = 7

func newIndex(names []string, changes []Facts) (*index, error) {
	x := &index{
		changes: slices.Clone(changes),
		names:   map[string]bool{}, numbers: map[int][]int{}, titles: map[string][]int{},
	}
	slices.SortStableFunc(x.changes, func(a, b Facts) int { return a.Merged.Compare(b.Merged) })
	for _, name := range names {
		x.names[strings.ToLower(name)] = true
	}
	seen := map[string]bool{}
	for place, c := range x.changes {
		if c.ID == "" || seen[c.ID] {
			return nil, fmt.Errorf("read history: change %q (#%d): every change needs an ID of its own", c.ID, c.Number)
		}
		seen[c.ID] = true
		if c.Number > 0 {
			x.numbers[c.Number] = append(x.numbers[c.Number], place)
		}
		x.addHash(c.Commit, place)
		for _, own := range c.Commits {
			x.addHash(own.Hash, place)
		}
		for _, title := range c.titles() {
			x.titles[title] = append(x.titles[title], place)
		}
	}
	slices.SortFunc(x.hashes, func(a, b hashAt) int {
		return cmp.Or(strings.Compare(a.hash, b.hash), a.place-b.place)
	})
	return x, nil
}

func (x *index) addHash(hash string, place int) {
	if len(hash) >= minHash {
		x.hashes = append(x.hashes, hashAt{strings.ToLower(hash), place})
	}
}

func subject(message string) string {
	first, _, _ := strings.Cut(message, "\n")
	return first
}

// byHash returns the places whose change has a commit of this hash, either one
// being an abbreviation of the other. A commit that several changes list
// belongs to the first that brought it.
func (x *index) byHash(hash string) []int {
	hash = strings.ToLower(hash)
	found := map[string]int{}
	note := func(h hashAt) {
		if at, ok := found[h.hash]; !ok || h.place < at {
			found[h.hash] = h.place
		}
	}
	for i := x.firstAt(hash); i < len(x.hashes) && strings.HasPrefix(x.hashes[i].hash, hash); i++ {
		note(x.hashes[i])
	}
	for n := minHash; n < len(hash); n++ { // the history itself may hold abbreviations
		for i := x.firstAt(hash[:n]); i < len(x.hashes) && x.hashes[i].hash == hash[:n]; i++ {
			note(x.hashes[i])
		}
	}
	places := make([]int, 0, len(found))
	for _, place := range found {
		places = append(places, place)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func (x *index) firstAt(hash string) int {
	i, _ := slices.BinarySearchFunc(x.hashes, hash, func(h hashAt, want string) int { return strings.Compare(h.hash, want) })
	return i
}
