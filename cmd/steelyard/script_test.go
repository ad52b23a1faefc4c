package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "renew golden files")

// TestMain lets the scripts call the program as the command "steelyard".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"steelyard": func() { os.Exit(steelyard()) },
	})
}

// TestScripts runs one script a file: commands first, then the files they use.
func TestScripts(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			for _, name := range []string{"STEELYARD_DATABASE", "STEELYARD_SERVE_ADDR", "STEELYARD_LINT_FAIL_ON", "STEELYARD_REPORT_SMALLEST_EFFECT"} {
				e.Setenv(name, "")
			}
			e.Values[worldKey{}] = &worldHolder{}
			e.Setenv("DATA", filepath.Join(here, "testdata", "data"))
			e.Setenv("DOCS", filepath.Join(here, "..", "..", "docs"))
			e.Setenv("PANELS", filepath.Join(here, "..", "..", "metrics", "did", "testdata"))
			e.Setenv("EXAMPLES", filepath.Join(here, "..", "..", "metrics", "estimate", "testdata"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"answer":      answer,
			"badline":     badLine,
			"compress":    compress,
			"cut":         cutFile,
			"effect":      effect,
			"effects":     effects,
			"exits":       exits,
			"fakegithub":  fakeGitHub,
			"github":      theGitHub,
			"interrupted": interrupted,
			"valid":       valid,
			"windows":     windows,
		},
	})
}

// exits CODE COMMAND… runs a command and holds it to an exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG…]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("%q exits with %d, want %s", strings.Join(args[1:], " "), code, want)
	}
}
