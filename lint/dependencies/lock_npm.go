package dependencies

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"steelyard/lint"
)

// npmLocked is an entry of a package-lock.json of any version.
type npmLocked struct {
	Name, Version, Resolved, Integrity string
	Link, InBundle, Bundled            bool
}

// readPackageLock reads a package-lock.json of version 1 (nested tables named
// "dependencies"), 2 or 3 (one table of paths).
func readPackageLock(f *file) error {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(f.src, []byte("\ufeff"))))
	shift := len(f.src) - len(bytes.TrimPrefix(f.src, []byte("\ufeff")))
	byPath := false
	return eachJSONMember(dec, func(key string, _ int) error {
		switch {
		case key == "packages":
			byPath = true
			return eachJSONMember(dec, func(path string, end int) error { return f.lockedPath(dec, path, end+shift) })
		case key == "dependencies" && !byPath:
			return f.lockedTable(dec, shift, 0)
		}
		return skipJSON(dec)
	})
}

// lockedPath reads one entry of the table of paths. The entry's own name, which
// an alias has, comes before the folder's.
func (f *file) lockedPath(dec *json.Decoder, path string, end int) error {
	var p npmLocked
	if err := dec.Decode(&p); err != nil {
		return errJSON
	}
	i := strings.LastIndex(path, "node_modules/")
	if i < 0 {
		return nil // the project and its workspaces
	}
	f.addNPMLocked(path[i+len("node_modules/"):], p, end)
	return nil
}

func (f *file) addNPMLocked(folder string, p npmLocked, end int) {
	d := Dependency{Ecosystem: NPM, Name: folder, ResolvedName: p.Name, Version: p.Version, Spec: p.Version, Table: "packages"}
	if strings.HasPrefix(p.Version, "npm:") { // version 1 writes an alias so
		d.ResolvedName, d.Version = cutVersion(strings.TrimPrefix(p.Version, "npm:"))
	}
	address := p.Resolved
	if address == "" && strings.Contains(p.Version, ":") {
		address = p.Version // version 1 writes a git address so
	}
	switch {
	case p.Link, strings.HasPrefix(address, "file:"):
		d.Source, d.Version = FromLocal, ""
	case strings.HasPrefix(address, "git"), strings.Contains(address, "codeload."), strings.HasPrefix(p.Version, "github:"):
		d.Source, d.Version = FromGit, ""
	case strings.HasPrefix(address, "npm:"):
	default:
		d.Resolved = address
		d.NoIntegrity = p.Integrity == "" && address != "" && !p.InBundle && !p.Bundled
	}
	f.add(lint.Span{Start: max(end-len(folder)-1, 0), End: max(end-1, 0)}, d)
}

// lockedTable reads a table "dependencies" and those inside its entries.
func (f *file) lockedTable(dec *json.Decoder, shift, depth int) error {
	if depth > maxDepth {
		return skipJSON(dec)
	}
	return eachJSONMember(dec, func(name string, end int) error {
		var p npmLocked
		err := eachJSONMember(dec, func(key string, _ int) error {
			switch key {
			case "version":
				return decodeString(dec, &p.Version)
			case "resolved":
				return decodeString(dec, &p.Resolved)
			case "integrity":
				return decodeString(dec, &p.Integrity)
			case "bundled":
				p.Bundled = true
				return skipJSON(dec)
			case "dependencies":
				return f.lockedTable(dec, shift, depth+1)
			}
			return skipJSON(dec)
		})
		f.addNPMLocked(name, p, end+shift)
		return err
	})
}

// decodeString reads a string; anything else is skipped.
func decodeString(dec *json.Decoder, into *string) error {
	var value any
	if err := dec.Decode(&value); err != nil {
		return errJSON
	}
	if s, ok := value.(string); ok {
		*into = s
	}
	return nil
}

// readYarnLock reads a yarn.lock of either form: a line of descriptors, then
// indented fields.
func readYarnLock(f *file) error {
	var entry yarnEntry
	offset := 0
	for raw := range bytes.Lines(f.src) {
		line := strings.TrimRight(string(raw), "\r\n")
		start := offset
		offset += len(raw)
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case line[0] != ' ':
			f.yarnEntry(entry)
			head := strings.TrimSuffix(line, ":")
			entry = yarnEntry{head: head, at: lint.Span{Start: start, End: start + len(head)}}
		case strings.HasPrefix(line, "  ") && len(line) > 2 && line[2] != ' ':
			key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			value = strings.Trim(strings.TrimSpace(value), `"`)
			switch strings.TrimSuffix(key, ":") {
			case "version":
				entry.version = value
			case "resolved":
				entry.resolved = value
			case "resolution":
				entry.resolution = value
			case "integrity", "checksum":
				entry.checked = true
			}
		}
	}
	f.yarnEntry(entry)
	return nil
}

type yarnEntry struct {
	head                          string
	at                            lint.Span
	version, resolved, resolution string
	checked                       bool
}

func (f *file) yarnEntry(e yarnEntry) {
	if e.head == "" || e.head == "__metadata" || e.version == "" {
		return
	}
	first, _, _ := strings.Cut(e.head, ",")
	first = strings.Trim(strings.TrimSpace(first), `"`)
	name, spec := cutVersion(first)
	d := npmSpec(name, spec)
	d.Version, d.Table = e.version, "yarn.lock"
	if e.resolution != "" { // berry: "name@npm:1.0.0", "name@workspace:."
		real, from := cutVersion(e.resolution)
		d = npmSpec(name, from)
		d.Version, d.Table = e.version, "yarn.lock"
		if d.Source == "" {
			d.ResolvedName = real
			d.NoIntegrity = !e.checked && strings.HasPrefix(from, "npm:")
		}
	} else if d.Source == "" {
		address, fragment, _ := strings.Cut(e.resolved, "#")
		d.Resolved, d.NoIntegrity = address, !e.checked && fragment == "" && address != ""
	}
	if d.Source == FromLocal || d.Source == FromGit {
		d.Version = ""
	}
	f.add(e.at, d)
}

// readPnpmLock reads the table "packages" of a pnpm-lock.yaml, whose keys are
// "/name/1.0.0", "/name@1.0.0" or "name@1.0.0" by the version of the format.
// It is read by its indentation: the file is written by one program, and too
// large to be kept as values.
func readPnpmLock(f *file) error {
	section := ""
	var d Dependency
	var at lint.Span
	flush := func() {
		if d.Name != "" {
			f.add(at, d)
		}
		d = Dependency{}
	}
	offset := 0
	for raw := range bytes.Lines(f.src) {
		line := strings.TrimRight(string(raw), "\r\n")
		start := offset
		offset += len(raw)
		trimmed := strings.TrimLeft(line, " ")
		indent := len(line) - len(trimmed)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case indent == 0:
			flush()
			section = strings.TrimSuffix(line, ":")
		case section == "packages" && indent == 2:
			flush()
			key := strings.Trim(strings.TrimSuffix(trimmed, ":"), `'"`)
			d = pnpmKey(key)
			at = lint.Span{Start: start + 2, End: start + len(line)}
		case d.Name != "" && indent == 4 && strings.HasPrefix(trimmed, "resolution:"):
			pnpmResolution(&d, trimmed)
		case d.Name != "" && indent == 6:
			pnpmResolution(&d, "{"+trimmed+"}")
		}
	}
	flush()
	return nil
}

// pnpmSlashes is a key of the older form: name, version, and the peers behind
// a "_".
var pnpmSlashes = regexp.MustCompile(`^((?:@[^/@]+/)?[^/@]+)/([0-9]+\.[0-9]+\.[0-9]+[^_/]*)(?:_.*)?$`)

func pnpmKey(key string) Dependency {
	d := Dependency{Ecosystem: NPM, Table: "packages", NoIntegrity: true}
	key, _, _ = strings.Cut(key, "(")
	if strings.HasPrefix(key, "file:") || strings.HasPrefix(key, "link:") {
		d.Name, d.Source, d.NoIntegrity = key, FromLocal, false
		return d
	}
	rest, slash := strings.CutPrefix(key, "/")
	name, version := cutVersion(rest)
	if m := pnpmSlashes.FindStringSubmatch(rest); slash && m != nil {
		name, version = m[1], m[2]
	}
	version, _, _ = strings.Cut(version, "_")
	d.Name, d.Spec = name, version
	d.Version = exactNPM(version)
	if d.Version == "" && version != "" {
		d.Source, d.NoIntegrity = npmSpec(name, version).Source, false
		if d.Source == "" {
			d.Source = FromURL
		}
	}
	return d
}

// pnpmResolution reads "resolution: {integrity: …, tarball: …}".
func pnpmResolution(d *Dependency, line string) {
	if strings.Contains(line, "integrity:") {
		d.NoIntegrity = false
	}
	if _, rest, ok := strings.Cut(line, "tarball:"); ok {
		d.Resolved, _, _ = strings.Cut(strings.TrimSpace(strings.TrimRight(rest, "}")), ",")
	}
	if strings.Contains(line, "type: git") || strings.Contains(line, "commit:") || strings.Contains(line, "type: directory") {
		d.NoIntegrity = false
	}
}
