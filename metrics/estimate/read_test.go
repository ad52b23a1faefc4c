package estimate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics/estimate"
	"steelyard/metrics/ingest"
)

// made is a panel of six units in eight years, two of them treated from 2013
// on, with columns in several forms.
func made() string {
	var b strings.Builder
	b.WriteString("unit,year,first,y,log y,half,other half,a:b+c,region,north,south,still,ended\n")
	r := rand.New(rand.NewPCG(8, 8))
	regions := []string{"east", "north", "south", "east", "north", "south"}
	for u, region := range regions {
		first := ""
		if u < 2 {
			first = "2013"
		}
		for year := 2010; year < 2018; year++ {
			y := math.Round(1000*math.Exp(r.NormFloat64())) / 1000
			flag := func(want string) int {
				if (region == want) == (r.Float64() < 0.9) {
					return 1
				}
				return 0
			}
			n, s := flag("north"), flag("south")
			at := "east"
			switch {
			case n == 1:
				at, s = "north", 0
			case s == 1:
				at = "south"
			}
			still := r.IntN(4) / 3
			fmt.Fprintf(&b, "%c,%d,%s,%v,%v,%v,%v,%v,%s,%d,%d,%d,%d\n",
				'a'+u, year, first, y, math.Log(y), y/2, y/2, y, at, n, s, still, 1-still)
		}
	}
	return b.String()
}

// TestForms reads the same values written in two ways.
func TestForms(t *testing.T) {
	base := estimate.Columns{Unit: "unit", Time: "year", Outcome: "y", FirstTreated: "first"}
	with := func(change func(*estimate.Columns)) estimate.Columns {
		c := base
		change(&c)
		return c
	}
	file := made()
	var cut strings.Builder
	for line := range strings.Lines(file) {
		if !strings.Contains(line, ",2010,") && !strings.Contains(line, ",2017,") && !strings.HasPrefix(line, "f,") {
			cut.WriteString(line)
		}
	}
	for _, c := range []struct {
		name         string
		method       string
		one, another estimate.Columns
		other        string // the file of another; "" means the same
	}{
		{name: "logarithm", method: "twfe", one: with(func(c *estimate.Columns) { c.Outcome = "y:log" }), another: with(func(c *estimate.Columns) { c.Outcome = "log y:logged" })},
		{name: "sum", method: "twfe", one: with(func(c *estimate.Columns) { c.Outcome = "half+other half" }), another: base},
		{name: "odd-name", method: "twfe", one: with(func(c *estimate.Columns) { c.Outcome = "a:b+c" }), another: base},
		{name: "odd-name-and-scale", method: "twfe", one: with(func(c *estimate.Columns) { c.Outcome = "a:b+c:log1p" }), another: with(func(c *estimate.Columns) { c.Outcome = "y:log1p" })},
		{name: "factor", method: "twfe", one: with(func(c *estimate.Columns) { c.Covariates = []string{"region:factor"} }), another: with(func(c *estimate.Columns) { c.Covariates = []string{"north", "south"} })},
		{name: "covariate-scale", method: "imputation", one: with(func(c *estimate.Columns) { c.Covariates = []string{"half:log"}; c.Outcome = "log y" }), another: with(func(c *estimate.Columns) { c.Covariates = []string{"other half:log"}; c.Outcome = "log y" })},
		{name: "censored", method: "kaplan-meier", one: with(func(c *estimate.Columns) { c.Censored = "still" }), another: with(func(c *estimate.Columns) { c.Censored = "ended=0" })},
		{name: "cut", method: "two-by-two", one: with(func(c *estimate.Columns) {
			c.From, c.To, c.Only = "2011", "2016", []string{"a", "b", "c", "d", "e"}
		}), another: base, other: cut.String()},
		{name: "starts", method: "two-by-two", one: with(func(c *estimate.Columns) {
			c.FirstTreated, c.Starts = "", map[string]string{"a": "2013", "b": "2013"}
		}), another: base},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := c.other
			if other == "" {
				other = file
			}
			one := ask(t, read(t, file, c.one), c.method, estimate.Options{})
			another := ask(t, read(t, other, c.another), c.method, estimate.Options{})
			for i, r := range one.Results {
				if strings.HasPrefix(r.Term, "covariate:") {
					continue // named differently
				}
				for k, pair := range [][2]*float64{
					{r.Estimate, another.Results[i].Estimate},
					{r.SE, another.Results[i].SE},
					{r.CI[0], another.Results[i].CI[0]},
					{r.CI[1], another.Results[i].CI[1]},
					{r.P, another.Results[i].P},
				} {
					if (pair[0] == nil) != (pair[1] == nil) || pair[0] != nil && math.Abs(*pair[0]-*pair[1]) > 1e-10*(1+math.Abs(*pair[0])) {
						t.Errorf("%s, number %d: %v and %v", r.Term, k, pair[0], pair[1])
					}
				}
			}
			if one.N != another.N {
				t.Errorf("%+v and %+v", one.N, another.N)
			}
		})
	}
}

// TestSteps counts periods that lie apart in steps, and a start between two of
// them as one at the later.
func TestSteps(t *testing.T) {
	var b strings.Builder
	b.WriteString("u,t,y,g\n")
	for _, u := range []string{"a", "b", "c"} {
		for year := 2000; year <= 2010; year += 2 {
			g := ""
			if u == "a" {
				g = "2005"
			}
			fmt.Fprintf(&b, "%s,%d,%d,%s\n", u, year, year%7*len(u)+int(u[0]), g)
		}
	}
	d := read(t, b.String(), estimate.Columns{Unit: "u", Time: "t", Outcome: "y", FirstTreated: "g"})
	a := ask(t, d, "callaway-santanna", estimate.Options{Aggregate: "dynamic"})
	var terms []string
	for _, r := range a.Results {
		if r.Term != "pre-trend" {
			terms = append(terms, r.Term)
		}
	}
	if diff := cmp.Diff([]string{"dynamic:overall", "dynamic:-2", "dynamic:-1", "dynamic:0", "dynamic:1", "dynamic:2"}, terms); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{"1 start lies between two periods", "periods are 2 apart"} {
		if !slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.HasPrefix(w, want) }) {
			t.Errorf("no warning %q among %q", want, a.Warnings)
		}
	}
	term(t, ask(t, d, "callaway-santanna", estimate.Options{}), "ATT(2006,2008)")
}

// TestTreatedThroughout leaves units without a time before out of what needs
// one, and says so.
func TestTreatedThroughout(t *testing.T) {
	file := made()
	always := strings.NewReplacer("c,2010,,", "c,2010,2010,", "c,2011,,", "c,2011,2010,", "c,2012,,", "c,2012,2010,", "c,2013,,", "c,2013,2010,",
		"c,2014,,", "c,2014,2010,", "c,2015,,", "c,2015,2010,", "c,2016,,", "c,2016,2010,", "c,2017,,", "c,2017,2010,").Replace(file)
	c := estimate.Columns{Unit: "unit", Time: "year", Outcome: "y", FirstTreated: "first"}
	without := c
	without.Only = []string{"a", "b", "d", "e", "f"}
	for _, method := range []string{"two-by-two", "quantile", "kaplan-meier", "cross-fit-t"} {
		one := ask(t, read(t, always, c), method, estimate.Options{})
		two := ask(t, read(t, file, without), method, estimate.Options{})
		if diff := cmp.Diff(two.Results, one.Results, cmp.AllowUnexported(estimate.Result{})); diff != "" {
			t.Errorf("%s: %s", method, diff)
		}
		if one.N != two.N || !slices.ContainsFunc(one.Warnings, func(w string) bool { return strings.HasPrefix(w, "left out 8 rows") }) {
			t.Errorf("%s: %+v %q", method, one.N, one.Warnings)
		}
	}
}

// TestBounds are those of package ingest.
func TestBounds(t *testing.T) {
	c := estimate.Columns{Unit: "unit", Time: "year", Outcome: "y", FirstTreated: "first"}
	_, err := estimate.Read(context.Background(), strings.NewReader(made()), "f.csv", c, ingest.Limits{Rows: 10})
	var line *ingest.LineError
	if !errors.As(err, &line) || line.Line != 12 {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := estimate.Read(ctx, strings.NewReader(made()), "f.csv", c, ingest.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	var b strings.Builder
	b.WriteString("unit,year,y,first,name\n")
	for i := range 1200 {
		fmt.Fprintf(&b, "u%d,%d,1,,n%d\n", i/2, 2000+i%2, i)
	}
	c.Covariates = []string{"name:factor"}
	if _, err := estimate.Read(context.Background(), strings.NewReader(b.String()), "f.csv", c, ingest.Limits{}); !errors.Is(err, &estimate.Error{Code: estimate.ErrColumns}) {
		t.Errorf("got %v", err)
	}
}

// TestHorizons are read strictly.
func TestHorizons(t *testing.T) {
	for text, want := range map[string]estimate.Horizons{"-5:10": {First: -5, Last: 10}, "0:0": {}, " 1 : 2 ": {First: 1, Last: 2}} {
		if got, err := estimate.ParseHorizons(text); err != nil || got != want {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"", ":", "1", "a:b", "2:1", "1:2:3", "-9999999:1", "1:99999999"} {
		if got, err := estimate.ParseHorizons(text); !errors.Is(err, &estimate.Error{Code: estimate.ErrOption}) {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
}

// TestStartInGap reads a column of 0 and 1 of which a unit misses the rows
// around its start: the period in which it started is not known.
func TestStartInGap(t *testing.T) {
	const rows = "unit,year,y,on\n" +
		"a,2010,1,0\na,2011,2,0\na,2012,3,1\na,2013,4,1\n" +
		"b,2010,1,0\nb,2011,5,0\nb,2012,2,0\nb,2013,3,0\n"
	for _, c := range []struct{ name, more, want string }{
		{"no-gap", "", ""},
		{
			"gap", "c,2010,1,0\nc,2013,2,1\n",
			`1 unit was not seen in the period before the first treated row, which counts as the start: unit "c", treated in 2013, was last seen without in 2010; ` +
				"name starts with --first-treated or --start where they were earlier",
		},
		{
			"never-seen-before", "d,2013,1,1\nc,2010,1,0\nc,2012,2,1\nc,2013,2,1\ne,2011,1,1\n",
			`3 units were not seen in the period before the first treated row, which counts as the start: unit "c", treated in 2012, was last seen without in 2010; ` +
				"name starts with --first-treated or --start where they were earlier",
		},
		{"treated-throughout", "c,2010,1,1\nc,2013,2,1\n", ""},
		{"gap-elsewhere", "c,2010,1,0\nc,2012,2,0\nc,2013,2,1\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, rows+c.more, estimate.Columns{Unit: "unit", Time: "year", Outcome: "y", Treated: "on"})
			got := ""
			for _, w := range ask(t, d, "callaway-santanna", estimate.Options{}).Warnings {
				if strings.Contains(w, "first treated row") {
					got += w
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
