package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// records reads CSV as RFC 4180 has it: comma, optional quotes, a doubled
// quote inside quotes, lines that end in LF or CRLF. It differs from
// encoding/csv in that no line or field can be longer than a bound, that text
// must be UTF-8 without NUL bytes, that every record has as many fields as the
// header, and that a flaw is a [LineError]. Empty lines are skipped.
type records struct {
	in     *bufio.Reader
	file   string
	limits Limits
	names  []string // the header's, once it was read

	empty  int      // empty lines passed over
	line   int      // physical lines read so far
	start  int      // the line the current record began on
	fields [][]byte // valid until the next record
	lines  []int    // each field's line; empty where the record is one line

	long []byte // a line that did not fit the buffer
	text []byte // the unquoted text of a record with quotes
	ends []int  // where its fields end in text
}

func newRecords(in *bufio.Reader, file string, limits Limits) (*records, error) {
	bom, err := in.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, readError(file, 0, err)
	}
	if bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		if _, err := in.Discard(3); err != nil {
			return nil, readError(file, 0, err)
		}
	}
	return &records{in: in, file: file, limits: limits}, nil
}

// next reads one record into fields, or returns io.EOF.
func (r *records) next() error {
	for {
		line, err := r.readLine(0)
		if err != nil {
			return err
		}
		r.start, r.lines = r.line, r.lines[:0]
		if len(line) == 0 {
			if r.empty++; r.empty > r.limits.Empty {
				return r.tooEmpty()
			}
			continue
		}
		if bytes.IndexByte(line, '"') < 0 {
			err = r.splitPlain(line)
		} else {
			err = r.splitQuoted(line)
		}
		if err != nil {
			return err
		}
		return r.checkShape()
	}
}

// splitPlain splits a line without quotes; fields are slices of the line.
func (r *records) splitPlain(line []byte) error {
	r.fields = r.fields[:0]
	for {
		i := bytes.IndexByte(line, ',')
		field := line
		if i >= 0 {
			field = line[:i]
		}
		if err := r.addField(field); err != nil || i < 0 {
			return err
		}
		line = line[i+1:]
	}
}

// splitQuoted splits a line with quotes, reading on where a quoted field has
// line breaks. Fields are slices of r.text.
func (r *records) splitQuoted(line []byte) error {
	r.fields, r.text, r.ends = r.fields[:0], r.text[:0], r.ends[:0]
	for more := true; more; {
		var err error
		began := r.line
		if len(line) > 0 && line[0] == '"' {
			line, more, err = r.quotedField(line[1:])
		} else {
			line, more, err = r.bareField(line)
		}
		if err != nil {
			return err
		}
		r.ends, r.lines = append(r.ends, len(r.text)), append(r.lines, began)
		if len(r.ends) > r.limits.Columns {
			return r.tooManyColumns()
		}
	}
	from := 0
	for _, to := range r.ends {
		if err := r.addField(r.text[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// bareField appends a field without quotes to text and returns what follows
// its comma; more is false at the end of the line.
func (r *records) bareField(line []byte) (rest []byte, more bool, err error) {
	i := bytes.IndexByte(line, ',')
	field := line
	if i >= 0 {
		field, rest = line[:i], line[i+1:]
	}
	if bytes.IndexByte(field, '"') >= 0 {
		return nil, false, r.bad(r.line, len(r.ends), field, flaw{
			"has a quote inside an unquoted field",
			`put the whole field in quotes and double the quotes inside it ("a ""b"" c")`,
		})
	}
	r.text = append(r.text, field...)
	return rest, i >= 0, nil
}

// quotedField appends the field behind an opening quote to text.
func (r *records) quotedField(line []byte) (rest []byte, more bool, err error) {
	began, from := r.line, len(r.text)
	for {
		i := bytes.IndexByte(line, '"')
		if i < 0 {
			if line, err = r.continueField(line, began, from); err != nil {
				return nil, false, err
			}
			continue
		}
		r.text = append(r.text, line[:i]...)
		line = line[i+1:]
		switch {
		case len(line) == 0:
			return nil, false, nil
		case line[0] == ',':
			return line[1:], true, nil
		case line[0] == '"':
			r.text = append(r.text, '"')
			line = line[1:]
		default:
			return nil, false, r.bad(r.line, len(r.ends), r.text[from:], flaw{
				fmt.Sprintf("is followed by %q behind its closing quote", shown(line)),
				`double the quotes inside a quoted field ("a ""b"" c")`,
			})
		}
	}
}

// continueField takes the rest of a line into a quoted field and reads the
// next line.
func (r *records) continueField(line []byte, began, from int) ([]byte, error) {
	r.text = append(append(r.text, line...), '\n')
	next, err := r.readLine(len(r.text))
	if errors.Is(err, io.EOF) {
		return nil, r.bad(began, len(r.ends), bytes.TrimSuffix(r.text[from:], []byte("\n")), flaw{
			"starts with a quote that is never closed", "close the quote, or double it if it is part of the text",
		})
	}
	return next, err
}

func (r *records) addField(field []byte) error {
	if len(field) > r.limits.Field {
		return r.bad(r.fieldLine(len(r.fields)), len(r.fields), field, flaw{
			fmt.Sprintf("is longer than %d bytes", r.limits.Field), "shorten the field, or leave the column out",
		})
	}
	if len(r.fields) == r.limits.Columns {
		return r.tooManyColumns()
	}
	r.fields = append(r.fields, field)
	return nil
}

func (r *records) tooEmpty() error {
	return &LineError{
		File: r.file, Line: r.line,
		Problem: fmt.Sprintf("the file has more than %d empty lines", r.limits.Empty), Cure: "delete them",
	}
}

func (r *records) tooManyColumns() error {
	return &LineError{
		File: r.file, Line: r.start,
		Problem: fmt.Sprintf("the line has more than %d columns", r.limits.Columns),
		Cure:    "export only the columns that are needed",
	}
}

// checkShape holds a record to the header's number of columns.
func (r *records) checkShape() error {
	if r.names == nil || len(r.fields) == len(r.names) {
		return nil
	}
	return &LineError{
		File: r.file, Line: r.start,
		Problem: fmt.Sprintf("the line has %d fields and the header %d", len(r.fields), len(r.names)),
		Cure:    "give every line as many fields as the header; a field with a comma in it needs quotes",
	}
}

// readLine returns the next physical line without its end, io.EOF after the
// last one. held is what the record holds already.
func (r *records) readLine(held int) ([]byte, error) {
	line, err := r.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.readLong(line, held)
	}
	if errors.Is(err, io.EOF) && len(line) == 0 {
		return nil, io.EOF
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, readError(r.file, r.line, err)
	}
	r.line++
	if held+len(line) > r.limits.Record {
		return nil, r.tooLong(line, held)
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	return line, r.checkText(line)
}

// readLong reads on where a line is longer than the buffer, up to the bound.
// The error of the last part is handed on as it is.
func (r *records) readLong(head []byte, held int) ([]byte, error) {
	r.long = append(r.long[:0], head...)
	for {
		part, err := r.in.ReadSlice('\n')
		r.long = append(r.long, part...)
		if held+len(r.long) > r.limits.Record {
			r.line++
			return nil, r.tooLong(r.long, held)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return r.long, err
		}
	}
}

// tooLong names the line the record began on and shows its start.
func (r *records) tooLong(line []byte, held int) error {
	at := r.line
	if held > 0 {
		at, line = r.start, r.text
	}
	return &LineError{
		File: r.file, Line: at, Value: shown(strings.ToValidUTF8(string(line[:min(len(line), 4*maxShown)]), "?")),
		Problem: fmt.Sprintf("starts a record longer than %d bytes", r.limits.Record),
		Cure:    "check the line ends and the quotes of the file",
	}
}

// checkText refuses what is no text.
func (r *records) checkText(line []byte) error {
	if i := bytes.IndexByte(line, 0); i >= 0 {
		return r.badByte(line, i, "a NUL byte", "save the file as UTF-8 text")
	}
	if i := bytes.IndexByte(line, '\r'); i >= 0 {
		return r.badByte(line, i, "a carriage return inside a line", "end lines with LF or CRLF")
	}
	if utf8.Valid(line) {
		return nil
	}
	for i := 0; ; {
		c, n := utf8.DecodeRune(line[i:])
		if c == utf8.RuneError && n == 1 {
			return r.badByte(line, i, "a byte that is not UTF-8", "save the file as UTF-8")
		}
		i += n
	}
}

// badByte shows the text around the byte at i.
func (r *records) badByte(line []byte, i int, what, cure string) error {
	around := line[max(0, i-maxShown/4):min(len(line), i+maxShown/4)]
	return &LineError{
		File: r.file, Line: r.line, Value: shown(around),
		Problem: fmt.Sprintf("has %s (byte %d of the line)", what, i+1), Cure: cure,
	}
}

// bad makes the error for a value in column number col.
func (r *records) bad(line, col int, value []byte, f flaw) *LineError {
	name := fmt.Sprintf("%d", col+1)
	if col < len(r.names) {
		name = r.names[col]
	}
	return &LineError{File: r.file, Line: line, Column: name, Value: shown(value), Problem: f.problem, Cure: f.cure}
}

// badField makes the error for the current record's field col.
func (r *records) badField(col int, f flaw) *LineError {
	return r.bad(r.fieldLine(col), col, r.fields[col], f)
}

func (r *records) fieldLine(col int) int {
	if col < len(r.lines) {
		return r.lines[col]
	}
	return r.start
}

// readError names where reading a file broke off; a bad line says so itself.
func readError(file string, line int, err error) error {
	if bad, ok := errors.AsType[*LineError](err); ok {
		return bad
	}
	switch {
	case errors.Is(err, errTrailing):
		return fmt.Errorf("read %s after line %d: %w", file, line, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("read %s after line %d: the gzip file is cut off: copy or download it again: %w", file, line, err)
	case line == 0:
		return fmt.Errorf("read %s: %w", file, err)
	}
	return fmt.Errorf("read %s after line %d: %w", file, line, err)
}
