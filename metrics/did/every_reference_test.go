package did_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// referenceTables are all tables of published or computed reference numbers
// with the rows each held when it was read last; a row more or less is a row
// that nobody checked. bench_r.csv and bench_py.csv hold timings.
var referenceTables = []struct {
	name string
	rows int
}{
	{"reference_values.csv", 307},
	{"reference_he2025.csv", 352},
	{"csdid_r_refs/ref_attgt.csv", 57},
	{"csdid_r_refs/ref_aggte.csv", 72},
	{"csdid_r_refs/ref_pretest.csv", 5},
	{"csdid_r_refs/ref_sim.csv", 272},
	{"csdid_r_refs/ref_gaps.csv", 59},
	{"csdid_r_refs/ref_fixweights.csv", 48},
	{"csdid_r_refs/ref_factor.csv", 9},
}

// deviation is a row that does not agree to the digits asked for.
type deviation struct {
	table, dataset, method, term, reason string
}

func (d deviation) key() string {
	return strings.Join([]string{d.table, d.dataset, d.method, d.term}, "|")
}

const stopped = "fixest, under the reference, stops once no unit effect moves by more than 1e-6; stopped there, the same iteration gives its number to 1e-8 (`TestReferencesThatStoppedEarly`)"

// deviations are the rows that cannot be matched, one by one, with the reason;
// docs/methods/deviations.md holds the same list.
var deviations = []deviation{
	{"reference_values.csv", "mpdta", "Imputation (BJS)", "treat", "off by 4.3e-8: " + stopped},
	{"reference_values.csv", "mpdta", "Imputation event study", "0", "off by 4.7e-8: " + stopped},
	{"reference_values.csv", "mpdta", "Imputation event study", "1", "off by 4.6e-8: " + stopped},
	{"reference_values.csv", "mpdta", "Gardner 2-stage", "post", "off by 6.6e-8: " + stopped},
	{"reference_values.csv", "did2s_df_het", "Gardner 2-stage (FE unit+year)", "treat", "off by 2.5e-8: " + stopped},
	{"reference_values.csv", "did2s_df_het", "Imputation (BJS)", "treat", "off by 2.5e-8: " + stopped},
	{"reference_values.csv", "did2s_df_het", "Imputation (BJS) cluster state", "treat", "off by 2.5e-8: " + stopped},
	{"reference_values.csv", "did2s_df_hom", "Gardner 2-stage (FE unit+year)", "treat", "off by 1.3e-8: " + stopped},
	{"reference_values.csv", "did2s_df_hom", "Imputation (BJS)", "treat", "off by 1.3e-8: " + stopped},
	{"reference_values.csv", "did2s_df_hom", "Imputation (BJS) cluster state", "treat", "off by 1.3e-8: " + stopped},
}

// allowedDeviations of reference_values.csv and reference_he2025.csv together;
// of csdid_r_refs it is a tenth.
const allowedDeviations = 10

// TestEveryReference reads every row of every reference table, gives it to the
// method it names and compares: estimates to 1e-8 relative, analytic errors to
// 1e-6, and the numbers that stand in its note. Imputation on the panel of
// repositories is held to 1e-6 absolute, p-values to the digits given: there
// the references stopped. Simulated errors are drawn as the reference drew them.
// A row that is off must be listed, and a listed row must be off.
func TestEveryReference(t *testing.T) {
	listed := map[string]bool{}
	for _, d := range deviations {
		if listed[d.key()] {
			t.Errorf("listed twice: %s", d.key())
		}
		listed[d.key()] = true
	}
	used := map[string]bool{}
	var total, others referenceCount
	for _, table := range referenceTables {
		t.Run(strings.TrimSuffix(filepath.Base(table.name), ".csv"), func(t *testing.T) {
			c := readReferences(t, table.name, table.rows, listed, used)
			t.Logf("%s: %v", table.name, c)
			if strings.HasPrefix(table.name, csdidFolder) {
				others.add(c)
			} else {
				total.add(c)
			}
		})
	}
	t.Logf("reference_values.csv and reference_he2025.csv: %v", total)
	t.Logf("%s: %v", csdidFolder, others)
	if total.listed > allowedDeviations {
		t.Errorf("%d rows are listed, over %d", total.listed, allowedDeviations)
	}
	if 10*others.listed > others.rows {
		t.Errorf("%d of %d rows of %s are listed, over a tenth", others.listed, others.rows, csdidFolder)
	}
	if total.rows > 0 && total.absent == 0 {
		for _, d := range deviations {
			if !used[d.key()] {
				t.Errorf("listed, but no row: %s", d.key())
			}
		}
	}
}

type referenceCount struct{ rows, matched, listed, absent int }

func (c *referenceCount) add(d referenceCount) {
	c.rows += d.rows
	c.matched += d.matched
	c.listed += d.listed
	c.absent += d.absent
}

func (c referenceCount) String() string {
	return fmt.Sprintf("%d rows, %d matched, %d listed, %d whose panel is absent", c.rows, c.matched, c.listed, c.absent)
}

// readReferences compares one table, run by run: the rows of a run come from
// one call.
func readReferences(t *testing.T, table string, want int, listed, used map[string]bool) referenceCount {
	t.Helper()
	rows := readCSV(t, shared(t, table))
	if len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	runs := map[string][]map[string]string{}
	var order []string
	for _, row := range rows {
		run := referenceRun(table, row)
		if runs[run] == nil {
			order = append(order, run)
		}
		runs[run] = append(runs[run], row)
	}
	count := referenceCount{rows: len(rows)}
	for _, run := range order {
		seen := false
		t.Run(strings.ReplaceAll(run, " ", "-"), func(t *testing.T) {
			compare := referenceComparison(t, table, runs[run][0])
			seen = true
			for _, row := range runs[run] {
				d := deviation{table: filepath.Base(table), dataset: row["dataset"], method: row["method"], term: row["term"]}
				switch problem := compare(row); {
				case problem == "" && listed[d.key()]:
					t.Errorf("listed, but matches: %s", d.key())
				case problem == "":
					count.matched++
				case listed[d.key()]:
					used[d.key()] = true
					count.listed++
				default:
					t.Errorf("%v: %s", row, problem)
				}
			}
		})
		if !seen {
			count.absent += len(runs[run])
		}
	}
	if n := count.matched + count.listed + count.absent; n != count.rows && !t.Failed() {
		t.Errorf("%d of %d rows were looked at", n, count.rows)
	}
	return count
}

// referenceRun names the call that a row is a result of.
func referenceRun(table string, row map[string]string) string {
	if strings.HasPrefix(table, csdidFolder) {
		return csdidScenarioOf(filepath.Base(table), row)
	}
	run := row["dataset"] + "/" + row["method"]
	if row["outcome"] != "" {
		run += "/" + row["outcome"]
	}
	if row["method"] == "Sun-Abraham" && row["dataset"] == "fixest_base_stagg" {
		run += "/" + row["note"] // which covariance
	}
	return run
}

// referenceComparison makes the call of a row and returns what says how rows of
// that call differ from it; empty where they do not.
func referenceComparison(t *testing.T, table string, row map[string]string) func(row map[string]string) string {
	t.Helper()
	if strings.HasPrefix(table, csdidFolder) {
		run := newCsdidRun(t, csdidScenarioOf(filepath.Base(table), row))
		return func(row map[string]string) string { return run.compare(t, filepath.Base(table), row) }
	}
	answers := referenceAnswers(t, row)
	return func(row map[string]string) string { return answers[row["term"]].differs(t, row) }
}

// noteNumbers finds the numbers of a note that a method gives as well.
var noteNumbers = map[string]*regexp.Regexp{
	"p":         regexp.MustCompile(`\bp(?:\([^)]*\))?=(?:\(.*\)=)?([\d.][-\d.e]*)`),
	"t":         regexp.MustCompile(`\bt=([-\d.e]+)`),
	"low":       regexp.MustCompile(`CI=\[?([-\d.e]+),`),
	"high":      regexp.MustCompile(`CI=\[?[-\d.e]+, *([-\d.e]+)`),
	"n":         regexp.MustCompile(`\bn=(\d+)`),
	"df1":       regexp.MustCompile(`\bdf1=(\d+)`),
	"df2":       regexp.MustCompile(`\bdf2=(\d+)`),
	"weight":    regexp.MustCompile(`\bweight=([\d.]+)`),
	"percent":   regexp.MustCompile(`exp\(b\)-1=([\d.]+)`),
	"sum":       regexp.MustCompile(`sum ratio-1=([-\d.]+)`),
	"geometric": regexp.MustCompile(`geometric=([-\d.]+)`),
}

// differs says how an answer differs from a row of reference_values.csv or
// reference_he2025.csv.
func (a *referenceAnswer) differs(t *testing.T, row map[string]string) string {
	t.Helper()
	if a == nil {
		if row["estimate"] == "" && row["note"] == "" {
			return "" // the reference has no answer either
		}
		return "missing"
	}
	if row["estimate"] == "" && row["note"] == "" {
		return fmt.Sprintf("got %v, the reference has none", a.Estimate)
	}
	absolute := strings.HasPrefix(row["method"], "BJS")
	check := func(what, s string, got, tolerance float64) string {
		want := number(t, s)
		if absolute {
			if math.Abs(got-want) > 1e-6 {
				return fmt.Sprintf("%s %v, want %v", what, got, want)
			}
			return ""
		}
		return apart(what, got, want, tolerance)
	}
	if s := row["estimate"]; s != "" {
		if problem := check("estimate", s, a.Value, 1e-8); problem != "" {
			return problem
		}
	}
	if s := row["se"]; s != "" {
		if problem := check("standard error", s, a.SE, 1e-6); problem != "" {
			return problem
		}
	} else if strings.HasPrefix(row["note"], "analytic") && a.HasSE {
		return "has a standard error"
	}
	if s := row["n"]; s != "" {
		if problem := a.fact("n", s); problem != "" {
			return problem
		}
	}
	for name, pattern := range noteNumbers {
		if m := pattern.FindStringSubmatch(row["note"]); m != nil {
			if problem := a.fact(name, m[1]); problem != "" {
				return problem
			}
		}
	}
	return ""
}

// TestDeviationsPage holds the list in docs/methods/deviations.md to the one
// here.
func TestDeviationsPage(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "methods", "deviations.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const from, to = "<!-- rows that differ -->\n", "<!-- end of rows that differ -->"
	before, rest, ok := strings.Cut(string(page), from)
	_, after, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no list between %q and %q", path, from, to)
	}
	var list strings.Builder
	list.WriteString("\n| table | data | method | term | reason |\n| --- | --- | --- | --- | --- |\n")
	for _, d := range deviations {
		fmt.Fprintf(&list, "| `%s` | %s | %s | %s | %s |\n", d.table, d.dataset, d.method, d.term, d.reason)
	}
	list.WriteString("\n")
	want := before + from + list.String() + to + after
	if want == string(page) {
		return
	}
	if !*update {
		t.Fatalf("the list of %s is not the one of this test: run it with -update", path)
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
