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
	fileColumns   = 9
	serverColumns = 15
	// maxTrend bounds the scans of one trend.
	maxTrend = 1000
	// maxServers bounds the servers of one answer.
	maxServers = 10_000
)

// saveInventory keeps what a scan saw, and since when.
func (h *History) saveInventory(ctx context.Context, tx *sql.Tx, scan int64, s lint.Scan) error {
	before, err := sinceBefore(ctx, tx, scan, s.Repository)
	if err != nil {
		return err
	}
	at := s.At.UnixMilli()
	err = saveRows(ctx, h.db.NewInsert(tx, `INSERT INTO scan_files (scan, ordinal, path, kinds, readers, owners, line, digest, since)`, fileColumns, ``),
		s.Inventory.Files, func(ordinal int, f lint.SeenFile) ([]any, error) {
			row, err := fileRow(scan, ordinal, f)
			since := at
			if was, ok := before.files[f.Path+"\x00"+f.Digest]; ok && f.Digest != "" {
				since = was
			}
			return append(row, f.Digest, since), err
		})
	if err != nil {
		return fmt.Errorf("insert governed files: %w", err)
	}
	err = saveRows(ctx, h.db.NewInsert(tx, `INSERT INTO scan_servers (scan, ordinal, path, line, host, name, kind, target, version, pinned, off,
		command, secrets, approval, since)`, serverColumns, ``),
		s.Inventory.Servers, func(ordinal int, v lint.SeenServer) ([]any, error) {
			row, err := serverRow(scan, ordinal, v)
			if err != nil {
				return nil, err
			}
			since, err := before.server(ctx, tx, s.Repository, v, at)
			return append(row, since), err
		})
	if err != nil {
		return fmt.Errorf("insert servers: %w", err)
	}
	return nil
}

// seenBefore is since when the scan before this one had what it saw.
type seenBefore struct{ files, servers map[string]int64 }

func sinceBefore(ctx context.Context, tx *sql.Tx, scan int64, repository string) (seenBefore, error) {
	b := seenBefore{map[string]int64{}, map[string]int64{}}
	var last sql.NullInt64
	err := tx.QueryRowContext(ctx, `SELECT MAX(id) FROM scans WHERE repository = $1 AND id < $2`, repository, scan).Scan(&last)
	if err != nil || !last.Valid {
		return b, err
	}
	err = migrations.Each(ctx, tx, `SELECT path, digest, since FROM scan_files WHERE scan = $1 AND since IS NOT NULL`, []any{last.Int64}, func(row func(...any) error) error {
		var path, digest string
		var since int64
		err := row(&path, &digest, &since)
		b.files[path+"\x00"+digest] = since
		return err
	})
	if err != nil {
		return b, fmt.Errorf("files of the scan before: %w", err)
	}
	err = migrations.Each(ctx, tx, `SELECT path, name, target, since FROM scan_servers WHERE scan = $1 AND since IS NOT NULL`, []any{last.Int64}, func(row func(...any) error) error {
		var path, name, target string
		var since int64
		err := row(&path, &name, &target, &since)
		b.servers[path+"\x00"+name+"\x00"+target] = since
		return err
	})
	if err != nil {
		return b, fmt.Errorf("servers of the scan before: %w", err)
	}
	return b, nil
}

// server is the date of the first scan that saw a server: at where none did.
func (b seenBefore) server(ctx context.Context, tx *sql.Tx, repository string, v lint.SeenServer, at int64) (int64, error) {
	if since, ok := b.servers[v.Path+"\x00"+v.Name+"\x00"+v.Target]; ok {
		return since, nil
	}
	var first sql.NullInt64
	err := tx.QueryRowContext(ctx, firstSeen, repository, v.Path, v.Name, v.Target).Scan(&first)
	if err != nil || !first.Valid {
		return at, err
	}
	return min(first.Int64, at), nil
}

// firstSeen is the date of the first scan that saw a server.
const firstSeen = `SELECT MIN(o.at) FROM scans o JOIN scan_servers w ON w.scan = o.id
	WHERE o.repository = $1 AND w.path = $2 AND w.name = $3 AND w.target = $4`

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
		migrations.CheckText("kind", s.Kind), migrations.CheckText("target", s.Target), migrations.CheckText("version", s.Version),
		migrations.CheckText("command", s.Command), migrations.CheckText("secrets", s.Secrets))
	if err != nil {
		return nil, err
	}
	approval, err := approvalText(s.Approval)
	if err != nil {
		return nil, err
	}
	return []any{
		scan, ordinal, s.Path, s.Line, s.Host, s.Name, s.Kind, s.Target, s.Version, s.Pinned, s.Off,
		s.Command, s.Secrets, approval,
	}, nil
}

// approvalText keeps a committed decision, "" for none.
func approvalText(d *lint.CommittedDecision) (string, error) {
	if d == nil {
		return "", nil
	}
	text, err := json.Marshal(d)
	return string(text), err
}

func readApproval(text string) (*lint.CommittedDecision, error) {
	if text == "" {
		return nil, nil
	}
	d := &lint.CommittedDecision{}
	if err := json.Unmarshal([]byte(text), d); err != nil {
		return nil, fmt.Errorf("read a committed decision: %w", err)
	}
	return d, nil
}

// Inventory is that of a repository's newest scan, empty where it has none.
func (h *History) Inventory(ctx context.Context, repository string) (lint.Inventory, error) {
	inventory := lint.Inventory{Files: []lint.SeenFile{}, Servers: []lint.SeenServer{}}
	err := h.db.View(ctx, func(tx *sql.Tx) error {
		stored, err := files(ctx, tx, []string{repository})
		for _, f := range stored {
			inventory.Files = append(inventory.Files, f.SeenFile)
		}
		if err != nil {
			return fmt.Errorf("files: %w", err)
		}
		seen, err := servers(ctx, tx, []string{repository})
		for _, s := range seen {
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
	var only []string
	if repository != "" {
		only = []string{repository}
	}
	all, err := h.serversIn(ctx, only)
	if err != nil {
		return nil, fmt.Errorf("read servers: %w", err)
	}
	return all, nil
}

// Files are the governed files of the newest scans of these repositories, by
// repository and path.
func (h *History) Files(ctx context.Context, repositories []string) ([]lint.StoredFile, error) {
	all, err := migrations.Remember(ctx, h.kept, filesOf{fmt.Sprintf("%q", repositories)}, rowsOf[lint.StoredFile],
		func(tx *sql.Tx) ([]lint.StoredFile, error) { return files(ctx, tx, repositories) })
	if err != nil {
		return nil, fmt.Errorf("read governed files: %w", err)
	}
	return all, nil
}

// ServersOf are the servers of the newest scans of these repositories, by
// repository, path and place.
func (h *History) ServersOf(ctx context.Context, repositories []string) ([]lint.StoredServer, error) {
	if len(repositories) == 0 {
		return []lint.StoredServer{}, nil
	}
	all, err := h.serversIn(ctx, repositories)
	if err != nil {
		return nil, fmt.Errorf("read servers: %w", err)
	}
	return all, nil
}

// serversIn are the servers of these repositories, of all where none is named.
func (h *History) serversIn(ctx context.Context, repositories []string) ([]lint.StoredServer, error) {
	return migrations.Remember(ctx, h.kept, serversOf{fmt.Sprintf("%q", repositories)}, rowsOf[lint.StoredServer],
		func(tx *sql.Tx) ([]lint.StoredServer, error) { return servers(ctx, tx, repositories) })
}

// named is the part of a query that names repositories, of which there may be
// at most maxNamed.
func named(repositories []string, args []any) (string, []any, error) {
	const maxNamed = 1000
	if len(repositories) > maxNamed {
		return "", nil, fmt.Errorf("more than %d repositories at once", maxNamed)
	}
	where := ` AND s.repository IN (` + migrations.Placeholders(len(args)+1, len(repositories)) + `)`
	for _, r := range repositories {
		args = append(args, r)
	}
	return where, args, nil
}

func files(ctx context.Context, tx *sql.Tx, repositories []string) ([]lint.StoredFile, error) {
	all := []lint.StoredFile{}
	if len(repositories) == 0 {
		return all, nil
	}
	where, args, err := named(repositories, nil)
	if err != nil {
		return nil, err
	}
	query := `SELECT s.repository, f.path, f.kinds, f.readers, f.owners, f.line, f.digest, f.since
		FROM scans s JOIN scan_files f ON f.scan = s.id WHERE ` + newest + where + ` ORDER BY s.repository, f.ordinal`
	err = migrations.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var f lint.StoredFile
		var kinds, readers, owners string
		var since sql.NullInt64
		if err := scan(&f.Repository, &f.Path, &kinds, &readers, &owners, &f.Line, &f.Digest, &since); err != nil {
			return err
		}
		f.Since = migrations.Time(since)
		all = append(all, f)
		last := &all[len(all)-1]
		return errors.Join(json.Unmarshal([]byte(kinds), &last.Kinds), json.Unmarshal([]byte(readers), &last.Readers),
			json.Unmarshal([]byte(owners), &last.Owners))
	})
	return all, err
}

// servers are those of the newest scans of these repositories, of all where
// none is named.
func servers(ctx context.Context, tx *sql.Tx, repositories []string) ([]lint.StoredServer, error) {
	all := []lint.StoredServer{}
	where, args := newest, []any{}
	if len(repositories) > 0 {
		and, more, err := named(repositories, args)
		if err != nil {
			return nil, err
		}
		where, args = where+and, more
	}
	query := `SELECT s.repository, v.path, v.line, v.host, v.name, v.kind, v.target, v.version, v.pinned, v.off, v.command, v.secrets, v.approval,
		COALESCE(v.since, (SELECT MIN(o.at) FROM scans o JOIN scan_servers w ON w.scan = o.id
			WHERE o.repository = s.repository AND w.path = v.path AND w.name = v.name AND w.target = v.target))
		FROM scans s JOIN scan_servers v ON v.scan = s.id WHERE ` + where + fmt.Sprintf(` ORDER BY s.repository, v.ordinal LIMIT %d`, maxServers)
	err := migrations.Each(ctx, tx, query, args, func(scan func(...any) error) error {
		var s lint.StoredServer
		var approval string
		var since sql.NullInt64
		err := scan(&s.Repository, &s.Path, &s.Line, &s.Host, &s.Name, &s.Kind, &s.Target, &s.Version, &s.Pinned, &s.Off,
			&s.Command, &s.Secrets, &approval, &since)
		if err != nil {
			return err
		}
		s.Since = migrations.Time(since)
		s.Approval, err = readApproval(approval)
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
