package store

import (
	"testing"
	"time"

	"steelyard/metrics"
)

// Whatever a pack holds, reading it neither panics nor makes rows out of
// nothing.
func FuzzReadPack(f *testing.F) {
	at := time.Date(2024, time.March, 1, 0, 0, 0, 0, time.UTC)
	rows := []packedPull{
		{metrics.PullRequest{Author: "a", Repository: "r", Opened: at, Merged: at.Add(time.Hour), Closed: at.Add(time.Hour), Additions: 3, Deletions: -1}, 4},
		{metrics.PullRequest{Author: "b", AuthorBot: true, Opened: at.Add(time.Minute), Assisted: "authored", SetApart: "import", BotThreads: 2}, 5},
	}
	f.Add(appendPack(nil, rows))
	f.Add(appendCounts(nil, countPack(rows)))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, pack []byte) {
		got, err := readPack(nil, "team", pack, &sources{})
		if err != nil && len(got) > 0 || len(got) > len(pack) {
			t.Errorf("%d rows of %d bytes, %v", len(got), len(pack), err)
		}
		if c, ok := readCounts(pack); ok && c.rows <= 0 {
			t.Errorf("counts %+v", c)
		}
	})
}
