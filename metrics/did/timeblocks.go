package did

// TimeBlocks is time in blocks of one length around a start: Before of them
// before it and After from it on. The first periods may be left over; the last
// block may be shorter, by half at most.
type TimeBlocks struct{ Length, Before, After int }

const (
	// fewestBlocks are two before the start and one after.
	fewestBlocks = 3
	// mostBlocks keeps bounds on trends quick to compute.
	mostBlocks = 12
)

// CutTime cuts time into the shortest blocks of which there are no more than
// half as many as units, whose changes give the covariance of an event study,
// and no more than 12.
func CutTime(before, after, units int) (TimeBlocks, error) {
	most := max(fewestBlocks, min(units/2, mostBlocks))
	for length := 1; before/length >= 2; length++ {
		b := TimeBlocks{length, before / length, (after + length - 1) / length}
		last := after - (b.After-1)*length
		if b.Before+b.After <= most && (2*last >= length || b.After == 1) {
			return b, nil
		}
	}
	return TimeBlocks{}, refuse(ErrTooFewPeriods,
		"%d periods before the start and %d from it on cannot be cut into at least 2 blocks before and no more than %d in all, which the comparison units allow", before, after, most)
}

// Each calls do with the periods from ≤ t < to of each block, in order; before
// and after count the periods on each side of the start.
func (b TimeBlocks) Each(before, after int, do func(from, to int)) {
	for k := -b.Before; k < b.After; k++ {
		from := before + k*b.Length
		do(from, min(from+b.Length, before+after))
	}
}

// Means are the means of the blocks of a series.
func (b TimeBlocks) Means(y []float64, before int) []float64 {
	var out []float64
	b.Each(before, len(y)-before, func(from, to int) { out = append(out, mean(y[from:to])) })
	return out
}
