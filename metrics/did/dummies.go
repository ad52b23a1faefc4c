package did

import (
	"maps"
	"slices"
)

// Dummies turns a covariate of names into columns of 0 and 1, one a name but
// the first in sorted order, which is the one compared with. names are those
// of the columns.
func Dummies(values []string) (columns [][]float64, names []string) {
	at := map[string]int{}
	for _, v := range values {
		at[v] = 0
	}
	names = slices.Sorted(maps.Keys(at))
	if len(names) == 0 {
		return nil, nil
	}
	names = names[1:]
	for k, name := range names {
		at[name] = k + 1
		columns = append(columns, make([]float64, len(values)))
	}
	for i, v := range values {
		if k := at[v]; k > 0 {
			columns[k-1][i] = 1
		}
	}
	return columns, names
}
