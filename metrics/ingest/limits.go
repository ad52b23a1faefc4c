package ingest

// Limits bounds what one file may ask of us. The zero value of a field means
// its default, given beside it.
type Limits struct {
	// Record bounds one record, and so one line, in bytes: 1 MiB.
	Record int
	// Field bounds one field in bytes: 64 KiB.
	Field int
	// Columns bounds the columns of the header: 1,000.
	Columns int
	// Rows bounds the rows of data. What is kept of each row to find a
	// duplicate is 8 to 40 bytes: 10,000,000.
	Rows int
	// Empty bounds the empty lines, which are passed over: 1,000,000. A gzip
	// file of nothing else unpacks to gigabytes.
	Empty int
	// Units bounds the distinct units of a panel: 200,000.
	Units int
	// Unpacked bounds what a gzip file may unpack to, in bytes: 16 GiB.
	// Plain files are not bounded, since they are read as a stream.
	Unpacked int64
}

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Record, 1<<20)
	def(&l.Field, 64<<10)
	def(&l.Columns, 1000)
	def(&l.Rows, 10_000_000)
	def(&l.Empty, 1_000_000)
	def(&l.Units, 200_000)
	if l.Unpacked <= 0 {
		l.Unpacked = 16 << 30
	}
	return l
}

// maxName bounds the names that are kept: columns, units, teams, authors,
// repositories and ids.
const maxName = 200
