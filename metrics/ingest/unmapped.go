package ingest

import (
	"fmt"
	"strings"

	"steelyard/metrics"
)

// Mapping is a field and the column of a file that is read for it.
type Mapping struct{ Field, Column string }

// UnmappedError lists the columns of a file that look like fields under names
// of their own. To read past one of them in silence would lose it; all are
// named at once, so that one more run is enough.
type UnmappedError struct {
	File string
	// Line is the header's.
	Line    int
	Columns []Mapping
}

// Error names every column with its field, and what to write.
func (e *UnmappedError) Error() string {
	columns, fields, maps := make([]string, len(e.Columns)), make([]string, len(e.Columns)), make([]string, len(e.Columns))
	for i, m := range e.Columns {
		columns[i], fields[i], maps[i] = m.Column, m.Field, m.Field+"="+m.Column
	}
	looks, them := "columns "+strings.Join(columns, ", ")+" look like ", "them"
	if len(columns) == 1 {
		looks, them = "column "+columns[0]+" looks like ", "it"
	}
	return fmt.Sprintf("%s:%d: %s%s, and nothing says so; map %s with %s, or leave one out with FIELD=",
		e.File, e.Line, looks, strings.Join(fields, ", "), them, strings.Join(maps, " "))
}

// notes are what a person should know of a file of pull requests before its
// numbers are asked for.
func (p *pullRequestReader) notes() []string {
	var out []string
	if p.placed == 0 {
		out = append(out, "No row has a team, and a pilot compares teams: none of these pull requests can be measured until their team is known (column team).")
	}
	if p.authored == 0 {
		out = append(out, "No row has an author: reports will show no numbers, because groups under five authors are not shown and nobody can tell that these are not (column author).")
	}
	if p.bot < 0 {
		out = append(out, "The file does not say which authors are bots: they count as people (column author_is_bot).")
	}
	lacks := metrics.Import{Fields: p.fieldsRead}.Lacks()
	if gone := metrics.UnmeasuredWithout(lacks); len(gone) > 0 {
		var names []string
		for _, f := range metrics.NeededOf(lacks).List() {
			names = append(names, string(f))
		}
		out = append(out, fmt.Sprintf("The file has no column for %s, so these are not measured: %s.", strings.Join(names, ", "), strings.Join(gone, ", ")))
	}
	return out
}
