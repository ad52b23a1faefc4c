package registry

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"steelyard/lint/dependencies"
)

// simpleProject is the Simple API's answer (PEP 691, 700, 714, 792).
type simpleProject struct {
	Status struct {
		Status string `json:"status"`
		Reason string `json:"reason"`
	} `json:"project-status"`
	Versions []string     `json:"versions"`
	Files    []simpleFile `json:"files"`
}

type simpleFile struct {
	Filename string `json:"filename"`
	Uploaded string `json:"upload-time"`
	Yanked   any    `json:"yanked"` // a reason, true or false
}

const simpleJSON = "application/vnd.pypi.simple.v1+json"

// pypi asks the Simple API, which tells a quarantined project from a missing
// one, then the JSON page for the licence.
func (r *Registry) pypi(ctx context.Context, q dependencies.Query, a Address) result {
	name := dependencies.PyPI.Canonical(q.Name)
	root := strings.TrimSuffix(a.URL, "/simple")
	ans := r.client.send(ctx, request{url: root + "/simple/" + name + "/", accept: simpleJSON, limit: maxDocument})
	defer ans.close()
	if ans.failed != "" {
		return unknown(ans.failed)
	}
	if ans.absent() {
		return result{absent: true, own: pypiOwn404(ans.text()), status: ans.status}
	}
	if !strings.Contains(ans.header.Get("Content-Type"), "json") {
		return htmlIndex(ans.text())
	}
	var p simpleProject
	if why := decode(ans, &p); why != "" {
		return unknown(why)
	}
	f := p.facts(q, a, r.options.Now())
	if f.Quarantined == "" && len(p.Files) > 0 {
		r.pypiLicence(ctx, root, name, q.Version, &f)
	}
	return result{Facts: f}
}

// pypiOwn404 reports whether a 404 has the words of PyPI's Simple API or of its
// JSON page.
func pypiOwn404(body string) bool {
	body = strings.TrimSpace(body)
	return body == "404 Not Found" || strings.HasPrefix(body, "{") && strings.Contains(strings.ToLower(body), `"not found"`)
}

// htmlIndex reads the older form of the Simple API, which tells no more than
// that the project is there.
func htmlIndex(body string) result {
	if !strings.Contains(strings.ToLower(body), "<a ") {
		return unknown("its answer is not a list of files")
	}
	return result{Facts: dependencies.Facts{Existence: dependencies.Exists, AgeWhy: "the index gives no upload times"}}
}

func (p *simpleProject) facts(q dependencies.Query, a Address, now time.Time) dependencies.Facts {
	f := dependencies.Facts{Existence: dependencies.Exists}
	reason := p.Status.Reason
	if reason == "" {
		reason = "it gives no reason"
	}
	switch p.Status.Status {
	case "quarantined":
		f.Quarantined = firstLine(reason)
	case "deprecated":
		f.Deprecated = firstLine(reason)
	case "archived":
		f.Notes = append(f.Notes, "its maintainers have archived it")
	}
	var times []time.Time
	for _, file := range p.Files {
		if at, err := time.Parse(time.RFC3339Nano, file.Uploaded); err == nil {
			times = append(times, at)
		}
	}
	switch {
	case len(p.Files) == 0:
		f.AgeWhy = "it has no files"
	case len(times) == 0:
		f.AgeWhy = "the index gives no upload times"
	default:
		f.First, f.AgeWhy = firstTime(slices.MinFunc(times, time.Time.Compare), times, a, now)
	}
	if len(p.Versions) > 0 {
		f.Version = p.Versions[len(p.Versions)-1]
	}
	switch {
	case f.Quarantined != "":
	case q.Version != "":
		p.version(q, a, &f)
	default:
		f.Yanked = p.allYanked()
	}
	return f
}

// allYanked says why no version is left, "" where one is.
func (p *simpleProject) allYanked() string {
	why := ""
	for _, file := range p.Files {
		switch y := file.Yanked.(type) {
		case string:
			why = firstLine("every version is yanked: " + y)
		case bool:
			if !y {
				return ""
			}
			why = "every version is yanked"
		default:
			return ""
		}
	}
	return why
}

// version finds the one asked for among the versions and the files.
func (p *simpleProject) version(q dependencies.Query, a Address, f *dependencies.Facts) {
	f.Version = q.Version
	want := pep440(q.Version)
	listed := slices.ContainsFunc(p.Versions, func(v string) bool { return pep440(v) == want })
	yanked, kept := "", false
	for _, file := range p.Files {
		if pep440(fileVersion(file.Filename)) != want {
			continue
		}
		listed = true
		switch y := file.Yanked.(type) {
		case string:
			yanked = y
			if y == "" {
				yanked = "it gives no reason"
			}
		case bool:
			if y {
				yanked = "it gives no reason"
			} else {
				kept = true
			}
		default:
			kept = true
		}
	}
	switch {
	case listed:
		f.VersionExistence = dependencies.Exists
	case len(p.Versions) == 0:
		f.VersionWhy = "the index lists no versions"
	case a.Canonical:
		f.VersionExistence, f.VersionWhy = dependencies.Missing, fmt.Sprintf("it lists %s, and not this one", versionCount(len(p.Versions)))
	default:
		f.VersionWhy = fmt.Sprintf("%s does not list it, but a mirror may leave versions out", a.title(q.Ecosystem))
	}
	if yanked != "" && !kept {
		f.Yanked = firstLine(yanked)
	}
}

var fileForm = regexp.MustCompile(`^.+?-([0-9][^-]*?)(?:-.*\.whl|\.tar\.gz|\.zip|\.tar\.bz2|\.tgz|\.egg|-py[0-9.]+\.egg|\.exe)$`)

func fileVersion(name string) string {
	if m := fileForm.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return ""
}

var trailingZeros = regexp.MustCompile(`(\.0)+$`)

// pep440 is a version in a form that equal ones share, as far as spelling
// goes: case, "v", separators and zeros at the end.
func pep440(v string) string {
	v = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(v), "v"))
	v = strings.NewReplacer("-", ".", "_", ".", "alpha", "a", "beta", "b").Replace(v)
	return trailingZeros.ReplaceAllString(v, "")
}

// pypiLicence reads the licence from the JSON page: the expression, else the
// classifiers, else the free text. Where the page does not answer, the licence
// is not known.
func (r *Registry) pypiLicence(ctx context.Context, root, name, version string, f *dependencies.Facts) {
	page := root + "/pypi/" + name + "/json"
	if version != "" && f.VersionExistence == dependencies.Exists {
		page = root + "/pypi/" + name + "/" + version + "/json"
	}
	a := r.client.send(ctx, request{url: page, accept: "application/json", limit: maxDocument})
	if a.failed != "" || a.absent() {
		a.close()
		return
	}
	var p struct {
		Info struct {
			Expression  string            `json:"license_expression"`
			License     string            `json:"license"`
			Classifiers []string          `json:"classifiers"`
			HomePage    string            `json:"home_page"`
			URLs        map[string]string `json:"project_urls"`
		} `json:"info"`
	}
	if decode(a, &p) != "" {
		return
	}
	f.LicenceKnown = true
	f.Licences = pypiLicences(p.Info.Expression, p.Info.Classifiers, p.Info.License)
	for _, key := range []string{"Source", "Repository", "Source Code", "Homepage"} {
		if u := p.Info.URLs[key]; u != "" {
			f.Repository = firstLine(u)
			break
		}
	}
}

func pypiLicences(expression string, classifiers []string, text string) []string {
	if expression != "" {
		return []string{expression}
	}
	var found []string
	for _, c := range classifiers {
		if strings.HasPrefix(c, "License :: ") && c != "License :: OSI Approved" {
			found = append(found, c)
		}
	}
	if len(found) == 0 && strings.TrimSpace(text) != "" && text != "UNKNOWN" {
		found = []string{text}
	}
	return found
}
