package metrics

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// WriteCSV writes the table's values as CSV (RFC 4180, UTF-8): a header of
// column names, numbers at full precision, missing values empty.
func (t Table) WriteCSV(w io.Writer) error {
	out := t.csv(w)
	for _, row := range t.Rows {
		if err := out.Row(row); err != nil {
			return err
		}
	}
	return out.Close()
}

// csv is the cell's value as text. A string that a spreadsheet would take for
// a formula gets an apostrophe before it; some programs take the wide forms of
// the signs, too.
func (c Cell) csv() string {
	switch v := c.Value.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		if first, _ := utf8.DecodeRuneInString(v); v != "" && strings.ContainsRune("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20", first) {
			return "'" + v
		}
		return v
	}
	return fmt.Sprint(c.Value)
}

// WriteJSON writes the table as indented JSON.
func (t Table) WriteJSON(w io.Writer) error {
	if err := writeJSON(w, t); err != nil {
		return fmt.Errorf("write table %s as JSON: %w", t.ID, err)
	}
	return nil
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// WriteJSON writes the report as indented JSON, numbers at full precision. The
// same report gives the same bytes.
func WriteJSON(w io.Writer, r *Report) error {
	if err := writeJSON(w, r); err != nil {
		return fmt.Errorf("write report %s as JSON: %w", r.Definition.Pilot.ID, err)
	}
	return nil
}
