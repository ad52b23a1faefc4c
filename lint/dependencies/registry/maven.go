package registry

import (
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"steelyard/lint/dependencies"
)

// mavenMetadata is the list of an artifact's versions, oldest first.
type mavenMetadata struct {
	Versioning struct {
		Latest   string   `xml:"latest"`
		Release  string   `xml:"release"`
		Versions []string `xml:"versions>version"`
	} `xml:"versioning"`
}

// maven asks a Maven repository: the list of versions, the time of the oldest
// one's POM, and the licence in the POM or in one of its parents.
func (r *Registry) maven(ctx context.Context, q dependencies.Query, a Address) result {
	group, artifact, ok := strings.Cut(q.Name, ":")
	if !ok || group == "" || artifact == "" || strings.ContainsAny(q.Name, "/\\? #%") {
		return unknown("its name is not GROUP:ARTIFACT")
	}
	base := a.URL + "/" + strings.ReplaceAll(group, ".", "/") + "/" + artifact + "/"
	ans := r.client.send(ctx, request{url: base + "maven-metadata.xml", accept: "application/xml"})
	defer ans.close()
	if ans.failed != "" {
		return unknown(ans.failed)
	}
	if ans.absent() {
		return result{absent: true, own: strings.Contains(strings.ToLower(ans.text()), "not found"), status: ans.status}
	}
	var m mavenMetadata
	if err := xml.NewDecoder(ans.body).Decode(&m); err != nil {
		return unknown("its answer was cut short or is no list of versions")
	}
	versions := m.Versioning.Versions
	if len(versions) == 0 {
		return unknown("its answer names no version")
	}
	f := dependencies.Facts{Existence: dependencies.Exists, Version: m.Versioning.Release}
	if f.Version == "" {
		f.Version = versions[len(versions)-1]
	}
	if q.Version != "" {
		f.Version = q.Version
		switch {
		case slices.Contains(versions, q.Version):
			f.VersionExistence = dependencies.Exists
		case a.Canonical:
			f.VersionExistence, f.VersionWhy = dependencies.Missing, fmt.Sprintf("it lists %s, and not this one", versionCount(len(versions)))
		default:
			f.VersionWhy = fmt.Sprintf("%s does not list it, but a mirror may leave versions out", a.title(q.Ecosystem))
		}
	}
	r.mavenAge(ctx, base, artifact, versions[0], a, &f)
	if f.VersionExistence != dependencies.Missing {
		r.mavenLicence(ctx, a, mavenID{group, artifact, f.Version}, &f)
	}
	return result{Facts: f}
}

func (r *Registry) mavenAge(ctx context.Context, base, artifact, oldest string, a Address, f *dependencies.Facts) {
	ans := r.client.send(ctx, request{url: base + oldest + "/" + artifact + "-" + oldest + ".pom", accept: "application/xml", method: http.MethodHead})
	ans.close()
	at, err := time.Time{}, error(nil)
	if ans.failed == "" && !ans.absent() {
		at, err = http.ParseTime(ans.header.Get("Last-Modified"))
	}
	if err != nil || at.IsZero() {
		f.AgeWhy = "the repository does not give the time of the oldest version"
		return
	}
	f.First, f.AgeWhy = firstTime(at, nil, a, r.options.Now())
	if !a.Canonical && r.options.Now().Sub(at) < freshCopy {
		f.First, f.AgeWhy = time.Time{}, "the oldest version is a few days old, as on mirrors that give the time of copying"
	}
}

// mavenID names one version of an artifact.
type mavenID struct{ group, artifact, version string }

// mavenParents bounds how far up a licence is looked for.
const mavenParents = 4

func (r *Registry) mavenLicence(ctx context.Context, a Address, id mavenID, f *dependencies.Facts) {
	for range mavenParents {
		if strings.ContainsAny(id.group+id.artifact+id.version, "/\\? #%$") || id.version == "" {
			return
		}
		ans := r.client.send(ctx, request{
			url: a.URL + "/" + strings.ReplaceAll(id.group, ".", "/") + "/" + id.artifact + "/" + id.version + "/" + id.artifact + "-" + id.version + ".pom", accept: "application/xml",
		})
		if ans.failed != "" || ans.absent() {
			ans.close()
			return
		}
		var pom struct {
			Licenses []struct {
				Name string `xml:"name"`
				URL  string `xml:"url"`
			} `xml:"licenses>license"`
			SCM    string `xml:"scm>url"`
			Parent struct {
				Group    string `xml:"groupId"`
				Artifact string `xml:"artifactId"`
				Version  string `xml:"version"`
			} `xml:"parent"`
		}
		err := xml.NewDecoder(ans.body).Decode(&pom)
		ans.close()
		if err != nil {
			return
		}
		if f.Repository == "" {
			f.Repository = firstLine(pom.SCM)
		}
		var names []string
		for _, l := range pom.Licenses {
			name := strings.TrimSpace(l.Name)
			if name == "" {
				name = strings.TrimSpace(l.URL)
			}
			if name != "" {
				names = append(names, name)
			}
		}
		if len(names) > 0 || pom.Parent.Artifact == "" {
			f.Licences, f.LicenceKnown = choice(names), true
			return
		}
		id = mavenID{pom.Parent.Group, pom.Parent.Artifact, pom.Parent.Version}
	}
}
