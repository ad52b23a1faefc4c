// Command speed turns what go test -bench prints into docs/methods/speed.md: a
// row for each piece of work of bench_2core.csv, with the median of the R
// package beside ours. The page says how to run it.
package main

import (
	"bufio"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// answers names the benchmark that does the work of a row of bench_2core.csv.
var answers = map[string]string{
	"fixest feols TWFE mpdta 2500x5 CRV1":                         "FixedEffectsMpdta",
	"fixest sunab mpdta":                                          "SunAbrahamMpdta",
	"did att_gt+aggte analytic mpdta (500x5)":                     "CallawaySantAnnaMpdta",
	"did att_gt+aggte(dynamic) boot 1000 mpdta":                   "BandsMpdta",
	"did_imputation static mpdta":                                 "ImputeMpdta",
	"did2s static mpdta":                                          "TwoStageMpdta",
	"fixest TWFE df_het 46500 rows":                               "FixedEffectsStates",
	"fixest sunab df_het 46500 rows":                              "SunAbrahamStates",
	"did att_gt analytic df_het 1500x31":                          "CallawaySantAnnaStates",
	"did att_gt boot1000 df_het 1500x31":                          "CellBands",
	"did_imputation df_het":                                       "ImputeStates",
	"did2s df_het":                                                "TwoStageStates",
	"did att_gt dr ~X analytic standard tp8_dyn (16000 rows)":     "Adjusted",
	"did att_gt dr ~X analytic faster_mode tp8_dyn":               "Adjusted",
	"did att_gt dr ~X analytic standard tp10_const (10000 rows)":  "AdjustedThousand",
	"did att_gt dr ~X analytic faster_mode tp10_const":            "AdjustedThousand",
	"fastdid group_time 1000 units x10":                           "CallawaySantAnnaSimulated/1000",
	"did att_gt analytic 1000 units x10 (fastdid sim)":            "CallawaySantAnnaSimulated/1000",
	"fastdid group_time 10000 units x10":                          "CallawaySantAnnaSimulated/10000",
	"did att_gt analytic 10000 units x10 (fastdid sim)":           "CallawaySantAnnaSimulated/10000",
	"fastdid group_time 1e+05 units x10":                          "CallawaySantAnnaSimulated/100000",
	"boottest WCR full enumeration 2^10, 310 obs, p only":         "WildAllOfTen",
	"boottest WCR full enumeration 2^10 with CI inversion":        "WildIntervalOfTen",
	"boottest WCR B=9999 50 clusters 550 obs p only":              "WildFifty",
	"boottest WCR B=99999 50 clusters 550 obs p only":             "WildFiftyMany",
	"synthdid point estimate prop99 39x31":                        "SyntheticCalifornia",
	"synthdid placebo SE 200 reps prop99":                         "SyntheticPlacebos",
	"pairs cluster bootstrap 999 reps via fixest, castle 550 obs": "PairsBootstrap",
}

// goal is how many times faster than R each piece of work should be.
const goal = 10

const command = "(STEELYARD_LARGE=1 go test ./metrics/did -run '^$' -bench TenMillionRows -benchtime 1x -count 3;\n" +
	" go test ./metrics/did -run '^$' -bench . -count 3) |\n" +
	"go run ./metrics/did/internal/speed -r ../shared/data/measurement/bench_2core.csv > docs/methods/speed.md"

func main() {
	medians := flag.String("r", "", "bench_2core.csv, the medians of the R packages")
	flag.Parse()
	if err := run(*medians, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

func run(medians string, in io.Reader, out io.Writer) error {
	file, err := os.Open(medians)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return err
	}
	got, err := read(in)
	if err != nil {
		return err
	}
	return write(rows[1:], got, out)
}

// results are the benchmarks of a run by name, each measured some times.
type results struct {
	ms         map[string][]float64
	peak       map[string]float64
	cpu        string
	idle, busy float64 // the lowest and highest load of the machine meanwhile
}

// read reads what go test -bench prints, while it is printed.
func read(in io.Reader) (results, error) {
	r := results{ms: map[string][]float64{}, peak: map[string]float64{}, idle: 1e9}
	for s := bufio.NewScanner(in); s.Scan(); {
		if x, ok := load(); ok {
			r.idle, r.busy = min(r.idle, x), max(r.busy, x)
		}
		fields := strings.Fields(s.Text())
		if cpu, ok := strings.CutPrefix(s.Text(), "cpu: "); ok {
			r.cpu = cpu
		}
		if len(fields) > 0 && (fields[0] == "FAIL" || fields[0] == "---" && fields[1] == "FAIL:") {
			return r, fmt.Errorf("a benchmark failed: %s", s.Text())
		}
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := strings.TrimPrefix(fields[0], "Benchmark")
		if k := strings.LastIndex(name, "-"); k > 0 {
			name = name[:k] // the number of processors
		}
		for k := 2; k+1 < len(fields); k += 2 {
			x, err := strconv.ParseFloat(fields[k], 64)
			if err != nil {
				return r, fmt.Errorf("%q: %w", s.Text(), err)
			}
			switch fields[k+1] {
			case "ns/op":
				r.ms[name] = append(r.ms[name], x/1e6)
			case "peak-MB":
				r.peak[name] = max(r.peak[name], x)
			}
		}
	}
	return r, nil
}

// load is the machine's load over the last minute, where the system says so.
func load() (float64, bool) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.Fields(string(text))[0], 64)
	return x, err == nil
}

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	return (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
}

func write(rows [][]string, r results, out io.Writer) error {
	var b strings.Builder
	used := map[string]bool{}
	slower := 0
	var table strings.Builder
	for _, row := range rows {
		name, ok := answers[row[0]]
		if !ok {
			return fmt.Errorf("no benchmark does the work of %q", row[0])
		}
		inR, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			return err
		}
		used[name] = true
		if len(r.ms[name]) == 0 {
			return fmt.Errorf("no result of Benchmark%s", name)
		}
		ms := median(r.ms[name])
		if inR/ms < goal {
			slower++
		}
		fmt.Fprintf(&table, "| %s | %s | `%s` | %s | %.0f |\n", row[0], digits(inR), name, digits(ms), inR/ms)
	}
	fmt.Fprintf(&b, "# How fast\n\nMade by\n\n```sh\n%s\n```\n\n", command)
	fmt.Fprintf(&b, "on %s, on %s. The load of the machine, which has other work to do, went from %.1f to %.1f; each figure is the median of %d runs.\n\n",
		time.Now().UTC().Format("2006-01-02"), r.cpu, r.idle, r.busy, len(r.ms["FixedEffectsMpdta"]))
	b.WriteString("The R packages' medians were measured once, elsewhere, on a machine of two cores; they are for ratios only. Methods and panels are the same, and so is what is computed, to the digits of [deviations](deviations.md). Two panels are simulated at the same size, because theirs are not at hand: tp10_const and fastdid's. Our wild bootstraps and effects include their standard errors; reading the data is on neither side.\n\n")
	fmt.Fprintf(&b, "%d of %d pieces of work are at least %d times as fast.\n\n", len(rows)-slower, len(rows), goal)
	b.WriteString("| work, in R | R, ms | benchmark | ours, ms | times as fast |\n| --- | --- | --- | --- | --- |\n")
	b.WriteString(table.String())
	const large = "TenMillionRows"
	if len(r.ms[large]) == 0 {
		return fmt.Errorf("no result of Benchmark%s", large)
	}
	fmt.Fprintf(&b, "\n## Ten million rows\n\nTwo-way fixed effects with clustered errors on 1,000,000 units by 10 periods, rows in no order: %.1f s, and at most %.0f MB in memory, the panel itself counted. The goal is 10 s and 2,000 MB.\n",
		median(r.ms[large])/1000, r.peak[large])
	b.WriteString("\n## Work that has no median in R\n\n| benchmark | ms |\n| --- | --- |\n")
	var rest []string
	for name := range r.ms {
		if !used[name] && name != large {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range rest {
		fmt.Fprintf(&b, "| `%s` | %s |\n", name, digits(median(r.ms[name])))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// digits writes a time with three digits.
func digits(ms float64) string {
	switch {
	case ms >= 100:
		return strconv.FormatFloat(ms, 'f', 0, 64)
	case ms >= 10:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	case ms >= 1:
		return strconv.FormatFloat(ms, 'f', 2, 64)
	default:
		return strconv.FormatFloat(ms, 'f', 3, 64)
	}
}
