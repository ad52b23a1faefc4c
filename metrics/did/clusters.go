package did

// clustering sorts the units of a table by cluster.
type clustering struct {
	of    []int // by unit, from 0
	order []int // units by cluster
	from  []int // offsets into order
	used  int   // clusters with a row that takes part
}

func (c *clustering) count() int          { return len(c.from) - 1 }
func (c *clustering) members(g int) []int { return c.order[c.from[g]:c.from[g+1]] }

// newClustering numbers the clusters of units that have rows from 0 and counts
// those with a row in used.
func newClustering(p Panel, given []int, t *table, used []bool) (*clustering, error) {
	of, err := clusters(p, given)
	if err != nil {
		return nil, err
	}
	c := &clustering{of: of}
	n := 0
	for _, g := range of {
		n = max(n, g+1)
	}
	c.order = countingSort(nil, of, n)
	c.from = make([]int, n+1)
	for _, g := range of {
		c.from[g+1]++
	}
	for g := range n {
		c.from[g+1] += c.from[g]
	}
	for g := range n {
		if c.takesPart(g, t, used) {
			c.used++
		}
	}
	return c, nil
}

func (c *clustering) takesPart(g int, t *table, used []bool) bool {
	for _, u := range c.members(g) {
		for i := t.start[u]; i < t.start[u+1]; i++ {
			if used[i] {
				return true
			}
		}
	}
	return false
}

// sides counts the clusters in which a unit is seen both before and after its
// start, the other clusters, and the different starts.
func (c *clustering) sides(t *table, used []bool) (switching, others, starts int) {
	seen := map[int]bool{}
	for g := range c.count() {
		if !c.takesPart(g, t, used) {
			continue
		}
		switches := false
		for _, u := range c.members(g) {
			if t.switches(u, used) {
				switches = true
				seen[t.first[u]] = true
			}
		}
		if switches {
			switching++
		} else {
			others++
		}
	}
	return switching, others, len(seen)
}

// switches reports whether unit u is seen both before and after its start.
func (t *table) switches(u int, used []bool) bool {
	var before, after bool
	for i := t.start[u]; i < t.start[u+1]; i++ {
		if used[i] {
			if t.periods[t.period[i]] < t.first[u] {
				before = true
			} else {
				after = true
			}
		}
	}
	return before && after
}

// fewTreated says why cluster-robust inference would mislead, or "": with one
// cluster on a side, that cluster's residuals are fitted away and its noise
// does not count.
func (c *clustering) fewTreated(t *table, used []bool) string {
	switching, others, starts := c.sides(t, used)
	switch {
	case switching == 0:
		return "no cluster is seen both before and after its start"
	case switching == 1:
		return "one treated cluster alone: its own noise does not show in a cluster-robust error, which is then far too small"
	case starts == 1 && others == 1:
		return "one comparison cluster alone: its own noise does not show in a cluster-robust error, which is then far too small"
	case starts == 1 && others == 0:
		return "no comparison cluster"
	}
	return ""
}
