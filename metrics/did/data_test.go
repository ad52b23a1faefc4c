package did_test

import (
	"compress/gzip"
	"encoding/csv"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"steelyard/metrics/did"
)

// readCSV reads a CSV file with a header into one map a row.
func readCSV(t testing.TB, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	records, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	rows := make([]map[string]string, 0, len(records)-1)
	for _, record := range records[1:] {
		row := make(map[string]string, len(record))
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// shared finds a data set that is not kept in this repository, or skips.
func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("STEELYARD_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared", "data")
	} else if !filepath.IsAbs(root) {
		root = filepath.Join("..", "..", root)
	}
	for _, path := range []string{
		filepath.Join("..", "..", "internal", "demo", "data", name),
		filepath.Join(root, "measurement", name),
	} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("data set %s is absent: set STEELYARD_DATA to the folder that holds measurement/%s", name, name)
	return ""
}

// builder makes a panel from named units.
type builder struct {
	panel did.Panel
	units map[string]int
}

func (b *builder) add(unit string, time, first int, y float64) {
	if b.units == nil {
		b.units = map[string]int{}
	}
	u, ok := b.units[unit]
	if !ok {
		u = len(b.panel.First)
		b.units[unit] = u
		b.panel.First = append(b.panel.First, first)
	}
	b.panel.Unit = append(b.panel.Unit, u)
	b.panel.Time = append(b.panel.Time, time)
	b.panel.Y = append(b.panel.Y, y)
}

func whole(t testing.TB, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// start reads a first treated period, empty for never.
func start(t testing.TB, s string) int {
	t.Helper()
	if s == "" || s == "0" {
		return did.Never
	}
	return int(number(t, s))
}

// bundled reads one of the panels in testdata: unit, time, y, first.
func bundled(t testing.TB, name string) did.Panel {
	t.Helper()
	var b builder
	for _, row := range readCSV(t, filepath.Join("testdata", name+".csv")) {
		b.add(row["unit"], whole(t, row["time"]), start(t, row["first"]), number(t, row["y"]))
	}
	return b.panel
}

// states reads the simulated panels of the R package did2s; cluster is the
// state of each unit.
func states(t testing.TB, name string) (p did.Panel, cluster []int) {
	t.Helper()
	var b builder
	for _, row := range readCSV(t, shared(t, "did2s_"+name+".csv.gz")) {
		b.add(row["unit"], whole(t, row["year"]), start(t, row["g"]), number(t, row["dep_var"]))
		if len(cluster) < len(b.panel.First) {
			cluster = append(cluster, whole(t, row["state"]))
		}
	}
	return b.panel, cluster
}

// editor reads one outcome of the panel of repositories that adopted an AI
// editor, on the scale log(1 + x), without its doubled rows.
func editor(t testing.TB, outcome string) did.Panel {
	t.Helper()
	columns := []string{outcome}
	if outcome == "static_analysis_warnings" {
		columns = []string{"code_smells", "vulnerabilities", "bugs"}
	}
	var b builder
	for _, row := range readCSV(t, shared(t, "he2025_cursor_panel_monthly.csv.gz")) {
		var x float64
		missing := row["dup"] == "1"
		for _, c := range columns {
			if row[c] == "" || row[c] == "NA" {
				missing = true
				continue
			}
			x += number(t, row[c])
		}
		if missing {
			continue
		}
		first := did.Never
		if row["g"] != "" {
			first = whole(t, row["g"])
		}
		b.add(row["repo_name"], whole(t, row["t"]), first, math.Log1p(x))
	}
	return b.panel
}
