package web

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steelyard/internal/github/githubtest"
)

// TestGitHubPath connects a new installation to GitHub, watches in a browser
// how it reads, and sees what its repositories give assistants.
func TestGitHubPath(t *testing.T) {
	browser, _ := need(t)
	program := buildProgram(t)
	const token = "github_pat_of_the_path"
	world := githubtest.New(githubtest.Options{Token: token})
	fillWorld(world)
	// GitHub waits for the page to have been seen, so that there is something
	// to watch however fast the machine is.
	seen := make(chan struct{})
	world.Watch(func(githubtest.Request) {
		select {
		case <-seen:
		case <-time.After(time.Second):
		}
	})
	hub, err := world.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = hub.Close() })
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "steelyard.yaml"), []byte("github:\n  repositories: [acme/payments]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	command := func(ctx context.Context, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = dir
		cmd.Env = []string{
			"GITHUB_TOKEN=" + token, "STEELYARD_GITHUB_URL=" + hub.URL, "STEELYARD_DATABASE=sqlite:path.db",
			"PATH=" + os.Getenv("PATH"), "HOME=" + dir,
		}
		return cmd
	}
	ctx, stop := context.WithCancel(t.Context())
	serve := command(ctx, "serve", "--work", "--addr", "127.0.0.1:0")
	base := serveCommand(t, serve, stop)

	w := walker{t: t, ctx: openBrowser(t, browser)}
	w.open(base + "/")
	w.follow("Data")
	w.until("#work", "Read all of acme/payments")
	w.until("#work", fmt.Sprintf(" of %d", pathPulls))
	page := w.eval("performance.timeOrigin")
	close(seen)
	w.until("#work", "Nothing is under way")
	if got := w.eval("performance.timeOrigin"); got != page {
		t.Error("the page was loaded anew, where a part of it should have followed the work")
	}
	w.open(base + "/data")
	w.shows("main", "acme/payments")
	w.shows("main", fmt.Sprintf("%d pull requests", pathPulls))

	w.follow("Guardrails")
	w.shows("main", "steelyard scan")
	if out, err := command(ctx, "scan", "--later", "acme/web").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	deadline := time.Now().Add(time.Minute)
	for w.open(base + "/guardrails"); !strings.Contains(w.text("main"), "MC002"); w.open(base + "/guardrails") {
		if time.Now().After(deadline) {
			t.Fatalf("the scan never shows: %.600s", w.text("main"))
		}
		time.Sleep(200 * time.Millisecond)
	}
	w.shows("main", "acme/web")
	w.open(base + "/servers")
	w.shows("main", "@acme/browser-server")
	for _, path := range []string{"/", "/data", "/guardrails", "/servers", "/dependencies"} {
		text := read(t, base+path)
		for _, secret := range []string{token, "ada", "carol"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds %q", path, secret)
			}
		}
	}
}

// pathPulls is enough for several requests to GitHub.
const pathPulls = 900

// fillWorld makes a repository with pull requests and one with files for
// assistants.
func fillWorld(w *githubtest.World) {
	day := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	w.Repository("acme/payments")
	for i := range pathPulls {
		n := w.Open("acme/payments", githubtest.Pull{Author: []string{"ada", "bob"}[i%2], Created: day.Add(time.Duration(i) * time.Hour)})
		w.Merge("acme/payments", n, "carol", "")
	}
	w.Repository("acme/web")
	w.Files("acme/web", map[string]githubtest.File{
		".mcp.json": {Text: `{"mcpServers": {"browser": {"command": "npx", "args": ["-y", "@acme/browser-server@latest"]}}}`},
		"AGENTS.md": {Text: "Run `npm test` before you push.\n"},
	})
}
