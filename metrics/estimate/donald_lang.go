package estimate

import "steelyard/metrics/did"

var donaldLang = method{name: "donald-lang", run: runDonaldLang}

// noisySpread is the ratio of spreads from which Donald–Lang rejects too often.
const noisySpread = 1.5

func runDonaldLang(t *task) error {
	s, err := t.oneUnit()
	if err != nil {
		return err
	}
	e, err := did.DonaldLang(s.Changes[0], s.Changes[1:], 0)
	if err != nil {
		return err
	}
	t.add("effect", e)
	t.addNumber("change:treated", s.Changes[0])
	t.addNumber("change:comparison", average(s.Changes[1:]))
	if s.Before < 2 {
		return nil
	}
	before := make([][]float64, len(s.Comparisons))
	for i, y := range s.Comparisons {
		before[i] = y[:s.Before]
	}
	ratio, err := did.SpreadRatio(s.Treated[:s.Before], before)
	if err != nil {
		t.warn("spread-ratio: %v", err)
		return nil
	}
	t.addNumber("spread-ratio", ratio)
	if ratio > noisySpread {
		t.warn("before the start the treated unit varied %.1f times as much as the others: the test rejects too often", ratio)
	}
	return nil
}
