package registry

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"steelyard/lint/dependencies"
)

// nugetIndex is what the service index says, asked once.
type nugetIndex struct {
	registrations string
	failed        string
}

// nugetPage is a page of registrations; large packages keep the items of a page
// at its own address.
type nugetPage struct {
	ID    string `json:"@id"`
	Items []struct {
		Entry nugetEntry `json:"catalogEntry"`
	} `json:"items"`
}

type nugetEntry struct {
	Version     string    `json:"version"`
	Published   time.Time `json:"published"`
	Listed      *bool     `json:"listed"`
	Expression  string    `json:"licenseExpression"`
	LicenseURL  string    `json:"licenseUrl"`
	Project     string    `json:"projectUrl"`
	Deprecation *struct {
		Reasons []string `json:"reasons"`
		Message string   `json:"message"`
	} `json:"deprecation"`
}

// nugetPages bounds the pages that are asked for.
const nugetPages = 40

// unlistedYear is the year in which NuGet says that a version was published
// that is unlisted.
const unlistedYear = 1900

func (r *Registry) nugetOrg(ctx context.Context, q dependencies.Query, a Address) result {
	index := r.nugetService(ctx, a)
	if index.failed != "" {
		return unknown(index.failed)
	}
	ans := r.client.send(ctx, request{
		url: index.registrations + url.PathEscape(strings.ToLower(q.Name)) + "/index.json", accept: "application/json", limit: maxDocument,
	})
	defer ans.close()
	if ans.failed != "" {
		return unknown(ans.failed)
	}
	if ans.absent() {
		body := strings.ToLower(ans.text())
		return result{absent: true, own: strings.Contains(body, "notfound") || strings.Contains(body, "not found"), status: ans.status}
	}
	var doc struct {
		Items []nugetPage `json:"items"`
	}
	if why := decode(ans, &doc); why != "" {
		return unknown(why)
	}
	entries, why := r.nugetEntries(ctx, doc.Items)
	if why != "" {
		return unknown(why)
	}
	if len(entries) == 0 {
		return unknown("its answer names no version")
	}
	return result{Facts: nugetFacts(q, a, entries, r.options.Now())}
}

// nugetService asks the service index where registrations are.
func (r *Registry) nugetService(ctx context.Context, a Address) nugetIndex {
	r.once.nuget.Do(func() {
		address := a.URL
		if !strings.HasSuffix(address, ".json") {
			address += "/v3/index.json"
		}
		ans := r.client.send(ctx, request{url: address, accept: "application/json"})
		if ans.failed != "" {
			r.nuget.failed = ans.failed
			return
		}
		if ans.absent() {
			ans.close()
			r.nuget.failed = fmt.Sprintf("it answered %d for its own index", ans.status)
			return
		}
		var index struct {
			Resources []struct {
				ID   string `json:"@id"`
				Type string `json:"@type"`
			} `json:"resources"`
		}
		if r.nuget.failed = decode(ans, &index); r.nuget.failed != "" {
			return
		}
		best := ""
		for _, res := range index.Resources {
			if strings.HasPrefix(res.Type, "RegistrationsBaseUrl") && res.Type >= best && res.Type != "RegistrationsBaseUrl/Versioned" {
				best, r.nuget.registrations = res.Type, strings.TrimSuffix(res.ID, "/")+"/"
			}
		}
		if best == "" {
			r.nuget.failed = "its index names no registrations"
		}
	})
	return r.nuget
}

// nugetEntries brings the pages together, oldest version first.
func (r *Registry) nugetEntries(ctx context.Context, pages []nugetPage) ([]nugetEntry, string) {
	if len(pages) > nugetPages {
		pages = append(pages[:1:1], pages[len(pages)-nugetPages+1:]...)
	}
	whys := make([]string, len(pages))
	var wait sync.WaitGroup
	for i := range pages {
		if len(pages[i].Items) > 0 || pages[i].ID == "" {
			continue
		}
		wait.Add(1)
		go func() {
			defer wait.Done()
			ans := r.client.send(ctx, request{url: pages[i].ID, accept: "application/json", limit: maxDocument})
			if whys[i] = ans.failed; whys[i] != "" {
				return
			}
			if ans.absent() {
				ans.close()
				whys[i] = "a page of its versions is not there"
				return
			}
			whys[i] = decode(ans, &pages[i])
		}()
	}
	wait.Wait()
	var entries []nugetEntry
	for i, p := range pages {
		if whys[i] != "" {
			return nil, whys[i]
		}
		for _, item := range p.Items {
			entries = append(entries, item.Entry)
		}
	}
	return entries, ""
}

func nugetFacts(q dependencies.Query, a Address, entries []nugetEntry, now time.Time) dependencies.Facts {
	f := dependencies.Facts{Existence: dependencies.Exists}
	chosen := entries[len(entries)-1]
	if q.Version != "" {
		f.Version = q.Version
		if a.Canonical {
			f.VersionExistence, f.VersionWhy = dependencies.Missing, fmt.Sprintf("it lists %s, and not this one", versionCount(len(entries)))
		} else {
			f.VersionWhy = fmt.Sprintf("%s does not list it, but a mirror may leave versions out", a.title(q.Ecosystem))
		}
	}
	var times []time.Time
	var first time.Time
	for _, e := range entries {
		if e.Published.Year() > unlistedYear {
			times = append(times, e.Published)
			if first.IsZero() || e.Published.Before(first) {
				first = e.Published
			}
		}
		if q.Version != "" && sameNuGet(e.Version, q.Version) {
			chosen = e
			f.VersionExistence, f.VersionWhy = dependencies.Exists, ""
		}
	}
	f.First, f.AgeWhy = firstTime(first, times, a, now)
	if first.IsZero() {
		f.AgeWhy = "every version is unlisted, which hides its time"
	}
	if f.VersionExistence == dependencies.Missing {
		return f
	}
	f.Version = chosen.Version
	if chosen.Listed != nil && !*chosen.Listed || chosen.Published.Year() == unlistedYear {
		f.Yanked = "unlisted by its owner"
	}
	if d := chosen.Deprecation; d != nil {
		f.Deprecated = firstLine(strings.TrimSpace(strings.Join(d.Reasons, ", ") + " " + d.Message))
	}
	f.Licences, f.LicenceKnown = nugetLicence(chosen), true
	f.Repository = firstLine(chosen.Project)
	return f
}

// nugetLicence is the expression, or the address where the licence stands.
func nugetLicence(e nugetEntry) []string {
	if e.Expression != "" {
		return []string{e.Expression}
	}
	if rest, ok := strings.CutPrefix(e.LicenseURL, "https://licenses.nuget.org/"); ok {
		if expression, err := url.PathUnescape(rest); err == nil {
			return []string{expression}
		}
	}
	if e.LicenseURL != "" {
		return []string{e.LicenseURL}
	}
	return nil
}

// sameNuGet compares versions without case, build data and zeros at the end.
func sameNuGet(a, b string) bool {
	form := func(v string) string {
		v, _, _ = strings.Cut(strings.ToLower(v), "+")
		number, pre, _ := strings.Cut(v, "-")
		return trailingZeros.ReplaceAllString(number, "") + "-" + pre
	}
	return form(a) == form(b)
}
