package registry

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"steelyard/lint/dependencies"
)

// gemVersion is one entry of a gem's versions.
type gemVersion struct {
	Number   string    `json:"number"`
	Platform string    `json:"platform"`
	Created  time.Time `json:"created_at"`
	Licenses []string  `json:"licenses"`
}

// rubygems asks for a gem's versions, then for its downloads. Yanked versions
// are not listed.
func (r *Registry) rubygems(ctx context.Context, q dependencies.Query, a Address) result {
	name := url.PathEscape(q.Name)
	ans := r.client.send(ctx, request{url: a.URL + "/api/v1/versions/" + name + ".json", accept: "application/json", limit: maxDocument})
	defer ans.close()
	if ans.failed != "" {
		return unknown(ans.failed)
	}
	if ans.absent() {
		return result{absent: true, own: strings.Contains(ans.text(), "could not be found"), status: ans.status}
	}
	var versions []gemVersion
	if why := decode(ans, &versions); why != "" {
		return unknown(why)
	}
	if len(versions) == 0 {
		return result{Facts: dependencies.Facts{Existence: dependencies.Exists, AgeWhy: "it has no version", Yanked: "every version is yanked"}}
	}
	f := dependencies.Facts{Existence: dependencies.Exists, Version: versions[0].Number}
	if q.Version != "" {
		f.Version = q.Version
		if a.Canonical {
			f.VersionExistence, f.VersionWhy = dependencies.Missing, fmt.Sprintf("it lists %s, and not this one; yanked ones are not listed", versionCount(len(versions)))
		} else {
			f.VersionWhy = fmt.Sprintf("%s does not list it, but a mirror may leave versions out", a.title(q.Ecosystem))
		}
	}
	var times []time.Time
	for _, v := range versions {
		if !v.Created.IsZero() {
			times = append(times, v.Created)
		}
		if v.Number != f.Version {
			continue
		}
		if q.Version != "" {
			f.VersionExistence, f.VersionWhy = dependencies.Exists, ""
		}
		f.LicenceKnown = true
		f.Licences = choice(v.Licenses)
	}
	created := time.Time{}
	for _, t := range times {
		if created.IsZero() || t.Before(created) {
			created = t
		}
	}
	f.First, f.AgeWhy = firstTime(created, times, a, r.options.Now())
	r.gemMore(ctx, name, a, &f)
	return result{Facts: f}
}

// choice is a list of licences of which any one may be taken.
func choice(list []string) []string {
	if len(list) > 1 {
		return []string{"(" + strings.Join(list, " OR ") + ")"}
	}
	return list
}

// gemMore takes the downloads, which are counted since the first day: the
// average month stands for a month.
func (r *Registry) gemMore(ctx context.Context, name string, a Address, f *dependencies.Facts) {
	ans := r.client.send(ctx, request{url: a.URL + "/api/v1/gems/" + name + ".json", accept: "application/json"})
	if ans.failed != "" || ans.absent() {
		ans.close()
		return
	}
	var g struct {
		Downloads *int64 `json:"downloads"`
		Source    string `json:"source_code_uri"`
	}
	if decode(ans, &g) != "" {
		return
	}
	f.Repository = firstLine(g.Source)
	if g.Downloads != nil && !f.First.IsZero() {
		const month = 30 * 24 * time.Hour
		months := max(int64(r.options.Now().Sub(f.First)/month), 1)
		average := *g.Downloads / months
		f.Downloads = &average
	}
}
