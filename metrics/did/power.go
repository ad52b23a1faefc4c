package did

// DetectableEffect is the smallest effect a two-sided t-test at size alpha sees
// with probability power, given the estimate's standard error and degrees of
// freedom (0 means normal). It counts rejections on both sides.
func DetectableEffect(se, df, alpha, power float64) (float64, error) {
	return 0, refuse(ErrOption, "being written")
}
