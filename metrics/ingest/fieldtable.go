package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"
)

// fieldSpec says how a file of documented fields is read.
type fieldSpec struct {
	// what is the plural of what a row is, one its singular with an article.
	what, one string
	fields    []Field
	columns   map[string]string // the file's column by field
	drop      []Filter
	limits    Limits
}

// fieldTable is an open file whose columns are known by the field they hold.
type fieldTable struct {
	*table
	spec    fieldSpec
	filters *filters
	times   timestamps
	latest  time.Time // later times are refused
	texts   texts
	kept    int
	// byPlain are the numbers of columns by their names as [plain] has them.
	byPlain map[string][]int
	// fieldsRead are the fields that the file has.
	fieldsRead []string
}

func openFields(ctx context.Context, r io.Reader, file string, spec fieldSpec) (*fieldTable, error) {
	spec.limits = spec.limits.withDefaults()
	if err := spec.check(); err != nil {
		return nil, err
	}
	src, err := openSource(ctx, r, file, spec.limits)
	if err != nil {
		return nil, err
	}
	t, err := readHeader(src, file, spec.limits)
	if err != nil {
		return nil, err
	}
	f := &fieldTable{table: t, spec: spec, texts: texts{}, byPlain: map[string][]int{}}
	for i, name := range t.names {
		f.byPlain[plain(name)] = append(f.byPlain[plain(name)], i)
	}
	f.filters, err = t.compile(spec.drop, spec.what)
	return f, err
}

// check refuses a column for what is no field.
func (spec fieldSpec) check() error {
	var known []string
	for _, f := range spec.fields {
		known = append(known, f.Name)
	}
	for name := range spec.columns {
		if slices.Contains(known, name) {
			continue
		}
		hint := ""
		if near := nearest(name, known); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return fmt.Errorf("import %s: %q is no field of %s; the fields are %s%s", spec.what, shown(name), spec.one, list(known), hint)
	}
	return nil
}

// find writes the number of each field's column to where at says, −1 where the
// file has none. What is given otherwise is not looked for under other names.
func (t *fieldTable) find(at map[string]*int, given ...string) error {
	t.fieldsRead = []string{}
	var unmapped []Mapping
	for _, f := range t.spec.fields {
		i, usual, err := t.findColumn(f, slices.Contains(given, f.Name))
		if err != nil {
			return err
		}
		*at[f.Name] = i
		if i >= 0 {
			t.fieldsRead = append(t.fieldsRead, f.Name)
		}
		if usual != "" {
			unmapped = append(unmapped, Mapping{f.Name, usual})
		}
	}
	if len(unmapped) > 0 {
		return &UnmappedError{File: t.file, Line: t.start, Columns: unmapped}
	}
	return nil
}

// findColumn returns the column of a field, −1 where there is none, and then
// the name of a column that is usually it and is mapped to nothing.
func (t *fieldTable) findColumn(f Field, given bool) (i int, usual string, err error) {
	name, named := t.spec.columns[f.Name]
	if named && name == "" {
		return -1, "", nil
	}
	if named {
		i, err = t.column(name, f.Name)
		return i, "", err
	}
	if i, ok := t.index[f.Name]; ok {
		return i, "", nil
	}
	if given {
		return -1, "", nil
	}
	return -1, t.usually(f), nil
}

// usually is the first column that is mapped to nothing and has the field's
// name, or one that other tools have for it, but for case, spaces and
// punctuation: "Created At" is created_at. Without one it is "".
func (t *fieldTable) usually(f Field) string {
	for _, usual := range append([]string{f.Name}, f.usual...) {
		for _, i := range t.byPlain[plain(usual)] {
			if column := t.names[i]; !t.taken(column) {
				return column
			}
		}
	}
	return ""
}

// missing says which column is wanted for a field, and how to name it.
func (t *fieldTable) missing(field, what string) error {
	_, err := t.column(field, what)
	if bad, ok := errors.AsType[*LineError](err); ok && bad.Cure == anyColumn {
		bad.Cure = "map the one that it is with " + field + "=COLUMN"
	}
	return err
}

// taken reports whether a column was mapped to some field, or has a field's own
// name.
func (t *fieldTable) taken(column string) bool {
	if slices.ContainsFunc(t.spec.fields, func(f Field) bool { return f.Name == column }) {
		return true
	}
	for _, c := range t.spec.columns {
		if c == column {
			return true
		}
	}
	return false
}

// nextRow reads the next row that no filter drops; io.EOF after the last one.
func (t *fieldTable) nextRow() error {
	for {
		err := t.next()
		switch {
		case errors.Is(err, io.EOF) && t.kept == 0:
			return t.noRows(t.filters.total())
		case err != nil:
			return err
		case t.filters.drops(t.fields):
			continue
		}
		if t.kept++; t.kept > t.limits.Rows {
			return t.tooManyRows()
		}
		return nil
	}
}

// rowsOf yields the first value and all that next reads after it, or the first
// error.
func rowsOf[T any](first T, next func() (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for row := first; ; {
			if !yield(row, nil) {
				return
			}
			var err error
			if row, err = next(); errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}

// fieldReader reads the fields of one record and keeps the first error.
type fieldReader struct {
	t   *fieldTable
	err error
}

// value is a trimmed field; ok is false where there is none to read.
func (f *fieldReader) value(col int) (v []byte, ok bool) {
	if col < 0 || f.err != nil {
		return nil, false
	}
	return bytes.TrimSpace(f.t.fields[col]), true
}

func (f *fieldReader) fail(col int, bad *flaw) {
	if bad != nil {
		f.err = f.t.badField(col, *bad)
	}
}

func (f *fieldReader) text(col int) string {
	v, ok := f.value(col)
	if !ok || len(v) == 0 {
		return ""
	}
	f.fail(col, checkName(v))
	return string(v)
}

// name is a text of which there are few: it is kept and given out again.
func (f *fieldReader) name(col int) string {
	v, ok := f.value(col)
	if !ok || len(v) == 0 {
		return ""
	}
	if known, ok := f.t.texts[string(v)]; ok {
		return known
	}
	f.fail(col, checkName(v))
	return f.t.texts.keep(v)
}

// count is −1 where there is none.
func (f *fieldReader) count(col int) int {
	v, ok := f.value(col)
	if !ok {
		return -1
	}
	n, bad := parseCount(v)
	f.fail(col, bad)
	return n
}

func (f *fieldReader) time(col int) time.Time {
	v, ok := f.value(col)
	if !ok {
		return time.Time{}
	}
	t, bad := f.t.times.parse(v)
	if bad == nil && t.After(f.t.latest) {
		bad = &flaw{
			fmt.Sprintf("lies in the future (now is %s)", f.t.latest.Add(-ahead).UTC().Format(time.RFC3339)),
			"correct it, or leave it empty where it has not happened yet; times without a zone are UTC",
		}
	}
	f.fail(col, bad)
	return t
}

// texts keeps one copy of texts that repeat.
type texts map[string]string

func (n texts) keep(v []byte) string {
	if len(n) >= maxKept {
		clear(n)
	}
	s := string(v)
	n[s] = s
	return s
}
