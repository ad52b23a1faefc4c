package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"steelyard/metrics"
)

// report is the report of the pilot that is named, or of the one there is.
func (s *Server) report(ctx context.Context, named string) (*metrics.Report, error) {
	id, err := s.pilotNamed(ctx, named)
	if err != nil {
		return nil, err
	}
	r, err := s.o.Reports.Report(ctx, id)
	if errors.Is(err, metrics.ErrNotFound) {
		return nil, s.notFound(ctx, id)
	}
	if build, ok := errors.AsType[*metrics.BuildError](err); ok {
		return nil, userErrorf("There is no report on %q: %s. Tell the user; calling again helps only once the data or the definition was changed.", id, line(build.Error(), 600))
	}
	if err != nil {
		return nil, fmt.Errorf("read report of %q: %w", id, err)
	}
	return r, nil
}

// pilotNamed returns want, or the one pilot there is where none is named.
func (s *Server) pilotNamed(ctx context.Context, want string) (string, error) {
	if want != "" {
		return want, nil
	}
	ids, err := s.pilotIDs(ctx)
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", userErrorf("No pilot is defined yet, so there is no report. Tell the user to add one with `steelyard import panel` or `steelyard pilot define`.")
	case len(ids) > 1:
		return "", whichPilot(ids)
	}
	return ids[0], nil
}

// whichPilot asks the model to find out which pilot is meant.
func whichPilot(ids []string) error {
	return userErrorf("Which pilot? Ask the user, or call again with pilot set to one of: %s.", choices("", ids))
}

// notFound says what is not there: the pilot or its data.
func (s *Server) notFound(ctx context.Context, id string) error {
	ids, err := s.pilotIDs(ctx)
	switch {
	case err != nil:
		return err
	case slices.Contains(ids, id):
		return userErrorf("Pilot %q is defined but has no data yet. Tell the user to import it with `steelyard import panel` or `steelyard import pull-requests`.", id)
	case len(ids) == 0:
		return userErrorf("There is no pilot %q: none is defined yet. Tell the user to add one with `steelyard import panel` or `steelyard pilot define`.", line(id, 64))
	}
	return userErrorf("There is no pilot %q. Call again with pilot set to one of: %s.", line(id, 64), choices(id, ids))
}

// pilotIDs are the ids of all pilots. Reports that can name them without being
// made are not made for it.
func (s *Server) pilotIDs(ctx context.Context) ([]string, error) {
	if names, ok := s.o.Reports.(metrics.PilotIDs); ok {
		return names.PilotIDs(ctx)
	}
	all, err := s.o.Reports.Summaries(ctx)
	if err != nil {
		return nil, fmt.Errorf("read summaries: %w", err)
	}
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = p.ID
	}
	return ids, nil
}

// pilotsHelp names the pilots, for an answer to bad arguments.
func (s *Server) pilotsHelp(ctx context.Context) string {
	ids, err := s.pilotIDs(ctx)
	if err != nil || len(ids) == 0 {
		return ""
	}
	return "Pilots: " + choices("", ids) + "."
}

// pilotURL is the page of a pilot, empty where there is no dashboard.
func (s *Server) pilotURL(id string) string {
	if s.o.BaseURL == "" {
		return ""
	}
	return s.o.BaseURL + "/pilots/" + id
}

// tightenPilot narrows an argument that names a pilot.
func tightenPilot(p *jsonschema.Schema) {
	p.Pattern = "^[a-z0-9][a-z0-9-]{0,63}$"
}

// tightenMetric narrows an argument that names a metric.
func tightenMetric(p *jsonschema.Schema) {
	p.Pattern = `^[\w-]{1,64}$`
}

// tightenNumber narrows a number of things from 1 on.
func tightenNumber(p *jsonschema.Schema, most, otherwise int) {
	p.Minimum = jsonschema.Ptr(1.0)
	p.Maximum = jsonschema.Ptr(float64(most))
	p.Default = jsonOf(otherwise)
}

// likeDifference stands for what get_pilot_report spells out.
func likeDifference() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Description: "like difference of get_pilot_report"}
}
