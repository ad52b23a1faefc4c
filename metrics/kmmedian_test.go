package metrics

import (
	"math/rand/v2"
	"slices"
	"testing"

	"steelyard/metrics/did"
)

// The median without its curve is that of the curve, to the last bit.
func TestMedianSurvivalIsThatOfTheCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 71))
	for i := range 3000 {
		n := 1 + r.IntN(40)
		lengths, ended := make([]float64, n), make([]bool, n)
		keys := make([]survivalKey, n)
		for k := range n {
			lengths[k], ended[k] = float64(r.IntN(12)), r.IntN(4) > 0
			if i%2 == 0 {
				lengths[k] = r.ExpFloat64()
			}
			keys[k] = keyOf(lengths[k], ended[k])
		}
		curve, err := did.KaplanMeier(lengths, ended)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []float64{.1, .25, .75, .9} {
			sorted := slices.Sorted(slices.Values(keys))
			want, wantOK := curve.Quantile(q)
			if got, ok := quantileSurvival(sorted, q); got != want && wantOK || ok != wantOK {
				t.Fatalf("%v, %v: quantile %v is %v (%v), want %v (%v)", lengths, ended, q, got, ok, want, wantOK)
			}
		}
		want, wantOK := curve.Median()
		var runs [][]survivalKey
		for rest := keys; len(rest) > 0; {
			k := 1 + r.IntN(len(rest))
			slices.Sort(rest[:k])
			runs, rest = append(runs, rest[:k]), rest[k:]
		}
		if got, ok := medianSurvival(merged(runs)); got != want && wantOK || ok != wantOK {
			t.Fatalf("%v, %v: median %v (%v), want %v (%v)", lengths, ended, got, ok, want, wantOK)
		}
	}
	if _, ok := medianSurvival(nil); ok {
		t.Error("nothing has a median")
	}
}

func TestBitsOfFields(t *testing.T) {
	for bit, field := range map[Fields]Field{
		bitAuthor: FieldAuthor, bitRevertedAt: FieldRevertedAt,
		bitDeployed: FieldDeployed, bitAssisted: FieldAssisted,
	} {
		if bit != FieldSet(field) {
			t.Errorf("the bit of %s is %b, want %b", field, bit, FieldSet(field))
		}
	}
}

// BenchmarkMerge puts a unit's weeks together, as the median of a window needs.
func BenchmarkMerge(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 4))
	runs := make([][]survivalKey, 180)
	for i := range runs {
		for range 80 {
			runs[i] = append(runs[i], keyOf(r.ExpFloat64(), r.IntN(9) > 0))
		}
		slices.Sort(runs[i])
	}
	for b.Loop() {
		merged(slices.Clone(runs))
	}
}
