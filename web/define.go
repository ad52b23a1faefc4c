package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
	"steelyard/web/chart"
)

// Editor reads and changes the definitions of pilots.
type Editor interface {
	// Definition returns a stored one, or an error that wraps
	// [metrics.ErrNotFound].
	Definition(ctx context.Context, pilot string) (metrics.Definition, error)
	// Blank is what a new definition over pull requests begins with: what the
	// settings leave out, and how they count hours.
	Blank(ctx context.Context) (metrics.Pilot, error)
	// Teams are those with pull requests and at least five authors, by name.
	Teams(ctx context.Context) ([]string, error)
	// Preview says what a design could see, from the time before its start
	// alone; nil where that is not a question, as for a panel.
	Preview(ctx context.Context, p metrics.Pilot) (*metrics.Preview, error)
	// Save stores a definition; its error wraps [metrics.ErrChanged] where what
	// it began with is not stored any more.
	Save(ctx context.Context, p metrics.Pilot, e metrics.Edit) (metrics.Definition, error)
	// Trail says who saved which definition, the newest first.
	Trail(ctx context.Context, pilot string, limit int) ([]metrics.TrailEntry, error)
}

// defineView is the form of a definition with what it would show.
type defineView struct {
	// Old is the stored definition; nil for a new pilot.
	Old *metrics.Definition
	// Based is the hash of the definition that the form began with, which may
	// be another than the stored one by now.
	Based string
	// Action is where the form is sent to.
	Action string
	Form   pilotForm
	Teams  []string
	// Fault says what is wrong with what was sent; nil: nothing, or nothing was
	// sent.
	Fault   *formFault
	Preview previewView
	Trail   []metrics.TrailEntry
	Visitor Visitor
}

// formFault is a mistake in the form.
type formFault struct {
	// Anchor is the id of the field that is meant.
	Anchor string
	// Text says what is wrong, Cure what to do.
	Text, Cure string
	// Stored leads to what is stored; empty: it is not another.
	Stored string
}

// savedBy is who saved a definition, for who looks at it: admins see each
// other's names, anybody else sees the role and not the person.
func savedBy(v Visitor, by string) string {
	if v.MayChange || by == here {
		return by
	}
	return "an admin"
}

// maxTrail bounds the lines of the audit trail on one page.
const maxTrail = 30

func (d *dashboard) newPilot(c echo.Context) error {
	blank, err := d.Editor.Blank(c.Request().Context())
	if err != nil {
		return fmt.Errorf("begin a definition: %w", err)
	}
	return d.showForm(c, http.StatusOK, nil, "", formOf(blank).filled(c.QueryParams()), nil, len(c.QueryParams()) > 0)
}

func (d *dashboard) editPilot(c echo.Context) error {
	old, err := d.Editor.Definition(c.Request().Context(), c.Param("id"))
	if err != nil {
		return fmt.Errorf("read pilot: %w", err)
	}
	// Without a script the form comes back here to be looked at. What it began
	// with stays what it began with: else somebody else's change in between would
	// be overwritten unseen.
	return d.showForm(c, http.StatusOK, &old, orElse(c.QueryParam("hash"), old.Hash), formOf(old.Pilot).filled(c.QueryParams()), nil, true)
}

// showForm answers with the form; look asks for what the design could see.
func (d *dashboard) showForm(c echo.Context, status int, old *metrics.Definition, based string, f pilotForm, fault *formFault, look bool) error {
	ctx := c.Request().Context()
	v := defineView{Old: old, Based: based, Action: "/pilots/new", Form: f, Fault: fault, Visitor: d.visitor(c)}
	var err error
	if v.Teams, err = d.Editor.Teams(ctx); err != nil {
		return fmt.Errorf("list teams: %w", err)
	}
	pilot, mistake := f.pilot()
	if look {
		if v.Preview, err = d.preview(ctx, pilot, mistake, old); err != nil {
			return err
		}
	}
	title := "Define a pilot"
	if old != nil {
		v.Action, title = pilotPath(old.Pilot.ID)+"/edit", "Change "+old.Pilot.Title
		if v.Trail, err = d.Editor.Trail(ctx, old.Pilot.ID, maxTrail); err != nil {
			return fmt.Errorf("read trail: %w", err)
		}
	}
	if fault != nil {
		title = "Not saved: " + title // the first that a screen reader says
	}
	return d.render(c, status, definePage(d.shell(title, "/"), v))
}

// savePilot stores what the form says, or shows it again with its first
// mistake.
func (d *dashboard) savePilot(c echo.Context) error {
	ctx := c.Request().Context()
	sent := c.Request().PostForm
	var old *metrics.Definition
	base, err := d.Editor.Blank(ctx)
	if id := c.Param("id"); id != "" {
		var def metrics.Definition
		def, err = d.Editor.Definition(ctx, id)
		old, base = &def, def.Pilot
	}
	if err != nil {
		return fmt.Errorf("read what is changed: %w", err)
	}
	f, based := formOf(base).filled(sent), sent.Get("hash")
	pilot, mistake := f.pilot()
	if mistake != nil {
		return d.showForm(c, http.StatusUnprocessableEntity, old, based, f, mistake, true)
	}
	def, err := d.Editor.Save(ctx, pilot, metrics.Edit{By: d.visitor(c).Name, Based: based})
	var field *metrics.FieldError
	var level *metrics.LevelError
	switch {
	case errors.As(err, &field):
		return d.showForm(c, http.StatusUnprocessableEntity, old, based, f, faultOfField(field), true)
	case errors.As(err, &level):
		return d.showForm(c, http.StatusUnprocessableEntity, old, based, f, &formFault{Anchor: "id", Text: sentence(capital(level.Error()))}, true)
	case errors.Is(err, metrics.ErrChanged):
		return d.conflict(c, old, pilot, f)
	case err != nil:
		return fmt.Errorf("save pilot: %w", err)
	}
	return c.Redirect(http.StatusSeeOther, pilotPath(def.Pilot.ID))
}

// conflict shows the form again where something else is stored than it began
// with. Saving it once more is then a decision and no accident: it says which
// fields would be replaced.
func (d *dashboard) conflict(c echo.Context, old *metrics.Definition, p metrics.Pilot, f pilotForm) error {
	if old == nil {
		fault := &formFault{Anchor: "id", Text: "There is a pilot " + p.ID + " already.", Cure: "Choose another id, or change that pilot on its own page."}
		return d.showForm(c, http.StatusConflict, nil, "", f, fault, true)
	}
	now, err := d.Editor.Definition(c.Request().Context(), old.Pilot.ID)
	if err != nil {
		return fmt.Errorf("read what is stored: %w", err)
	}
	fault := &formFault{Anchor: "title", Text: "Somebody else changed this pilot while you filled the form in.", Cure: "What is stored now says what you typed."}
	if differ := p.Diff(now.Pilot); len(differ) > 0 {
		fault.Cure = "What you typed is still here. Saving it again would replace what is stored now: " + list(plain(differ)) + "."
		fault.Stored = pilotPath(old.Pilot.ID) + "/edit"
	}
	return d.showForm(c, http.StatusConflict, &now, now.Hash, f, fault, true)
}

// previewView is what a design could see.
type previewView struct {
	// Asked is true where anybody asked.
	Asked bool
	Lines []previewLine
	// About says on what it was measured, Why why nothing can be said.
	About, Why string
	Trend      string // drawing of both sides so far
	TrendNote  string
	// Changes name the fields that differ from what is stored; Late is true
	// where the pilot has started and the change will be held against it.
	Changes []string
	Late    bool
}

type previewLine struct{ Title, Detectable, PreTrend string }

// preview asks what a design could see. A definition with a mistake shows what
// is missing instead.
func (d *dashboard) preview(ctx context.Context, p metrics.Pilot, mistake *formFault, old *metrics.Definition) (previewView, error) {
	v := previewView{Asked: true}
	if mistake != nil {
		v.Why = strings.TrimSpace("Not yet: " + mistake.Text + " " + mistake.Cure)
		return v, nil
	}
	if old != nil {
		v.Changes = p.Diff(old.Pilot)
		v.Late = len(v.Changes) > 0 && !p.SameMeasurement(old.Pilot) && d.begun(p, old.Pilot)
	}
	ahead, err := d.Editor.Preview(ctx, p)
	switch {
	case err != nil:
		return v, fmt.Errorf("look ahead: %w", err)
	case ahead == nil:
		v.Why = "The data of this pilot is imported as it is; its report says what it can see."
		return v, nil
	case ahead.Problem != "":
		v.Why = ahead.Problem
		return v, nil
	}
	v.About = ahead.Lines()[0]
	for _, m := range ahead.Metrics {
		l := previewLine{Title: m.Title, Detectable: m.Text, PreTrend: m.PreTrend.Text}
		if l.PreTrend == "" {
			l.PreTrend = sentence(capital(m.PreTrend.Missing))
		}
		v.Lines = append(v.Lines, l)
	}
	if first := ahead.Metrics[0]; first.Trend != nil {
		v.Trend = previewTrend(p, first)
		v.TrendNote = first.Trend.AxisTitle
	}
	return v, nil
}

// begun reports whether a start of either definition has passed.
func (d *dashboard) begun(all ...metrics.Pilot) bool {
	if d.Now == nil {
		return false
	}
	now := d.Now()
	return slices.ContainsFunc(all, func(p metrics.Pilot) bool {
		return slices.ContainsFunc(p.Treated, func(a metrics.Adoption) bool { return !a.Start.After(now) })
	})
}

func previewTrend(p metrics.Pilot, m metrics.PreviewMetric) string {
	data := chart.TrendData{
		Pilot: orElse(p.Subject, "pilot"), Comparison: "comparison", AxisTitle: m.Trend.AxisTitle, Start: -1,
		PeriodNoun: plural(p.PeriodNoun), UnitNoun: plural(p.UnitNoun),
	}
	for _, pt := range m.Trend.Points {
		data.Points = append(data.Points, chart.TrendPoint{
			Label: when(pt.Label), LeftOut: pt.LeftOut, Pilot: pt.Pilot, Comparison: pt.Comparison, Low: pt.ComparisonLow, High: pt.ComparisonHigh,
		})
	}
	return chart.Trend(chart.Head{ID: "before", Title: m.Title + " before the start, both sides", Desc: m.PreTrend.Text}, chart.Narrow, data)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// faultOfField puts a mistake of a definition beside the field of the form.
func faultOfField(e *metrics.FieldError) *formFault {
	anchor := e.Field
	if i := strings.IndexAny(anchor, "[."); i > 0 {
		anchor = anchor[:i]
	}
	names := map[string]string{
		"id": "The id", "title": "The name", "subject": "The treated side", "treated": "A team with the assistant", "comparison": "The comparison",
		"before": "The time before", "after": "The time after", "left_out": "What is left out", "outcomes": "What is measured",
		"smallest_effect": "The smallest effect worth having", "period_noun": "The period", "description": "What was tried",
	}
	name := names[anchor]
	if name == "" {
		name = capital(anchor)
	}
	text := name + " " + e.Problem + "."
	if e.Value != "" && len(e.Value) <= 60 {
		text = name + ", “" + e.Value + "”, " + e.Problem + "."
	}
	return &formFault{Anchor: anchor, Text: text, Cure: sentence(capital(e.Cure))}
}
