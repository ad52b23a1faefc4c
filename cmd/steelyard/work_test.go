package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github/githubtest"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// workPatience bounds every wait of these tests: generous, as the machine may
// be busy.
const workPatience = 3 * time.Minute

// binary is this test program under the name of the command, which makes it
// the command; see TestMain.
func binary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "steelyard")
	if err := os.Symlink(self, name); err != nil {
		t.Fatal(err)
	}
	return name
}

// listening is a GitHub with acme/payments and acme/web, and how a command
// reaches it and a database.
func listening(t *testing.T, pulls int, url string) (*githubtest.World, []string) {
	t.Helper()
	w := githubtest.New(githubtest.Options{Token: "github_pat_of_the_test"})
	fillWorld(w, pulls)
	s, err := w.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return w, []string{
		"GITHUB_TOKEN=github_pat_of_the_test", "STEELYARD_GITHUB_URL=" + s.URL, "STEELYARD_DATABASE=" + url,
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(),
	}
}

// folder is a working directory with settings.
func folder(t *testing.T, settings string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "steelyard.yaml"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// process is a command that runs on its own.
type process struct {
	*exec.Cmd
	out lockedBuffer
}

func launch(t *testing.T, bin, dir string, env []string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(bin, args...)}
	p.Dir, p.Env, p.Stdout, p.Stderr = dir, env, &p.out, &p.out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// wait fails the test where ok does not become true in time.
func (p *process) wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(workPatience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: it does not come so far\n%s", what, p.out.String())
		}
	}
}

// count is the number that a query gives, −1 where it fails.
func count(db *migrations.DB, query string) int {
	n := -1
	_ = db.Read.QueryRow(query).Scan(&n)
	return n
}

// readBack is what was read, without what differs from run to run.
func readBack(t *testing.T, db *migrations.DB) string {
	t.Helper()
	var b strings.Builder
	for _, query := range []string{
		`SELECT id, repository, number, state, opened, updated, owner, set_apart, unplaced, record FROM github_pulls ORDER BY id`,
		`SELECT id, repository, number, author, team, opened, first_review, merged, closed, additions, deletions FROM pull_requests ORDER BY id`,
		`SELECT repository, id, number, merged, hash, on_default, facts FROM github_changes ORDER BY repository, id`,
		`SELECT id, number, login, type FROM github_accounts ORDER BY id`,
	} {
		if err := dump(&b, db, query); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// dump writes the rows of a query, the same on both engines.
func dump(b *strings.Builder, db *migrations.DB, query string) error {
	rows, err := db.Read.Query(query)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	truth := map[string]string{"true": "1", "false": "0"} // as SQLite has it
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for _, c := range cells {
			text, isTruth := truth[c.String]
			if !isTruth {
				text = c.String
			}
			b.WriteString(text + "|")
		}
		b.WriteString("\n")
	}
	return rows.Err()
}

const oneRepository = "github:\n  repositories: [acme/payments]\n"

// TestWorkKilled holds that "work" that is killed in the middle, again and
// again, leaves the same as one that is not disturbed, on both engines.
func TestWorkKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("short: a whole process is killed again and again, on each engine")
	}
	bin := binary(t)
	for _, engine := range migrationstest.Engines() {
		t.Run(string(engine), func(t *testing.T) {
			url := migrationstest.URL(t, engine)
			world, env := listening(t, 700, url)
			db, err := migrations.Open(t.Context(), url, migrations.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			dir := folder(t, oneRepository)
			world.Watch(func(githubtest.Request) { time.Sleep(100 * time.Millisecond) })
			for _, at := range []int{0, 50, 200, 400, 600} {
				p := launch(t, bin, dir, env, "work")
				p.wait(t, fmt.Sprintf("%d pull requests", at), func() bool {
					return count(db, `SELECT COUNT(*) FROM github_pulls`) >= at && count(db, `SELECT COUNT(*) FROM tasks WHERE state = 'running' AND kind IN ('backfill', 'update')`) == 1
				})
				if err := p.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				_ = p.Wait()
			}
			if n := count(db, `SELECT COUNT(*) FROM github_pulls`); n >= 700 {
				t.Fatalf("%d pull requests were stored before the last kill: nothing was left to go on with", n)
			}
			p := launch(t, bin, dir, env, "work")
			p.wait(t, "done", func() bool {
				return count(db, `SELECT COUNT(*) FROM tasks WHERE state = 'done' AND kind = 'update'`) == 1
			})
			if err := p.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if err := p.Wait(); err != nil {
				t.Errorf("work ends with %v\n%s", err, p.out.String())
			}
			if out := p.out.String(); strings.Contains(out, "github_pat") {
				t.Errorf("the token is printed:\n%s", out)
			}

			calm := "sqlite:" + filepath.Join(t.TempDir(), "calm.db")
			world.Watch(nil)
			ingest := launch(t, bin, dir, append(env, "STEELYARD_DATABASE="+calm), "ingest")
			if err := ingest.Wait(); err != nil {
				t.Fatalf("%v\n%s", err, ingest.out.String())
			}
			undisturbed, err := migrations.Open(t.Context(), calm, migrations.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer undisturbed.Close()
			if diff := cmp.Diff(readBack(t, undisturbed), readBack(t, db)); diff != "" {
				t.Errorf("-undisturbed +killed:\n%.3000s", diff)
			}
		})
	}
}

// TestServeWorks holds that serve --work keeps current what the settings name,
// takes deliveries of a webhook, and shows on the admin port what it does.
func TestServeWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("short: whole processes")
	}
	bin := binary(t)
	url := "sqlite:" + filepath.Join(t.TempDir(), "steelyard.db")
	world, env := listening(t, 3, url)
	env = append(env, "STEELYARD_WEBHOOK_SECRET=hush")
	p := launch(t, bin, folder(t, oneRepository), env, "serve", "--work", "--addr", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	address := func(name string) (found string) {
		p.wait(t, "the address of "+name, func() bool {
			for line := range strings.Lines(p.out.String()) {
				if f := strings.Fields(line); len(f) == 2 && f[0] == name {
					found = strings.TrimSuffix(f[1], "/")
				}
			}
			return found != ""
		})
		return found
	}
	admin, dashboard := address("admin"), address("dashboard")
	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
		if status, body := get(t, admin+path); status != http.StatusOK || body != want {
			t.Errorf("%s: %d %q", path, status, body)
		}
	}
	metered := func(want string) func() bool {
		return func() bool {
			_, body := get(t, admin+"/metrics")
			return strings.Contains(body, want+"\n")
		}
	}
	p.wait(t, "the update", metered(`steelyard_tasks{kind="update",state="done"} 1`))

	world.Open("acme/payments", githubtest.Pull{Author: "dora"})
	for i, want := range []int{http.StatusAccepted, http.StatusOK} { // the second one is known
		if status, text := deliver(t, dashboard, "hush", "d1", pullRequestEvent); status != want {
			t.Errorf("delivery %d: %d %s", i+1, status, text)
		}
	}
	if status, text := deliver(t, dashboard, "wrong", "d2", pullRequestEvent); status != http.StatusUnauthorized || strings.Contains(text, "hush") {
		t.Errorf("a wrong signature: %d %s", status, text)
	}
	if status, _ := deliver(t, dashboard, "hush", "d3", "{"); status != http.StatusBadRequest {
		t.Errorf("no event: %d", status)
	}
	p.wait(t, "the refetch", metered(`steelyard_tasks{kind="refetch",state="done"} 1`))
	_, body := get(t, admin+"/metrics")
	for _, want := range []string{`steelyard_http_requests_total{code="401",face="dashboard",method="POST"} 1`, "steelyard_github_requests_total", "steelyard_database_bytes"} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	for _, name := range []string{"acme", "dora", "payments", "github_pat", "hush"} {
		if strings.Contains(body, name) || strings.Contains(p.out.String(), name) {
			t.Errorf("%q is in /metrics or in the log", name)
		}
	}
	if err := p.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("serve ends with %v\n%s", err, p.out.String())
	}
}

// pullRequestEvent is what the reader needs of such an event.
const pullRequestEvent = `{"action":"opened","number":4,"pull_request":{"number":4,"node_id":"PR_x"},
	"repository":{"id":1,"node_id":"R_x","name":"payments","full_name":"acme/payments","owner":{"login":"acme","id":2}}}`

func deliver(t *testing.T, dashboard, secret, id, body string) (int, string) {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, dashboard+"/webhooks/github", bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-GitHub-Event", "pull_request")
	req.Header.Set("X-GitHub-Delivery", id)
	req.Header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// TestWatchAndCancel holds that one process follows what another one does, and
// that a third one ends it: what was read is kept.
func TestWatchAndCancel(t *testing.T) {
	bin := binary(t)
	for _, engine := range migrationstest.Engines() {
		t.Run(string(engine), func(t *testing.T) {
			url := migrationstest.URL(t, engine)
			world, env := listening(t, 500, url)
			world.Watch(func(githubtest.Request) { time.Sleep(400 * time.Millisecond) })
			dir := t.TempDir()
			db, err := migrations.Open(t.Context(), url, migrations.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			reads := launch(t, bin, dir, env, "ingest", "acme/payments")
			reads.wait(t, "a page", func() bool { return count(db, `SELECT COUNT(*) FROM github_pulls`) > 0 })
			watches := launch(t, bin, dir, env, "ingest", "--watch", "--format", "json")
			watches.wait(t, "progress", func() bool { return strings.Contains(watches.out.String(), "update acme/payments: ") })
			cancels := launch(t, bin, dir, env, "ingest", "--cancel", "acme/payments")
			if err := cancels.Wait(); err != nil || cancels.out.String() != "cancelled update acme/payments\n" {
				t.Errorf("cancel: %v\n%s", err, cancels.out.String())
			}
			if err := reads.Wait(); err == nil || !strings.Contains(reads.out.String(), "ingest: 1 of 1 job cancelled: what was read is kept") {
				t.Errorf("ingest: %v\n%s", err, reads.out.String())
			}
			if err := watches.Wait(); err != nil || !strings.Contains(watches.out.String(), `"state": "cancelled"`) {
				t.Errorf("watch: %v\n%s", err, watches.out.String())
			}
			if n := count(db, `SELECT COUNT(*) FROM github_pulls`); n <= 0 || n >= 500 {
				t.Errorf("%d pull requests are kept", n)
			}
		})
	}
}

// TestInterruptedIngest holds that Ctrl-C keeps what was read and that the same
// command goes on from there.
func TestInterruptedIngest(t *testing.T) {
	bin := binary(t)
	url := "sqlite:" + filepath.Join(t.TempDir(), "steelyard.db")
	world, env := listening(t, 300, url)
	world.Watch(func(githubtest.Request) { time.Sleep(300 * time.Millisecond) })
	db, err := migrations.Open(t.Context(), url, migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	dir := t.TempDir()
	first := launch(t, bin, dir, env, "ingest", "acme/payments")
	first.wait(t, "a page", func() bool { return count(db, `SELECT COUNT(*) FROM github_pulls`) > 0 })
	if err := first.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err == nil || !strings.Contains(first.out.String(), "what was read is kept; the same command goes on from there\nsteelyard: interrupted\n") {
		t.Errorf("%v\n%s", err, first.out.String())
	}
	before := world.Counts().Requests
	world.Watch(nil)
	second := launch(t, bin, dir, env, "ingest", "acme/payments")
	if err := second.Wait(); err != nil || !strings.Contains(second.out.String(), "300 of 300") {
		t.Errorf("%v\n%s", err, second.out.String())
	}
	t.Logf("%d requests before, %d afterwards", before, world.Counts().Requests-before)
}
