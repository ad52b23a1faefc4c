package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed sql/*.sql
var files embed.FS

// versionTable is goose's list of applied migrations. It has a name of its own
// so that another program's list is never taken for ours.
const versionTable = "steelyard_schema"

// migrator brings one database up to date.
type migrator struct {
	engine Engine
	db     *sql.DB
	// tables lists the tables that the database holds, by name.
	tables string
	// options are passed to goose beside the common ones.
	options []goose.ProviderOption
	// ready is called before the first change.
	ready func(context.Context) error
}

// up applies what is missing. An up-to-date database is only read.
//
// goose has no lock for SQLite, and looks for missing migrations before it
// takes the one for PostgreSQL. Each migration is one transaction, so whoever
// loses a race fails as a whole, on something that already exists. It then
// looks again, and goes on from where the winner left the schema.
func (m migrator) up(ctx context.Context) error {
	before, err := m.version(ctx)
	for {
		if err != nil {
			return err
		}
		p, err := m.provider()
		if err != nil {
			return err
		}
		latest := latest(p)
		switch {
		case before > latest:
			return fmt.Errorf("its schema is version %d, made by a newer steelyard; this one knows versions up to %d: "+
				"install the newer steelyard, or use another database", before, latest)
		case before == latest:
			return nil
		}
		if err := m.ready(ctx); err != nil {
			return err
		}
		_, upErr := p.Up(ctx)
		if upErr == nil {
			return nil
		}
		after, err := m.version(ctx)
		if err != nil || after == before {
			return fmt.Errorf("migrate the schema from version %d to %d: %w", before, latest, upErr)
		}
		before = after
	}
}

// version is the newest applied migration, 0 for an empty database.
func (m migrator) version(ctx context.Context) (int64, error) {
	tables, err := m.listTables(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the schema's version: %w", err)
	}
	ours := tables[versionTable]
	if !ours && len(tables) > 0 && m.engine == SQLite {
		return 0, errors.New("it is another program's database: name a file of its own for steelyard")
	}
	if !ours {
		return 0, nil
	}
	var v sql.NullInt64
	err = m.db.QueryRowContext(ctx, `SELECT MAX(version_id) FROM `+versionTable).Scan(&v)
	if err != nil {
		return 0, fmt.Errorf("read the schema's version: %w", err)
	}
	return v.Int64, nil
}

func (m migrator) listTables(ctx context.Context) (tables map[string]bool, err error) {
	rows, err := m.db.QueryContext(ctx, m.tables)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	tables = map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		tables[name] = true
	}
	return tables, rows.Err()
}

func (m migrator) provider() (*goose.Provider, error) {
	dir, err := fs.Sub(files, "sql")
	if err != nil {
		return nil, err
	}
	others, err := othersFiles(dir, m.engine)
	if err != nil {
		return nil, err
	}
	dialect := goose.DialectSQLite3
	if m.engine == Postgres {
		dialect = goose.DialectPostgres
	}
	options := append([]goose.ProviderOption{
		goose.WithTableName(versionTable),
		goose.WithExcludeNames(others),
		goose.WithDisableGlobalRegistry(true),
		goose.WithLogger(goose.NopLogger()),
	}, m.options...)
	p, err := goose.NewProvider(dialect, m.db, dir, options...)
	if err != nil {
		return nil, fmt.Errorf("read the migrations: %w", err)
	}
	return p, nil
}

// othersFiles names the migrations that are for another engine than e.
func othersFiles(dir fs.FS, e Engine) ([]string, error) {
	var others []string
	for _, other := range []Engine{SQLite, Postgres} {
		if other == e {
			continue
		}
		names, err := fs.Glob(dir, "*."+string(other)+".sql")
		if err != nil {
			return nil, err
		}
		others = append(others, names...)
	}
	return others, nil
}

// latest is the version of the newest migration in p.
func latest(p *goose.Provider) int64 {
	sources := p.ListSources()
	return sources[len(sources)-1].Version
}
