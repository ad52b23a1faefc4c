package treediff

import (
	"cmp"
	"crypto/sha256"
	"path"
	"slices"
)

// joinRenames makes one change of a file that went and one that came with the
// same text, or one of which more than half the lines are the same.
func joinRenames(changes []Change) []Change {
	var gone, come []int
	for i, c := range changes {
		switch {
		case c.Deleted && c.Old != nil && len(c.Old) > 0:
			gone = append(gone, i)
		case c.OldPath == "" && c.New != nil && len(c.New) > 0:
			come = append(come, i)
		}
	}
	drop := map[int]bool{}
	join := func(from, to int) {
		changes[to].OldPath, changes[to].Old = changes[from].Path, changes[from].Old
		drop[from] = true
	}
	gone, come = joinEqual(changes, gone, come, join)
	joinSimilar(changes, gone, come, join)
	var kept []Change
	for i, c := range changes {
		if !drop[i] {
			kept = append(kept, c)
		}
	}
	return kept
}

// joinEqual joins the files with the same text, those of the same name first,
// and returns the rest.
func joinEqual(changes []Change, gone, come []int, join func(from, to int)) (restGone, restCome []int) {
	byText := map[[sha256.Size]byte][]int{}
	for _, i := range gone {
		sum := sha256.Sum256(changes[i].Old)
		byText[sum] = append(byText[sum], i)
	}
	taken := map[int]bool{}
	for _, to := range come {
		sum := sha256.Sum256(changes[to].New)
		list := byText[sum]
		if len(list) == 0 {
			restCome = append(restCome, to)
			continue
		}
		at := max(slices.IndexFunc(list, func(i int) bool { return path.Base(changes[i].Path) == path.Base(changes[to].Path) }), 0)
		taken[list[at]] = true
		join(list[at], to)
		byText[sum] = slices.Delete(list, at, at+1)
	}
	for _, i := range gone {
		if !taken[i] {
			restGone = append(restGone, i)
		}
	}
	return restGone, restCome
}

// pair is a possible rename.
type pair struct {
	from, to int
	same     float64 // share of lines
}

// joinSimilar joins the most similar first. Beyond the bound no similar files
// are looked for, as git does.
func joinSimilar(changes []Change, gone, come []int, join func(from, to int)) {
	if len(gone)*len(come) > maxPairs {
		return
	}
	const least = 0.5
	var pairs []pair
	work := 0
	for _, from := range gone {
		for _, to := range come {
			if path.Ext(changes[from].Path) != path.Ext(changes[to].Path) {
				continue
			}
			if work += len(changes[from].Old) + len(changes[to].New); work > maxCompared {
				return // too much to compare: what was not found equal went, and came
			}
			if same := similar(changes[from].Old, changes[to].New); same > least {
				pairs = append(pairs, pair{from, to, same})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.same, a.same), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	used := map[int]bool{}
	for _, p := range pairs {
		if !used[p.from] && !used[p.to] {
			used[p.from], used[p.to] = true, true
			join(p.from, p.to)
		}
	}
}

// similar is the share of the longer text's lines that both have.
func similar(a, b []byte) float64 {
	if len(a) > 2*len(b) || len(b) > 2*len(a) || binary(a) || binary(b) {
		return 0
	}
	added, gone := lines(a, b)
	total := 0
	for _, c := range a {
		if c == '\n' {
			total++
		}
	}
	if a[len(a)-1] != '\n' {
		total++
	}
	common := total - gone
	return float64(common) / float64(max(total, common+added))
}
