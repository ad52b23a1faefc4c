package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"steelyard/lint/dependencies"
)

// Address says where an ecosystem is asked.
type Address struct {
	// URL is the base without a slash at its end; "" means that nothing is
	// configured here. It may hold a user and a password.
	URL string
	// Canonical is set on the registry itself. Any other is a mirror, whose
	// 404 proves nothing alone.
	Canonical bool
	// Set is set on an address that was given to Steelyard itself.
	Set bool
	// Presumed is set on one that did not say whether it is a mirror and is
	// taken for one.
	Presumed bool
	// Downloads is npm's other service, Hub Docker Hub's interface; "" for
	// none.
	Downloads, Hub string
	// Token says that GitHub's token may be sent there.
	Token bool
	// Further says that the user's settings name other registries beside this
	// one, so that a package may live there.
	Further bool
	// Off says why the ecosystem is not asked at all.
	Off string
}

// title names the registry in prose: "npm", "npm mirror mirror.example".
func (a Address) title(e dependencies.Ecosystem) string {
	name := e.Title()
	switch e {
	case dependencies.Actions:
		name = "GitHub"
	case dependencies.Docker:
		name = "the container registry"
	case dependencies.Maven:
		name = "Maven Central"
	case dependencies.Go:
		name = "the Go module proxy"
	}
	if a.Canonical {
		return name
	}
	u, err := url.Parse(a.URL)
	if err != nil {
		return name + " mirror"
	}
	return name + " mirror " + u.Hostname()
}

// Environment names the variable that sets the address of an ecosystem:
// STEELYARD_REGISTRY_NPM.
func Environment(e dependencies.Ecosystem) string {
	return "STEELYARD_REGISTRY_" + strings.ToUpper(string(e))
}

// The variables of the cross-checks, and of the services beside two
// registries.
const (
	EnvDepsDev      = "STEELYARD_DEPSDEV"
	EnvOSV          = "STEELYARD_OSV"
	EnvNPMDownloads = "STEELYARD_REGISTRY_NPM_DOWNLOADS"
	EnvDockerHub    = "STEELYARD_REGISTRY_DOCKER_HUB"
)

// Off as the value of an address means that nobody is asked.
const Off = "off"

// Addresses knows where each ecosystem is asked. They are found out when they
// are first needed: that may start the ecosystem's own client.
type Addresses struct {
	world    World
	explicit map[string]string // by environment variable
	mu       sync.Mutex
	found    map[dependencies.Ecosystem]Address
	private  *string
}

// DepsDev is the base of deps.dev, "" if it is off.
func (a *Addresses) DepsDev() string { return a.service(EnvDepsDev, "https://api.deps.dev") }

// OSV is the base of OSV, "" if it is off.
func (a *Addresses) OSV() string { return a.service(EnvOSV, "https://api.osv.dev") }

func (a *Addresses) service(variable, standard string) string {
	v := a.given(variable)
	switch v {
	case "":
		return standard
	case Off:
		return ""
	}
	return strings.TrimSuffix(v, "/")
}

// given is what was set for Steelyard itself, by configuration or environment.
func (a *Addresses) given(variable string) string {
	if v := a.world.env(variable); v != "" {
		return v
	}
	return a.explicit[variable]
}

// Of returns the address of an ecosystem.
func (a *Addresses) Of(ctx context.Context, e dependencies.Ecosystem) Address {
	a.mu.Lock()
	defer a.mu.Unlock()
	if found, ok := a.found[e]; ok {
		return found
	}
	found, ok := a.set(ctx, e)
	if !ok {
		found = a.world.discover(ctx, e)
	}
	found.URL = strings.TrimRight(found.URL, "/")
	if a.found == nil {
		a.found = map[dependencies.Ecosystem]Address{}
	}
	a.found[e] = found
	return found
}

// set is the address that was given to Steelyard. Like any other than the
// client's own default it is a mirror: companies set theirs here. It speaks for
// the registry itself where "registry+https://…" says so, and on this very
// machine, where a stand-in runs; "mirror+" says the opposite.
func (a *Addresses) set(ctx context.Context, e dependencies.Ecosystem) (Address, bool) {
	v := a.given(Environment(e))
	switch v {
	case "":
		return Address{}, false
	case Off:
		return Address{Off: fmt.Sprintf("%s is switched off", Environment(e))}, true
	}
	address, mirror := strings.CutPrefix(v, "mirror+")
	address, itself := strings.CutPrefix(address, "registry+")
	found := Address{URL: address, Set: true}
	found.Canonical = !mirror && (itself || onThisMachine(address) || sameHost(address, a.world.canonical(ctx, e)))
	found.Presumed = !mirror && !found.Canonical
	switch e {
	case dependencies.NPM:
		found.Downloads = strings.TrimRight(a.given(EnvNPMDownloads), "/")
	case dependencies.Docker:
		found.Hub = strings.TrimRight(a.given(EnvDockerHub), "/")
		if found.Hub == "" {
			found.Hub = strings.TrimRight(address, "/")
		}
	}
	return found, true
}

// onThisMachine reports whether an address is one of this machine alone.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

func sameHost(a, b string) bool {
	x, errA := url.Parse(a)
	y, errB := url.Parse(b)
	return errA == nil && errB == nil && y.Host != "" && strings.EqualFold(x.Host, y.Host)
}

// fingerprint tells apart places where an ecosystem may be asked, without
// finding out which it is.
func (a *Addresses) fingerprint(e dependencies.Ecosystem) string {
	sum := sha256.New()
	for _, part := range append([]string{a.given(Environment(e)), a.given(EnvDepsDev), a.given(EnvOSV), a.given(EnvNPMDownloads)}, a.world.inputs(e)...) {
		_, _ = fmt.Fprintf(sum, "%q,", part) // a hash takes everything
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Public reports whether an address that a repository names is one that is
// asked anyway. It is what [dependencies.ReadOptions] wants.
func (a *Addresses) Public(ctx context.Context) func(dependencies.Ecosystem, string) bool {
	return func(e dependencies.Ecosystem, address string) bool {
		named, err := url.Parse(strings.TrimPrefix(address, "sparse+"))
		if err != nil || named.Host == "" {
			return false
		}
		asked, err := url.Parse(a.Of(ctx, e).URL)
		if err == nil && strings.EqualFold(asked.Host, named.Host) {
			return true
		}
		canonical, err := url.Parse(a.world.canonical(ctx, e))
		return err == nil && canonical.Host != "" && strings.EqualFold(canonical.Host, named.Host)
	}
}

// UserNPMRC is the text of the user's own .npmrc, "" for none.
func (a *Addresses) UserNPMRC() string { return a.world.file(".npmrc") }

// Private are the patterns of Go modules that no public proxy is asked about.
func (a *Addresses) Private(ctx context.Context) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.private == nil {
		p := a.world.goPrivate(ctx)
		a.private = &p
	}
	return *a.private
}
