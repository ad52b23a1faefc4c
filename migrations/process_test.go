package migrations_test

import (
	"bytes"
	"testing"
	"time"

	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// Several processes that open one new database all succeed: one migrates, the
// others wait.
func TestProcessesMigrateAtOnce(t *testing.T) {
	for _, e := range migrationstest.Engines() {
		t.Run(string(e), func(t *testing.T) {
			url := migrationstest.URL(t, e)
			const processes = 4
			outcome := make(chan error, processes)
			outputs := make([]bytes.Buffer, processes)
			for i := range processes {
				cmd := childCommand(t, self(t), url)
				cmd.Stderr = &outputs[i]
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				go func() { outcome <- cmd.Wait() }()
			}
			for range processes {
				if err := <-outcome; err != nil {
					t.Error(err)
				}
			}
			for i := range outputs {
				if s := outputs[i].String(); s != "" {
					t.Error(s)
				}
			}
			if n := write(t, open(t, url, migrations.Options{MustExist: true})); n != 1 {
				t.Errorf("write number %d; want 1", n)
			}
		})
	}
}

// A process that is killed while it migrates leaves a database that opens.
func TestKilledWhileMigrating(t *testing.T) {
	for _, e := range migrationstest.Engines() {
		t.Run(string(e), func(t *testing.T) {
			for i := range 12 {
				url := migrationstest.URL(t, e)
				killChild(t, url, time.Duration(i)*3*time.Millisecond)
				if n := write(t, open(t, url, migrations.Options{})); n != 1 {
					t.Errorf("write number %d; want 1", n)
				}
			}
		})
	}
}

// killChild starts a process that opens url and kills it after d.
func killChild(t *testing.T, url string, d time.Duration) {
	t.Helper()
	cmd := childCommand(t, self(t), url)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // it has begun
		t.Fatal(err)
	}
	time.Sleep(d)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // "killed", or nothing where it was faster
}
