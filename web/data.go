package web

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
)

// smallestGroup is the number of authors under which a group is not shown on
// its own.
const smallestGroup = 5

// dataView is the data-health page.
type dataView struct {
	*metrics.DataHealth
	// Teams are those with enough authors; Small counts the others together.
	Teams []metrics.TeamSize
	Small metrics.TeamSize
	// SmallTeams is how many teams Small adds up.
	SmallTeams int
}

func (d *dashboard) data(c echo.Context) error {
	h, err := d.Reports.Data(c.Request().Context())
	if err != nil {
		return fmt.Errorf("read data health: %w", err)
	}
	v := dataView{DataHealth: h}
	for _, t := range h.PullRequests.Teams {
		if t.Authors >= smallestGroup {
			v.Teams = append(v.Teams, t)
			continue
		}
		v.SmallTeams++
		v.Small.PullRequests += t.PullRequests
	}
	return d.render(c, http.StatusOK, dataPage(d.shell("Data", "/data"), v))
}

// dataFacts is one data set as terms and statements.
func dataFacts(s metrics.DataSet) []fact {
	var out []fact
	for _, src := range s.Sources {
		out = append(out, sourceFact(src))
	}
	if s.Error != "" {
		out = append(out, fact{Term: "Cannot be read", Texts: []string{s.Error}})
	}
	if s.Units > 0 {
		out = append(out, fact{Term: "Holds", Texts: []string{some(s.Units, "unit") + ", " + some(s.Periods, "period") + ", " + span(s.First, s.Last)}})
	}
	if i := s.Import; i != nil {
		out = append(out, fact{Term: "Imported", Texts: []string{i.File + ", " + some(i.Rows, "row") + ", " + stamp(i.At)}, Code: "SHA-256 " + i.SHA256})
	}
	if len(s.LeftOut) == 0 {
		return append(out, fact{Term: "Left out", Texts: []string{"Nothing."}})
	}
	return append(out, fact{Term: "Left out", LeftOut: s.LeftOut})
}

// madeUp reports whether any source of a data set is invented.
func madeUp(sources []metrics.Source) bool {
	for _, s := range sources {
		if s.MadeUp {
			return true
		}
	}
	return false
}

// holdings says how much data there is.
func holdings(v dataView) string {
	parts := []string{some(len(v.DataSets), "data set")}
	if v.PullRequests.Total > 0 {
		parts = append(parts, some(v.PullRequests.Total, "pull request"))
	}
	return list(parts)
}
