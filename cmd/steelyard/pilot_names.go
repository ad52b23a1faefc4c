package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"steelyard/metrics"
)

// checkNames holds the units that a definition names to the data that is
// stored. A name with a slip of the pen would be compared as a team that never
// does anything.
func (p *program) checkNames(ctx context.Context, s metrics.Store, pilot metrics.Pilot) error {
	known, what, err := unitsStored(ctx, s, pilot)
	if err != nil {
		return err
	}
	if len(known) == 0 {
		p.say("note: there are no %s in this database yet, so the names could not be checked", what)
		return nil
	}
	for _, a := range pilot.Treated {
		if !slices.Contains(known, a.Unit) {
			return noUnit("treated", a.Unit, what, known)
		}
	}
	for _, name := range pilot.Comparison {
		if !slices.Contains(known, name) {
			return noUnit("comparison", name, what, known)
		}
	}
	return nil
}

// unitsStored are the names that the data knows, and what the data is.
func unitsStored(ctx context.Context, s metrics.Store, pilot metrics.Pilot) (names []string, what string, err error) {
	if pilot.Level == metrics.LevelPanel {
		panel, err := s.Panel(ctx, pilot.ID)
		if errors.Is(err, metrics.ErrNotFound) {
			return nil, "rows of this pilot", nil
		}
		if err != nil {
			return nil, "", err
		}
		for _, u := range panel.Units {
			names = append(names, u.Name)
		}
		return names, "rows of this pilot", nil
	}
	sum, err := s.PullRequestSummary(ctx)
	for _, t := range sum.Teams {
		names = append(names, t.Team)
	}
	return names, "pull requests of any team", err
}

func noUnit(side, name, what string, known []string) error {
	return suggesting(fmt.Errorf("pilot define: %s %q is not among the %s", side, name, what), name, known)
}
