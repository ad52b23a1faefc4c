package estimate

// methods are all methods, in the order of the manual.
func methods() []method {
	return []method{
		twoByTwo, twfe, eventStudy, goodmanBacon, sunAbraham, callawaySantAnna, imputation, twoStage,
		syntheticControl, syntheticDiD, poisson, exactCount, quantile, kaplanMeier, crossFitT, donaldLang,
		conformal, placebo, randomization, wildBootstrap, honestDiD, randomized, power,
	}
}
