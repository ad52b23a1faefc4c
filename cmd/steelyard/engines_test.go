package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// TestEngines holds that the whole way, from the bundled files to a report,
// gives the same bytes on both engines.
func TestEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("short: every bundled report on each engine")
	}
	pilots := []string{"agents-weekly", "ai-editor-2025", "worked-example"}
	want := map[string]string{}
	for _, engine := range migrationstest.Engines() {
		t.Run(string(engine), func(t *testing.T) {
			url := migrationstest.URL(t, engine)
			at := func(args ...string) string { return runAt(t, time.Unix(1_800_000_000, 0), url, args...) }
			at("demo", "--no-serve", "--db", url)
			at("scan", "../..", "--repository", "steelyard/steelyard")
			for _, pilot := range pilots {
				got := at("report", pilot, "--format", "json")
				if engine == migrations.SQLite {
					want[pilot] = got
				} else if diff := cmp.Diff(want[pilot], got); diff != "" {
					t.Errorf("%s (-sqlite +%s):\n%s", pilot, engine, diff)
				}
			}
		})
	}
}

// runAt runs a command at a fixed time on a database, and returns its output.
func runAt(t *testing.T, now time.Time, url string, args ...string) string {
	t.Helper()
	var out, messages bytes.Buffer
	p := program{
		stdout: &out, stderr: &messages, now: func() time.Time { return now },
		env: func(name string) (string, bool) { return url, name == "STEELYARD_DATABASE" },
	}
	if code := p.run(t.Context(), args); code != exitClean {
		t.Fatalf("%v: exit code %d\n%s", args, code, &messages)
	}
	return out.String()
}
