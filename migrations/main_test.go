package migrations_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"steelyard/migrations"
)

// childEnv makes this test program another process that opens the database
// whose URL it holds, and nothing else.
const childEnv = "STEELYARD_TEST_CHILD_OPENS"

func TestMain(m *testing.M) {
	if url := os.Getenv(childEnv); url != "" {
		os.Exit(child(url))
	}
	os.Exit(m.Run())
}

func child(url string) int {
	fmt.Println("opening")
	db, err := migrations.Open(context.Background(), url, migrations.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if err := db.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// childCommand is the command that opens url in another process.
func childCommand(t *testing.T, program, url string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), childEnv+"="+url)
	return cmd
}

func self(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program
}
