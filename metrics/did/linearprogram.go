package did

import "math"

// program is a linear program in standard form, max c'x with A·x = b and
// x ≥ 0, for many objectives c in turn: the simplex method starts from the
// last optimum, which stays feasible.
type program struct {
	a     [][]float64 // rows of A
	b     []float64
	table [][]float64 // rows of B⁻¹A
	value []float64   // B⁻¹b
	basis []int       // column of each row

	cost   []float64 // reduced costs, scratch
	pivots int       // since the table was last worked out anew
}

const (
	// pivotTolerance is the smallest pivot, for rows of entries around 1.
	pivotTolerance = 1e-10
	// refactorAfter bounds how far rounding can add up over pivots.
	refactorAfter = 50
)

// newProgram finds a first vertex; ok is false where there is none.
func newProgram(a [][]float64, b []float64) (p *program, ok bool) {
	rows, columns := len(a), len(a[0])
	// One artificial variable a row, all to be driven to 0.
	wide := rectangle(rows, columns+rows)
	start := &program{b: make([]float64, rows), basis: make([]int, rows)}
	for i, row := range a {
		sign := 1.0
		if b[i] < 0 {
			sign = -1
		}
		for j, x := range row {
			wide[i][j] = sign * x
		}
		wide[i][columns+i] = 1
		start.b[i] = sign * b[i]
		start.basis[i] = columns + i
	}
	start.a = wide
	start.table = rectangle(rows, columns+rows)
	for i := range wide {
		copy(start.table[i], wide[i])
	}
	start.value = append([]float64{}, start.b...)
	objective := make([]float64, columns+rows)
	for i := range rows {
		objective[columns+i] = -1
	}
	if start.maximise(objective) < -1e-9*(1+size(b...)) {
		return nil, false
	}
	p = &program{}
	for i := range rows {
		if start.basis[i] >= columns {
			// The artificial variable is 0: any column takes its place, or the
			// row says nothing that the others do not.
			column := -1
			for j := range columns {
				if math.Abs(start.table[i][j]) > pivotTolerance && (column < 0 || math.Abs(start.table[i][j]) > math.Abs(start.table[i][column])) {
					column = j
				}
			}
			if column < 0 {
				continue
			}
			start.pivot(i, column)
		}
	}
	for i := range rows {
		if start.basis[i] >= columns {
			continue
		}
		p.table = append(p.table, start.table[i][:columns:columns])
		p.value = append(p.value, start.value[i])
		p.basis = append(p.basis, start.basis[i])
		// The rows B⁻¹A are as good a program as A.
		p.a = append(p.a, append([]float64{}, start.table[i][:columns]...))
		p.b = append(p.b, start.value[i])
	}
	return p, true
}

// clone is an independent copy at the same vertex.
func (p *program) clone() *program {
	q := &program{a: p.a, b: p.b, table: rectangle(len(p.table), len(p.table[0]))}
	for i := range p.table {
		copy(q.table[i], p.table[i])
	}
	q.value = append([]float64{}, p.value...)
	q.basis = append([]int{}, p.basis...)
	return q
}

// maximise moves to an optimum of c and returns its value. The feasible set
// must be bounded.
func (p *program) maximise(c []float64) float64 {
	tolerance := 1e-12 * size(c...)
	limit := 50 * (len(c) + len(p.basis))
	for step := range limit {
		if p.pivots > refactorAfter {
			p.refactor()
		}
		p.reduced(c)
		// The steepest column; later the first one, which cannot cycle.
		enter := -1
		for j, r := range p.cost {
			if r > tolerance && (enter < 0 || step < limit/2 && r > p.cost[enter]) {
				enter = j
			}
		}
		if enter < 0 {
			break
		}
		leave := p.leaving(enter)
		if leave < 0 {
			break
		}
		p.pivot(leave, enter)
	}
	var sum float64
	for i, j := range p.basis {
		sum += c[j] * p.value[i]
	}
	return sum
}

// reduced fills cost with c less what the basis makes of each column.
func (p *program) reduced(c []float64) {
	if len(p.cost) != len(c) {
		p.cost = make([]float64, len(c))
	}
	copy(p.cost, c)
	for i, j := range p.basis {
		cj := c[j]
		if cj == 0 {
			continue
		}
		for k, x := range p.table[i] {
			p.cost[k] -= cj * x
		}
	}
	for _, j := range p.basis {
		p.cost[j] = 0
	}
}

// leaving is the row that first reaches 0 when column enter grows.
func (p *program) leaving(enter int) int {
	leave := -1
	var least float64
	for i := range p.table {
		x := p.table[i][enter]
		if x <= pivotTolerance {
			continue
		}
		ratio := max(p.value[i], 0) / x
		if leave < 0 || ratio < least || ratio == least && p.basis[i] < p.basis[leave] {
			leave, least = i, ratio
		}
	}
	return leave
}

func (p *program) pivot(row, column int) {
	scale := 1 / p.table[row][column]
	scaleBy(p.table[row], scale)
	p.table[row][column] = 1
	p.value[row] *= scale
	for i := range p.table {
		x := p.table[i][column]
		if i == row || x == 0 {
			continue
		}
		for k, y := range p.table[row] {
			p.table[i][k] -= x * y
		}
		p.table[i][column] = 0
		p.value[i] -= x * p.value[row]
	}
	p.basis[row] = column
	p.pivots++
}

// refactor works the table out anew for the present basis.
func (p *program) refactor() {
	basis := p.basis
	for i := range p.a {
		copy(p.table[i], p.a[i])
	}
	copy(p.value, p.b)
	p.basis = make([]int, len(basis))
	used := make([]bool, len(basis))
	for _, column := range basis {
		row := -1
		for i := range p.table {
			if !used[i] && (row < 0 || math.Abs(p.table[i][column]) > math.Abs(p.table[row][column])) {
				row = i
			}
		}
		p.pivot(row, column)
		used[row] = true
	}
	p.pivots = 0
}
