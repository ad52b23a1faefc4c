package history

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"steelyard/lint"
	"steelyard/migrations"
	"steelyard/rules"
)

var _ lint.InventoryStore = (*History)(nil)

const (
	fileColumns   = 7
	serverColumns = 11
	// maxTrend bounds the scans of one trend.
	maxTrend = 1000
	// maxServers bounds the servers of one answer.
	maxServers = 10_000
)

// saveInventory keeps what a scan saw.
func (h *History) saveInventory(ctx context.Context, tx *sql.Tx, scan int64, inventory lint.Inventory) error {
	err := saveRows(ctx, h.db.NewInsert(tx, `INSERT INTO scan_files (scan, ordinal, path, kinds, readers, owners, line)`, fileColumns, ``),
		inventory.Files, func(ordinal int, f lint.SeenFile) ([]any, error) { return fileRow(scan, ordinal, f) })
	if err != nil {
		return fmt.Errorf("insert governed files: %w", err)
	}
	err = saveRows(ctx, h.db.NewInsert(tx, `INSERT INTO scan_servers (scan, ordinal, path, line, host, name, kind, target, version, pinned, off)`, serverColumns, ``),
		inventory.Servers, func(ordinal int, s lint.SeenServer) ([]any, error) { return serverRow(scan, ordinal, s) })
	if err != nil {
		return fmt.Errorf("insert servers: %w", err)
	}
	return nil
}

// saveRows inserts rows in batches.
func saveRows[T any](ctx context.Context, insert *migrations.Insert, all []T, row func(ordinal int, one T) ([]any, error)) error {
	ordinal := 0
	for batch := range slices.Chunk(all, migrations.BatchRows) {
		var args []any
		for _, one := range batch {
			values, err := row(ordinal, one)
			if err != nil {
				return err
			}
			args = append(args, values...)
			ordinal++
		}
		if _, err := insert.Exec(ctx, args); err != nil {
			return err
		}
	}
	return insert.Close()
}

func fileRow(scan int64, ordinal int, f lint.SeenFile) ([]any, error) {
	row := []any{scan, ordinal, f.Path}
	err := migrations.CheckText("path", f.Path)
	for name, list := range map[string][]string{"kind": f.Kinds, "reader": f.Readers, "owner": f.Owners} {
		for _, text := range list {
			err = errors.Join(err, migrations.CheckText(name, text))
		}
	}
	if err != nil {
		return nil, err
	}
	for _, list := range [][]string{f.Kinds, f.Readers, f.Owners} {
		text, err := json.Marshal(append([]string{}, list...))
		if err != nil {
			return nil, err
		}
		row = append(row, string(text))
	}
	return append(row, f.Line), nil
}

func serverRow(scan int64, ordinal int, s lint.SeenServer) ([]any, error) {
	err := errors.Join(migrations.CheckText("path", s.Path), migrations.CheckText("host", s.Host), migrations.CheckText("name", s.Name),
		migrations.CheckText("kind", s.Kind), migrations.CheckText("target", s.Target), migrations.CheckText("version", s.Version))
	if err != nil {
		return nil, err
	}
	return []any{scan, ordinal, s.Path, s.Line, s.Host, s.Name, s.Kind, s.Target, s.Version, s.Pinned, s.Off}, nil
}

// Inventory is that of a repository's newest scan, empty where it has none.
func (h *History) Inventory(ctx context.Context, repository string) (lint.Inventory, error) {
	inventory := lint.Inventory{Files: []lint.SeenFile{}, Servers: []lint.SeenServer{}}
	err := h.db.View(ctx, func(tx *sql.Tx) error {
		err := migrations.Each(ctx, tx, `SELECT f.path, f.kinds, f.readers, f.owners, f.line FROM scans s JOIN scan_files f ON f.scan = s.id
			WHERE s.repository = $1 AND `+newest+` ORDER BY f.ordinal`, []any{repository}, func(scan func(...any) error) error {
			var f lint.SeenFile
			var kinds, readers, owners string
			if err := scan(&f.Path, &kinds, &readers, &owners, &f.Line); err != nil {
				return err
			}
			inventory.Files = append(inventory.Files, f)
			last := &inventory.Files[len(inventory.Files)-1]
			return errors.Join(json.Unmarshal([]byte(kinds), &last.Kinds), json.Unmarshal([]byte(readers), &last.Readers),
				json.Unmarshal([]byte(owners), &last.Owners))
		})
		if err != nil {
			return fmt.Errorf("files: %w", err)
		}
		stored, err := servers(ctx, tx, repository)
		for _, s := range stored {
			inventory.Servers = append(inventory.Servers, s.SeenServer)
		}
		return err
	})
	if err != nil {
		return lint.Inventory{}, fmt.Errorf("read the inventory of %q: %w", repository, err)
	}
	return inventory, nil
}

// Servers are those of the newest scan of one repository, or of all where none
// is named, by repository, path and place; of very many the first 10,000.
func (h *History) Servers(ctx context.Context, repository string) ([]lint.StoredServer, error) {
	var all []lint.StoredServer
	err := h.db.View(ctx, func(tx *sql.Tx) (err error) {
		all, err = servers(ctx, tx, repository)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read servers: %w", err)
	}
	return all, nil
}

func servers(ctx context.Context, tx *sql.Tx, repository string) ([]lint.StoredServer, error) {
	all := []lint.StoredServer{}
	where, args := newest, []any{}
	if repository != "" {
		where, args = where+` AND s.repository = $1`, append(args, repository)
	}
	query := `SELECT s.repository, v.path, v.line, v.host, v.name, v.kind, v.target, v.version, v.pinned, v.off,
		(SELECT MIN(o.at) FROM scans o JOIN scan_servers w ON w.scan = o.id
			WHERE o.repository = s.repository AND w.path = v.path AND w.name = v.name AND w.target = v.target)
		FROM scans s JOIN scan_servers v ON v.scan = s.id WHERE ` + where + fmt.Sprintf(` ORDER BY s.repository, v.ordinal LIMIT %d`, maxServers)
	err := migrations.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var s lint.StoredServer
		var since sql.NullInt64
		err := scan(&s.Repository, &s.Path, &s.Line, &s.Host, &s.Name, &s.Kind, &s.Target, &s.Version, &s.Pinned, &s.Off, &since)
		s.Since = migrations.Time(since)
		all = append(all, s)
		return err
	})
	return all, err
}

// Trend is one point for each scan of a repository, the oldest first; of more
// than 1,000 the newest.
func (h *History) Trend(ctx context.Context, repository string) ([]lint.TrendPoint, error) {
	points := []lint.TrendPoint{}
	err := h.db.View(ctx, func(tx *sql.Tx) error {
		place := map[int64]int{}
		err := migrations.Each(ctx, tx, `SELECT t.id, t.git_commit, t.at, t.files,
			(SELECT COUNT(*) FROM scan_files f WHERE f.scan = t.id AND f.owners <> '[]'),
			(SELECT COUNT(*) FROM scan_servers v WHERE v.scan = t.id),
			(SELECT COUNT(*) FROM scan_servers v WHERE v.scan = t.id AND NOT v.pinned)
			FROM (SELECT s.id, s.git_commit, s.at, s.files FROM scans s WHERE s.repository = $1 ORDER BY s.id DESC LIMIT $2) t ORDER BY t.id`,
			[]any{repository, maxTrend}, func(scan func(...any) error) error {
				p := lint.TrendPoint{Findings: map[rules.Severity]int{}}
				var id int64
				var at sql.NullInt64
				err := scan(&id, &p.Commit, &at, &p.Files, &p.Owned, &p.Servers, &p.Unpinned)
				p.At, place[id] = migrations.Time(at), len(points)
				points = append(points, p)
				return err
			})
		if err != nil {
			return fmt.Errorf("scans: %w", err)
		}
		return migrations.Each(ctx, tx, `SELECT f.scan, f.severity, COUNT(*) FROM scans s JOIN findings f ON f.scan = s.id
			WHERE s.repository = $1 GROUP BY f.scan, f.severity`, []any{repository}, func(scan func(...any) error) error {
			var id int64
			var severity rules.Severity
			var n int
			if err := scan(&id, &severity, &n); err != nil {
				return err
			}
			if at, ok := place[id]; ok {
				points[at].Findings[severity] = n
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("read the trend of %q: %w", repository, err)
	}
	return points, nil
}
