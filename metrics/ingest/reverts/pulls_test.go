package reverts_test

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// pull is a row of pr_<repository>.csv.gz.
type pull struct {
	number               int
	commit               string
	merged, revertedAt   time.Time
	isRevert             bool
	revertsPR            int
	revertsSHA, revertBy string
}

func readPulls(t testing.TB, name string) map[int]pull {
	t.Helper()
	f, err := os.Open(filepath.Join(dataDir(t), "pr_"+name+".csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, column := range rows[0] {
		at[column] = i
	}
	all := map[int]pull{}
	for _, row := range rows[1:] {
		p := pull{
			commit: row[at["merge_sha"]], isRevert: row[at["is_revert"]] == "1",
			revertsSHA: row[at["reverts_sha"]], revertBy: row[at["reverted_by_pr"]],
		}
		p.number, _ = strconv.Atoi(row[at["pr_number"]])
		p.revertsPR, _ = strconv.Atoi(row[at["reverts_pr"]])
		p.merged, _ = time.Parse(time.RFC3339, row[at["merged_at"]])
		p.revertedAt, _ = time.Parse(time.RFC3339, row[at["reverted_at"]])
		all[p.number] = p
	}
	return all
}
