package main

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

// TestUntilDone ends a computation that does not look at its context, and
// passes on what one that ends says.
func TestUntilDone(t *testing.T) {
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
		defer cancel()
		never := make(chan int)
		_, err := untilDone(ctx, false, func() (int, error) { return <-never, nil })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("answer", func(t *testing.T) {
		want := errors.New("refused")
		got, err := untilDone(context.Background(), false, func() (int, error) { return 7, want })
		if got != 7 || !errors.Is(err, want) {
			t.Errorf("got %d, %v", got, err)
		}
	})
	t.Run("panic", func(t *testing.T) {
		defer func() {
			if cause := recover(); cause != "broken" {
				t.Errorf("recovered %v", cause)
			}
		}()
		_, _ = untilDone(context.Background(), false, func() (int, error) { panic("broken") })
	})
}

// TestInterruptEstimate asks for more draws than anybody waits for, and is
// interrupted.
func TestInterruptEstimate(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	begin := time.Now()
	code, stderr := run(t, ctx, io.Discard, "estimate", "--data", "../../metrics/did/testdata/castle.csv", "--unit", "unit", "--time", "time",
		"--outcome", "y", "--first-treated", "first", "--method", "synthetic-did", "--draws", "50000")
	if spent := time.Since(begin); code != exitFailed || stderr != "steelyard: interrupted\n" || spent > 10*time.Second {
		t.Errorf("exit %d after %v: %s", code, spent, stderr)
	}
}
