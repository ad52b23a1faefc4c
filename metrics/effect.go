package metrics

import (
	"math"

	"steelyard/metrics/did"
)

// level is the confidence of every interval in a report.
const level = 0.95

// newEffect is an estimate on the scale of unit, with its parts in words still
// to be written by say. point is the estimate shown, est the one behind the
// interval; they differ for the cross-fit t.
func newEffect(method, title string, unit EffectUnit, point float64, est did.Estimate) Effect {
	e := Effect{Method: method, Title: title, Unit: unit, Level: level, Estimate: finitePtr(point), Raw: finitePtr(point)}
	if !est.HasSE {
		return e
	}
	e.Low, e.High, e.P = finitePtr(est.Low), finitePtr(est.High), finitePtr(est.P)
	e.SE = finitePtr(est.SE)
	if est.DF > 0 {
		e.DF = finitePtr(est.DF)
	}
	return e
}

// asPercent reads an effect on a logarithm as percent; Raw and SE stay.
func (e Effect) asPercent() Effect {
	e.Unit = UnitPercent
	for _, p := range []**float64{&e.Estimate, &e.Low, &e.High, &e.Centre} {
		if *p != nil {
			*p = finitePtr(100 * math.Expm1(**p))
		}
	}
	return e
}

// asRatio reads an effect on a logarithm as a ratio; Raw and SE stay.
func (e Effect) asRatio() Effect {
	e.Unit = UnitRatio
	for _, p := range []**float64{&e.Estimate, &e.Low, &e.High, &e.Centre} {
		if *p != nil {
			*p = finitePtr(math.Exp(**p))
		}
	}
	return e
}

// say writes the effect in words. unitName is the outcome's unit, which only
// effects in that unit carry.
func (e Effect) say(unitName string) Effect {
	if e.Estimate == nil {
		e.EstimateText = dash
		if e.Low != nil || e.High != nil {
			e.EstimateText = "no estimate"
		}
	} else {
		e.EstimateText = e.in(*e.Estimate, unitName)
	}
	if e.Unit == UnitLevel {
		e.IntervalText = levelInterval(e, unitName)
	} else {
		e.IntervalText = FormatInterval(e.Low, e.High, e.Unit, e.SE)
	}
	e.Text = e.EstimateText
	if e.IntervalText != "" {
		e.Text += ", 95" + narrow + "% interval " + e.IntervalText
	}
	if e.P != nil {
		e.Text += ", " + FormatP(*e.P)
	}
	if e.Missing != "" {
		if e.Estimate == nil && e.Low == nil && e.High == nil {
			e.Text = e.Missing
		} else {
			e.Text += "; " + e.Missing
		}
	}
	return e
}

// in writes a value of the effect's unit.
func (e Effect) in(x float64, unitName string) string {
	if e.Unit == UnitLevel {
		return levelText(x, unitName, e.SE)
	}
	return FormatEffect(x, e.Unit, e.SE)
}

// levelText writes an effect in the outcome's own unit: "−1.2 h",
// "+2.3 percentage points", "−0.040".
func levelText(x float64, unitName string, se *float64) string {
	scaled, suffix := levelUnit(x, unitName)
	if se != nil {
		s, _ := levelUnit(*se, unitName)
		se = &s
	}
	d := levelDecimals(scaled, se)
	if unitName == "share" {
		d = min(d, 1) // a tenth of a percentage point is as much as anyone asks
	}
	return signed(scaled, d) + suffix
}

func levelUnit(x float64, unitName string) (float64, string) {
	switch unitName {
	case "":
		return x, ""
	case "hours":
		return x, narrow + "h"
	case "share":
		return 100 * x, " percentage points"
	}
	return x, " " + unitName
}

func levelInterval(e Effect, unitName string) string {
	end := func(p *float64) *float64 {
		if p == nil {
			return nil
		}
		x, _ := levelUnit(*p, unitName)
		return &x
	}
	return FormatInterval(end(e.Low), end(e.High), UnitLevel, end(e.SE))
}

// missing is an effect that does not exist, and why.
func missing(method, title string, unit EffectUnit, why string) Effect {
	return Effect{Method: method, Title: title, Unit: unit, Level: level, Missing: why}.say("")
}

// detectable is the smallest effect seen in 8 cases of 10, on the scale the
// method works on; false where it cannot be said.
func detectable(se, df *float64) (float64, bool) {
	if se == nil || !(*se > 0) {
		return 0, false
	}
	f := 0.0
	if df != nil {
		f = *df
	}
	x, err := did.DetectableEffect(*se, f, 1-level, 0.8)
	return x, err == nil && finite(x)
}
