package registry

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"steelyard/lint/dependencies"
)

// maxSlowLookups bounds the questions to an interface that wants one a second.
const maxSlowLookups = 30

// crateVersion is one line of the sparse index.
type crateVersion struct {
	Name      string    `json:"name"`
	Version   string    `json:"vers"`
	Yanked    bool      `json:"yanked"`
	Published time.Time `json:"pubtime"`
}

// crates asks the sparse index for existence and age, then the interface that
// the index names for licence, downloads and, for older crates, age.
func (r *Registry) crates(ctx context.Context, q dependencies.Query, a Address) result {
	ans := r.client.send(ctx, request{url: a.URL + "/" + cratePath(q.Name), accept: "text/plain", limit: maxDocument})
	defer ans.close()
	if ans.failed != "" {
		return unknown(ans.failed)
	}
	if ans.absent() {
		body := ans.text()
		own := strings.TrimSpace(body) != "" || ans.status != 404
		return result{absent: true, own: own || r.cratesAPIOwn404(ctx, q, a), status: ans.status}
	}
	versions, why := readCrate(ans.body)
	if why != "" {
		return unknown(why)
	}
	f := crateFacts(q, a, versions)
	r.crateMore(ctx, q, a, versions, &f)
	if f.First.IsZero() && f.AgeWhy == "" {
		f.First, f.AgeWhy = crateAge(versions, a, r.options.Now())
	}
	return result{Facts: f}
}

// cratePath is where the index keeps a name.
func cratePath(name string) string {
	name = strings.ToLower(name)
	switch len(name) {
	case 1:
		return "1/" + name
	case 2:
		return "2/" + name
	case 3:
		return "3/" + name[:1] + "/" + name
	}
	return name[:2] + "/" + name[2:4] + "/" + name
}

func readCrate(in io.Reader) ([]crateVersion, string) {
	var versions []crateVersion
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var v crateVersion
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil || v.Version == "" {
			return nil, "its answer was cut short or is no index entry"
		}
		versions = append(versions, v)
	}
	if err := lines.Err(); err != nil {
		return nil, broken(err)
	}
	if len(versions) == 0 {
		return nil, "its answer names no version"
	}
	return versions, ""
}

func crateFacts(q dependencies.Query, a Address, versions []crateVersion) dependencies.Facts {
	last := versions[len(versions)-1]
	f := dependencies.Facts{Existence: dependencies.Exists, Version: last.Version}
	if q.Version == "" {
		if !slices.ContainsFunc(versions, func(v crateVersion) bool { return !v.Yanked }) {
			f.Yanked = "every version is yanked"
		}
		return f
	}
	f.Version = q.Version
	i := slices.IndexFunc(versions, func(v crateVersion) bool { return v.Version == q.Version })
	switch {
	case i >= 0:
		f.VersionExistence = dependencies.Exists
		if versions[i].Yanked {
			f.Yanked = "yanked, it gives no reason"
		}
	case a.Canonical:
		f.VersionExistence, f.VersionWhy = dependencies.Missing, fmt.Sprintf("it lists %s, and not this one", versionCount(len(versions)))
	default:
		f.VersionWhy = fmt.Sprintf("%s does not list it, but a mirror may leave versions out", a.title(q.Ecosystem))
	}
	return f
}

// crateAge takes the index's own times; the oldest version may have none.
func crateAge(versions []crateVersion, a Address, now time.Time) (time.Time, string) {
	times := crateTimes(versions)
	if len(times) < len(versions) {
		return time.Time{}, "the index gives no time for its oldest versions"
	}
	return firstTime(slices.MinFunc(times, time.Time.Compare), times, a, now)
}

func crateTimes(versions []crateVersion) []time.Time {
	var times []time.Time
	for _, v := range versions {
		if !v.Published.IsZero() {
			times = append(times, v.Published)
		}
	}
	return times
}

// api is the address of the interface that the index names, "" for none.
func (r *Registry) api(ctx context.Context, a Address) string {
	r.once.crates.Do(func() {
		var config struct {
			API string `json:"api"`
		}
		ans := r.client.send(ctx, request{url: a.URL + "/config.json", accept: "application/json"})
		if ans.failed == "" && !ans.absent() && decode(ans, &config) == "" {
			r.cratesAPI = strings.TrimSuffix(config.API, "/")
			return
		}
		ans.close()
		if a.Set { // one address for both
			r.cratesAPI = a.URL
		}
	})
	return r.cratesAPI
}

// crateAnswer is what the interface says of a crate.
type crateAnswer struct {
	Crate struct {
		Created    time.Time `json:"created_at"`
		Recent     *int64    `json:"recent_downloads"`
		Repository string    `json:"repository"`
	} `json:"crate"`
	Versions []struct {
		Number  string `json:"num"`
		License string `json:"license"`
		Yanked  string `json:"yank_message"`
	} `json:"versions"`
}

func (r *Registry) crateMore(ctx context.Context, q dependencies.Query, a Address, versions []crateVersion, f *dependencies.Facts) {
	base := r.api(ctx, a)
	if base == "" || !r.slowLookups.take() {
		return
	}
	ans := r.client.send(ctx, request{url: base + "/api/v1/crates/" + strings.ToLower(q.Name), accept: "application/json"})
	if ans.failed != "" || ans.absent() {
		ans.close()
		return
	}
	var c crateAnswer
	if decode(ans, &c) != "" {
		return
	}
	if !c.Crate.Created.IsZero() {
		f.First, f.AgeWhy = firstTime(c.Crate.Created, crateTimes(versions), a, r.options.Now())
	}
	if c.Crate.Recent != nil { // of ninety days
		month := *c.Crate.Recent / 3
		f.Downloads = &month
	}
	f.Repository = firstLine(c.Crate.Repository)
	for _, v := range c.Versions {
		if v.Number == f.Version {
			f.LicenceKnown = true
			if v.License != "" {
				f.Licences = []string{v.License}
			}
			if f.Yanked != "" && v.Yanked != "" {
				f.Yanked = firstLine(v.Yanked)
			}
		}
	}
}

// cratesAPIOwn404 asks the interface whether a crate is not there: its answer
// has words of its own, the index's has none.
func (r *Registry) cratesAPIOwn404(ctx context.Context, q dependencies.Query, a Address) bool {
	base := r.api(ctx, a)
	if base == "" || !r.slowLookups.take() {
		return false
	}
	ans := r.client.send(ctx, request{url: base + "/api/v1/crates/" + strings.ToLower(q.Name), accept: "application/json"})
	defer ans.close()
	return ans.absent() && strings.Contains(ans.text(), "does not exist")
}
