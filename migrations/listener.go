package migrations

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Listener opens a small pool to the same PostgreSQL database, for LISTEN,
// which needs a connection of its own for as long as it listens. It connects
// when it is first used; the caller closes it. The connection must be direct,
// or pooled by the session: LISTEN does not live through a pooler that gives a
// connection away after each transaction.
func (db *DB) Listener(ctx context.Context) (*pgxpool.Pool, error) {
	if db.Engine != Postgres {
		return nil, errors.New("listen to the database: only PostgreSQL tells what happens in it")
	}
	config, err := pgxpool.ParseConfig(db.listen)
	if err != nil {
		return nil, fmt.Errorf("listen to the database: the URL cannot be read: %s", parseProblem(err))
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if _, set := config.ConnConfig.RuntimeParams["application_name"]; !set {
		config.ConnConfig.RuntimeParams["application_name"] = "steelyard"
	}
	config.MinConns, config.MaxConns = 0, 2
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("listen to the database: %w", explainConnect(err))
	}
	return pool, nil
}
