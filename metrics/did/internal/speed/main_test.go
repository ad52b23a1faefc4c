package main

import (
	"strings"
	"testing"
)

func TestPage(t *testing.T) {
	var output strings.Builder
	output.WriteString("cpu: Some CPU\n")
	var rows [][]string
	for work, name := range answers {
		rows = append(rows, []string{work, "100"})
		output.WriteString("Benchmark" + name + "-2   \t 10\t 4000000 ns/op\t 25.0 timesR\n")
	}
	output.WriteString("BenchmarkTenMillionRows-2 1 3000000000 ns/op 1500 peak-MB\nBenchmarkOther-2 9 1500 ns/op\nPASS\n")
	r, err := read(strings.NewReader(output.String()))
	if err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	if err := write(rows, r, &page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| fixest sunab mpdta | 100 | `SunAbrahamMpdta` | 4.00 | 25 |", "28 of 28 pieces", "3.0 s, and at most 1500 MB", "| `Other` | 0.002 |", "Some CPU",
	} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, page.String())
		}
	}
	if err := write([][]string{{"unknown", "1"}}, r, &page); err == nil {
		t.Error("a row that no benchmark answers was left out in silence")
	}
	if _, err := read(strings.NewReader("--- FAIL: BenchmarkX\nFAIL\n")); err == nil {
		t.Error("a failure was read as success")
	}
}
