package statekey_test

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"steelyard/mcp/statekey"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

var now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// TestOneKey holds that processes that start at once, each with its own
// connections, get one key, and that who comes later gets the same.
func TestOneKey(t *testing.T) {
	for _, engine := range migrationstest.Engines() {
		t.Run(string(engine), func(t *testing.T) {
			url := migrationstest.URL(t, engine)
			keys := make([][]byte, 6)
			var wg sync.WaitGroup
			for i := range keys {
				wg.Go(func() {
					db, err := migrations.Open(t.Context(), url, migrations.Options{})
					if err != nil {
						t.Error(err)
						return
					}
					defer func() { _ = db.Close() }()
					if keys[i], err = statekey.Load(t.Context(), db, now); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			for i, key := range keys {
				if len(key) != 32 || bytes.Equal(key, make([]byte, 32)) || !bytes.Equal(key, keys[0]) {
					t.Errorf("key %d has %d bytes, or is another one than the first", i, len(key))
				}
			}
		})
	}
}

// TestDamagedKey holds that what is no key is refused with the cure, unshown.
func TestDamagedKey(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		for _, damaged := range []string{"", "c0ffee", strings.Repeat("zz", 32), strings.Repeat("c0", 33)} {
			if _, err := statekey.Load(t.Context(), db, now); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Write.ExecContext(t.Context(), `UPDATE mcp_keys SET key = $1`, damaged); err != nil {
				t.Fatal(err)
			}
			_, err := statekey.Load(t.Context(), db, now)
			if err == nil || !strings.Contains(err.Error(), "delete it") || damaged != "" && strings.Contains(err.Error(), damaged) {
				t.Errorf("%q: %v", damaged, err)
			}
			if _, err := db.Write.ExecContext(t.Context(), `DELETE FROM mcp_keys`); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestNoBackupHoldsTheKey holds that a copy for elsewhere takes no key along.
func TestNoBackupHoldsTheKey(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		key, err := statekey.Load(t.Context(), db, now)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		backup, err := db.Backup(t.Context(), &file, now)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range backup.Tables {
			if table.Table == "mcp_keys" {
				t.Errorf("the backup holds %d keys", table.Rows)
			}
		}
		other, err := migrations.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "restored.db"), migrations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = other.Close() }()
		if _, err := other.Restore(t.Context(), &file, false); err != nil {
			t.Fatal(err)
		}
		again, err := statekey.Load(t.Context(), other, now)
		if err != nil || bytes.Equal(key, again) {
			t.Errorf("%v: the restored database has the key %s", err, hex.EncodeToString(again))
		}
	})
}
