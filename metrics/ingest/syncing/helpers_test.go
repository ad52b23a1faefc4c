package syncing_test

import (
	"testing"

	"steelyard/internal/github"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

type githubPull = github.PullRequest

func freshDB(t testing.TB, e migrations.Engine) *migrations.DB {
	t.Helper()
	return migrationstest.Open(t, e)
}

func storeOn(db *migrations.DB, c *clock) *store.Store { return store.New(db, c.now) }
