package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"steelyard/metrics"
	"steelyard/metrics/ingest"
)

type importCommand struct {
	Panel        importPanelCommand        `cmd:"" help:"Read a table of outcomes by unit and period, and define the pilot it is for."`
	PullRequests importPullRequestsCommand `cmd:"" help:"Read one row a pull request; pilots are defined over them afterwards."`
}

// openInput opens a file to import; "-" is standard input. The name is what
// messages call it.
func (p *program) openInput(path string) (r io.ReadCloser, name string, err error) {
	if path == "-" {
		return io.NopCloser(p.stdin), "standard input", nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, path, fmt.Errorf("import: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, path, fmt.Errorf("import: %w", err)
	}
	if info.IsDir() {
		_ = f.Close() // nothing was read
		return nil, path, withHint(fmt.Errorf("import %s: it is a folder", path), "name a CSV file in it")
	}
	return f, path, nil
}

// parseDrops reads COL=VALUE[:reason]; a value may hold ':' only before a
// reason, so the first one ends it.
func parseDrops(all []string) ([]ingest.Filter, error) {
	var drops []ingest.Filter
	for _, s := range all {
		column, rest, ok := strings.Cut(s, "=")
		if !ok || column == "" {
			return nil, withHint(fmt.Errorf("--drop %q is not COL=VALUE", s), "write COL=VALUE or COL=VALUE:reason, such as dup=1:\"the source has the row twice\"")
		}
		value, reason, _ := strings.Cut(rest, ":")
		drops = append(drops, ingest.Filter{Column: column, Value: value, Reason: strings.TrimSpace(reason)})
	}
	return drops, nil
}

// printImport says what an import kept and what it left out.
func printImport(w io.Writer, done metrics.Import, what string) error {
	if _, err := fmt.Fprintf(w, "imported %s from %s (sha256 %.12s)\n", counted(done.Rows, what), done.File, done.SHA256); err != nil {
		return err
	}
	for _, l := range done.LeftOut {
		if _, err := fmt.Fprintf(w, "left out %d %s: %s\n", l.Count, l.What, l.Reason); err != nil {
			return err
		}
	}
	return nil
}

// counted is "1 row" or "2500 rows".
func counted(n int, plural string) string {
	if n == 1 {
		plural = strings.TrimSuffix(plural, "s")
	}
	return fmt.Sprintf("%d %s", n, plural)
}
