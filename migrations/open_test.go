package migrations_test

import (
	"testing"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

func TestOpenMigrates(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		n, err := db.Revision(t.Context(), migrations.Measurement)
		if err != nil || n != 0 {
			t.Fatalf("revision %d, %v; want 0", n, err)
		}
	})
}
