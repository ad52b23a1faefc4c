package ingest_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"testing"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

// manyRows makes a panel of n rows in the common shape.
func manyRows(n int) []byte {
	var b bytes.Buffer
	b.WriteString("unit,time,first,y,a,b,n\n")
	for i := range n {
		first := ""
		if unit := i / 100; unit%3 == 0 {
			first = "2024-03-04"
		}
		fmt.Fprintf(&b, "organisation/repository-%d,%s,%s,%d,%d.25,%d,%d\n", i/100, metrics.PeriodDay.Label(19723+7*(i%100)), first, i%977, i%31, i%7, 1+i%53)
	}
	return b.Bytes()
}

func manyPullRequests(n int) []byte {
	var b bytes.Buffer
	b.WriteString("id,number,repository,author,author_is_bot,team,opened,ready,first_review,merged,closed,reverted_at,additions,deletions\n")
	for i := range n {
		day, hour := 1+i%28, i%12
		fmt.Fprintf(&b, "PR_%08d,%d,organisation/repository-%d,author-%d,false,team-%d,2024-05-%02dT%02d:00:00Z,,2024-05-%02dT%02d:30:00Z,2024-05-%02dT%02d:45:00Z,2024-05-%02dT%02d:45:00Z,,%d,%d\n",
			i, i, i%500, i%4001, i%60, day, hour, day, hour+1, day, hour+2, day, hour+2, i%400, i%90)
	}
	return b.Bytes()
}

func BenchmarkImportPanel(b *testing.B) {
	const rows = 100_000
	text := manyRows(rows)
	s := spec()
	s.ExposureCol = "n"
	s.Outcomes = []ingest.OutcomeColumn{outcome("y:lower:count"), outcome("w=a+b:lower:log1p")}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := ingest.ImportPanel(b.Context(), discard{}, bytes.NewReader(text), "panel.csv", s, now); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkImportPullRequests(b *testing.B) {
	const rows = 100_000
	text := manyPullRequests(rows)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ingest.ImportPullRequests(b.Context(), discard{}, bytes.NewReader(text), "prs.csv", ingest.PullRequestSpec{}, now); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkEncodingCSV reads the same bytes with encoding/csv and does nothing
// with them: what the two above are compared with.
func BenchmarkEncodingCSV(b *testing.B) {
	const rows = 100_000
	for name, text := range map[string][]byte{"panel": manyRows(rows), "pull-requests": manyPullRequests(rows)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r := csv.NewReader(bytes.NewReader(text))
				r.ReuseRecord = true
				for {
					if _, err := r.Read(); err != nil {
						break
					}
				}
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
