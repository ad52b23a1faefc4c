package did

// TwoSided lets tests turn statistics into p-values.
func TwoSided(t, df float64) float64 { return twoSided(t, df) }
