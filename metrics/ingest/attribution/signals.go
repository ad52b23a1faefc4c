package attribution

import (
	"cmp"
	"slices"
	"strings"

	"steelyard/rules"
)

// signals counts equal signals.
type signals struct{ all []Signal }

func (s *signals) add(found Signal) { s.count(found, 1) }

func (s *signals) count(found Signal, n int) {
	if at := s.find(found); at >= 0 {
		s.all[at].Count += n
		return
	}
	found.Count = n
	s.all = append(s.all, found)
}

// atLeast joins what another text says of the same thing: the larger count, not
// the sum.
func (s *signals) atLeast(other signals) {
	for _, found := range other.all {
		if at := s.find(found); at >= 0 {
			s.all[at].Count = max(s.all[at].Count, found.Count)
			continue
		}
		s.all = append(s.all, found)
	}
}

// find returns the place of a signal that is equal but for its count, or −1.
func (s *signals) find(found Signal) int {
	return slices.IndexFunc(s.all, func(k Signal) bool {
		return k.Tool == found.Tool && k.Kind == found.Kind && k.Level == found.Level && k.Evidence == found.Evidence
	})
}

var (
	levels = []rules.Level{rules.Authored, rules.CoAuthored, rules.Suggestion, rules.Inferred}
	kinds  = []Kind{KindAuthor, KindCommitAuthor, KindBranch, KindCoAuthor, KindTrailer, KindFooter, KindLink, KindDisclosure, KindLabel}
)

func (s *signals) sorted() []Signal {
	slices.SortFunc(s.all, func(a, b Signal) int {
		return cmp.Or(
			slices.Index(levels, a.Level)-slices.Index(levels, b.Level),
			slices.Index(kinds, a.Kind)-slices.Index(kinds, b.Kind),
			strings.Compare(a.Tool, b.Tool),
			strings.Compare(a.Evidence, b.Evidence),
		)
	})
	return s.all
}
