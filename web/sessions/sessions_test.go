package sessions_test

import (
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
	"steelyard/web/sessions"
	"steelyard/web/signin"
)

func TestStore(t *testing.T) {
	migrationstest.Each(t, func(t *testing.T, db *migrations.DB) {
		ctx, store := t.Context(), sessions.New(db)
		now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
		id, other := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
		s := signin.Session{Subject: "https://login.example 17", Name: "Ä. B'C", Role: signin.Admin, Created: now, Seen: now, Expires: now.Add(time.Hour)}

		if _, err := store.Session(ctx, id); !errors.Is(err, signin.ErrNoSession) {
			t.Errorf("before: %v", err)
		}
		if err := store.Add(ctx, id, s, now); err != nil {
			t.Fatal(err)
		}
		if err := store.Seen(ctx, id, now.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		if err := store.Seen(ctx, id, now); err != nil { // an older visit changes nothing
			t.Fatal(err)
		}
		s.Seen = now.Add(time.Minute)
		got, err := store.Session(ctx, id)
		if diff := cmp.Diff(s, got); diff != "" || err != nil {
			t.Errorf("stored (%v): -want +got:\n%s", err, diff)
		}
		if err := store.Add(ctx, other, s, now.Add(2*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if _, err := store.Session(ctx, id); !errors.Is(err, signin.ErrNoSession) {
			t.Errorf("an ended session is still there: %v", err)
		}
		for range 2 {
			if err := store.Remove(ctx, other); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := store.Session(ctx, other); !errors.Is(err, signin.ErrNoSession) {
			t.Errorf("removed: %v", err)
		}
	})
}
