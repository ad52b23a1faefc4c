package main

import (
	"context"
	"slices"
)

// checkedOut are the files of some that a sparse checkout did not leave out:
// those were not deleted, they were never there.
func (s *span) checkedOut(ctx context.Context, names []string) ([]string, error) {
	if s.repository == nil || s.dir != "." {
		return names, nil
	}
	left, err := s.repository.Sparse(ctx)
	if err != nil || len(left) == 0 {
		return names, err
	}
	kept := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return left[name] })
	if n := len(names) - len(kept); n > 0 {
		s.say("the checkout is sparse: %s of it were not looked at", counted(n, "files"))
	}
	return kept, nil
}
