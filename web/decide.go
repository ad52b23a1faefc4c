package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/lint"
)

// decideView is the page on which one server or package is decided about.
type decideView struct {
	Kind    lint.DecisionKind
	Subject string
	// Back is the list that it stands on, Action the address of the form.
	Back, BackTitle, Action string
	Visitor                 Visitor
	Form                    decideForm
	Fault                   string
	Entries                 []lint.StoredServer
	Dependencies            []lint.StoredDependency
	Trail                   []lint.Decision
	More                    int // decisions that the trail leaves out
	// YAML are the lines to commit for the newest decision, "" for none.
	YAML string
	Now  time.Time
}

// decideForm is what a person wrote.
type decideForm struct {
	About, Verdict, Reason, Owner, Until string
	Block                                bool
}

// Versions are what a decision about a package can be about: the name, and each
// version that is in use.
func (v decideView) Versions() []namedChoice {
	list := []namedChoice{{v.Subject, "every version"}}
	seen := map[string]bool{v.Subject: true}
	for _, d := range v.Dependencies {
		if !seen[d.Versioned] && len(list) < 50 {
			seen[d.Versioned] = true
			list = append(list, namedChoice{d.Versioned, visible(d.Version) + " alone"})
		}
	}
	return list
}

// Blocked reports whether any entry is judged block, which a decision answers
// only where it says so.
func (v decideView) Blocked() bool {
	for _, d := range v.Dependencies {
		if d.Judgement == "block" {
			return true
		}
	}
	return false
}

// trailLength is how many decisions the page lists.
const trailLength = 50

func (d *dashboard) decision(kind lint.DecisionKind) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, err := d.decideView(c, kind, c.QueryParam("subject"))
		if err != nil {
			return err
		}
		return d.render(c, http.StatusOK, decidePage(d.shell("Decide", v.Back), v))
	}
}

// decideView gathers what is known of a subject. One that no scan saw and
// nobody decided about is not there.
func (d *dashboard) decideView(c echo.Context, kind lint.DecisionKind, subject string) (decideView, error) {
	v := decideView{
		Kind: kind, Subject: subject, Back: "/servers", BackTitle: "Servers", Visitor: d.visitor(c), Now: d.today(),
		Form: decideForm{About: subject, Verdict: string(lint.Allowed)},
	}
	if kind == lint.AboutDependency {
		v.Back, v.BackTitle = "/dependencies", "Dependencies"
	}
	v.Action = v.Back + "/decide?subject=" + url.QueryEscape(subject)
	ctx := c.Request().Context()
	subjects := []string{subject}
	switch {
	case subject == "":
		return v, echo.ErrNotFound
	case kind == lint.AboutServer && d.Servers != nil:
		rows, err := d.serverRows(ctx)
		if err != nil {
			return v, err
		}
		for _, r := range rows {
			if r.Subject == subject {
				v.Entries = r.Entries
			}
		}
	case kind == lint.AboutDependency && d.Dependencies != nil:
		page, err := d.Dependencies.NewDependencies(ctx, lint.DependencyFilter{Subject: subject, Today: v.Now, Limit: 100})
		if err != nil {
			return v, fmt.Errorf("read new dependencies: %w", err)
		}
		v.Dependencies = page.Dependencies
		for _, n := range v.Versions() {
			if n.Value != subject {
				subjects = append(subjects, n.Value)
			}
		}
	}
	if len(v.Entries)+len(v.Dependencies) == 0 {
		return v, echo.ErrNotFound
	}
	for _, s := range subjects {
		page, err := d.Decisions.Decisions(ctx, lint.DecisionFilter{Kind: kind, Subject: s, Limit: trailLength})
		if err != nil {
			return v, fmt.Errorf("read decisions: %w", err)
		}
		v.Trail = append(v.Trail, page.Decisions...)
		v.More += page.Total - len(page.Decisions)
	}
	slices.SortFunc(v.Trail, func(a, b lint.Decision) int { return cmp.Compare(b.ID, a.ID) })
	if len(v.Trail) > 0 {
		v.YAML = v.Trail[0].YAML()
	}
	return v, nil
}

// decide records what a form says.
func (d *dashboard) decide(kind lint.DecisionKind) echo.HandlerFunc {
	return func(c echo.Context) error {
		v, err := d.decideView(c, kind, c.QueryParam("subject"))
		if err != nil {
			return err
		}
		form := c.Request().PostForm
		v.Form = decideForm{
			About: form.Get("about"), Verdict: form.Get("verdict"), Reason: form.Get("reason"), Owner: form.Get("owner"), Until: form.Get("until"), Block: form.Get("block") != "",
		}
		dec, err := v.read(d.Now)
		if err == nil {
			_, err = d.Decisions.Decide(c.Request().Context(), dec)
		}
		var fault *decideFault
		switch {
		case errors.As(err, &fault):
			v.Fault = fault.text
		case errors.Is(err, lint.ErrDecision):
			v.Fault = capital(sentence(strings.TrimPrefix(err.Error(), lint.ErrDecision.Error()+": ")))
		case err != nil:
			return fmt.Errorf("record a decision: %w", err)
		default:
			return c.Redirect(http.StatusSeeOther, v.Action)
		}
		return d.render(c, http.StatusUnprocessableEntity, decidePage(d.shell("Not recorded: Decide", v.Back), v))
	}
}

// decideFault is a mistake in a form, in words for whoever filled it in.
type decideFault struct{ text string }

func (f *decideFault) Error() string { return f.text }

// read is the decision that a form says.
func (v decideView) read(now func() time.Time) (lint.Decision, error) {
	d := lint.Decision{Kind: v.Kind, Subject: v.Subject, Verdict: lint.DecisionVerdict(v.Form.Verdict), Reason: v.Form.Reason, Owner: v.Form.Owner}
	if now == nil {
		return d, errors.New("no clock: a decision has a date")
	}
	d.At = now().UTC()
	if v.Visitor.Name != here {
		d.By = "admin" // the role and not the person
	}
	if v.Kind == lint.AboutDependency {
		known := false
		for _, n := range v.Versions() {
			known = known || n.Value == v.Form.About
		}
		if !known {
			return d, &decideFault{"Say which version it is about."}
		}
		d.Subject = v.Form.About
		if v.Form.Block && d.Verdict == lint.Allowed {
			d.For = []string{"ask", "legal", "unverified", "block"}
		}
	}
	if v.Form.Until != "" {
		until, err := time.Parse(time.DateOnly, v.Form.Until)
		if err != nil {
			return d, &decideFault{"The last day is no day such as 2027-01-31."}
		}
		d.Until = until
	}
	return d, nil
}
