// Package action_test runs the scripts of action.yml as a runner would, and
// holds the action and the workflows to the rules of their trade.
package action_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// job is one job of a runner.
type job struct {
	env    map[string]string
	dir    string // RUNNER_TEMP
	work   string // the workspace
	output string
}

func newJob(t *testing.T) *job {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not here")
	}
	j := &job{dir: t.TempDir(), work: t.TempDir()}
	j.output = filepath.Join(j.dir, "output")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	j.env = map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": os.Getenv("HOME"), "RUNNER_TEMP": j.dir, "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
		"GITHUB_OUTPUT": j.output, "GITHUB_ACTION_PATH": root,
	}
	return j
}

// run runs a script of the action and returns its exit code and what it said.
func (j *job) run(t *testing.T, script string, args ...string) (code int, said string) {
	t.Helper()
	path, err := filepath.Abs(script)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{path}, args...)...)
	cmd.Dir = j.work
	for name, value := range j.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// outputs are the outputs of the step.
func (j *job) outputs(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(j.output)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		all[name] = value
	}
	return all
}

// archive is a release's archive with one file.
func archive(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

const (
	linux   = "steelyard_1.2.3_linux_amd64.tar.gz"
	apple   = "steelyard_1.2.3_darwin_arm64.tar.gz"
	windows = "steelyard_1.2.3_windows_amd64.tar.gz"
)

// releaseOf is the address of a release and the checksum of the checksums.txt
// that it was published with; change changes its files afterwards.
func releaseOf(t *testing.T, change func(files map[string][]byte)) (address, checksum string) {
	t.Helper()
	program := "#!/bin/sh\necho program of the release\n"
	files := map[string][]byte{
		linux: archive(t, "steelyard", program), apple: archive(t, "steelyard", program), windows: archive(t, "steelyard.exe", program),
	}
	var sums strings.Builder
	for name, b := range files {
		fmt.Fprintf(&sums, "%s  %s\n", sum(b), name)
	}
	files["checksums.txt"] = []byte(sums.String())
	checksum = sum(files["checksums.txt"])
	change(files)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, ok := files[strings.TrimPrefix(r.URL.Path, "/v1.2.3/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(b)
	}))
	t.Cleanup(server.Close)
	return server.URL, checksum
}

func releaseJob(t *testing.T, address, checksum string) *job {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not here")
	}
	j := newJob(t)
	j.env["INPUT_VERSION"], j.env["INPUT_CHECKSUM"] = "v1.2.3", checksum
	j.env["INPUT_REPOSITORY"], j.env["STEELYARD_DOWNLOADS"] = "acme/steelyard", address
	return j
}

// TestInstallRelease installs a release on each system.
func TestInstallRelease(t *testing.T) {
	address, checksum := releaseOf(t, func(map[string][]byte) {})
	for _, at := range [][2]string{{"Linux", "X64"}, {"macOS", "ARM64"}, {"Windows", "X64"}} {
		j := releaseJob(t, address, checksum)
		j.env["RUNNER_OS"], j.env["RUNNER_ARCH"] = at[0], at[1]
		code, said := j.run(t, "install.sh")
		if code != 0 || !strings.Contains(said, "program of the release") {
			t.Errorf("%v: exit code %d, %s", at, code, said)
		}
		if _, err := os.Stat(j.outputs(t)["program"]); err != nil {
			t.Errorf("%v: %v", at, err)
		}
	}
}

// TestInstallRefuses runs nothing of what is not the pinned release.
func TestInstallRefuses(t *testing.T) {
	for what, c := range map[string]struct {
		files func(map[string][]byte) // nil: as published
		job   func(*job)              // nil: as it should be
		says  string
	}{
		"another checksums.txt": {func(f map[string][]byte) { f["checksums.txt"] = append(f["checksums.txt"], '\n') }, nil, "not the one that checksum names"},
		"another archive":       {func(f map[string][]byte) { f[linux] = archive(t, "steelyard", "#!/bin/sh\necho EVIL\n") }, nil, "not the file that checksums.txt names"},
		"no archive":            {func(f map[string][]byte) { delete(f, linux) }, nil, "download of"},
		"no such processor":     {nil, func(j *job) { j.env["RUNNER_ARCH"] = "ARM" }, "no release for the processor"},
		"not in the checksums":  {nil, func(j *job) { j.env["RUNNER_ARCH"] = "ARM64" }, "does not name"},
		"no checksum":           {nil, func(j *job) { j.env["INPUT_CHECKSUM"] = "" }, "needs checksum"},
		"a moving version":      {nil, func(j *job) { j.env["INPUT_VERSION"] = "latest" }, "neither source nor a release"},
		"a path for a version":  {nil, func(j *job) { j.env["INPUT_VERSION"] = "v1.2.3/../../evil" }, "neither source nor a release"},
		"a command for a name":  {nil, func(j *job) { j.env["INPUT_REPOSITORY"] = "a/b; echo EVIL" }, "is not OWNER/NAME"},
		"plain http":            {nil, func(j *job) { j.env["STEELYARD_DOWNLOADS"] = "http://127.0.0.1.example.com" }, "download of"},
	} {
		if c.files == nil {
			c.files = func(map[string][]byte) {}
		}
		address, checksum := releaseOf(t, c.files)
		j := releaseJob(t, address, checksum)
		if c.job != nil {
			c.job(j)
		}
		code, said := j.run(t, "install.sh")
		if code != 2 || !strings.Contains(said, c.says) || strings.Contains(said, "\nEVIL") || j.outputs(t)["program"] != "" {
			t.Errorf("%s: exit code %d, %s", what, code, said)
		}
		if _, err := os.Stat(filepath.Join(j.dir, "steelyard", "steelyard")); err == nil {
			t.Errorf("%s: there is a program", what)
		}
	}
}

// TestInstallFromSource builds what the action consists of.
func TestInstallFromSource(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	j := newJob(t)
	j.env["GOFLAGS"] = "-mod=vendor" // of the job's own build
	for _, name := range []string{"GOPROXY", "GONOSUMDB", "GOSUMDB", "GOMODCACHE", "GOCACHE", "GOTOOLCHAIN"} {
		if v, ok := os.LookupEnv(name); ok {
			j.env[name] = v
		}
	}
	code, said := j.run(t, "install.sh")
	if code != 0 || !strings.HasPrefix(said, "steelyard ") {
		t.Fatalf("exit code %d, %s", code, said)
	}
}

// fakeProgram writes its arguments and a report of one error and two notes.
const fakeProgram = `#!/usr/bin/env bash
printf '%s\n' "$PWD" "$@" > "$RUNNER_TEMP/arguments"
for a in "$@"; do case $a in
--output=json:*) printf '{\n  "version": 1,\n  "findings": [\n    {\n      "message": "\\n    \\"errors\\": 9,"\n    }\n  ],\n  "summary": {\n    "files": 4,\n    "findings": 3,\n    "errors": 1,\n    "warnings": 0,\n    "notes": 2\n  }\n}\n' > "${a#--output=json:}" ;;
--output=sarif:*) echo '{}' > "${a#--output=sarif:}" ;;
esac; done
exit "${FAKE_CODE:-1}"
`

func runJob(t *testing.T) *job {
	t.Helper()
	j := newJob(t)
	j.env["STEELYARD"] = filepath.Join(j.dir, "fake")
	if err := os.WriteFile(j.env["STEELYARD"], []byte(fakeProgram), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(j.work, "services/pay ments"), 0o755); err != nil {
		t.Fatal(err)
	}
	return j
}

// arguments are the folder and the arguments of the last run.
func (j *job) arguments(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(j.dir, "arguments"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(j.dir, "TEMP", j.work, "WORK", "\n", "|").Replace(string(text))
}

// TestRun hands the inputs on and gives the counts out.
func TestRun(t *testing.T) {
	j := runJob(t)
	j.env["GITHUB_STEP_SUMMARY"] = filepath.Join(j.dir, "summary")
	j.env["INPUT_PATH"], j.env["INPUT_FAIL_ON"], j.env["INPUT_BASE"] = "services/pay ments", "warning", "$(touch evil)"
	j.env["INPUT_OFFLINE"], j.env["INPUT_COMMENT"], j.env["INPUT_CONFIG"] = "true", "on-failure", "ci.yaml"
	code, said := j.run(t, "run.sh")
	want := "WORK/services/pay ments|--config=WORK/ci.yaml|check|--output=text|--output=github|--output=json:TEMP/steelyard/report.json|" +
		"--output=sarif:TEMP/steelyard/report.sarif|--output=summary:TEMP/summary|--fail-on=warning|--base=$(touch evil)|--offline|--comment=on-failure|"
	if got := j.arguments(t); code != 1 || got != want {
		t.Errorf("exit code %d, %s\narguments are %s\nwant          %s", code, said, got, want)
	}
	got := j.outputs(t)
	for name, want := range map[string]string{
		"exit-code": "1", "findings": "3", "errors": "1", "warnings": "0", "notes": "2",
		"report": filepath.Join(j.dir, "steelyard/report.json"), "sarif": filepath.Join(j.dir, "steelyard/report.sarif"),
	} {
		if got[name] != want {
			t.Errorf("output %s is %q, want %q", name, got[name], want)
		}
	}
}

// TestRunLint hands a baseline on.
func TestRunLint(t *testing.T) {
	j := runJob(t)
	j.env["INPUT_COMMAND"], j.env["INPUT_BASELINE"], j.env["FAKE_CODE"], j.env["RUNNER_OS"] = "lint", "accepted.json", "0", "Windows"
	code, said := j.run(t, "run.sh")
	if got := j.arguments(t); code != 0 || !strings.HasPrefix(got, "WORK|lint|") || !strings.HasSuffix(got, "|--baseline=accepted.json|") {
		t.Errorf("exit code %d, %s\narguments are %s", code, said, got)
	}
}

// TestRunRefuses says what is wrong with an input, in one line.
func TestRunRefuses(t *testing.T) {
	for what, c := range map[string]struct{ name, value, says string }{
		"command":  {"INPUT_COMMAND", "serve", "is none of: check lint"},
		"fail-on":  {"INPUT_FAIL_ON", "high\n::set-output", "is none of: note warning error never"},
		"comment":  {"INPUT_COMMENT", "yes", "never on-failure always"},
		"offline":  {"INPUT_OFFLINE", "1", "true false"},
		"path":     {"INPUT_PATH", "nothing", "is the repository checked out?"},
		"baseline": {"INPUT_BASELINE", "x", "for the command lint"},
	} {
		j := runJob(t)
		j.env[c.name] = c.value
		code, said := j.run(t, "run.sh")
		if code != 2 || !strings.Contains(said, "::error title=Steelyard::") || !strings.Contains(said, c.says) || strings.Contains(said, "\n::set-output") {
			t.Errorf("%s: exit code %d, %s", what, code, said)
		}
		if j.outputs(t)["exit-code"] != "2" && what != "path" {
			t.Errorf("%s: outputs are %v", what, j.outputs(t))
		}
	}
}
