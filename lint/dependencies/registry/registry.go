// Package registry asks package registries what they know: npm, PyPI, the Go
// module proxy, crates.io, RubyGems, NuGet, Maven repositories, GitHub for
// actions and container registries, with deps.dev and OSV as cross-checks.
//
// Every registry is asked where the ecosystem's own client would ask, see
// [Discover]. What cannot be found out is never an error: it is in the facts,
// in words. A 404 proves absence only where it comes from the registry itself
// in its own words, or where two independent sources agree; mirrors answer
// 403, 404 or nothing for packages that exist.
package registry

import (
	"context"
	"sync"
	"time"

	"steelyard/lint/dependencies"
)

// Options says whom to ask and how. Now and Sleep are required.
type Options struct {
	// Addresses says where each ecosystem is asked; see [Discover].
	Addresses *Addresses
	// Offline asks nobody: the answer is unknown for all but what is cached.
	Offline bool
	// Client sends the requests; nil means one with safe defaults.
	Doer Doer
	// Cache keeps answers; nil keeps none.
	Cache Cache
	// Now is the clock, Sleep waits on it or until the context ends.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error
	// Timeout bounds one request with its answer; 0 means 20 s.
	Timeout time.Duration
	// GitHubToken is sent to GitHub's API alone.
	GitHubToken string
	// Agent is the User-Agent; crates.io refuses requests without a
	// descriptive one.
	Agent string
}

// Registry answers queries. It is safe for concurrent use.
type Registry struct {
	options Options
	client  *client
	once    struct {
		crates, nuget sync.Once
	}
	cratesAPI    string
	nuget        nugetIndex
	depsdevDown  downFlag
	osvDown      downFlag
	slowLookups  budget
	fetchersByEc map[dependencies.Ecosystem]fetcher
}

var _ dependencies.Registry = (*Registry)(nil)

// fetcher asks one registry about one package.
type fetcher func(ctx context.Context, q dependencies.Query, a Address) result

// result are facts on their way: a 404 still has to be proved.
type result struct {
	dependencies.Facts
	// absent says that the name was answered with 404, 410 or the like; own
	// that the answer has the registry's own form.
	absent, own bool
	status      int
}

// New returns a registry.
func New(o Options) *Registry {
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	if o.Agent == "" {
		o.Agent = "steelyard (dependency check)"
	}
	r := &Registry{options: o, client: newClient(o)}
	r.slowLookups.left = maxSlowLookups
	r.fetchersByEc = map[dependencies.Ecosystem]fetcher{
		dependencies.NPM: r.npm, dependencies.PyPI: r.pypi, dependencies.Go: r.goproxy, dependencies.Cargo: r.crates,
		dependencies.RubyGems: r.rubygems, dependencies.NuGet: r.nugetOrg, dependencies.Maven: r.maven,
		dependencies.Actions: r.actions, dependencies.Docker: r.image,
	}
	return r
}

// workers bounds the packages that are asked about at the same time; each host
// has a bound of its own.
const workers = 32

// Lookup returns the facts of each query, in their order.
func (r *Registry) Lookup(ctx context.Context, queries []dependencies.Query) []dependencies.Facts {
	facts := make([]dependencies.Facts, len(queries))
	cached := make([]bool, len(queries))
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(workers, len(queries)) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range next {
				facts[i], cached[i] = r.one(ctx, queries[i])
			}
		}()
	}
	for i := range queries {
		next <- i
	}
	close(next)
	wait.Wait()
	if !r.options.Offline {
		r.malicious(ctx, queries, facts, cached)
	}
	for i, q := range queries {
		if !cached[i] {
			r.remember(ctx, q, facts[i])
		}
	}
	return facts
}

// one asks about one package.
func (r *Registry) one(ctx context.Context, q dependencies.Query) (f dependencies.Facts, cached bool) {
	if f, ok := r.recall(ctx, q); ok {
		return f, true
	}
	if r.options.Offline {
		return dependencies.Facts{Asked: q.Ecosystem.Title(), Why: "offline: nobody was asked"}, false
	}
	if !holdable(q) {
		return dependencies.Facts{Asked: q.Ecosystem.Title(), Why: "it is no name that a registry could hold, so nobody was asked"}, false
	}
	a := r.options.Addresses.Of(ctx, q.Ecosystem)
	if a.Off != "" {
		return dependencies.Facts{Asked: q.Ecosystem.Title(), Why: a.Off}, false
	}
	if a.URL == "" {
		return r.onlyDepsDev(ctx, q), false
	}
	res := r.fetchersByEc[q.Ecosystem](ctx, q, a)
	res.Asked = a.title(q.Ecosystem)
	if res.absent {
		res.Facts = r.prove(ctx, q, a, res)
	}
	if a.Further && res.VersionExistence == dependencies.Missing {
		res.VersionExistence, res.VersionWhy = dependencies.Unknown, res.Asked+" does not list it, but the settings here name further registries, which were not asked"
	}
	if res.Existence == dependencies.Exists {
		r.complete(ctx, q, &res.Facts)
	}
	return res.Facts, false
}

// unknown is the answer where something stood in the way.
func unknown(why string) result { return result{Facts: dependencies.Facts{Why: why}} }

// budget counts down lookups that a registry wants slow.
type budget struct {
	mu   sync.Mutex
	left int
}

func (b *budget) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left--
	return b.left >= 0
}

// downFlag remembers that a cross-check does not answer in this run.
type downFlag struct {
	mu   sync.Mutex
	down bool
}

func (d *downFlag) set() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.down = true
}

func (d *downFlag) is() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.down
}
