package githubtest

import (
	"crypto/rsa"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"time"

	"steelyard/internal/github"
)

// Options says how a world is made.
type Options struct {
	// Clock tells the time of answers, limits and changes; nil for the
	// machine's.
	Clock func() time.Time
	// Token, if set, is the only personal token that is accepted; without it
	// and without Apps everybody may read.
	Token string
}

// World is a GitHub. Its methods may be called while it answers.
type World struct {
	clock func() time.Time
	token string

	mu       sync.Mutex
	accounts map[string]*github.Account // by lower-case login
	repos    []*repo
	byName   map[string]*repo // by lower-case name, former names too
	nodes    map[string]node  // by node id
	orgs     map[string]*org
	apps     map[int64]*app
	tokens   map[string]granted
	faults   []*Fault
	limits   map[bool]*allowance // by whether it is GraphQL's
	counts   Counts
	watch    func(Request)
	nextID   int64
	viewer   *github.Account // whom every token speaks for, nil for nobody
	readOnly bool            // whether comments are refused
}

// repo is a repository and what is in it.
type repo struct {
	github.Repository
	deleted bool
	pulls   []*pull // by number, ascending
	// history is the default branch, oldest first.
	history []github.Commit
	next    int // number of the next pull request
	files   map[string]File
	gate    gate
	// updated caches the pull requests by last update.
	updated []*pull
	// stretches caches parts of the history by their times.
	stretches map[[3]int64][]*github.Commit
}

// pull is a pull request and how it misbehaves.
type pull struct {
	github.PullRequest
	repo     *repo
	nullHead bool
	broken   Breakage
	remarks  []Comment // in its conversation, oldest first
}

// node is what a node id names.
type node struct {
	pull   *pull
	thread int // index of the thread, −1 for the pull request itself
}

type org struct {
	login    string
	teams    []*team
	seats    []github.Seat
	reports  map[string][]github.UserUsage // by day
	installs int64                         // installation id, 0 if the App is not installed
}

type team struct {
	github.Team
	members []string // logins
}

// app is a GitHub App and the installations it has.
type app struct {
	key *rsa.PublicKey
}

// granted is an installation's token.
type granted struct {
	installation int64
	expires      time.Time
}

// File is a file of a repository's tree.
type File struct {
	Text string
	Mode string // empty is 100644
}

// New returns an empty world.
func New(o Options) *World {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &World{
		clock: o.Clock, token: o.Token,
		accounts: map[string]*github.Account{}, byName: map[string]*repo{}, nodes: map[string]node{},
		orgs: map[string]*org{}, apps: map[int64]*app{}, tokens: map[string]granted{},
		limits: map[bool]*allowance{false: {limit: standardLimit}, true: {limit: standardLimit}},
		nextID: 1000,
	}
}

func (w *World) now() time.Time { return w.clock().UTC().Truncate(time.Second) }

// id is a new database id.
func (w *World) id() int64 {
	w.nextID++
	return w.nextID
}

// nodeID is a node id of a kind, opaque like GitHub's own.
func nodeID(kind string, id int64) string {
	return kind + "_kwDO" + base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf("%08x", id)))
}

// Person returns the account of a login, a new one where there is none.
func (w *World) Person(login string) github.Account { return w.account(login, "User") }

// Bot returns the account of an app, a new one where there is none. Its login
// is without "[bot]", which only REST adds.
func (w *World) Bot(login string) github.Account { return w.account(login, "Bot") }

func (w *World) account(login, kind string) github.Account {
	w.mu.Lock()
	defer w.mu.Unlock()
	return *w.accountLocked(login, kind)
}

func (w *World) accountLocked(login, kind string) *github.Account {
	key := strings.ToLower(login)
	if a := w.accounts[key]; a != nil {
		return a
	}
	id := w.id()
	prefix := "U"
	if kind == "Bot" {
		prefix = "BOT"
	}
	a := &github.Account{ID: id, NodeID: nodeID(prefix, id), Login: login, Type: kind}
	w.accounts[key] = a
	return a
}

// Account registers an account with ids of its own, such as a known bot's.
func (w *World) Account(a github.Account) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a.NodeID == "" {
		a.NodeID = nodeID("U", a.ID)
	}
	w.accounts[strings.ToLower(a.Login)] = &a
}

// Repository returns the repository of that name, a new one with the default
// branch main where there is none.
func (w *World) Repository(name string) github.Repository {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.repoLocked(name).Repository
}

func (w *World) repoLocked(name string) *repo {
	if r := w.byName[strings.ToLower(name)]; r != nil {
		return r
	}
	id := w.id()
	owner, _, _ := strings.Cut(name, "/")
	w.accountLocked(owner, "Organization")
	r := &repo{
		Repository: github.Repository{
			ID: nodeID("R", id), DatabaseID: id, NameWithOwner: name, DefaultBranch: "main",
			Created: w.now().AddDate(-1, 0, 0),
		},
		next: 1, files: map[string]File{},
	}
	w.repos = append(w.repos, r)
	w.byName[strings.ToLower(name)] = r
	return r
}

// mustRepo finds a repository that a test names; a name that is not there is
// a fault of the test.
func (w *World) mustRepo(name string) *repo {
	r := w.byName[strings.ToLower(name)]
	if r == nil {
		panic(fmt.Sprintf("githubtest: there is no repository %s", name))
	}
	return r
}

func (w *World) mustPull(name string, number int) *pull {
	p := w.mustRepo(name).find(number)
	if p == nil {
		panic(fmt.Sprintf("githubtest: there is no pull request %s#%d", name, number))
	}
	return p
}

func (r *repo) find(number int) *pull {
	i, ok := slices.BinarySearchFunc(r.pulls, number, func(p *pull, n int) int { return p.Number - n })
	if !ok {
		return nil
	}
	return r.pulls[i]
}

// PullRequest returns a pull request as the world has it: what a reader must
// come to.
func (w *World) PullRequest(name string, number int) github.PullRequest {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mustPull(name, number).PullRequest
}

// PullRequests returns all pull requests of a repository, by number.
func (w *World) PullRequests(name string) []github.PullRequest {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []github.PullRequest
	for _, p := range w.mustRepo(name).pulls {
		out = append(out, p.PullRequest)
	}
	return out
}

// History returns the commits of the default branch, oldest first.
func (w *World) History(name string) []github.Commit {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.mustRepo(name).history)
}

// oid is a commit's hash, made from what it is.
func oid(parts ...any) string {
	h := fnv.New128a()
	_, _ = fmt.Fprint(h, parts...)
	a := h.Sum(nil)
	_, _ = h.Write([]byte("tail"))
	return fmt.Sprintf("%x%x", a, h.Sum(nil))[:40]
}
