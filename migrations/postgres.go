package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

const (
	// oldestPostgres is the first version whose behaviour is tested.
	oldestPostgres  = 15
	connectTimeout  = 10 * time.Second
	maxConns        = 10
	maxIdleTime     = 5 * time.Minute
	maxConnLifetime = time.Hour
	// Waiting for another process to migrate: look every second, for 5 minutes.
	lockPeriod, lockTries = 1, 300
)

func openPostgres(ctx context.Context, url string) (*DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("the URL cannot be read: %s: %s", parseProblem(err), accepted)
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if _, set := config.RuntimeParams["application_name"]; !set {
		config.RuntimeParams["application_name"] = "steelyard"
	}
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(maxConns)
	pool.SetMaxIdleConns(maxConns)
	pool.SetConnMaxIdleTime(maxIdleTime)
	pool.SetConnMaxLifetime(maxConnLifetime)
	db := &DB{Engine: Postgres, Read: pool, Write: pool, listen: url}
	if err := db.preparePostgres(ctx); err != nil {
		return nil, errors.Join(explainConnect(err), db.Close())
	}
	return db, nil
}

// parseProblem is what is wrong with a URL, without the URL: pgx repeats it,
// and not all of what it repeats is free of the password.
func parseProblem(err error) string {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	text := err.Error()
	if i := strings.LastIndex(text, "`: "); i >= 0 {
		text = text[i+len("`: "):]
	}
	return redactText(text)
}

// explainConnect says which server did not answer. The driver's own message
// names user and database beside the cause, never the password.
func explainConnect(err error) error {
	var failed *pgconn.ConnectError
	if !errors.As(err, &failed) || cure(err) != "" {
		return Explain(err)
	}
	server := net.JoinHostPort(failed.Config.Host, strconv.Itoa(int(failed.Config.Port)))
	return fmt.Errorf("the server %s cannot be reached: check the address and that it runs (%w)", server, err)
}

func (db *DB) preparePostgres(ctx context.Context) error {
	schema, err := db.checkServer(ctx)
	if err != nil {
		return err
	}
	locker, err := lock.NewPostgresSessionLocker(
		lock.WithLockID(lockID(schema)),
		lock.WithLockTimeout(lockPeriod, lockTries))
	if err != nil {
		return fmt.Errorf("make the migration lock: %w", err)
	}
	m := migrator{
		engine:  Postgres,
		db:      db.Write,
		tables:  `SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`,
		options: []goose.ProviderOption{goose.WithSessionLocker(locker)},
		ready:   db.checkWritable,
	}
	return m.up(ctx)
}

// checkServer refuses servers that cannot hold the schema, and returns the
// name of the schema that tables are made in.
func (db *DB) checkServer(ctx context.Context) (schema string, err error) {
	var number, encoding string
	var current sql.NullString
	err = db.Read.QueryRowContext(ctx, `SELECT current_setting('server_version_num'),
		current_setting('server_encoding'), current_schema()`).Scan(&number, &encoding, &current)
	if err != nil {
		return "", err
	}
	if err := checkVersion(number); err != nil {
		return "", err
	}
	if encoding != "UTF8" {
		return "", fmt.Errorf("the database's encoding is %s and must be UTF8: "+
			"create one with createdb --encoding=UTF8 --template=template0 NAME", encoding)
	}
	if !current.Valid {
		return "", errors.New("none of the schemas in search_path exists: create one, or take search_path out of the URL")
	}
	return current.String, nil
}

// checkWritable refuses a standby.
func (db *DB) checkWritable(ctx context.Context) error {
	var readOnly string
	if err := db.Write.QueryRowContext(ctx, `SELECT current_setting('transaction_read_only')`).Scan(&readOnly); err != nil {
		return err
	}
	if readOnly == "on" {
		return errors.New("the server is read-only and the schema has to be migrated: name the primary server")
	}
	return nil
}

// checkVersion reads PostgreSQL's server_version_num: 150004 is 15.4.
func checkVersion(number string) error {
	n, err := strconv.Atoi(number)
	if err != nil {
		return fmt.Errorf("the server gave no PostgreSQL version but %q: use PostgreSQL %d or newer", number, oldestPostgres)
	}
	if major := n / 10000; major < oldestPostgres {
		return fmt.Errorf("the server is PostgreSQL %d: steelyard needs %d or newer", major, oldestPostgres)
	}
	return nil
}

// lockID is the advisory lock of a schema: advisory locks belong to the whole
// database, and two schemas in it need not wait for each other.
func lockID(schema string) int64 {
	return int64(crc32.ChecksumIEEE([]byte("steelyard migrations " + schema)))
}
