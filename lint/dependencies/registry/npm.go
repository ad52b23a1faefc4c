package registry

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"steelyard/lint/dependencies"
)

// npmDocument is what is kept of a package's full document, which may have
// tens of megabytes. The abbreviated one has no times.
type npmDocument struct {
	tags     map[string]string
	versions map[string]npmVersion
	times    map[string]time.Time
	created  time.Time
	removed  time.Time // the whole package was unpublished
	failure  string    // the registry's own words of an error
}

// npmVersion is what is kept of one version.
type npmVersion struct {
	Deprecated deprecation     `json:"deprecated"`
	License    json.RawMessage `json:"license"`
	Licenses   json.RawMessage `json:"licenses"`
	Scripts    npmScripts      `json:"scripts"`
	Repository json.RawMessage `json:"repository"`
	Install    bool            `json:"hasInstallScript"`
}

// deprecation is a text, or false where it was taken back.
type deprecation string

func (d *deprecation) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*d = deprecation(text)
	}
	return nil // anything else says nothing
}

// npmScripts names the scripts that run when a package is installed.
type npmScripts []string

func (s *npmScripts) UnmarshalJSON(b []byte) error {
	var all map[string]json.RawMessage
	_ = json.Unmarshal(b, &all) // anything else names no script
	for _, name := range []string{"preinstall", "install", "postinstall"} {
		if _, ok := all[name]; ok {
			*s = append(*s, name)
		}
	}
	return nil
}

// holding is the version of a package that the registry holds itself.
var holding = regexp.MustCompile(`^0\.0\.\d+-security(\.\d+)?$`)

// npmMaxVersions bounds what is kept; the largest package has about 4,000.
const npmMaxVersions = 50_000

func (r *Registry) npm(ctx context.Context, q dependencies.Query, a Address) result {
	ans := r.client.send(ctx, request{url: a.URL + "/" + npmEscape(q.Name), accept: "application/json", limit: maxDocument})
	defer ans.close()
	if ans.failed != "" {
		return unknown(ans.failed)
	}
	if ans.absent() {
		body := ans.text()
		// A removed package may be answered with what is left of its document.
		if doc, why := readNPM(strings.NewReader(body)); why == "" && !doc.removed.IsZero() {
			return unpublished(doc)
		}
		return result{absent: true, own: npmOwn404(body), status: ans.status}
	}
	doc, why := readNPM(ans.body)
	switch {
	case why != "":
		return unknown(why)
	case !doc.removed.IsZero() && len(doc.versions) == 0:
		return unpublished(doc)
	case len(doc.versions) == 0:
		return unknown("its answer names no version")
	}
	f := doc.facts(q, a, r.options.Now())
	if a.Downloads != "" && f.Placeholder == "" {
		f.Downloads = r.npmDownloads(ctx, q.Name, a.Downloads)
	}
	return result{Facts: f}
}

func unpublished(doc npmDocument) result {
	return result{Facts: dependencies.Facts{
		Existence: dependencies.Missing, Why: fmt.Sprintf("it was unpublished on %s", doc.removed.UTC().Format(time.DateOnly)),
	}}
}

// npmEscape writes a name as a path: the slash behind a scope is escaped.
func npmEscape(name string) string {
	return strings.ReplaceAll(url.PathEscape(name), "%40", "@")
}

// npmOwn404 reports whether a 404 has the registry's own words.
func npmOwn404(body string) bool {
	var own struct {
		Error string `json:"error"`
	}
	return json.Unmarshal([]byte(body), &own) == nil && strings.Contains(strings.ToLower(strings.ReplaceAll(own.Error, "_", " ")), "not found")
}

// readNPM reads a document of any size in bounded memory: one version at a
// time.
func readNPM(in io.Reader) (npmDocument, string) {
	doc := npmDocument{tags: map[string]string{}, versions: map[string]npmVersion{}, times: map[string]time.Time{}}
	dec := json.NewDecoder(in)
	err := members(dec, func(name string) error {
		switch name {
		case "dist-tags":
			return dec.Decode(&doc.tags)
		case "versions":
			return members(dec, func(version string) error {
				var v npmVersion
				if err := dec.Decode(&v); err != nil {
					return err
				}
				if len(doc.versions) < npmMaxVersions {
					doc.versions[version] = v
				}
				return nil
			})
		case "time":
			return doc.readTimes(dec)
		case "error":
			return dec.Decode(&doc.failure)
		}
		return skip(dec)
	})
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax), errors.Is(err, errNotObject):
		return doc, "its answer is not a package document"
	case err != nil:
		return doc, broken(err)
	case doc.failure != "":
		return doc, "its answer is an error"
	}
	return doc, ""
}

func (doc *npmDocument) readTimes(dec *json.Decoder) error {
	return members(dec, func(name string) error {
		if name == "unpublished" {
			var u struct {
				Time time.Time `json:"time"`
			}
			if err := dec.Decode(&u); err != nil {
				return err
			}
			doc.removed = u.Time
			if u.Time.IsZero() {
				doc.removed = time.Unix(0, 0)
			}
			return nil
		}
		var text any
		if err := dec.Decode(&text); err != nil {
			return err
		}
		s, _ := text.(string)
		at, err := time.Parse(time.RFC3339Nano, s)
		known := err == nil && len(doc.times) < npmMaxVersions // one that cannot be read is not known
		switch {
		case name == "created" && known:
			doc.created = at
		case name != "modified" && known:
			doc.times[name] = at
		}
		return nil
	})
}

func (doc *npmDocument) facts(q dependencies.Query, a Address, now time.Time) dependencies.Facts {
	f := dependencies.Facts{Existence: dependencies.Exists, Version: doc.tags["latest"]}
	if doc.allHeld() {
		f.Placeholder = "security holding package"
	}
	f.First, f.AgeWhy = firstTime(doc.created, slices.Collect(mapValues(doc.times)), a, now)
	if q.Version != "" {
		version := strings.TrimLeft(q.Version, "=v")
		if tagged, ok := doc.tags[q.Version]; ok {
			version = tagged
		}
		f.Version = version
		_, listed := doc.versions[version]
		published, known := doc.times[version]
		switch {
		case listed:
			f.VersionExistence = dependencies.Exists
		case known && a.Canonical:
			f.VersionExistence, f.VersionWhy = dependencies.Missing, fmt.Sprintf("it was published on %s and withdrawn since", published.UTC().Format(time.DateOnly))
		case a.Canonical:
			f.VersionExistence, f.VersionWhy = dependencies.Missing, fmt.Sprintf("it lists %s, and not this one", versionCount(len(doc.versions)))
		default:
			f.VersionWhy = fmt.Sprintf("%s does not list it, but a mirror may leave versions out", a.title(q.Ecosystem))
		}
	}
	if _, ok := doc.versions[f.Version]; !ok && q.Version == "" {
		f.Version = doc.newest() // the tag is missing, or names what is not there
	}
	v, ok := doc.versions[f.Version]
	if !ok {
		return f
	}
	f.Deprecated = firstLine(string(v.Deprecated))
	f.InstallScript = strings.Join(v.Scripts, ", ")
	if v.Install && f.InstallScript == "" {
		f.InstallScript = "install script"
	}
	f.Licences, f.LicenceKnown = npmLicences(v), true
	f.Repository = npmRepository(v.Repository)
	return f
}

// newest is the newest release, or the newest version where there is none.
func (doc *npmDocument) newest() string {
	versions := slices.SortedFunc(maps.Keys(doc.versions), func(a, b string) int { return cmp.Or(semver.Compare("v"+a, "v"+b), cmp.Compare(a, b)) })
	for _, v := range slices.Backward(versions) {
		if semver.IsValid("v"+v) && semver.Prerelease("v"+v) == "" {
			return v
		}
	}
	return versions[len(versions)-1]
}

// allHeld reports whether the registry holds the name: every version, or the
// newest, is a placeholder's.
func (doc *npmDocument) allHeld() bool {
	if latest := doc.tags["latest"]; holding.MatchString(latest) {
		return true
	}
	for v := range doc.versions {
		if !holding.MatchString(v) {
			return false
		}
	}
	return true
}

// npmLicences reads today's field and the older ones: {"type": …}, a list, and
// "licenses", of which any one may be chosen.
func npmLicences(v npmVersion) []string {
	choice := append(licenceField(v.License), licenceField(v.Licenses)...)
	if len(choice) > 1 {
		return []string{"(" + strings.Join(choice, " OR ") + ")"}
	}
	return choice
}

func licenceField(raw json.RawMessage) []string {
	if len(raw) == 0 {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if text == "" {
			return nil
		}
		return []string{text}
	}
	var typed struct {
		Type string `json:"type"`
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	if json.Unmarshal(raw, &typed) == nil {
		for _, s := range []string{typed.Type, typed.Name, typed.URL} {
			if s != "" {
				return []string{s}
			}
		}
		return nil
	}
	var list []json.RawMessage
	var all []string
	const most = 20
	if json.Unmarshal(raw, &list) == nil && len(list) <= most {
		for _, one := range list {
			if len(one) > 0 && one[0] != '[' {
				all = append(all, licenceField(one)...)
			}
		}
	}
	return all
}

func npmRepository(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return firstLine(text)
	}
	var r struct {
		URL string `json:"url"`
	}
	_ = json.Unmarshal(raw, &r) // anything else names no repository
	return firstLine(r.URL)
}

// npmDownloads asks the registry's other service, nil where it does not say.
func (r *Registry) npmDownloads(ctx context.Context, name, base string) *int64 {
	a := r.client.send(ctx, request{url: base + "/downloads/point/last-month/" + strings.ReplaceAll(npmEscape(name), "%2F", "/"), accept: "application/json"})
	if a.failed != "" || a.absent() {
		a.close()
		return nil
	}
	var d struct {
		Downloads *int64 `json:"downloads"`
	}
	if decode(a, &d) != "" {
		return nil
	}
	return d.Downloads
}
