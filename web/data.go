package web

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/metrics"
)

// smallestGroup is the number of authors under which a group is not shown on
// its own.
const smallestGroup = metrics.SmallestGroup

// dataView is the data-health page.
type dataView struct {
	*metrics.DataHealth
	// Teams are those that are shown alone; Small counts the others together.
	Teams []metrics.TeamSize
	Small metrics.TeamSize
	// SmallTeams is how many teams Small adds up.
	SmallTeams int
	Sync       *syncView
	Working    workView
	// Trail is who changed definitions, the newest first.
	Trail []metrics.TrailEntry
}

// Nothing reports whether nothing at all is stored or under way.
func (v dataView) Nothing() bool {
	return len(v.DataSets) == 0 && v.PullRequests.Total == 0 && v.Sync == nil && len(v.Working.Tasks) == 0
}

// Bad reports whether something keeps the data from being complete.
func (v dataView) Bad() []string {
	out := v.PullRequests.Incomplete
	if v.Sync != nil {
		n := 0
		for _, r := range v.Sync.Rows {
			if r.Bad() {
				n++
			}
		}
		if n > 0 {
			out = append(slices.Clone(out), some(n, "repository")+pick(n, " needs", " need")+" a look")
		}
	}
	return out
}

func (d *dashboard) data(c echo.Context) error {
	h, err := d.Reports.Data(c.Request().Context())
	if err != nil {
		return fmt.Errorf("read data health: %w", err)
	}
	v := dataView{DataHealth: h}
	if d.Now != nil {
		v.Sync = newSyncView(h.Ingest, d.Now())
	} else {
		v.Sync = newSyncView(h.Ingest, time.Time{})
	}
	if v.Working, err = d.work(c.Request().Context()); err != nil {
		return err
	}
	if d.Editor != nil {
		if v.Trail, err = d.Editor.Trail(c.Request().Context(), "", maxTrail); err != nil {
			return fmt.Errorf("read trail: %w", err)
		}
	}
	v.Teams, v.Small, v.SmallTeams = teamGroups(h.PullRequests.Teams)
	s := d.shell("Data", "/data")
	s.Refresh = v.Working.Live
	return d.render(c, http.StatusOK, dataPage(s, v))
}

// teamGroups tells the teams that may be shown alone from the rest, which is
// counted together. The rest must be a group itself, of several teams and with
// enough authors: else it would be the one small team, only without its name. As
// long as it is none, the smallest of the others joins it.
func teamGroups(all []metrics.TeamSize) (alone []metrics.TeamSize, rest metrics.TeamSize, n int) {
	join := func(t metrics.TeamSize) {
		rest.PullRequests += t.PullRequests
		rest.Authors += t.Authors
		n++
	}
	for _, t := range all {
		if t.Authors >= smallestGroup {
			alone = append(alone, t)
		} else {
			join(t)
		}
	}
	for n > 0 && (n < 2 || rest.Authors < smallestGroup) && len(alone) > 0 {
		least := slices.Index(alone, slices.MinFunc(alone, func(a, b metrics.TeamSize) int {
			return cmp.Or(cmp.Compare(a.Authors, b.Authors), cmp.Compare(a.Team, b.Team))
		}))
		join(alone[least])
		alone = slices.Delete(alone, least, least+1)
	}
	return alone, rest, n
}

// dataGroup are the pilots that rest on one file: what is said of the file is
// said once.
type dataGroup struct {
	Level  metrics.Level
	MadeUp bool
	Sets   []metrics.DataSet
	Facts  []fact
}

// groups puts pilots on the same file and sources together, in the order of
// the first of each.
func (v dataView) groups() []dataGroup {
	var out []dataGroup
	at := map[string]int{}
	for _, s := range v.DataSets {
		key := "pilot " + s.Pilot
		if s.Import != nil {
			key = fmt.Sprintf("file %s %s %v", s.Level, s.Import.SHA256, s.Sources)
		}
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, dataGroup{Level: s.Level, MadeUp: madeUp(s.Sources)})
		}
		out[i].Sets = append(out[i].Sets, s)
	}
	for i := range out {
		out[i].Facts = dataFacts(out[i])
	}
	return out
}

// dataFacts is the file of a group and what each of its pilots takes from it.
func dataFacts(g dataGroup) []fact {
	first := g.Sets[0]
	var out []fact
	for _, src := range first.Sources {
		out = append(out, sourceFact(src))
	}
	if i := first.Import; i != nil {
		f := fact{Term: "Imported", Texts: []string{i.File + ", " + some(i.Rows, "row") + ", " + stamp(i.At)}, Code: "SHA-256 " + i.SHA256}
		if g.Level == metrics.LevelPullRequests {
			// Every import of pull requests is in the list at the foot.
			f.Term, f.Code, f.Link = "Newest import", "", "#pull-requests"
		} else {
			f.Texts = append(f.Texts, i.Notes...)
		}
		out = append(out, f)
		if i.Exposure != "" {
			out = append(out, fact{Term: "Counts are over", Texts: []string{"the column " + i.Exposure}})
		}
	}
	for _, s := range g.Sets {
		of := ""
		if len(g.Sets) > 1 {
			of = ": " + s.Title
		}
		if s.Error != "" {
			out = append(out, fact{Term: "Cannot be read" + of, Texts: []string{s.Error}})
		}
		if s.Units > 0 {
			out = append(out, fact{Term: "Extent" + of, Texts: []string{dataExtent(s)}})
		}
		if len(s.LeftOut) == 0 {
			out = append(out, fact{Term: "Left out" + of, Texts: []string{"Nothing."}})
			continue
		}
		out = append(out, fact{Term: "Left out" + of, LeftOut: s.LeftOut})
	}
	return out
}

// dataExtent is how much data a pilot has and how much of it is used: "9
// repositories, 165 weeks, 78 used, from 26 Jun 2023 to 23 Aug 2026".
func dataExtent(s metrics.DataSet) string {
	used := metrics.FormatCount(s.Used)
	if s.Used == s.Periods {
		used = "all"
	}
	return some(s.Units, cmp.Or(s.UnitNoun, "unit")) + ", " + some(s.Periods, cmp.Or(s.PeriodNoun, "period")) + ", " +
		used + " used, from " + when(s.First) + " to " + when(s.Last)
}

// useFacts says how far each organisation's figures on use are known.
func useFacts(all []metrics.UseSource) []fact {
	known := func(what, until string, day time.Time, problem string) string {
		text := what + ": none"
		if !day.IsZero() {
			text = what + ": " + until + " " + metrics.FormatDate(day)
		}
		if problem != "" {
			text += "; GitHub gives none to these credentials"
		}
		return text + "."
	}
	var out []fact
	for _, s := range all {
		out = append(out, fact{Term: s.Organisation, Texts: []string{
			known("Seats", "as of", s.SeatsOn, s.NoSeats), known("Reports of use", "up to", s.ReportedUntil, s.NoReports),
		}})
	}
	return out
}

// leftOutGroup is everything that was left out for one reason.
type leftOutGroup struct {
	Reason string
	Lines  []leftOutLine
}

// leftOutLine is one number of a group, or the range of several, with what it
// counts.
type leftOutLine struct{ Count, What string }

// leftOutOf is one metric's number within a line.
type leftOutOf struct {
	metrics.LeftOut
	stem, metric string
}

// numberWord is a count within what was left out: "rows of 272 repositories".
var numberWord = regexp.MustCompile(`[0-9][0-9,\x{202f}]* `)

// byReason groups what was left out; within a reason, the same thing counted
// for several metrics is one line.
func byReason(all []metrics.LeftOut) []leftOutGroup {
	type kind struct{ reason, thing string }
	var order []kind
	of := map[kind][]leftOutOf{}
	for _, l := range all {
		o := leftOutOf{LeftOut: l, stem: l.What}
		if i := strings.LastIndex(l.What, " of "); i > 0 {
			o.stem, o.metric = l.What[:i], l.What[i+4:]
		}
		k := kind{l.Reason, numberWord.ReplaceAllString(o.stem, "")}
		if of[k] == nil {
			order = append(order, k)
		}
		of[k] = append(of[k], o)
	}
	var out []leftOutGroup
	at := map[string]int{}
	for _, k := range order {
		i, ok := at[k.reason]
		if !ok {
			i = len(out)
			at[k.reason] = i
			out = append(out, leftOutGroup{Reason: k.reason})
		}
		out[i].Lines = append(out[i].Lines, leftOutLineOf(k.thing, of[k]))
	}
	return out
}

// leftOutLineOf writes the numbers of one thing over its metrics.
func leftOutLineOf(thing string, of []leftOutOf) leftOutLine {
	first := of[0]
	if len(of) == 1 {
		return leftOutLine{metrics.FormatCount(first.Count), first.What}
	}
	low, high := first.Count, first.Count
	var names, each []string
	for _, o := range of {
		low, high = min(low, o.Count), max(high, o.Count)
		names = append(names, o.metric)
		each = append(each, o.metric+" "+metrics.FormatCount(o.Count))
	}
	if low == high {
		return leftOutLine{metrics.FormatCount(low), first.stem + ", each for " + list(names)}
	}
	return leftOutLine{metrics.FormatCount(low) + " to " + metrics.FormatCount(high), thing + ": " + strings.Join(each, ", ")}
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
