package estimate_test

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the example data anew")

// TestExampleData holds the tables that the manual's examples read, where no
// bundled file has them in that form, to the files they are made from.
func TestExampleData(t *testing.T) {
	pulls := records(t, "../../internal/demo/data/worked_example.csv")
	for name, want := range map[string][]byte{
		"worked_pulls.csv":   workedPulls(t, pulls),
		"worked_reverts.csv": workedReverts(t, pulls),
		"metr_tasks.csv":     metrTasks(t, records(t, "../did/testdata/metr.csv")),
	} {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what it is made from says; run this test with -update", path)
		}
	}
}

// records reads a CSV file as one map a line.
func records(t *testing.T, path string) []map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, row := range rows[1:] {
		r := map[string]string{}
		for k, name := range rows[0] {
			r[name] = row[k]
		}
		out = append(out, r)
	}
	return out
}

// The windows of the worked example: before and after, the ramp-up between
// them left out.
var windows = [2][2]string{{"2025-01-13", "2025-05-19"}, {"2025-06-02", "2025-10-06"}}

const workedStart = "2025-06-02"

// moment reads a time; zero where there is none.
func moment(t *testing.T, s string) time.Time {
	t.Helper()
	if s == "" {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

// week is the Monday of a time inside a window; "" outside.
func week(at time.Time) string {
	monday := at.AddDate(0, 0, -(int(at.Weekday())+6)%7).Format(time.DateOnly)
	for _, w := range windows {
		if w[0] <= monday && monday < w[1] {
			return monday
		}
	}
	return ""
}

func first(team string) string {
	if team == "pilot" {
		return workedStart
	}
	return ""
}

// human reports whether a person of some team opened a pull request.
func human(r map[string]string) bool { return r["author_is_bot"] == "false" && r["team"] != "" }

// workedPulls has one row a pull request: hours to its merge, or to the end of
// the data with open = 1. One that was given up never gets there.
func workedPulls(t *testing.T, rows []map[string]string) []byte {
	var end time.Time
	for _, r := range rows {
		for _, name := range []string{"opened", "merged", "closed"} {
			if at := moment(t, r[name]); at.After(end) {
				end = at
			}
		}
	}
	var b bytes.Buffer
	b.WriteString("team,week,first,hours,open\n")
	for _, r := range rows {
		opened, until, open := moment(t, r["opened"]), moment(t, r["merged"]), 0
		if until.IsZero() {
			until, open = end, 1
		}
		if w := week(opened); w != "" && human(r) {
			fmt.Fprintf(&b, "%s,%s,%s,%.2f,%d\n", r["team"], w, first(r["team"]), until.Sub(opened).Hours(), open)
		}
	}
	return b.Bytes()
}

// workedReverts counts merges by team and week, and those reverted within 30
// days.
func workedReverts(t *testing.T, rows []map[string]string) []byte {
	merged, reverted := map[string]int{}, map[string]int{}
	for _, r := range rows {
		at := moment(t, r["merged"])
		if at.IsZero() || !human(r) || week(at) == "" {
			continue
		}
		key := r["team"] + "," + week(at)
		merged[key]++
		if back := moment(t, r["reverted_at"]); !back.IsZero() && back.Sub(at) <= 30*24*time.Hour {
			reverted[key]++
		}
	}
	var b bytes.Buffer
	b.WriteString("team,week,first,merges,reverts\n")
	for _, key := range slices.Sorted(maps.Keys(merged)) {
		team := key[:len(key)-len(",2025-01-13")]
		fmt.Fprintf(&b, "%s,%s,%d,%d\n", key, first(team), merged[key], reverted[key])
	}
	return b.Bytes()
}

// metrTasks has the minutes of each task, missing reviews at the mean of their
// arm, as the published regression has them.
func metrTasks(t *testing.T, rows []map[string]string) []byte {
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	sum, n := map[string]float64{}, map[string]float64{}
	for _, r := range rows {
		if review := r["post_review_implementation_time"]; review != "" {
			sum[r["ai_treatment"]] += number(review)
			n[r["ai_treatment"]]++
		}
	}
	var b bytes.Buffer
	b.WriteString("developer,ai_allowed,forecast,minutes\n")
	for _, r := range rows {
		review := sum[r["ai_treatment"]] / n[r["ai_treatment"]]
		if text := r["post_review_implementation_time"]; text != "" {
			review = number(text)
		}
		fmt.Fprintf(&b, "%s,%.0f,%g,%g\n", r["dev_id"], number(r["ai_treatment"]), number(r["predicted_time_no_ai"]),
			number(r["initial_implementation_time"])+review)
	}
	return b.Bytes()
}
