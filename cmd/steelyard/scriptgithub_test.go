package main

import (
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"steelyard/internal/github/githubtest"
)

// worldKey is where a script keeps its GitHub.
type worldKey struct{}

// fakeGitHub NUMBER starts a GitHub of the script's own and names it in the
// environment. acme has the repositories payments, with that many pull
// requests, web with three and an archived one, and the team payments.
func fakeGitHub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fakegithub NUMBER")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	const token = "github_pat_of_the_test"
	w := githubtest.New(githubtest.Options{Token: token})
	fillWorld(w, n)
	server, err := w.Listen()
	ts.Check(err)
	ts.Defer(func() { _ = server.Close() })
	ts.Value(worldKey{}).(*worldHolder).world = w
	ts.Setenv("STEELYARD_GITHUB_URL", server.URL)
	ts.Setenv("GITHUB_TOKEN", token)
}

// worldHolder is what a script's environment holds; the world comes later.
type worldHolder struct{ world *githubtest.World }

func fillWorld(w *githubtest.World, n int) {
	day := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for repository, pulls := range map[string]int{"acme/payments": n, "acme/web": 3} {
		w.Repository(repository)
		for i := range pulls {
			number := w.Open(repository, githubtest.Pull{Author: []string{"ada", "bob"}[i%2], Created: day.Add(time.Duration(i) * time.Hour)})
			w.Review(repository, number, w.Person("carol"), "APPROVED")
			w.Merge(repository, number, "carol", "")
		}
	}
	w.Team("acme", "payments", "ada", "bob")
	w.Files("acme/web", map[string]githubtest.File{
		".mcp.json":          {Text: `{"mcpServers": {"browser": {"command": "npx", "args": ["-y", "@acme/browser-server@latest"]}}}`},
		".github/CODEOWNERS": {Text: "* @acme/web\n"},
		"CLAUDE.md":          {Text: "AGENTS.md", Mode: "120000"},
		"AGENTS.md":          {Text: "Run `npm test` before you push.\n"},
		"package.json":       {Text: `{"scripts": {"test": "vitest"}}`},
		"steelyard.yaml":     {Text: "database: sqlite:theirs.db\n"},
		"src/main.ts":        {Text: "export {}\n"},
	})
}

// theGitHub DO ARG… changes the script's GitHub: "open REPO" opens a pull
// request, "fail KIND TIMES" lets requests fail.
func theGitHub(ts *testscript.TestScript, _ bool, args []string) {
	w := ts.Value(worldKey{}).(*worldHolder).world
	if w == nil || len(args) < 2 {
		ts.Fatalf("usage: fakegithub first, then: github open REPO, github fail KIND TIMES, github delete REPO")
	}
	switch args[0] {
	case "open":
		w.Open(args[1], githubtest.Pull{Author: "ada"})
	case "delete":
		w.Delete(args[1])
	case "fail":
		times, err := strconv.Atoi(args[2])
		ts.Check(err)
		kinds := map[string]githubtest.FaultKind{"502": githubtest.BadGateway, "401": githubtest.BadCredentials, "slow": githubtest.Slow}
		kind, known := kinds[args[1]]
		if !known {
			ts.Fatalf("there is no kind %s", args[1])
		}
		w.Fail(githubtest.Fault{Kind: kind, Times: times, Wait: 2 * time.Second})
	default:
		ts.Fatalf("github %s: unknown", args[0])
	}
}
