package registry

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"time"

	"steelyard/lint/dependencies"
)

const manifestTypes = "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.docker.distribution.manifest.v2+json"

// image asks a container registry by the distribution protocol, and Docker Hub
// for the age of what it holds. Other registries give no age that its
// publisher could not forge.
func (r *Registry) image(ctx context.Context, q dependencies.Query, a Address) result {
	host, name := imageParts(q.Name)
	base, hub, foreign := "https://"+host, "", true
	if host == dockerHub {
		base, hub, foreign = a.URL, a.Hub, false
	} else if !publicHost(host) {
		return unknown("its registry is on a private network")
	}
	reference := q.Version
	if reference == "" {
		reference = "latest"
	}
	address := base + "/v2/" + name + "/manifests/" + reference
	ans := r.client.send(ctx, request{url: address, accept: manifestTypes, foreign: foreign})
	if ans.status == 401 {
		token, why := r.imageToken(ctx, ans.header.Get("WWW-Authenticate"), base, foreign)
		ans.close()
		if why != "" {
			return unknown(why)
		}
		ans = r.client.send(ctx, request{url: address, accept: manifestTypes, foreign: foreign, headers: map[string]string{"Authorization": "Bearer " + token}})
		if ans.status == 401 || ans.status == 403 {
			ans.failed = fmt.Sprintf("it answered %d, as for images that are private or not there", ans.status)
		}
	}
	defer ans.close()
	if ans.failed != "" {
		return unknown(ans.failed)
	}
	f := dependencies.Facts{Existence: dependencies.Exists, Version: reference, AgeWhy: "the registry gives no age that its publisher could not forge"}
	if ans.absent() {
		body := ans.text()
		if !strings.Contains(body, "MANIFEST_UNKNOWN") {
			return result{absent: true, own: strings.Contains(body, "NAME_UNKNOWN"), status: ans.status}
		}
		if host == dockerHub && !a.Canonical {
			return unknown(a.title(q.Ecosystem) + " does not have it, but a mirror may leave images out")
		}
		f.VersionExistence = dependencies.Missing
		f.VersionWhy = fmt.Sprintf("the registry has the image, but no tag or digest %q", reference)
	} else if mime := ans.header.Get("Content-Type"); !strings.Contains(mime, "json") {
		return unknown("its answer is not a manifest")
	} else if q.Version != "" {
		f.VersionExistence = dependencies.Exists
	}
	if hub != "" {
		r.hub(ctx, hub, name, a, &f)
	}
	return result{Facts: f}
}

const dockerHub = "docker.io"

// imageParts spells out the host and the "library" of an image's name.
func imageParts(name string) (host, rest string) {
	host, rest, found := strings.Cut(name, "/")
	if !found || !strings.ContainsAny(host, ".:") && host != "localhost" {
		host, rest = dockerHub, name
	}
	if host == "index.docker.io" || host == "registry-1.docker.io" {
		host = dockerHub
	}
	if host == dockerHub && !strings.Contains(rest, "/") {
		rest = "library/" + rest
	}
	return strings.ToLower(host), rest
}

// publicHost reports whether a host that a repository names may be asked: a
// file must not send us to addresses of our own network.
func publicHost(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil || strings.HasPrefix(host, "[") {
		return false
	}
	return strings.Contains(name, ".") && !strings.HasSuffix(name, ".local") && !strings.HasSuffix(name, ".internal") && !strings.HasSuffix(name, ".localhost")
}

var challenge = regexp.MustCompile(`(realm|service|scope)="([^"]*)"`)

// imageToken takes the anonymous token that the protocol hands out.
func (r *Registry) imageToken(ctx context.Context, header, base string, foreign bool) (token, why string) {
	fields := map[string]string{}
	for _, m := range challenge.FindAllStringSubmatch(header, -1) {
		fields[m[1]] = m[2]
	}
	realm, err := url.Parse(fields["realm"])
	own, _ := url.Parse(base)
	if err != nil || realm.Host == "" || realm.Scheme != "https" && realm.Host != own.Host || realm.Host != own.Host && !publicHost(realm.Host) {
		return "", "it answered 401: it wants a sign-in"
	}
	query := realm.Query()
	query.Set("service", fields["service"])
	query.Set("scope", fields["scope"])
	realm.RawQuery = query.Encode()
	ans := r.client.send(ctx, request{url: realm.String(), accept: "application/json", foreign: foreign})
	if ans.failed != "" {
		return "", ans.failed
	}
	var t struct {
		Token  string `json:"token"`
		Access string `json:"access_token"`
	}
	if why := decode(ans, &t); why != "" {
		return "", why
	}
	if t.Token == "" {
		t.Token = t.Access
	}
	return t.Token, ""
}

// hub asks Docker Hub when a repository was made. Its pulls are counted since
// then: the average month stands for a month.
func (r *Registry) hub(ctx context.Context, hub, name string, a Address, f *dependencies.Facts) {
	ans := r.client.send(ctx, request{url: hub + "/v2/repositories/" + name + "/", accept: "application/json"})
	if ans.failed != "" || ans.absent() {
		ans.close()
		return
	}
	var repo struct {
		Registered time.Time `json:"date_registered"`
		Pulls      *int64    `json:"pull_count"`
	}
	if decode(ans, &repo) != "" || repo.Registered.IsZero() {
		return
	}
	f.First, f.AgeWhy = firstTime(repo.Registered, nil, a, r.options.Now())
	if repo.Pulls != nil && !f.First.IsZero() {
		const month = 30 * 24 * time.Hour
		average := *repo.Pulls / max(int64(r.options.Now().Sub(f.First)/month), 1)
		f.Downloads = &average
	}
}
