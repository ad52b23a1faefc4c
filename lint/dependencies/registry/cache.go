package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"steelyard/lint/dependencies"
)

// How long an answer is kept. What could not be found out is not kept at all.
const (
	keepExisting = 24 * time.Hour
	keepMissing  = 10 * time.Minute
)

// Cache keeps small values by key. Both methods are safe for concurrent use;
// neither fails: a cache that cannot keep or find a value is only slower.
type Cache interface {
	Get(ctx context.Context, key string) (value []byte, stored time.Time, ok bool)
	Put(ctx context.Context, key string, value []byte, stored time.Time)
}

// Memory is a cache for one process.
type Memory struct {
	mu     sync.Mutex
	values map[string]kept
}

type kept struct {
	Value  []byte    `json:"value"`
	Stored time.Time `json:"stored"`
}

// Get returns the value of a key.
func (m *Memory) Get(_ context.Context, key string) ([]byte, time.Time, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.values[key]
	return k.Value, k.Stored, ok
}

// Put keeps a value.
func (m *Memory) Put(_ context.Context, key string, value []byte, stored time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[string]kept{}
	}
	m.values[key] = kept{value, stored}
}

// Folder is a cache of files in one folder, which several processes may share.
type Folder struct{ dir string }

// NewFolder returns a cache in a folder of the user's own, which it makes if
// need be.
func NewFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make cache folder: %w", err)
	}
	return &Folder{dir}, nil
}

func (f *Folder) path(key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(f.dir, hex.EncodeToString(sum[:16])+".json")
}

// folderEntry is the form of a file.
type folderEntry struct {
	Key    string          `json:"key"`
	Stored time.Time       `json:"stored"`
	Value  json.RawMessage `json:"value"`
}

// Get returns the value of a key.
func (f *Folder) Get(_ context.Context, key string) ([]byte, time.Time, bool) {
	text, err := os.ReadFile(f.path(key))
	if err != nil {
		return nil, time.Time{}, false
	}
	var e folderEntry
	if json.Unmarshal(text, &e) != nil || e.Key != key {
		return nil, time.Time{}, false
	}
	return e.Value, e.Stored, true
}

// Put keeps a value, which must be JSON. A reader sees the old file or the new
// one, never a part.
func (f *Folder) Put(_ context.Context, key string, value []byte, stored time.Time) {
	text, err := json.Marshal(folderEntry{key, stored, value})
	if err != nil {
		return
	}
	temp, err := os.CreateTemp(f.dir, "*.tmp")
	if err != nil {
		return
	}
	_, err = temp.Write(text)
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temp.Name(), f.path(key))
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // what is left of it helps nobody
	}
}

// cacheKey names an answer: a different address may give a different one.
func (r *Registry) cacheKey(q dependencies.Query) string {
	return fmt.Sprintf("facts 2 %s %s %s@%s", r.options.Addresses.fingerprint(q.Ecosystem), q.Ecosystem, q.Ecosystem.Canonical(q.Name), q.Version)
}

// recall finds an answer that is not too old. A clock that was set back makes
// it count as old.
func (r *Registry) recall(ctx context.Context, q dependencies.Query) (dependencies.Facts, bool) {
	var f dependencies.Facts
	if r.options.Cache == nil {
		return f, false
	}
	value, stored, ok := r.options.Cache.Get(ctx, r.cacheKey(q))
	if !ok || json.Unmarshal(value, &f) != nil {
		return dependencies.Facts{}, false
	}
	keep := keepExisting
	if f.Existence == dependencies.Missing || f.VersionExistence == dependencies.Missing || f.Unscreened {
		keep = keepMissing
	}
	age := r.options.Now().Sub(stored)
	return f, age >= 0 && age < keep
}

// remember keeps an answer that is one.
func (r *Registry) remember(ctx context.Context, q dependencies.Query, f dependencies.Facts) {
	if r.options.Cache == nil || f.Existence == dependencies.Unknown || f.VersionExistence == dependencies.Unknown && f.VersionWhy != "" {
		return
	}
	if value, err := json.Marshal(f); err == nil {
		r.options.Cache.Put(ctx, r.cacheKey(q), value, r.options.Now())
	}
}
