package ingest

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// table is an open CSV file with its header read.
type table struct {
	*records
	source *source
	index  map[string]int // column number by name
}

// readHeader reads the first line that is not empty. Names are trimmed; they
// must differ, except that any number of columns may have no name at all.
func readHeader(src *source, file string, limits Limits) (*table, error) {
	r, err := newRecords(src.Reader, file, limits)
	if err != nil {
		return nil, err
	}
	switch err := r.next(); {
	case errors.Is(err, io.EOF):
		return nil, &LineError{File: file, Line: 1, Problem: "the file is empty", Cure: "the first line must name the columns"}
	case err != nil:
		return nil, err
	}
	t := &table{r, src, make(map[string]int, len(r.fields))}
	names := make([]string, len(r.fields))
	for i, field := range r.fields {
		name := strings.TrimSpace(string(field))
		if len(name) > maxName {
			return nil, r.badField(i, flaw{fmt.Sprintf("is a column name longer than %d bytes", maxName), "the first line must name the columns"})
		}
		if first, twice := t.index[name]; twice && name != "" {
			return nil, &LineError{
				File: file, Line: r.start, Column: name, Value: name,
				Problem: fmt.Sprintf("names both column %d and column %d", first+1, i+1), Cure: "give every column a name of its own",
			}
		}
		names[i], t.index[name] = name, i
	}
	delete(t.index, "")
	r.names = names
	return t, nil
}

// anyColumn is the cure where no column of the file is close to what is wanted.
const anyColumn = "name one of them"

// column returns the number of the named column; what says what it is for.
func (t *table) column(name, what string) (int, error) {
	if i, ok := t.index[name]; ok {
		return i, nil
	}
	cure := anyColumn
	if near := nearest(name, t.names); near != "" {
		cure = fmt.Sprintf("did you mean %q?", near)
	}
	if sep := otherSeparator(t.names); sep != "" {
		cure = "the file is separated by " + sep + ": export it with commas"
	}
	return 0, &LineError{
		File: t.file, Line: t.start, Column: name, Value: name,
		Problem: fmt.Sprintf("is no column of the file (wanted as %s); it has %s", what, list(t.names)), Cure: cure,
	}
}

// otherSeparator recognises a header that commas do not split.
func otherSeparator(names []string) string {
	switch {
	case len(names) > 1:
		return ""
	case strings.Contains(names[0], ";"):
		return "semicolons"
	case strings.Contains(names[0], "\t"):
		return "tabs"
	}
	return ""
}

// noRows is the answer to a file of which nothing was kept.
func (t *table) noRows(leftOut int) error {
	if leftOut > 0 {
		return &LineError{
			File: t.file, Line: t.line,
			Problem: fmt.Sprintf("nothing is left to import: every row was left out (%d)", leftOut), Cure: "check the filters",
		}
	}
	return &LineError{File: t.file, Line: t.line, Problem: "the file has a header and no rows", Cure: "export it with its rows"}
}

// tooManyRows is the answer to a file beyond the limit.
func (t *table) tooManyRows() error {
	return &LineError{
		File: t.file, Line: t.start,
		Problem: fmt.Sprintf("is past the limit of %d rows", t.limits.Rows), Cure: "split the file, or sum it up first",
	}
}
