package did

// ImputationOptions are the choices of [Impute].
type ImputationOptions struct {
	// Level of confidence; 0 means 0.95.
	Level float64
	// Horizons asks for effects by time since treatment.
	Horizons bool
	// PreTrends is the number of leads to test; 0 means none.
	PreTrends int
}

// Imputation is the answer of [Impute].
type Imputation struct {
	// Static is the mean effect over all treated rows kept.
	Static Estimate
	// Horizons and PreTrends are by event, ascending; nil where not asked for.
	Horizons, PreTrends []EventEstimate
	// PreTest is the joint test of the pre-trend leads; nil where none.
	PreTest *Wald
	// TreatedRows counts the treated rows the effect is the mean of; UsedRows
	// and UsedUnits count all that were kept.
	TreatedRows, UsedRows, UsedUnits int
	Dropped                          []Drop
}

// Impute is the imputation estimator of Borusyak, Jaravel and Spiess
// ("Revisiting event-study designs", 2024) with unit and period effects.
func Impute(p Panel, o ImputationOptions) (*Imputation, error) {
	return nil, refuse(ErrOption, "being written")
}
