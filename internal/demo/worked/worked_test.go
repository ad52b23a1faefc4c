package worked_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"steelyard/internal/demo/worked"
)

var update = flag.Bool("update", false, "write the bundled file anew")

// TestFile holds the bundled file to the program that wrote it.
func TestFile(t *testing.T) {
	file := filepath.Join("..", "data", "worked_example.csv")
	var want bytes.Buffer
	if err := worked.Write(&want); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s differs from what the program writes; run go generate ./internal/demo", file)
	}
}
