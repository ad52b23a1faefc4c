package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestDependenciesMuted wants no name of a package to be a command to the runner
// whose log it stands in.
func TestDependenciesMuted(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"before/package.json": "{}", "after/package.json": `{"dependencies": {"##[stop-commands]x": "1", "::error::x": "1", "##vso[task.complete]": "1"}}`,
	} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	command := regexp.MustCompile(`##[a-z]*\[|(?m)^\s*::`)
	for _, format := range []string{"text", "markdown", "json"} {
		var out, errs bytes.Buffer
		p := &program{
			stdin: strings.NewReader(""), stdout: &out, stderr: &errs, now: time.Now,
			env: func(string) (string, bool) { return "", false },
		}
		p.run(t.Context(), []string{"dependencies", "--base", "before", "--head", "after", "--offline", "--cache-dir", "off", "--format", format})
		if !strings.Contains(out.String(), "stop-commands") {
			t.Errorf("%s does not name the package:\n%s%s", format, out.String(), errs.String())
		}
		if at := command.FindString(out.String()); at != "" {
			t.Errorf("%s has the command %q:\n%s", format, at, out.String())
		}
		if format == "json" {
			var read any
			if err := json.Unmarshal(out.Bytes(), &read); err != nil || !strings.Contains(strings.Join(strings.Fields(out.String()), ""), `#\u0023[stop-commands]x`) {
				t.Errorf("%v:\n%s", err, out.String())
			}
		}
	}
}
