package registry_test

import (
	"fmt"
	"strings"
	"time"

	"steelyard/lint/dependencies"
)

// always are the cases that every registry has.
var always = []string{
	"existing", "missing", "missing-empty", "forbidden", "sign-in", "busy", "broken", "slow", "truncated", "garbage",
	"young", "five-years",
}

func same(s string) string { return s }

const jsonType = "application/json"

func forms() []form {
	return []form{
		{dependencies.NPM, same, npmAnswer, reply{status: 404, mime: jsonType, body: `{"error":"Not found"}`}, []string{
			"seldom", "copyleft", "choice", "odd-licence", "unlicensed", "deprecated", "scripted", "malicious", "held", "unpublished", "copied", "untimed",
		}},
		{dependencies.PyPI, same, pypiAnswer, reply{status: 404, mime: "text/plain", body: "404 Not Found"}, []string{
			"copyleft", "choice", "unlicensed", "yanked", "malicious", "quarantined", "copied", "untimed",
		}},
		{dependencies.Go, func(s string) string { return "example.com/acme/" + s }, goAnswer, reply{status: 404, mime: "text/plain", body: "not found: module example.com/acme/missing: no matching versions"}, []string{
			"deprecated", "yanked", "malicious", "copied",
		}},
		{dependencies.Cargo, same, cratesAnswer, reply{status: 404, mime: "application/xml", body: "<Error><Code>NoSuchKey</Code></Error>"}, []string{
			"seldom", "copyleft", "yanked", "malicious", "copied", "untimed",
		}},
		{dependencies.RubyGems, same, gemAnswer, reply{status: 404, mime: "text/plain", body: "This rubygem could not be found."}, []string{
			"seldom", "copyleft", "unlicensed", "malicious", "copied",
		}},
		{dependencies.NuGet, same, nugetAnswer, reply{status: 404, mime: "application/xml", body: "<?xml version=\"1.0\"?><Error><Code>BlobNotFound</Code></Error>"}, []string{
			"copyleft", "odd-licence", "unlicensed", "deprecated", "yanked", "malicious", "copied",
		}},
		{dependencies.Maven, func(s string) string { return "org.acme:" + s }, mavenAnswer, reply{status: 404, mime: "text/html", body: "<html><head><title>404 Not Found</title></head></html>"}, []string{
			"copyleft", "unlicensed", "malicious", "untimed",
		}},
		{dependencies.Actions, func(s string) string { return s + "-owner/" + s }, githubAnswer, reply{status: 404, mime: jsonType, body: `{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}`}, []string{
			"copyleft", "unlicensed", "deprecated",
		}},
		{dependencies.Docker, func(s string) string { return "acme/" + s }, imageAnswer, reply{status: 404, mime: jsonType, body: `{"errors":[{"code":"NAME_UNKNOWN","message":"repository name not known to registry"}]}`}, []string{
			"seldom",
		}},
	}
}

// piece is the element of a path at i, its escapes resolved as far as the
// fakes have any.
func piece(path string, i int) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if i < 0 {
		i += len(parts)
	}
	if i < 0 || i >= len(parts) {
		return ""
	}
	return parts[i]
}

var notHere = reply{status: 404, mime: "text/plain", body: "no such page"}

func npmAnswer(_ *fake, path string) (reply, string) {
	if strings.HasPrefix(path, "/downloads/") {
		p, ok := shelf[piece(path, 3)]
		if !ok || p.downloads == 0 {
			return reply{status: 404, mime: jsonType, body: `{"error":"package not found"}`}, ""
		}
		return reply{mime: jsonType, body: mustJSON(map[string]any{"downloads": p.downloads, "package": piece(path, 3)})}, ""
	}
	name := piece(path, 0)
	p, ok := shelf[name]
	if !ok {
		return notHere, name
	}
	times := map[string]any{"modified": today}
	versions := map[string]any{}
	latest := ""
	for i, v := range p.numbers() {
		if p.held {
			v = "0.0.1-security"
		}
		version := map[string]any{"name": name, "version": v, "license": p.license(), "dist": map[string]any{"integrity": "sha512-x"}}
		if p.none {
			delete(version, "license")
		}
		if p.deprecated != "" {
			version["deprecated"] = p.deprecated
		}
		if p.script != "" {
			version["scripts"] = map[string]string{p.script: "node run.js"}
		}
		versions[v], times[v], latest = version, p.at(i), v
	}
	if !p.untimed {
		times["created"] = p.at(0)
	}
	doc := map[string]any{"_id": name, "name": name, "dist-tags": map[string]string{"latest": latest}, "versions": versions, "time": times}
	if p.withdrawn {
		delete(doc, "versions")
		doc["time"] = map[string]any{"created": daysAgo(p.days), "unpublished": map[string]any{"name": name, "time": daysAgo(3)}}
	}
	return reply{mime: jsonType, body: mustJSON(doc)}, name
}

func pypiAnswer(_ *fake, path string) (reply, string) {
	name := piece(path, 1)
	p, ok := shelf[name]
	if !ok {
		return notHere, name
	}
	if piece(path, 0) == "pypi" {
		info := map[string]any{"name": name}
		switch {
		case p.none:
		case p.licence == "GPL-3.0-only":
			info["classifiers"] = []string{"License :: OSI Approved :: GNU General Public License v3 (GPLv3)"}
		default:
			info["license_expression"] = p.license()
		}
		return reply{mime: jsonType, body: mustJSON(map[string]any{"info": info})}, name
	}
	var files []any
	for i, v := range p.numbers() {
		file := map[string]any{"filename": name + "-" + v + ".tar.gz", "url": "x", "yanked": false}
		if !p.untimed {
			file["upload-time"] = p.at(i)
		}
		if p.yanked != "" {
			file["yanked"] = p.yanked
		}
		files = append(files, file)
	}
	doc := map[string]any{"meta": map[string]string{"api-version": "1.4"}, "name": name, "files": files, "versions": p.numbers()}
	if p.quarantine != "" {
		doc["files"], doc["versions"] = []any{}, []any{}
		doc["project-status"] = map[string]string{"status": "quarantined", "reason": p.quarantine}
	}
	return reply{mime: "application/vnd.pypi.simple.v1+json", body: mustJSON(doc)}, name
}

func goAnswer(_ *fake, path string) (reply, string) {
	name := piece(path, 2)
	p, ok := shelf[name]
	if !ok {
		return notHere, name
	}
	file := piece(path, -1)
	switch {
	case file == "list":
		return reply{mime: "text/plain", body: "v" + strings.Join(p.numbers(), "\nv") + "\n"}, name
	case strings.HasSuffix(file, ".mod"):
		text := "module example.com/acme/" + name + "\n"
		if p.deprecated != "" {
			text = "// Deprecated: " + p.deprecated + "\n" + text
		}
		if p.yanked != "" {
			text += "\nretract v1.2.0 // " + p.yanked + "\n"
		}
		return reply{mime: "text/plain", body: text}, name
	}
	for i, v := range p.numbers() {
		if file == "v"+v+".info" {
			return reply{mime: jsonType, body: mustJSON(map[string]any{"Version": "v" + v, "Time": p.at(i)})}, name
		}
	}
	return reply{status: 404, mime: "text/plain", body: "not found: unknown revision"}, name
}

func cratesAnswer(f *fake, path string) (reply, string) {
	if path == "/config.json" {
		return reply{mime: jsonType, body: mustJSON(map[string]string{"dl": f.URL + "/dl", "api": f.URL})}, ""
	}
	name := piece(path, -1)
	p, ok := shelf[name]
	if !ok {
		if strings.HasPrefix(path, "/api/") && name == "missing" {
			return reply{status: 404, mime: jsonType, body: "{\"errors\":[{\"detail\":\"crate `missing` does not exist\"}]}"}, ""
		}
		return notHere, name
	}
	if strings.HasPrefix(path, "/api/") {
		if p.untimed {
			return reply{status: 403, body: "We require that all requests include a User-Agent header."}, ""
		}
		var versions []any
		for _, v := range p.numbers() {
			versions = append(versions, map[string]any{"num": v, "license": p.license(), "yank_message": p.yanked})
		}
		return reply{mime: jsonType, body: mustJSON(map[string]any{
			"crate": map[string]any{"created_at": p.at(0), "recent_downloads": 3 * p.downloads}, "versions": versions,
		})}, name
	}
	var lines []string
	for i, v := range p.numbers() {
		line := map[string]any{"name": name, "vers": v, "cksum": "x", "yanked": p.yanked != ""}
		if !p.untimed {
			line["pubtime"] = p.at(i)
		}
		lines = append(lines, mustJSON(line))
	}
	return reply{mime: "text/plain", body: strings.Join(lines, "\n") + "\n"}, name
}

func gemAnswer(_ *fake, path string) (reply, string) {
	name := strings.TrimSuffix(piece(path, 3), ".json")
	p, ok := shelf[name]
	if !ok {
		return notHere, name
	}
	if piece(path, 2) == "gems" {
		months := max(p.days/30, 1)
		return reply{mime: jsonType, body: mustJSON(map[string]any{"name": name, "downloads": p.downloads * int64(months)})}, name
	}
	var versions []any
	numbers := p.numbers()
	for i := len(numbers) - 1; i >= 0; i-- {
		licences := []string{p.license()}
		if p.none {
			licences = nil
		}
		versions = append(versions, map[string]any{"number": numbers[i], "platform": "ruby", "created_at": p.at(i), "licenses": licences})
	}
	return reply{mime: jsonType, body: mustJSON(versions)}, name
}

func nugetAnswer(f *fake, path string) (reply, string) {
	if path == "/v3/index.json" {
		return reply{mime: jsonType, body: mustJSON(map[string]any{"version": "3.0.0", "resources": []any{
			map[string]string{"@id": f.URL + "/old/", "@type": "RegistrationsBaseUrl"},
			map[string]string{"@id": f.URL + "/reg/", "@type": "RegistrationsBaseUrl/3.6.0"},
		}})}, ""
	}
	name := piece(path, 1)
	p, ok := shelf[name]
	if !ok {
		return notHere, name
	}
	var items []any
	for i, v := range p.numbers() {
		entry := map[string]any{"version": v, "published": p.at(i), "listed": p.yanked == ""}
		if p.yanked != "" {
			entry["published"] = time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		switch {
		case p.none:
		case strings.HasPrefix(p.license(), "SEE"):
			entry["licenseUrl"] = "https://acme.example/eula"
		default:
			entry["licenseExpression"] = p.license()
		}
		if p.deprecated != "" {
			entry["deprecation"] = map[string]any{"reasons": []string{"Legacy"}, "message": p.deprecated}
		}
		items = append(items, map[string]any{"catalogEntry": entry})
	}
	page := map[string]any{"@id": f.URL + "/reg/" + name + "/page.json", "items": items}
	if piece(path, -1) == "page.json" {
		return reply{mime: jsonType, body: mustJSON(page)}, name
	}
	if name == "five-years" { // as large packages do
		delete(page, "items")
	}
	return reply{mime: jsonType, body: mustJSON(map[string]any{"items": []any{page}})}, name
}

func mavenAnswer(_ *fake, path string) (reply, string) {
	name := piece(path, 2)
	if name == "parent" {
		return reply{mime: "application/xml", body: "<project><licenses><license><name>Apache License, Version 2.0</name></license></licenses></project>"}, ""
	}
	p, ok := shelf[name]
	if !ok {
		return notHere, name
	}
	if piece(path, -1) == "maven-metadata.xml" {
		return reply{mime: "application/xml", body: "<metadata><versioning><release>1.2.0</release><versions><version>" +
			strings.Join(p.numbers(), "</version><version>") + "</version></versions></versioning></metadata>"}, name
	}
	licence := "<licenses><license><name>" + p.license() + "</name></license></licenses>"
	switch {
	case p.none:
		licence = ""
	case name == "five-years":
		licence = "<parent><groupId>org.acme</groupId><artifactId>parent</artifactId><version>1</version></parent>"
	}
	r := reply{mime: "application/xml", body: "<project>" + licence + "</project>"}
	if !p.untimed {
		r.header = map[string]string{"Last-Modified": p.at(0).Format("Mon, 02 Jan 2006 15:04:05 GMT")}
	}
	return r, name
}

func githubAnswer(_ *fake, path string) (reply, string) {
	if piece(path, 0) == "users" {
		name := strings.TrimSuffix(piece(path, 1), "-owner")
		return notHere, name
	}
	name := piece(path, 2)
	p, ok := shelf[name]
	if !ok {
		return notHere, name
	}
	if piece(path, 3) == "commits" {
		if piece(path, 4) == "v1" {
			return reply{mime: jsonType, body: `{"sha":"abc"}`}, ""
		}
		return reply{status: 422, mime: jsonType, body: `{"message":"No commit found for SHA"}`}, ""
	}
	doc := map[string]any{"full_name": name, "created_at": p.at(0), "archived": p.deprecated != "", "license": map[string]string{"spdx_id": p.license()}}
	if p.none {
		doc["license"] = nil
	}
	return reply{mime: jsonType, body: mustJSON(doc)}, name
}

func imageAnswer(f *fake, path string) (reply, string) {
	if path == "/token" {
		return reply{mime: jsonType, body: `{"token":"anonymous"}`}, ""
	}
	if strings.HasPrefix(path, "/v2/repositories/") {
		p, ok := shelf[piece(path, 3)]
		if !ok {
			return reply{status: 404, mime: jsonType, body: `{"message":"object not found"}`}, ""
		}
		months := max(p.days/30, 1)
		return reply{mime: jsonType, body: mustJSON(map[string]any{"date_registered": p.at(0), "pull_count": p.downloads * int64(months)})}, ""
	}
	name := piece(path, 2)
	if _, ok := shelf[name]; !ok {
		return notHere, name
	}
	if tag := piece(path, -1); tag != "latest" && tag != "1.2.0" {
		return reply{status: 404, mime: jsonType, body: `{"errors":[{"code":"MANIFEST_UNKNOWN"}]}`}, ""
	}
	return reply{mime: "application/vnd.oci.image.index.v1+json", body: fmt.Sprintf(`{"schemaVersion":2,"name":%q}`, name)}, name
}
