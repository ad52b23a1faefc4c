// Package arch holds the walls of the house: which package may import which,
// and what the pure ones must not know (a clock, the network, SQL). Its test
// reads the import graph of the module and fails where a wall is broken,
// saying why the wall stands there.
package arch

// wall says what one package, or a folder of packages, may know.
type wall struct {
	// dir is the package's folder below the module root; a trailing "/..."
	// covers every package below it that has no wall of its own.
	dir string
	// may lists our own packages that it may import; "*" allows all, a
	// trailing "/..." a folder.
	may []string
	// pure packages import no clock, network, SQL or process packages.
	pure bool
	// why is the reason printed with a broken wall.
	why string
}

// walls is the whole table. A package that no row covers fails the test, so a
// new room cannot be added without deciding what it may know.
var walls = []wall{
	{
		dir: "cmd/steelyard", may: []string{"*"},
		why: "the command line wires everything and is imported by nothing",
	},
	{
		dir: "metrics", may: []string{"metrics/did", "rules"}, pure: true,
		why: "the domain computes reports from values it is given; stores and faces depend on it, never the other way",
	},
	{
		dir: "metrics/did", pure: true,
		why: "estimators take numbers and give numbers; they must stay usable and testable on their own",
	},
	{
		dir: "metrics/did/internal/...", may: []string{"metrics/did"},
		why: "programs that write pages about the estimators use them like any caller",
	},
	{
		dir: "metrics/ingest/attribution", may: []string{"rules"}, pure: true,
		why: "which assistants left a mark follows from texts and the table of signals alone",
	},
	{
		dir: "metrics/ingest/reverts", pure: true,
		why: "reading who undid what takes texts and times and gives links; it needs no store, no network and no clock",
	},
	{
		dir: "metrics/ingest/syncing", may: []string{"metrics", "metrics/ingest/attribution", "metrics/ingest/reverts", "rules", "internal/github"},
		why: "what keeps GitHub's answers current reaches the database through an interface of its own, so that it can be tried on any store",
	},
	{
		dir: "metrics/ingest", may: []string{"metrics", "metrics/ingest/...", "rules", "internal/github"},
		why: "ingest turns files and answers into domain values and writes them through the domain's interfaces",
	},
	{
		dir: "metrics/estimate", may: []string{"metrics", "metrics/did", "metrics/ingest"}, pure: true,
		why: "one file of data and one method by name: it reads, it asks an estimator, and it knows no store and no face",
	},
	{
		dir: "metrics/store/...", may: []string{"metrics", "metrics/store/...", "migrations/..."},
		why: "a store is the domain in SQL; it knows neither where rows come from nor who reads them",
	},
	{
		dir: "metrics/jobs", may: []string{"metrics", "metrics/ingest", "metrics/ingest/...", "lint", "lint/history", "internal/github", "migrations/..."},
		why: "long work is the one place beside the faces that sees both measurement and lint",
	},
	{
		dir: "lint", may: []string{"lint/leaks", "rules"}, pure: true,
		why: "the engine reads a file tree and must run where there is no database and no network",
	},
	{
		dir: "lint/families", may: []string{"lint", "lint/...", "rules"}, pure: true,
		why: "the list of families names every family and nothing else",
	},
	{
		dir: "lint/history/...", may: []string{"lint", "rules", "migrations/..."},
		why: "findings over time are the only part of lint that knows SQL",
	},
	{
		dir: "lint/launch", may: []string{"lint"}, pure: true,
		why: "how a command line fetches what it runs is the same for servers, hooks and instructions, and knows none of them",
	},
	{
		dir: "lint/leaks", pure: true,
		why: "what providers' secrets look like is known below everything that shows a line",
	},
	{
		dir: "lint/secrets", may: []string{"lint", "lint/launch", "lint/leaks"}, pure: true,
		why: "what a literal secret looks like is the same in every file, and knows none of them",
	},
	{
		dir: "lint/change", may: []string{"lint", "lint/owners", "rules"}, pure: true,
		why: "the rules about a pull request are held to CODEOWNERS as the family of ownership reads it, and know nothing else",
	},
	{
		dir: "lint/dependencies/registry", may: []string{"lint", "lint/dependencies", "rules"},
		why: "asking registries is the one part of lint that knows the network and the ecosystems' clients; it answers an interface that the family defines",
	},
	{
		dir: "lint/...", may: []string{"lint", "lint/launch", "lint/leaks", "lint/secrets", "rules"}, pure: true,
		why: "a family knows its files and its rules, no other family, and nothing outside the tree",
	},
	{
		dir: "rules", pure: true,
		why: "rules are data and depend on nothing",
	},
	{
		dir: "web", may: []string{"metrics", "lint", "rules", "web/chart"},
		why: "the dashboard renders finished values through interfaces; a store or an estimator behind a page would let it compute",
	},
	{
		dir: "web/signin", may: []string{"web"},
		why: "signing in stands before the dashboard and shows itself in its look; where sessions are kept it learns through an interface",
	},
	{
		dir: "web/signin/idp",
		why: "a provider to test against is a program of others and knows nothing of ours",
	},
	{
		dir: "web/sessions", may: []string{"web/signin", "migrations"},
		why: "sessions live in the database so that every process knows who is signed in; it is the only part of web that knows SQL",
	},
	{
		dir: "web/chart", pure: true,
		why: "a chart draws numbers and knows nothing else",
	},
	{
		dir: "mcp/auth",
		why: "who may call is decided without knowing what can be called",
	},
	{
		dir: "mcp/statekey", may: []string{"migrations"},
		why: "what the processes of one installation sign with lives in the database; it is the only part of mcp that knows SQL",
	},
	{
		dir: "mcp/...", may: []string{"metrics", "lint", "lint/leaks", "rules", "mcp", "mcp/..."},
		why: "the MCP server renders finished values through read-only interfaces",
	},
	{
		dir: "docs", pure: true,
		why: "the manual is text that the program carries; it knows nothing of what shows it",
	},
	{
		dir: "migrations/...", may: []string{"migrations"},
		why: "the schema stands below everything that uses it",
	},
	{
		dir: "internal/github/githubtest", may: []string{"internal/github"},
		why: "a GitHub to test against speaks in the values of the client that reads it, and knows nothing else",
	},
	{
		dir: "internal/gittree", may: []string{"internal/blobfs"},
		why: "a commit is a list of files whose contents git hands out, and knows nothing else",
	},
	{
		dir: "deploy/...",
		why: "what releases and runs the program is tested from outside, as a runner would start it",
	},
	{
		dir: "internal/...",
		why: "plumbing is shared by rooms and so may know none of them",
	},
}

// impure are the packages that a pure package must not import: each lets the
// world in. Time values are fine, reading the clock is not, so package time is
// checked call by call instead.
var impure = map[string]string{
	"database/sql": "SQL",
	"net":          "the network",
	"net/http":     "the network",
	"os/exec":      "other processes",
	"math/rand":    "randomness without a seed of ours (use math/rand/v2 with a seed)",
}

// clockCalls are the functions of package time that read or wait for the
// clock.
var clockCalls = map[string]bool{
	"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true,
	"AfterFunc": true, "Tick": true, "NewTimer": true, "NewTicker": true,
}
