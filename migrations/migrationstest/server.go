package migrationstest

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	serverUser   = "steelyard"
	oldestServer = 15
	startTimeout = 30 * time.Second
)

// cluster is a running throw-away server.
type cluster struct {
	url string
	// life is the server's standard input. The server lives until it is
	// closed, at the latest when this process ends.
	life io.Closer
}

// throwAway starts a server, once a process; it is nil where the binaries are
// missing. Keeping the cluster keeps the server.
var throwAway = sync.OnceValues(startServer)

// startServer makes a cluster in a temporary folder and runs it on a Unix
// socket in there: no port is taken, nothing listens on the network, and
// nothing is synced to disk.
func startServer() (*cluster, error) {
	bin := findBinaries()
	if bin == "" {
		return nil, nil
	}
	owner, err := serverOwner()
	if err != nil {
		return nil, err
	}
	dir, err := owner.tempDir()
	if err != nil {
		return nil, err
	}
	password := rand.Text()
	if err := initCluster(bin, dir, password, owner); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	life, err := runCluster(bin, dir, owner)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(serverUser, password),
		Path:     "/postgres",
		RawQuery: url.Values{"host": {dir}, "sslmode": {"disable"}}.Encode(),
	}
	if err := waitFor(u.String()); err != nil {
		log, readErr := os.ReadFile(filepath.Join(dir, "log"))
		return nil, errors.Join(err, readErr, errors.New(strings.TrimSpace(string(log))), life.Close())
	}
	return &cluster{url: u.String(), life: life}, nil
}

// findBinaries is the folder of the newest PostgreSQL server binaries that are
// new enough; empty where there are none.
func findBinaries() string {
	var dirs []string
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin",
		"/usr/local/opt/postgresql*/bin", "/opt/homebrew/opt/postgresql*/bin",
	} {
		found, err := filepath.Glob(pattern)
		if err == nil { // the patterns are constant and well formed
			dirs = append(dirs, found...)
		}
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	best, bestVersion := "", oldestServer-1
	for _, dir := range dirs {
		if v := serverVersion(dir); v > bestVersion {
			best, bestVersion = dir, v
		}
	}
	return best
}

// serverVersion is the major version of the server in dir, 0 where there is
// none: "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)".
func serverVersion(dir string) int {
	out, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(out))
	if len(fields) < 3 {
		return 0
	}
	digits := strings.TrimFunc(strings.Split(fields[2], ".")[0], func(r rune) bool { return r < '0' || r > '9' })
	v, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return v
}

// initCluster runs initdb. The cluster sorts text as English does where the
// binaries can (ICU), which is unlike SQLite: order must not depend on it.
func initCluster(bin, dir, password string, owner owner) error {
	secret := filepath.Join(dir, "password")
	if err := os.WriteFile(secret, []byte(password), 0o600); err != nil {
		return err
	}
	if err := owner.own(secret); err != nil {
		return err
	}
	common := []string{
		"-D", filepath.Join(dir, "data"), "-U", serverUser, "--pwfile=" + secret,
		"--auth=scram-sha-256", "--encoding=UTF8", "--no-sync", "--no-instructions",
	}
	var errs []error
	for _, locale := range [][]string{
		{"--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en"},
		{"--locale=C"},
	} {
		cmd := exec.Command(filepath.Join(bin, "initdb"), slices.Concat(common, locale)...)
		owner.run(cmd, dir)
		out, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		errs = append(errs, fmt.Errorf("initdb: %w: %s", err, out))
		if err := os.RemoveAll(filepath.Join(dir, "data")); err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}

// watch runs the server until its standard input ends, which happens when the
// test process does, however it ends. Then it stops the server and removes the
// folder.
const watch = `
"$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c max_connections=300 \
	-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off &
server=$!
read -r _
kill -INT $server
wait $server
cd /
rm -rf "$2"
`

// runCluster starts the server. The pipe to its standard input stays open for
// as long as this process lives.
func runCluster(bin, dir string, owner owner) (life io.Closer, err error) {
	cmd := exec.Command("/bin/sh", "-c", watch, "sh", bin, dir)
	owner.run(cmd, dir)
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = log, log
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	if err := errors.Join(cmd.Start(), log.Close()); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	return stdin, nil
}

// waitFor returns when the server answers.
func waitFor(server string) (err error) {
	db, err := sql.Open("pgx", server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	end := time.Now().Add(startTimeout)
	for {
		err := db.Ping()
		if err == nil {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("the server does not answer after %s: %w", startTimeout, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
