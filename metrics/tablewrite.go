package metrics

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteCSV writes the table's values as CSV (RFC 4180, UTF-8): a header of
// column names, numbers at full precision, missing values empty.
func (t Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	header := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		header[i] = c.Name
	}
	if err := out.Write(header); err != nil {
		return fmt.Errorf("write table %s as CSV: %w", t.ID, err)
	}
	for _, row := range t.Rows {
		record := make([]string, len(row))
		for i, c := range row {
			record[i] = c.csv()
		}
		if err := out.Write(record); err != nil {
			return fmt.Errorf("write table %s as CSV: %w", t.ID, err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write table %s as CSV: %w", t.ID, err)
	}
	return nil
}

// csv is the cell's value as text. A string that a spreadsheet would take for
// a formula gets an apostrophe before it.
func (c Cell) csv() string {
	switch v := c.Value.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		if v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])) {
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
