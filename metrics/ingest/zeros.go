package ingest

import (
	"bytes"
	"fmt"

	"steelyard/metrics"
)

// zeros remembers the first lines on which 0 means never treated and on which
// it is a period. A file with both leaves open what its zeros mean.
type zeros struct{ never, period int }

// atPeriod notes the period of a line.
func (z *zeros) atPeriod(period, line int) {
	if period == 0 && z.period == 0 {
		z.period = line
	}
}

// atFirst notes a first treated period: as written, and as it was read.
func (z *zeros) atFirst(written []byte, first, line int) {
	if first == metrics.Never && z.never == 0 && bytes.Equal(bytes.TrimSpace(written), []byte("0")) {
		z.never = line
	}
}

func (z *zeros) check(file, column string) error {
	if z.never == 0 || z.period == 0 {
		return nil
	}
	return &LineError{
		File: file, Line: z.never, Column: column, Value: "0",
		Problem: fmt.Sprintf("would mean never treated, but line %d has 0 as a period", z.period),
		Cure:    "leave it empty where the unit is never treated, or count periods from 1",
	}
}
