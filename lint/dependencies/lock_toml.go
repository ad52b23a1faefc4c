package dependencies

import (
	"bytes"
	"strings"

	"steelyard/lint"
)

// tomlPackage is one [[package]] of a lockfile: its string fields, and the
// place of its name.
type tomlPackage struct {
	fields map[string]string
	at     lint.Span
}

// tomlPackages reads the [[package]] tables of a lockfile line by line. These
// files are written by programs in one fixed form and are too large for a
// reader that keeps every value.
func (f *file) tomlPackages(take func(tomlPackage)) {
	var p tomlPackage
	inside := false
	prefix := ""
	flush := func() {
		if inside && p.fields["name"] != "" {
			take(p)
		}
		inside = false
	}
	offset := 0
	for raw := range bytes.Lines(f.src) {
		start := offset
		offset += len(raw)
		line := strings.TrimSpace(string(raw))
		switch {
		case line == "[[package]]":
			flush()
			p, inside, prefix = tomlPackage{fields: map[string]string{}}, true, ""
		case strings.HasPrefix(line, "["):
			table := strings.Trim(line, "[]")
			inner, ok := strings.CutPrefix(table, "package.")
			if !ok || !inside {
				flush()
				continue
			}
			prefix = inner + "."
		case inside:
			key, value, ok := strings.Cut(line, "=")
			if key = strings.TrimSpace(key); !ok || strings.HasPrefix(key, "{") {
				continue
			}
			value = strings.TrimSpace(value)
			if _, twice := p.fields[prefix+key]; twice {
				continue
			}
			p.fields[prefix+key] = unquoted(value)
			if prefix+key == "name" {
				p.at = lint.Span{Start: start, End: start + len(bytes.TrimRight(raw, "\r\n"))}
				if i := bytes.Index(raw, []byte(p.fields["name"])); i >= 0 {
					p.at = lint.Span{Start: start + i, End: start + i + len(p.fields["name"])}
				}
			}
		}
	}
	flush()
}

// unquoted is the text of a string, or the source text of anything else.
func unquoted(value string) string {
	if len(value) > 1 && (value[0] == '"' || value[0] == '\'') {
		if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
			return value[1 : 1+end]
		}
	}
	return value
}

// readPythonLock reads a poetry.lock, uv.lock or pdm.lock.
func readPythonLock(f *file) error {
	f.tomlPackages(func(p tomlPackage) {
		d := Dependency{Ecosystem: PyPI, Name: p.fields["name"], Version: p.fields["version"], Spec: p.fields["version"], Table: "package"}
		d.Source, d.Resolved = pythonLockSource(p.fields)
		if d.Source == FromRegistry && d.Resolved != "" && !isPyPI(d.Resolved) && !f.tree.public(PyPI, d.Resolved) {
			d.Source = FromPrivate
		}
		f.add(p.at, d)
	})
	return nil
}

// pythonLockSource reads uv's inline table, Poetry's table and PDM's keys.
func pythonLockSource(fields map[string]string) (source Source, resolved string) {
	inline := fields["source"]
	if strings.HasPrefix(inline, "{") {
		value := func(key string) (string, bool) {
			_, rest, ok := strings.Cut(inline, key+" = ")
			return unquoted(rest), ok
		}
		if address, ok := value("registry"); ok {
			return FromRegistry, address
		}
		if _, ok := value("git"); ok {
			return FromGit, ""
		}
		if address, ok := value("url"); ok {
			return FromURL, address
		}
		return FromLocal, "" // editable, virtual, directory, path
	}
	switch kind := fields["source.type"]; {
	case kind == "git" || fields["git"] != "":
		return FromGit, ""
	case kind == "url" || fields["url"] != "":
		return FromURL, fields["source.url"] + fields["url"]
	case kind == "file" || kind == "directory" || fields["path"] != "":
		return FromLocal, ""
	case kind == "legacy":
		return FromRegistry, fields["source.url"]
	}
	return FromRegistry, ""
}
