package metrics

// Table is the numbers of one figure: what is shown under it and what its CSV
// and JSON downloads hold.
type Table struct {
	// ID is "three-numbers", or kind/metric: "trend/open_to_merge".
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Caption string   `json:"caption"`
	Columns []Column `json:"columns"`
	Rows    [][]Cell `json:"rows"`
}

// Column is a column's machine name and its heading.
type Column struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Numeric columns are set flush right.
	Numeric bool `json:"numeric"`
}

// Cell is a value and how a person reads it. Value is nil, a string, a bool,
// an int or a finite float64.
type Cell struct {
	Value any    `json:"value"`
	Text  string `json:"text"`
}
