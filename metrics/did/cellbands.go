package did

// CellBand is the simultaneous band of one cell; both ends are 0 where the cell
// has no standard error.
type CellBand struct{ Low, High float64 }

// maxInfluences bounds the influence functions of cells kept in memory, in numbers.
const maxInfluences = 200_000_000

// CellBands gives every cell a band such that all hold at once, parallel to
// Cells, and their critical value. It needs draws in the options.
func (g *GroupTime) CellBands() (critical float64, bands []CellBand, err error) {
	if g.options.Draws == 0 {
		return 0, nil, refuse(ErrOption, "bands need draws of the multiplier bootstrap, such as 1,000")
	}
	critical = g.cellCritical
	if !g.options.BootstrapErrors {
		if critical, err = g.resampleCells(); err != nil {
			return 0, nil, err
		}
	}
	bands = make([]CellBand, len(g.Cells))
	for k, cell := range g.Cells {
		if e := cell.Estimate; e.HasSE {
			bands[k] = CellBand{Low: e.Value - critical*e.SE, High: e.Value + critical*e.SE}
		}
	}
	return critical, bands, nil
}

// resampleCells gives all cells what the draws tell: with [GroupTimeOptions]
// BootstrapErrors their standard errors, and the critical value of their bands.
func (g *GroupTime) resampleCells() (critical float64, err error) {
	if n := g.data.independent(); len(g.Cells) > maxInfluences/n {
		return 0, refuse(ErrShape, "%d cells of %d units are too many for a bootstrap of all of them", len(g.Cells), n)
	}
	estimates := make([]Estimate, len(g.Cells))
	columns := make([][]float64, len(g.Cells))
	for k, cell := range g.Cells {
		estimates[k] = cell.Estimate
		if cell.Estimate.HasSE {
			influence := make([]float64, g.Units)
			g.addCell(influence, k, 1/float64(g.Units))
			columns[k] = g.data.byCluster(influence)
		}
	}
	critical = g.resample(estimates, columns, len(estimates))
	for k := range g.Cells {
		g.Cells[k].Estimate = estimates[k]
	}
	return critical, nil
}
