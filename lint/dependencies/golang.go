package dependencies

import (
	"bytes"
	"path"
	"strings"

	"golang.org/x/mod/modfile"

	"steelyard/lint"
)

// readGoMod reads a go.mod: what is required, and what stands for it. A
// replaced module is asked under the name of its replacement.
func readGoMod(f *file) error {
	mod, err := modfile.Parse(f.path, f.src, nil)
	if err != nil {
		if mod, err = modfile.ParseLax(f.path, f.src, nil); err != nil {
			return &lint.SyntaxError{Message: "not a valid go.mod"}
		}
	}
	replaced := map[string]*modfile.Replace{}
	for _, r := range mod.Replace {
		replaced[r.Old.Path] = r
	}
	required := map[string]bool{}
	own := ""
	if mod.Module != nil {
		own = ownerOf(mod.Module.Mod.Path)
	}
	for _, r := range mod.Require {
		required[r.Mod.Path] = true
		d := Dependency{Ecosystem: Go, Name: r.Mod.Path, Version: r.Mod.Version, Spec: r.Mod.Version, Table: "require", Direct: !r.Indirect || isTool(mod, r.Mod.Path)}
		if r.Indirect {
			d.Table = "require.indirect"
		}
		if by := replaced[r.Mod.Path]; by != nil {
			d = replacedBy(d, by)
		}
		// The proxy knows no private repository of the same owner.
		d.Elsewhere = own != "" && ownerOf(d.Asked()) == own
		f.addModule(r.Syntax, d)
	}
	for _, r := range mod.Replace {
		if !required[r.Old.Path] { // it stands for an indirect module, or for nothing yet
			d := Dependency{Ecosystem: Go, Name: r.Old.Path, Table: "replace", Direct: true}
			f.addModule(r.Syntax, replacedBy(d, r))
		}
	}
	return nil
}

// ownerOf is the host and owner of a module, "" where its host has none.
func ownerOf(module string) string {
	parts := strings.SplitN(strings.ToLower(module), "/", 3)
	if len(parts) < 3 || !ownedHost(module) {
		return ""
	}
	return parts[0] + "/" + parts[1]
}

// isTool reports whether a tool directive names a package of the module.
func isTool(mod *modfile.File, module string) bool {
	for _, t := range mod.Tool {
		if t.Path == module || strings.HasPrefix(t.Path, module+"/") {
			return true
		}
	}
	return false
}

func replacedBy(d Dependency, r *modfile.Replace) Dependency {
	d.Spec = r.New.Path
	if r.New.Version == "" {
		d.Source = FromLocal
		return d
	}
	d.ResolvedName, d.Version = r.New.Path, r.New.Version
	return d
}

func (f *file) addModule(line *modfile.Line, d Dependency) {
	if d.Source == "" && privateModule(f.tree.options.Private, d.Asked()) {
		d.Source = FromPrivate
	}
	at := lint.Span{}
	if line != nil {
		at = lint.Span{Start: line.Start.Byte, End: min(line.End.Byte, len(f.src))}
		if i := bytes.Index(f.src[at.Start:at.End], []byte(d.Name)); i >= 0 {
			at = lint.Span{Start: at.Start + i, End: at.Start + i + len(d.Name)}
		}
	}
	f.add(at, d)
}

// privateModule matches GOPRIVATE's patterns: globs over whole path elements
// at the beginning. A name without a dot in its first element is on no proxy.
func privateModule(patterns, module string) bool {
	first, _, _ := strings.Cut(module, "/")
	if !strings.Contains(first, ".") {
		return true
	}
	for pattern := range strings.SplitSeq(patterns, ",") {
		if pattern = strings.TrimSuffix(strings.TrimSpace(pattern), "/"); pattern == "" {
			continue
		}
		elements := strings.Split(module, "/")
		n := strings.Count(pattern, "/") + 1
		if len(elements) < n {
			continue
		}
		if ok, err := path.Match(pattern, strings.Join(elements[:n], "/")); err == nil && ok {
			return true
		}
	}
	return false
}

// readGoSum reads the modules whose code a go.sum vouches for; lines that
// vouch for a go.mod alone belong to the graph and are not downloaded.
func readGoSum(f *file) error {
	offset := 0
	for raw := range bytes.Lines(f.src) {
		start := offset
		offset += len(raw)
		fields := bytes.Fields(raw)
		if len(fields) != 3 || bytes.HasSuffix(fields[1], []byte("/go.mod")) {
			continue
		}
		name := string(fields[0])
		d := Dependency{Ecosystem: Go, Name: name, Version: string(fields[1]), Spec: string(fields[1]), Table: "go.sum"}
		if privateModule(f.tree.options.Private, name) {
			d.Source = FromPrivate
		}
		f.add(lint.Span{Start: start, End: start + len(name)}, d)
	}
	return nil
}
