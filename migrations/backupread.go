package migrations

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"regexp"
)

// Bounds on a backup that comes from outside. A row is bounded by what GitHub
// lets people write, several times over.
const (
	maxBackupLine    = 32 << 20
	maxBackupHead    = 64 << 10 // of a line that begins a file or a table
	maxBackupTables  = 1000
	maxBackupColumns = 100 // see [DB.NewInsert]
)

// errCut is what a file says that ends before its end.
var errCut = errors.New("it ends before its end: the file was cut off, or is still being written")

// backupReader reads a backup line by line.
type backupReader struct {
	raw    io.Reader
	lines  *bufio.Reader
	digest hash.Hash

	tables    int
	rows      int64 // of all tables so far
	tableRows int64 // of the table in hand
	end       string
}

func newBackupReader(r io.Reader) *backupReader {
	return &backupReader{raw: r, digest: sha256.New()}
}

// header reads the first line.
func (b *backupReader) header() (Backup, error) {
	buffered := bufio.NewReader(b.raw)
	if magic, err := buffered.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return Backup{}, errNoBackup
	}
	zip, err := gzip.NewReader(buffered)
	if err != nil {
		return Backup{}, cutOr(err)
	}
	zip.Multistream(false)
	b.lines = bufio.NewReaderSize(zip, 64<<10)
	line, err := b.line()
	if err != nil {
		return Backup{}, err
	}
	var h backupHeader
	if len(line) > maxBackupHead || json.Unmarshal(line, &h) != nil || h.Format != backupFormat {
		return Backup{}, errNoBackup
	}
	if h.Version != backupVersion {
		return Backup{}, fmt.Errorf("it has version %d of the format; this steelyard reads version %d: use the one that made it", h.Version, backupVersion)
	}
	if h.Engine != SQLite && h.Engine != Postgres {
		return Backup{}, fmt.Errorf("it was made from a database %q, which this steelyard does not know", h.Engine)
	}
	return Backup{Schema: h.Schema, Made: h.Made, Engine: h.Engine}, nil
}

var errNoBackup = errors.New("it is not a backup that steelyard made")

func cutOr(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

// line is the next line, without its end. It holds until the next call.
func (b *backupReader) line() ([]byte, error) {
	var whole []byte
	for {
		part, err := b.lines.ReadSlice('\n')
		if len(whole)+len(part) > maxBackupLine {
			return nil, fmt.Errorf("a line is over %d MiB", maxBackupLine>>20)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			whole = append(whole, part...)
			continue
		}
		if err != nil {
			return nil, cutOr(err)
		}
		if whole != nil {
			part = append(whole, part...)
		}
		b.digest.Write(part)
		return part[:len(part)-1], nil
	}
}

// table begins the next table; nil at the end of the file, once that was
// checked.
func (b *backupReader) table() (*backupTable, error) {
	sum := hex.EncodeToString(b.digest.Sum(nil))
	line, err := b.line()
	if err != nil {
		return nil, err
	}
	if len(line) > maxBackupHead {
		return nil, errors.New("it has more tables or columns than any database of steelyard")
	}
	var t backupTable
	if err := json.Unmarshal(line, &t); err != nil {
		return nil, fmt.Errorf("a line that should begin a table cannot be read: %w", err)
	}
	if t.Table == "" {
		return nil, b.finish(line, sum)
	}
	if b.tables++; b.tables > maxBackupTables || len(t.Columns) > maxBackupColumns || len(t.Columns) == 0 {
		return nil, errors.New("it has more tables or columns than any database of steelyard")
	}
	if !plainName.MatchString(t.Table) {
		return nil, fmt.Errorf("%.100q is no name of a table", t.Table)
	}
	for _, c := range t.Columns {
		if !plainName.MatchString(c.Name) {
			return nil, fmt.Errorf("table %s: %.100q is no name of a column", t.Table, c.Name)
		}
	}
	b.tableRows = 0
	return &t, nil
}

// plainName is how tables and columns are called.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,62}$`)

// finish checks the last line against everything before it.
func (b *backupReader) finish(line []byte, sum string) error {
	var m backupMark
	if err := json.Unmarshal(line, &m); err != nil || m.SHA256 == "" {
		return errCut
	}
	if m.SHA256 != sum || m.Rows != b.rows {
		return errors.New("its content does not match its checksum: the file is damaged")
	}
	if _, err := b.lines.ReadByte(); !errors.Is(err, io.EOF) {
		return errors.New("something follows its end: the file is damaged")
	}
	b.end = sum
	return nil
}

// row is the next row of a table; nil at its end.
func (b *backupReader) row(t *backupTable) ([]any, error) {
	line, err := b.line()
	if err != nil {
		return nil, err
	}
	if len(line) == 0 || line[0] != '[' {
		var m backupMark
		if json.Unmarshal(line, &m) != nil || m.SHA256 != "" || m.Rows != b.tableRows {
			return nil, errCut
		}
		return nil, nil
	}
	row, err := values(line, len(t.Columns))
	if err != nil {
		return nil, fmt.Errorf("row %d cannot be read: %w", b.tableRows+1, err)
	}
	for i := range row {
		if row[i], err = t.Columns[i].Kind.value(row[i]); err != nil {
			return nil, fmt.Errorf("row %d, column %s: %w", b.tableRows+1, t.Columns[i].Name, err)
		}
	}
	b.rows++
	b.tableRows++
	return row, nil
}

// values reads a list of n values, one after the other: a line of millions must
// not become a list of millions.
func values(line []byte, n int) ([]any, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if _, err := d.Token(); err != nil { // the bracket
		return nil, err
	}
	row := make([]any, 0, n)
	for d.More() {
		v, err := d.Token()
		if err != nil {
			return nil, err
		}
		if _, list := v.(json.Delim); list || len(row) == n {
			return nil, fmt.Errorf("it holds more than %d plain values", n)
		}
		row = append(row, v)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if len(row) != n {
		return nil, fmt.Errorf("it has %d values for %d columns", len(row), n)
	}
	if len(bytes.TrimSpace(line[d.InputOffset():])) > 0 {
		return nil, errors.New("something follows it")
	}
	return row, nil
}
