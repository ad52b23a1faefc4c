package syncing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"steelyard/metrics"
)

// Why a pull request is in no team.
const (
	unplacedNoTeams  = "no teams are configured"
	unplacedGhost    = "its author's account was deleted"
	unplacedStranger = "its author is in no team"
	unplacedThen     = "its author was in no team when it was opened"
	unplacedSeveral  = "its author was in several teams when it was opened: "
	unplacedShared   = "its repository is several teams': "
)

// placer finds the team of a pull request: by the lists of people, else by the
// teams on GitHub, else by the repository. The first of the three that says
// anything decides; if it names several teams, no one is taken.
type placer struct {
	teams         metrics.Teams
	lists, github map[string][]metrics.Membership // by account
}

func newPlacer(t metrics.Teams) *placer {
	p := &placer{teams: t, lists: map[string][]metrics.Membership{}, github: map[string][]metrics.Membership{}}
	for _, m := range t.Lists {
		p.lists[m.Account] = append(p.lists[m.Account], m)
	}
	for _, m := range t.GitHub {
		p.github[m.Account] = append(p.github[m.Account], m)
	}
	return p
}

func (p *placer) place(q metrics.PlaceQuery) (team, unplaced string) {
	if q.SetApart != "" && q.SetApart != metrics.ApartBackport {
		return "", "" // set apart, and counted there
	}
	for _, members := range []map[string][]metrics.Membership{p.lists, p.github} {
		if teams := teamsAt(members[q.Owner], q.Opened); q.Owner != "" && len(teams) > 0 {
			return one(teams, unplacedSeveral)
		}
	}
	if teams := p.teams.Repositories[q.Repository]; len(teams) > 0 {
		teams = slices.Clone(teams)
		slices.Sort(teams)
		return one(slices.Compact(teams), unplacedShared)
	}
	switch {
	case !p.teams.Configured:
		return "", unplacedNoTeams
	case q.Owner == "":
		return "", unplacedGhost
	case len(p.lists[q.Owner])+len(p.github[q.Owner]) > 0:
		return "", unplacedThen
	}
	return "", unplacedStranger
}

func one(teams []string, several string) (team, unplaced string) {
	if len(teams) == 1 {
		return teams[0], ""
	}
	return "", several + strings.Join(teams, ", ")
}

// teamsAt are the teams of memberships that hold at a moment, by name.
func teamsAt(all []metrics.Membership, at time.Time) []string {
	var out []string
	for _, m := range all {
		if !at.Before(m.Since) && (m.Until.IsZero() || at.Before(m.Until)) {
			out = append(out, m.Team)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Place makes the configured sources of teams the ones that count and, where
// the memberships are others than those by which the stored pull requests were
// placed, places all of them anew.
func (s *Syncer) Place(ctx context.Context) error {
	_, err := s.place(ctx)
	return err
}

// maxStale bounds how often something is placed again because memberships
// changed meanwhile.
const maxStale = 20

func (s *Syncer) place(ctx context.Context) (*placer, error) {
	if s.o.Teams != nil {
		if _, err := s.o.Store.SaveTeamSources(ctx, s.o.Teams); err != nil {
			return nil, err
		}
	}
	for range maxStale {
		t, err := s.o.Store.Teams(ctx)
		if err != nil {
			return nil, err
		}
		p := newPlacer(t)
		if t.Version == t.Placed {
			return p, nil
		}
		_, err = s.o.Store.PlaceAll(ctx, t.Version, p.place)
		switch {
		case err == nil:
			return p, nil
		case !errors.Is(err, metrics.ErrStaleTeams):
			return nil, err
		}
	}
	return nil, fmt.Errorf("place pull requests in teams: %w again and again; try again later", metrics.ErrStaleTeams)
}
