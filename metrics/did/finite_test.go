package did_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"steelyard/metrics/did"
)

// checkAnswer fails where a method neither refused with a typed error nor gave
// a result made of finite numbers.
func checkAnswer(t *testing.T, what string, result any, err error) {
	t.Helper()
	if err != nil {
		var typed *did.Error
		if !errors.As(err, &typed) || typed.Code == "" || typed.Detail == "" {
			t.Errorf("%s: error %v has no code", what, err)
		}
		return
	}
	if path, ok := finite(reflect.ValueOf(result), what); !ok {
		t.Errorf("%s is not a finite number", path)
	}
}

func finite(v reflect.Value, path string) (string, bool) {
	switch v.Kind() {
	case reflect.Float64:
		return path, !math.IsNaN(v.Float()) && !math.IsInf(v.Float(), 0)
	case reflect.Pointer:
		if !v.IsNil() {
			return finite(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			if p, ok := finite(v.Index(i), path); !ok {
				return p, false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				if p, ok := finite(v.Field(i), path+"."+f.Name); !ok {
					return p, false
				}
			}
		}
	}
	return path, true
}

// tryAll runs everything that takes a panel.
func tryAll(t *testing.T, p did.Panel) {
	t.Helper()
	for _, control := range []did.Control{did.NeverTreated, did.NotYetTreated} {
		for _, base := range []did.BasePeriod{did.Varying, did.Universal} {
			g, err := did.CallawaySantAnna(p, did.GroupTimeOptions{Control: control, Base: base, Draws: 20})
			checkAnswer(t, "group-time", g, err)
			if err != nil {
				continue
			}
			simple, err := g.Simple()
			checkAnswer(t, "simple", simple, err)
			dynamic, err := g.Dynamic(-1000, 1000)
			checkAnswer(t, "dynamic", dynamic, err)
			group, err := g.Group()
			checkAnswer(t, "group", group, err)
			calendar, err := g.Calendar()
			checkAnswer(t, "calendar", calendar, err)
			test, err := g.PreTest()
			checkAnswer(t, "pre-test", test, err)
		}
	}
	r, err := did.Impute(p, did.ImputationOptions{Horizons: true, PreTrends: 3})
	checkAnswer(t, "imputation", r, err)
}

// FuzzPanel feeds panels of every shape, made from bytes: three a row.
func FuzzPanel(f *testing.F) {
	f.Add([]byte{3, 2, 9, 9, 0, 0, 10, 0, 1, 12, 0, 2, 14, 1, 0, 9, 1, 1, 9, 1, 2, 8, 2, 0, 1, 2, 1, 2, 2, 2, 4})
	f.Add([]byte{2, 1, 1, 0, 0, 5, 0, 1, 5, 1, 0, 5, 1, 1, 5})          // all treated at once, constant
	f.Add([]byte{2, 9, 9, 0, 0, 5, 0, 1, 5, 1, 0, 5, 1, 1, 5})          // none treated
	f.Add([]byte{2, 2, 9, 0, 0, 5, 0, 0, 5, 1, 0, 5, 1, 1, 5})          // a duplicate
	f.Add([]byte{1, 1, 0, 0, 5})                                        // one row
	f.Add([]byte{2, 1, 9, 0, 0, 255, 0, 1, 254, 1, 0, 1, 1, 1, 1})      // NaN and infinity
	f.Add([]byte{3, 1, 2, 9, 0, 0, 1, 0, 200, 1, 1, 0, 1, 2, 100, 253}) // gaps, a huge value
	f.Add([]byte{4, 0, 1, 2, 9, 0, 0, 1, 0, 1, 2, 1, 0, 1, 1, 1, 7, 2, 0, 3, 2, 1, 3, 2, 2, 9, 3, 0, 1, 3, 1, 1, 3, 2, 6})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 600 {
			return
		}
		tryAll(t, panelOf(data))
	})
}

// panelOf reads the number of units, their starts (9 and up: never), then
// unit, period, outcome a row.
func panelOf(data []byte) did.Panel {
	var p did.Panel
	units := int(data[0] % 16)
	data = data[1:]
	for u := 0; u < units && len(data) > 0; u++ {
		first := int(data[0])
		if first%16 >= 9 {
			first = did.Never
		}
		p.First = append(p.First, first)
		data = data[1:]
	}
	for ; len(data) >= 3; data = data[3:] {
		y := float64(data[2])
		switch data[2] {
		case 255:
			y = math.NaN()
		case 254:
			y = math.Inf(-1)
		case 253:
			y = 1e200
		case 252:
			y = 1e149
		case 251:
			y = 1e-300
		}
		p.Unit = append(p.Unit, int(data[0]))
		p.Time = append(p.Time, int(data[1]))
		p.Y = append(p.Y, y)
	}
	return p
}
