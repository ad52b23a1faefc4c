package migrations_test

import (
	"testing"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

func TestReady(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		if err := db.Ready(t.Context()); err != nil {
			t.Error(err)
		}
		if n, err := db.Size(t.Context()); err != nil || n < 50_000 {
			t.Errorf("%d bytes, %v", n, err)
		}
		if _, err := db.Write.Exec(`INSERT INTO steelyard_schema (version_id, is_applied) VALUES (9999, TRUE)`); err != nil {
			t.Fatal(err)
		}
		if err := db.Ready(t.Context()); err == nil {
			t.Error("a newer schema is taken for ours")
		}
	})
}
