package ingest

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"time"

	"steelyard/metrics"
)

// Store is what [Load] writes to.
type Store interface {
	metrics.PilotStore
	metrics.PanelStore
	metrics.PullRequestStore
}

// Loaded is one pilot of a manifest, saved, and the import of its data.
type Loaded struct {
	Definition metrics.Definition
	Import     metrics.Import
}

// Load reads the manifest of that name and imports the data of its pilots, in
// its order; files are named relative to the root of fsys. Each pilot is all
// or nothing; an error leaves the pilots before it saved. now is when it
// happened.
func Load(ctx context.Context, s Store, fsys fs.FS, name string, now time.Time) ([]Loaded, error) {
	m, err := ReadManifest(fsys, name)
	if err != nil {
		return nil, err
	}
	return m.Load(ctx, s, fsys, now)
}

// Load imports the data of the manifest's pilots, as the function [Load] does.
func (m *Manifest) Load(ctx context.Context, s Store, fsys fs.FS, now time.Time) ([]Loaded, error) {
	var done []Loaded
	for _, p := range m.Pilots {
		load := p.loadPanel
		if p.PullRequests != nil {
			load = p.loadPullRequests
		}
		l, err := load(ctx, s, fsys, now)
		if err != nil {
			return done, fmt.Errorf("load pilot %q of %s: %w", p.Pilot.ID, m.name, err)
		}
		done = append(done, l)
	}
	return done, nil
}

func (p ManifestPilot) loadPanel(ctx context.Context, s Store, fsys fs.FS, now time.Time) (Loaded, error) {
	spec := p.Panel.spec(p.Pilot)
	f, err := fsys.Open(p.Panel.File)
	if err != nil {
		return Loaded{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	def, done, err := ImportPanel(ctx, s, f, p.Panel.File, spec, now)
	return Loaded{def, done}, err
}

// spec joins the pilot and its data.
func (y *PanelYAML) spec(p PilotYAML) PanelSpec {
	spec := PanelSpec{
		Pilot:   p.pilot(metrics.LevelPanel),
		UnitCol: y.Unit, TimeCol: y.Time, FirstTreatedCol: y.FirstTreated, ExposureCol: y.Exposure,
		Starts: y.Starts, Drop: filtersOf(y.Drop), OnlyUnits: y.OnlyUnits,
	}
	for _, o := range p.Outcomes {
		spec.Outcomes = append(spec.Outcomes, o.outcome())
	}
	return spec
}

// loadPullRequests saves the definition after its data, so that a pilot that
// can be seen has some.
func (p ManifestPilot) loadPullRequests(ctx context.Context, s Store, fsys fs.FS, now time.Time) (Loaded, error) {
	pilot, err := p.pullRequestPilot()
	if err != nil {
		return Loaded{}, err
	}
	f, err := fsys.Open(p.PullRequests.File)
	if err != nil {
		return Loaded{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	spec := PullRequestSpec{Columns: p.PullRequests.Columns, Repository: p.PullRequests.Repository, Drop: filtersOf(p.PullRequests.Drop)}
	done, err := ImportPullRequests(ctx, s, f, p.PullRequests.File, spec, now)
	if err != nil {
		return Loaded{}, err
	}
	def, err := s.SavePilot(ctx, pilot, now)
	return Loaded{def, done}, err
}

// pullRequestPilot completes the outcomes from the catalogue of metrics.
func (p ManifestPilot) pullRequestPilot() (metrics.Pilot, error) {
	pilot := p.Pilot.pilot(metrics.LevelPullRequests)
	for i, o := range p.Pilot.Outcomes {
		known, ok := metrics.CatalogueOutcome(o.ID)
		if !ok {
			known = metrics.Outcome{ID: o.ID, Better: metrics.BetterNeutral, Role: metrics.RoleSecondary} // for Validate to refuse
		}
		if i == 0 {
			known.Role = metrics.RolePrimary
		}
		known.Title = cmp.Or(o.Title, known.Title)
		known.Unit = cmp.Or(o.Unit, known.Unit)
		known.Better = cmp.Or(metrics.Better(o.Better), known.Better)
		known.Role = cmp.Or(metrics.Role(o.Role), known.Role)
		pilot.Outcomes = append(pilot.Outcomes, known)
	}
	if pilot.SmallestEffect == 0 {
		pilot.SmallestEffect = metrics.DefaultSmallestEffect
	}
	return pilot, pilot.Validate()
}
