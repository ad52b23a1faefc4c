package mcp

import (
	"context"
	"sync"
)

// shares sees to it that one identity's calls never take all slots: it may hold
// so many at once, and its further calls wait for its own to end.
type shares struct {
	most int

	mu     sync.Mutex
	byName map[string]*share
}

// share is one identity's part; users are the calls that hold or want it.
type share struct {
	slots chan struct{}
	users int
}

func newShares(most int) *shares {
	return &shares{most: max(most, 1), byName: map[string]*share{}}
}

// take waits for a place in the share of name until ctx is done. It returns
// what gives the place back, or nil where there was none.
func (s *shares) take(ctx context.Context, name string) (giveBack func()) {
	s.mu.Lock()
	one := s.byName[name]
	if one == nil {
		one = &share{slots: make(chan struct{}, s.most)}
		s.byName[name] = one
	}
	one.users++
	s.mu.Unlock()

	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if one.users--; one.users == 0 {
			delete(s.byName, name)
		}
	}
	select {
	case one.slots <- struct{}{}:
		return func() {
			<-one.slots
			leave()
		}
	case <-ctx.Done():
		leave()
		return nil
	}
}
