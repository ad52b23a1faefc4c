package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestDemoInABrowser builds the program, lets it load its bundled data, serves
// it, and looks at every page that the first one leads to: real numbers are
// longer, larger and more awkward than a fixture's.
func TestDemoInABrowser(t *testing.T) {
	browser, axe := need(t)
	base := serveDemo(t)
	pages := []struct{ name, url string }{
		{"demo-home", base + "/"},
		{"demo-data", base + "/data"},
		{"demo-guardrails", base + "/guardrails"},
		{"demo-rules", base + "/docs/rules"},
		{"demo-edit", base + "/pilots/worked-example/edit"},
		{"demo-pulls", base + "/pilots/worked-example/pull-requests"},
		{"demo-docs", base + "/docs"},
		{"demo-note", base + "/docs/methods/cross-fit-t"},
		{"demo-manual", base + "/docs/dashboard"},
	}
	home := read(t, base+"/")
	found := regexp.MustCompile(`href="(/pilots/([a-z0-9-]+))"`).FindAllStringSubmatch(home, -1)
	if len(found) < 3 {
		t.Fatalf("the first page links to %d pilots", len(found))
	}
	for _, p := range found {
		pages = append(pages, struct{ name, url string }{"demo-" + p[2], base + p[1]})
		// The first metric is what the plain address shows.
		metrics := regexp.MustCompile(`href="(`+p[1]+`\?metric=([a-z0-9_-]+))#metric"`).FindAllStringSubmatch(read(t, base+p[1]), -1)
		for _, m := range metrics[min(1, len(metrics)):] {
			pages = append(pages, struct{ name, url string }{"demo-" + p[2] + "-" + m[2], base + m[1]})
		}
	}
	checkPages(t, openBrowser(t, browser), axe, pages, true)
}

// built is the program, built once for all tests of this process.
var built struct {
	sync.Once
	path string
	err  error
}

// TestMain removes what the tests built.
func TestMain(m *testing.M) {
	code := m.Run()
	if built.path != "" {
		_ = os.RemoveAll(filepath.Dir(built.path))
	}
	os.Exit(code)
}

func buildProgram(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		dir, err := os.MkdirTemp("", "steelyard-web-")
		if err != nil {
			built.err = err
			return
		}
		built.path = filepath.Join(dir, "steelyard")
		out, err := exec.Command("go", "build", "-o", built.path, "../cmd/steelyard").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// serveDemo starts the program on its bundled data and returns its address.
func serveDemo(t *testing.T) string {
	t.Helper()
	program := buildProgram(t)
	db := "sqlite:" + filepath.Join(t.TempDir(), "demo.db")
	run(t, program, "demo", "--no-serve", "--db", db)
	return serveOn(t, program, db)
}

// serveOn serves a database and returns the address.
func serveOn(t *testing.T, program, db string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	return serveCommand(t, exec.CommandContext(ctx, program, "serve", "--db", db, "--addr", "127.0.0.1:0"), stop)
}

// serveCommand starts a command that serves until stop, and returns its address.
func serveCommand(t *testing.T, cmd *exec.Cmd, stop context.CancelFunc) string {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); cmd.Wait() })
	address := regexp.MustCompile(`http://127\.0\.0\.1:[1-9]\d*`)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if a := address.FindString(lines.Text()); a != "" {
			go io.Copy(io.Discard, out)
			return strings.TrimSuffix(a, "/")
		}
	}
	t.Fatal("serve printed no address")
	return ""
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if out, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

func read(t *testing.T, url string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", url, res.Status)
	}
	return string(b)
}
