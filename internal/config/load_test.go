package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/config"
)

// load reads text as steelyard.yaml, without environment or flags.
func load(text string) (*config.Config, error) {
	return config.Load(config.Sources{Dir: folder(text)})
}

func folder(text string) fs.FS {
	return fstest.MapFS{config.FileName: {Data: []byte(text)}}
}

func environment(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

func TestLoadWithoutFile(t *testing.T) {
	c, err := config.Load(config.Sources{Dir: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	if c.Database != "sqlite:steelyard.db" || c.Serve.Addr != "127.0.0.1:8484" ||
		c.Lint.FailOn != "error" || c.Report.SmallestEffect != 0.1 || c.File != "" {
		t.Errorf("defaults are %+v", c)
	}
	for _, s := range c.Settings() {
		if s.Origin.String() != "default" {
			t.Errorf("%s comes from %s", s.Key, s.Origin)
		}
	}
}

func TestLoadFile(t *testing.T) {
	c, err := load(`# all of it
database: postgres://steelyard@db.example/measurements
serve:
  addr: "[::1]:9000"
lint:
  fail_on: warning
  exclude: [vendor/**, "**/testdata/**"]
  rules:
    MC002: off
    mcp-literal-secret: warning
  suppressions:
    - rule: MC001
      path: .mcp.json
      line: 4
      reason: revoked
      until: 2027-01-31
    - {rule: MC002, path: a/b.json, reason: "pinned by the image"}
report:
  smallest_effect: 0.25
`)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Lint{
		FailOn:  "warning",
		Exclude: []string{"vendor/**", "**/testdata/**"},
		Rules: []config.RuleSetting{
			{Rule: "MC002", Severity: "off", Line: 9}, {Rule: "mcp-literal-secret", Severity: "warning", Line: 10},
		},
		Suppressions: []config.Suppression{
			{
				Rule: "MC001", Path: ".mcp.json", Finding: 4, Reason: "revoked",
				Until: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), Line: 12,
			},
			{Rule: "MC002", Path: "a/b.json", Reason: "pinned by the image", Line: 17},
		},
	}
	if diff := cmp.Diff(want, c.Lint); diff != "" {
		t.Errorf("lint (-want +got):\n%s", diff)
	}
	if c.Database != "postgres://steelyard@db.example/measurements" || c.Serve.Addr != "[::1]:9000" || c.Report.SmallestEffect != 0.25 {
		t.Errorf("scalars are %+v", c)
	}
	if got := c.Origin(config.KeyDatabase).String(); got != "steelyard.yaml:2" {
		t.Errorf("database comes from %s", got)
	}
}

func TestLoadEmptyFiles(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "comments": "# a\n\n# b\n", "marker": "---\n", "null": "null\n",
		"empty-sections": "database:\nserve:\nlint:\n  rules:\n  exclude:\nreport:\n", "empty-lists": "lint: {exclude: [], rules: {}, suppressions: []}",
		"byte-order-mark": "\ufeff# only a mark\n",
	} {
		t.Run(name, func(t *testing.T) {
			c, err := load(text)
			if err != nil {
				t.Fatal(err)
			}
			if c.Database != "sqlite:steelyard.db" || c.File != config.FileName {
				t.Errorf("got %+v", c)
			}
		})
	}
}

func TestPrecedence(t *testing.T) {
	s := config.Sources{
		Dir: folder("database: sqlite:file.db\n"),
		Env: environment(map[string]string{"STEELYARD_DATABASE": "sqlite:env.db", "STEELYARD_SERVE_ADDR": "127.0.0.1:1"}),
		Flags: []config.Flag{
			{Key: config.KeyDatabase, Name: "--db", Value: "sqlite:flag.db"},
			{Key: config.KeyServeAddr, Name: "--addr"},
		},
	}
	steps := []struct{ database, origin string }{
		{"sqlite:flag.db", "--db"},
		{"sqlite:env.db", "STEELYARD_DATABASE"},
		{"sqlite:file.db", "steelyard.yaml:1"},
		{"sqlite:steelyard.db", "default"},
	}
	for i, want := range steps {
		switch i {
		case 1:
			s.Flags = s.Flags[1:]
		case 2:
			s.Env = environment(map[string]string{"STEELYARD_DATABASE": ""})
		case 3:
			s.Dir = folder("")
		}
		c, err := config.Load(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Origin(config.KeyDatabase).String(); c.Database != want.database || got != want.origin {
			t.Errorf("step %d: %s from %s, want %s from %s", i, c.Database, got, want.database, want.origin)
		}
		if i == 0 && c.Origin(config.KeyServeAddr).String() != "STEELYARD_SERVE_ADDR" {
			t.Errorf("an empty flag hides the environment: %s", c.Origin(config.KeyServeAddr))
		}
	}
}

func TestBadOverrides(t *testing.T) {
	_, err := config.Load(config.Sources{
		Dir: folder(""),
		Env: environment(map[string]string{"STEELYARD_REPORT_SMALLEST_EFFECT": "-1", "STEELYARD_LINT_FAIL_ON": "warn"}),
		Flags: []config.Flag{
			{Key: config.KeyDatabase, Name: "--db", Value: "mysql://x"},
			{Key: config.KeyServeAddr, Name: "--addr", Value: "localhost"},
		},
	})
	want := `--db: expected sqlite:PATH or postgres://USER@HOST/NAME, found "mysql://x"
--addr: expected HOST:PORT such as 127.0.0.1:8484, found "localhost": it is not HOST:PORT
STEELYARD_LINT_FAIL_ON: expected one of note, warning, error, never, found "warn" (did you mean "warning"?)
STEELYARD_REPORT_SMALLEST_EFFECT: -1 is out of range: more than 0, at most 1 (expected a share such as 0.10)`
	if err == nil || cmp.Diff(want, err.Error()) != "" {
		t.Errorf("error (-want +got):\n%s", cmp.Diff(want, errText(err)))
	}
}

func TestUnknownRules(t *testing.T) {
	_, err := config.Load(config.Sources{
		Dir:   folder("lint:\n  rules:\n    MC003: off\n  suppressions:\n    - {rule: mcp-unpined-server, path: a, reason: b}\n    - {rule: totally-else, path: a, reason: b}\n"),
		Rules: []string{"MC001", "mcp-literal-secret", "MC002", "mcp-unpinned-server"},
	})
	want := `steelyard.yaml:3: there is no rule "MC003" (did you mean "MC001"?)
steelyard.yaml:5: there is no rule "mcp-unpined-server" (did you mean "mcp-unpinned-server"?)
steelyard.yaml:6: there is no rule "totally-else" (steelyard rules lists them)`
	if cmp.Diff(want, errText(err)) != "" {
		t.Errorf("error (-want +got):\n%s", cmp.Diff(want, errText(err)))
	}
}

func TestMissingFile(t *testing.T) {
	_, err := config.Load(config.Sources{Dir: fstest.MapFS{}, Path: "other.yaml", Shown: "conf/other.yaml", MustExist: true})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "conf/other.yaml") {
		t.Errorf("error is %v", err)
	}
}

// TestSpecialFiles shows that a named pipe in a hostile folder does not hang
// the program, and that a folder is no file.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600); err != nil {
		t.Skipf("this file system has no named pipes: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.yaml"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe.yaml", "folder.yaml"} {
		_, err := config.Load(config.Sources{Dir: os.DirFS(dir), Path: name})
		if err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestSuppressionWithoutReason leaves it to the linter, which reports it as a
// finding and does not apply it.
func TestSuppressionWithoutReason(t *testing.T) {
	for name, entry := range map[string]string{
		"absent": "{rule: MC001, path: a}", "null": "{rule: MC001, path: a, reason: }", "blank": "{rule: MC001, path: a, reason: ' '}",
	} {
		t.Run(name, func(t *testing.T) {
			c, err := config.Load(config.Sources{Dir: fstest.MapFS{
				"steelyard.yaml": {Data: []byte("lint:\n  suppressions:\n    - " + entry + "\n")},
			}})
			if err != nil {
				t.Fatal(err)
			}
			if s := c.Lint.Suppressions; len(s) != 1 || strings.TrimSpace(s[0].Reason) != "" || s[0].Line != 3 {
				t.Errorf("suppressions %+v", s)
			}
		})
	}
}
