package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
)

// pullsPerPage is how many pull requests one page lists.
const pullsPerPage = 50

// pullsQuery is the state of the page, as its address has it.
type pullsQuery struct {
	Team, Side, Span, From, To, State, Signal, After string
}

func readPullsQuery(v url.Values) pullsQuery {
	return pullsQuery{
		Team: v.Get("team"), Side: v.Get("side"), Span: v.Get("span"), From: v.Get("from"), To: v.Get("to"),
		State: v.Get("state"), Signal: v.Get("signal"), After: v.Get("after"),
	}
}

// values are the fields that are set, in the order of an address.
func (q pullsQuery) values() url.Values {
	v := url.Values{}
	for _, f := range []struct{ name, value string }{
		{"team", q.Team}, {"side", q.Side}, {"span", q.Span}, {"from", q.From}, {"to", q.To}, {"state", q.State}, {"signal", q.Signal}, {"after", q.After},
	} {
		if f.value != "" {
			v.Set(f.name, f.value)
		}
	}
	return v
}

// on is the address of the page of a pilot, or of a download of it.
func (q pullsQuery) on(pilot, ending string) string {
	address := pilotPath(pilot) + "/pull-requests" + ending
	if s := q.values().Encode(); s != "" {
		address += "?" + s
	}
	return address
}

// filter is the query for the domain; both days belong to it. What is no day, or no place in the list,
// is a fault of the address.
func (q pullsQuery) filter() (metrics.PullFilter, error) {
	f := metrics.PullFilter{
		Team: q.Team, Side: metrics.PullSide(q.Side), Span: metrics.PullSpan(q.Span),
		State: metrics.PullState(q.State), Signal: metrics.PullSignal(q.Signal), Limit: pullsPerPage,
	}
	for name, day := range map[string]struct {
		text string
		at   *time.Time
	}{"from": {q.From, &f.Window.From}, "to": {q.To, &f.Window.To}} {
		if day.text == "" {
			continue
		}
		t, err := time.Parse(time.DateOnly, day.text)
		if err != nil || t.Year() < 1970 {
			return f, echo.NewHTTPError(http.StatusBadRequest, name+" is not a day")
		}
		*day.at = t
	}
	if !f.Window.To.IsZero() {
		f.Window.To = f.Window.To.AddDate(0, 0, 1) // that day included
	}
	var err error
	if f.After, err = metrics.ParsePullPlace(q.After); err != nil {
		return f, echo.NewHTTPError(http.StatusBadRequest, "after is no place in the list")
	}
	if why := unknownChoice(f); why != "" {
		return f, unclear(why)
	}
	return f, nil
}

// unknownChoice says which part of a filter names what there is not, and what
// there is; "" for none.
func unknownChoice(f metrics.PullFilter) string {
	for _, one := range []struct {
		name, is string
		of       []string
	}{
		{"side", string(f.Side), texts(metrics.PullSides())},
		{"span", string(f.Span), texts([]metrics.PullSpan{metrics.SpanBefore, metrics.SpanAfter})},
		{"state", string(f.State), texts(metrics.PullStates())},
		{"signal", string(f.Signal), texts(metrics.PullSignals())},
	} {
		if !known(one.of, one.is) {
			return one.name + " is none of: " + strings.Join(one.of, ", ")
		}
	}
	return ""
}

func texts[T ~string](all []T) []string {
	found := make([]string, len(all))
	for i, one := range all {
		found[i] = string(one)
	}
	return found
}

// known reports whether a choice is empty or one of all.
func known[T ~string](all []T, one T) bool {
	for _, a := range all {
		if a == one {
			return true
		}
	}
	return one == ""
}

// pullsView is a page of the pull requests behind a pilot's numbers.
type pullsView struct {
	ID, Title string
	Query     pullsQuery
	Heading   string
	Rows      []pullLine
	// Next and First are addresses; empty where there is no such page.
	Next, First, CSV, JSON string
	Teams                  []string
	// Hidden says how many teams are not listed, and why.
	Hidden string
}

// pullLine is a pull request for people.
type pullLine struct {
	metrics.PullRow
	Name, Link    string
	Side          string
	Became, Took  string
	Lines, Signal string
}

func (d *dashboard) pulls(c echo.Context) error {
	if d.Pulls == nil {
		return echo.ErrNotFound
	}
	q := readPullsQuery(c.QueryParams())
	f, err := q.filter()
	if err != nil {
		return err
	}
	page, err := d.Pulls.PilotPulls(c.Request().Context(), c.Param("id"), f)
	switch {
	case errors.Is(err, metrics.ErrNoPulls):
		return d.render(c, http.StatusOK, noPullsPage(d.shell("Pull requests", "/"), c.Param("id")))
	case err != nil:
		return listFault(err)
	}
	if q.Team != "" && len(page.Teams) > 0 {
		q.Team = page.Teams[0].Name // as it is written
	}
	v := d.pullsView(q, page)
	if v.Teams, err = d.pullTeams(c.Request().Context(), q, page); err != nil {
		return err
	}
	return d.render(c, http.StatusOK, pullsPage(d.shell("Pull requests of "+v.Title, "/"), v))
}

// listFault is the error of a list: what the filter names and is not there is
// not found, and so is the list of a pilot that has none.
func listFault(err error) error {
	var choice *metrics.ChoiceError
	if errors.As(err, &choice) || errors.Is(err, metrics.ErrNoPulls) {
		return fmt.Errorf("list pull requests: %w: %w", metrics.ErrNotFound, err)
	}
	return fmt.Errorf("list pull requests: %w", err)
}

func (d *dashboard) pullsView(q pullsQuery, page *metrics.PilotPullPage) pullsView {
	p := page.Pilot
	v := pullsView{ID: p.ID, Title: p.Title, Query: q, CSV: q.first().on(p.ID, ".csv"), JSON: q.first().on(p.ID, ".json")}
	for _, r := range page.Rows {
		v.Rows = append(v.Rows, d.pullLine(r, page.Side(r.Team)))
	}
	if n := len(page.Small); n > 0 {
		v.Hidden = some(n, p.UnitNoun) + pick(n, " is", " are") + " not listed, because fewer than five authors opened something in this time: their rows would be a person’s."
	}
	if page.Next != (metrics.PullPlace{}) {
		next := q
		next.After = page.Next.String()
		v.Next = next.on(p.ID, "")
	}
	if q.After != "" {
		v.First = q.first().on(p.ID, "")
	}
	v.Heading = pullsHeading(len(page.Rows), v.Next != "" || q.After != "")
	return v
}

// pullTeams are the teams that can be chosen: those that are large enough to be
// shown alone, in the time that is shown. A list of some teams knows that of no
// other, so all are asked for.
func (d *dashboard) pullTeams(ctx context.Context, q pullsQuery, page *metrics.PilotPullPage) ([]string, error) {
	small := page.Small
	if q.Team != "" || q.Side != "" {
		f, err := pullsQuery{Span: q.Span, From: q.From, To: q.To, State: q.State}.filter()
		if err != nil {
			return nil, err
		}
		f.Limit = 1
		all, err := d.Pulls.PilotPulls(ctx, page.Pilot.ID, f)
		if err != nil {
			return nil, listFault(err)
		}
		small = all.Small
	}
	var out []string
	for _, t := range page.All {
		if !slices.Contains(small, t.Name) || t.Name == q.Team {
			out = append(out, t.Name)
		}
	}
	return out, nil
}

// first is the query at the beginning of its list.
func (q pullsQuery) first() pullsQuery {
	q.After = ""
	return q
}

func pullsHeading(n int, more bool) string {
	switch {
	case n == 0:
		return "No pull request fits"
	case more:
		return some(n, "pull request") + " on this page"
	}
	return some(n, "pull request")
}

func (d *dashboard) pullLine(r metrics.PullRow, side metrics.PullSide) pullLine {
	l := pullLine{PullRow: r, Name: r.Repository + " #" + strconv.Itoa(r.Number), Side: string(side), Lines: "–"}
	if r.Number == 0 {
		l.Name = r.Repository
	}
	if r.OnGitHub {
		l.Link = d.pullURL(r.Repository, r.Number)
	}
	switch r.State() {
	case metrics.PullReverted:
		l.Became, l.Took = "reverted", "after "+took(r.Merged, r.RevertedAt)
	case metrics.PullMerged:
		l.Became, l.Took = "merged", "in "+took(r.Opened, r.Merged)
	case metrics.PullClosed:
		l.Became, l.Took = "closed unmerged", "after "+took(r.Opened, r.Closed)
	default:
		l.Became = "open"
	}
	if r.Additions >= 0 && r.Deletions >= 0 {
		l.Lines = "+" + metrics.FormatCount(r.Additions) + " \u2212" + metrics.FormatCount(r.Deletions)
	}
	switch {
	case !r.Looked:
		l.Signal = "not looked for"
	case r.Signal == "":
		l.Signal = "none seen"
	default:
		l.Signal = strings.ReplaceAll(r.Signal, "_", " ")
	}
	return l
}

// took is the time between two moments for people.
func took(from, to time.Time) string {
	if from.IsZero() || to.Before(from) {
		return "–"
	}
	return metrics.FormatValue(to.Sub(from).Hours(), "hours")
}

// pullURL is where a pull request lies on GitHub.
func (d *dashboard) pullURL(repository string, number int) string {
	base := strings.TrimSuffix(orElse(d.GitHub, "https://github.com"), "/")
	return external(base + "/" + repository + "/pull/" + strconv.Itoa(number))
}

// namedChoice is one entry of a filter.
type namedChoice struct{ Value, Word string }

func sideChoices() []namedChoice {
	return []namedChoice{{"", "both"}, {string(metrics.SidePilot), "pilot"}, {string(metrics.SideComparison), "comparison"}}
}

func spanChoices() []namedChoice {
	return []namedChoice{{"", "all of it"}, {string(metrics.SpanBefore), "before the start"}, {string(metrics.SpanAfter), "after the start"}}
}

func stateChoices() []namedChoice {
	return []namedChoice{
		{"", "any"},
		{string(metrics.PullMerged), "merged"},
		{string(metrics.PullReverted), "reverted"},
		{string(metrics.PullClosed), "closed unmerged"},
		{string(metrics.PullOpen), "still open"},
	}
}

func signalChoices() []namedChoice {
	return []namedChoice{{"", "any"}, {string(metrics.SignalSeen), "seen"}, {string(metrics.SignalNone), "none seen"}}
}
