package instructions

import (
	"slices"

	"steelyard/lint"
	"steelyard/rules"
)

// pair is two directives of different files that cannot both be followed.
type pair struct {
	a, b       Directive
	docA, docB *Doc
	// together is a surface that reads both, "" where none does; alone are two
	// that read one each.
	together string
	alone    [2]string
}

// maxDirectives bounds the directives of one topic that are compared.
const maxDirectives = 1000

// placed is a directive with its document.
type placed struct {
	Directive
	doc     *Doc
	regions []region
}

// treeOrders are the directives of the whole tree by topic.
type treeOrders struct {
	topics map[string][]placed
	names  []string // of the topics, sorted
}

// ordersOf gathers what every instruction file orders.
func ordersOf(p *lint.Pass) treeOrders {
	return lint.TreeParsed(p, func(p *lint.Pass) treeOrders {
		all := treeOrders{topics: map[string][]placed{}}
		for _, d := range live(docs(p, rules.Instructions)) {
			list := directives(d)
			if len(list) == 0 {
				continue
			}
			where := regions(p, d)
			for _, x := range list {
				if all.topics[x.Topic.Name] == nil {
					all.names = append(all.names, x.Topic.Name)
				}
				if len(all.topics[x.Topic.Name]) < maxDirectives {
					all.topics[x.Topic.Name] = append(all.topics[x.Topic.Name], placed{x, d, where})
				}
			}
		}
		slices.Sort(all.names)
		return all
	})
}

// contradictions returns the pairs of the whole tree, once a topic and pair of
// files, in path order.
func contradictions(p *lint.Pass) []pair {
	return lint.TreeParsed(p, func(p *lint.Pass) parsedPairs {
		var all parsedPairs
		found := ordersOf(p)
		for _, name := range found.names {
			all = append(all, pairsOf(found.topics[name])...)
		}
		return all
	})
}

// parsedPairs is cached by tree.
type parsedPairs []pair

func pairsOf(list []placed) []pair {
	var found []pair
	said := map[[2]*Doc]bool{}
	for i := range list {
		for j := range list[:i] {
			a, b := &list[j], &list[i]
			key := [2]*Doc{a.doc, b.doc}
			if a.doc == b.doc || said[key] || !a.excludes(&b.Directive) {
				continue
			}
			x := pair{a: a.Directive, b: b.Directive, docA: a.doc, docB: b.doc}
			if !x.meet(a.regions, b.regions) {
				continue
			}
			said[key] = true
			found = append(found, x)
		}
	}
	return found
}

// meet reports whether two files are meant for the same files of the
// repository, and notes who reads them: those whose own files they are, before
// those that read them too. A nearer file, or one for fewer files, overrides on
// purpose.
func (x *pair) meet(as, bs []region) bool {
	best, apart := -1, -1
	for _, a := range as {
		for _, b := range bs {
			if !a.equal(b) {
				continue
			}
			far := a.far + b.far
			switch {
			case a.surface == b.surface && (best < 0 || far < best):
				best, x.together = far, a.surface
			case a.surface != b.surface && (apart < 0 || far < apart):
				apart, x.alone = far, [2]string{a.surface, b.surface}
			}
		}
	}
	return best >= 0 || apart >= 0
}

// titleOf is a surface's name for messages.
func titleOf(id string) string {
	surfaces, err := rules.Surfaces()
	if err != nil {
		return id
	}
	for _, s := range surfaces {
		if s.ID == id {
			return s.Title
		}
	}
	return id
}
