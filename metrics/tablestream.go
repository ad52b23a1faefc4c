package metrics

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
)

// TableWriter writes a table whose rows come one after the other, so that a
// table of any length fits into the memory.
type TableWriter interface {
	// Row writes the next row. What it wrote may still be on its way until
	// Close.
	Row(cells []Cell) error
	// Close writes the end. Without it the file is not whole.
	Close() error
}

// CSVWriter writes what [Table.WriteCSV] writes, row by row; the rows of t are
// not looked at.
func (t Table) CSVWriter(w io.Writer) TableWriter { return t.csv(w) }

// JSONWriter writes what [Table.WriteJSON] writes, row by row; the rows of t are
// not looked at.
func (t Table) JSONWriter(w io.Writer) TableWriter {
	t.Rows = [][]Cell{}
	return &jsonTable{table: t, out: w}
}

type csvTable struct {
	table  Table
	out    *csv.Writer
	record []string
	begun  bool
}

func (t Table) csv(w io.Writer) *csvTable { return &csvTable{table: t, out: csv.NewWriter(w)} }

func (c *csvTable) Row(cells []Cell) error {
	if err := c.begin(); err != nil {
		return err
	}
	c.record = c.record[:0]
	for _, cell := range cells {
		c.record = append(c.record, cell.csv())
	}
	return c.named(c.out.Write(c.record))
}

func (c *csvTable) Close() error {
	if err := c.begin(); err != nil {
		return err
	}
	c.out.Flush()
	return c.named(c.out.Error())
}

// begin writes the header once.
func (c *csvTable) begin() error {
	if c.begun {
		return nil
	}
	c.begun = true
	for _, col := range c.table.Columns {
		c.record = append(c.record, col.Name)
	}
	return c.named(c.out.Write(c.record))
}

func (c *csvTable) named(err error) error {
	if err != nil {
		return fmt.Errorf("write table %s as CSV: %w", c.table.ID, err)
	}
	return nil
}

// jsonTable puts rows into the empty list of a table without any.
type jsonTable struct {
	table Table
	out   io.Writer
	buf   bytes.Buffer
	rows  int
}

// jsonEnd is how a table without rows ends after the opening of the list.
const jsonEnd = "]\n}\n"

func (j *jsonTable) Row(cells []Cell) error {
	j.buf.Reset()
	if j.rows == 0 {
		if err := j.head(); err != nil {
			return err
		}
		j.buf.WriteString("\n    ")
	} else {
		j.buf.WriteString(",\n    ")
	}
	j.rows++
	enc := json.NewEncoder(&j.buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("    ", "  ")
	if err := enc.Encode(cells); err != nil {
		return j.named(err)
	}
	j.buf.Truncate(j.buf.Len() - 1) // the line's end
	_, err := j.out.Write(j.buf.Bytes())
	return j.named(err)
}

func (j *jsonTable) Close() error {
	j.buf.Reset()
	if j.rows == 0 {
		if err := j.head(); err != nil {
			return err
		}
	} else {
		j.buf.WriteString("\n  ")
	}
	j.buf.WriteString(jsonEnd)
	_, err := j.out.Write(j.buf.Bytes())
	return j.named(err)
}

// head is everything before the first row.
func (j *jsonTable) head() error {
	if err := writeJSON(&j.buf, j.table); err != nil {
		return j.named(err)
	}
	j.buf.Truncate(j.buf.Len() - len(jsonEnd))
	return nil
}

func (j *jsonTable) named(err error) error {
	if err != nil {
		return fmt.Errorf("write table %s as JSON: %w", j.table.ID, err)
	}
	return nil
}
