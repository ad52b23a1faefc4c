package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"steelyard/lint/dependencies"
)

// depsDevSystem is what deps.dev calls an ecosystem, "" for one it does not
// know.
func depsDevSystem(e dependencies.Ecosystem) string {
	return map[dependencies.Ecosystem]string{
		dependencies.NPM: "NPM", dependencies.PyPI: "PYPI", dependencies.Go: "GO", dependencies.Cargo: "CARGO",
		dependencies.RubyGems: "RUBYGEMS", dependencies.NuGet: "NUGET", dependencies.Maven: "MAVEN",
	}[e]
}

// depsDevPackage is deps.dev's answer about a name.
type depsDevPackage struct {
	Versions []struct {
		Key struct {
			Version string `json:"version"`
		} `json:"versionKey"`
		Published  time.Time `json:"publishedAt"`
		Default    bool      `json:"isDefault"`
		Deprecated bool      `json:"isDeprecated"`
	} `json:"versions"`
}

// depsDev asks deps.dev about a name. found is false where it says that there
// is none; why is set where it did not say.
func (r *Registry) depsDev(ctx context.Context, q dependencies.Query) (p depsDevPackage, found bool, why string) {
	base, system := r.options.Addresses.DepsDev(), depsDevSystem(q.Ecosystem)
	if base == "" || system == "" || r.depsdevDown.is() {
		return p, false, "deps.dev was not asked"
	}
	ans := r.client.send(ctx, request{url: base + "/v3/systems/" + system + "/packages/" + url.PathEscape(q.Name), accept: "application/json", limit: maxDocument, brief: true})
	defer ans.close()
	switch {
	case ans.failed != "":
		if ans.status == 0 {
			r.depsdevDown.set()
		}
		return p, false, "deps.dev did not help: " + ans.failed
	case ans.absent():
		if body := strings.ToLower(ans.text()); !strings.Contains(body, "not found") && !strings.Contains(body, `"code"`) {
			return p, false, "deps.dev answered without a word"
		}
		return p, false, ""
	}
	if why := decode(ans, &p); why != "" {
		return p, false, "deps.dev did not help: " + why
	}
	return p, len(p.Versions) > 0, ""
}

// prove decides what a 404 means. It is proof where the registry itself said
// it in its own words, or where deps.dev, which reads the registries for
// itself, has no such package either.
func (r *Registry) prove(ctx context.Context, q dependencies.Query, a Address, res result) dependencies.Facts {
	f := dependencies.Facts{Asked: res.Asked}
	if a.Further {
		f.Why = fmt.Sprintf("%s answered %d, but the settings here name further registries, which were not asked", f.Asked, res.status)
		return f
	}
	if res.own && a.Canonical {
		f.Existence, f.Why = dependencies.Missing, fmt.Sprintf("it answered %d in its own words", res.status)
		return f
	}
	doubt := fmt.Sprintf("%s answered %d without the registry's own words, as mirrors do for packages that exist", f.Asked, res.status)
	if res.own {
		doubt = fmt.Sprintf("%s answered %d, but a mirror does not speak for the registry", f.Asked, res.status)
		if a.Presumed {
			doubt += fmt.Sprintf(" (where it is the registry itself, write registry+ before its address in %s)", Environment(q.Ecosystem))
		}
	}
	_, found, why := r.depsDev(ctx, q)
	switch {
	case why != "":
		f.Why = doubt
	case found:
		f.Why = doubt + "; deps.dev knows it"
	default:
		f.Existence, f.Why = dependencies.Missing, fmt.Sprintf("it answered %d, and deps.dev has none either", res.status)
	}
	return f
}

// complete asks deps.dev for what a registry does not say: the age, and the
// licence of Go modules, which no proxy knows.
func (r *Registry) complete(ctx context.Context, q dependencies.Query, f *dependencies.Facts) {
	if f.Placeholder != "" || f.Quarantined != "" {
		return
	}
	if f.First.IsZero() {
		if p, found, why := r.depsDev(ctx, q); why == "" && found {
			if first := p.first(); !first.IsZero() {
				f.First, f.AgeWhy = first, ""
				f.Notes = append(f.Notes, "its age is deps.dev's")
			}
		}
	}
	if q.Ecosystem == dependencies.Go && !f.LicenceKnown && f.Version != "" {
		f.Licences, f.LicenceKnown = r.depsDevLicences(ctx, q, f.Version)
	}
}

func (p depsDevPackage) first() time.Time {
	var first time.Time
	for _, v := range p.Versions {
		if !v.Published.IsZero() && (first.IsZero() || v.Published.Before(first)) {
			first = v.Published
		}
	}
	return first.UTC()
}

func (r *Registry) depsDevLicences(ctx context.Context, q dependencies.Query, version string) ([]string, bool) {
	base := r.options.Addresses.DepsDev()
	if base == "" || r.depsdevDown.is() {
		return nil, false
	}
	ans := r.client.send(ctx, request{
		url: base + "/v3/systems/" + depsDevSystem(q.Ecosystem) + "/packages/" + url.PathEscape(q.Name) + "/versions/" + url.PathEscape(version), accept: "application/json", brief: true,
	})
	if ans.failed != "" || ans.absent() {
		if ans.status == 0 {
			r.depsdevDown.set()
		}
		ans.close()
		return nil, false
	}
	var v struct {
		Licenses []string `json:"licenses"`
	}
	if decode(ans, &v) != "" {
		return nil, false
	}
	return v.Licenses, true
}

// onlyDepsDev answers where no registry is configured and no client is
// installed that could say where it is. Its "no" alone proves nothing.
func (r *Registry) onlyDepsDev(ctx context.Context, q dependencies.Query) dependencies.Facts {
	f := dependencies.Facts{Asked: "deps.dev"}
	p, found, why := r.depsDev(ctx, q)
	switch {
	case why != "":
		f.Why = fmt.Sprintf("no %s registry is configured here, and %s", q.Ecosystem.Title(), why)
		return f
	case !found:
		f.Why = fmt.Sprintf("no %s registry is configured here; deps.dev has no such package, which alone proves nothing", q.Ecosystem.Title())
		return f
	}
	f.Existence, f.First = dependencies.Exists, p.first()
	if f.First.IsZero() {
		f.AgeWhy = "deps.dev gives no times"
	}
	for _, v := range p.Versions {
		if v.Key.Version == q.Version || q.Version == "" && v.Default {
			f.Version = v.Key.Version
			if v.Deprecated {
				f.Deprecated = "deps.dev says so"
			}
		}
	}
	if q.Version != "" {
		f.VersionExistence = dependencies.Exists
		if f.Version == "" {
			f.VersionExistence, f.VersionWhy = dependencies.Unknown, "deps.dev does not list it, which alone proves nothing"
		}
	}
	if f.Version != "" {
		f.Licences, f.LicenceKnown = r.depsDevLicences(ctx, q, f.Version)
	}
	return f
}

// osvEcosystem is what OSV calls an ecosystem.
func osvEcosystem(e dependencies.Ecosystem) string {
	return map[dependencies.Ecosystem]string{
		dependencies.NPM: "npm", dependencies.PyPI: "PyPI", dependencies.Go: "Go", dependencies.Cargo: "crates.io",
		dependencies.RubyGems: "RubyGems", dependencies.NuGet: "NuGet", dependencies.Maven: "Maven", dependencies.Actions: "GitHub Actions",
	}[e]
}

// osvBatch bounds the questions of one request.
const osvBatch = 500

type osvQuery struct {
	Package struct {
		Ecosystem string `json:"ecosystem"`
		Name      string `json:"name"`
	} `json:"package"`
	Version string `json:"version,omitempty"`
}

// malicious asks OSV which of the packages an advisory calls malicious, for
// the exact version. A package without a known version is not asked about: an
// advisory that matches the name alone says nothing of the version used.
func (r *Registry) malicious(ctx context.Context, queries []dependencies.Query, facts []dependencies.Facts, cached []bool) {
	base := r.options.Addresses.OSV()
	var asked []int
	for i, q := range queries {
		if base != "" && !cached[i] && osvEcosystem(q.Ecosystem) != "" && facts[i].Version != "" && facts[i].Existence == dependencies.Exists {
			asked = append(asked, i)
		}
	}
	for batch := range slices.Chunk(asked, osvBatch) {
		if r.osvDown.is() || !r.osvBatch(ctx, base, batch, queries, facts) {
			for _, i := range batch {
				facts[i].Unscreened = true
			}
		}
	}
}

// osvBatch is false where OSV does not say.
func (r *Registry) osvBatch(ctx context.Context, base string, batch []int, queries []dependencies.Query, facts []dependencies.Facts) bool {
	list := make([]osvQuery, len(batch))
	for k, i := range batch {
		list[k].Package.Ecosystem = osvEcosystem(queries[i].Ecosystem)
		list[k].Package.Name = queries[i].Name
		list[k].Version = strings.TrimPrefix(facts[i].Version, "v")
	}
	var body bytes.Buffer
	if err := json.NewEncoder(&body).Encode(map[string]any{"queries": list}); err != nil {
		return false
	}
	ans := r.client.send(ctx, request{
		url: base + "/v1/querybatch", accept: "application/json", method: "POST", body: body.Bytes(),
		headers: map[string]string{"Content-Type": "application/json"}, limit: maxDocument, brief: true,
	})
	if ans.failed != "" || ans.absent() {
		if ans.status == 0 {
			r.osvDown.set()
		}
		ans.close()
		return false
	}
	var got struct {
		Results []struct {
			Vulns []struct {
				ID string `json:"id"`
			} `json:"vulns"`
		} `json:"results"`
	}
	if decode(ans, &got) != "" || len(got.Results) != len(batch) {
		return false
	}
	for k, res := range got.Results {
		for _, v := range res.Vulns {
			if strings.HasPrefix(v.ID, "MAL-") {
				facts[batch[k]].Malicious = append(facts[batch[k]].Malicious, v.ID)
			}
		}
	}
	return true
}
