package dependencies

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/lint"
)

// The bounds of what is read. Lockfiles of large repositories have tens of
// megabytes.
const (
	maxManifestBytes = 4 << 20
	maxLockfileBytes = 64 << 20
	maxFiles         = 20_000
	maxEntries       = 2_000_000
	maxDepth         = 64
	maxNameBytes     = 512
	maxPerFile       = 100_000
)

// ReadOptions says what of a tree is looked at. The zero value reads all.
type ReadOptions struct {
	// Committed says that the tree holds committed files alone, so that ignore
	// files do not apply. In a working tree they hide what git does not track.
	Committed bool
	// Exclude lists doublestar patterns of paths that are not looked at.
	Exclude []string
	// Private lists patterns of Go modules that no public proxy knows, as
	// GOPRIVATE writes them: "git.example.com/*,example.org".
	Private string
	// UserNPMRC is the text of the user's own .npmrc: the scopes in it have
	// registries of their own.
	UserNPMRC string
	// Public reports whether an address that a manifest or a setting of the
	// repository names is one that the registry asks anyway. Entries of every
	// other address are private. Nil means that none is.
	Public func(e Ecosystem, address string) bool
}

// Tree is what Read found.
type Tree struct {
	// Dependencies are in the order of path and line.
	Dependencies []Dependency
	// Files counts the manifests and lockfiles that were read.
	Files int
	// Unread lists the files that could not be read, and why.
	Unread []lint.Skip

	registries map[string]bool // that the tree names, see reading.names
}

// Read takes the dependencies of every manifest and lockfile of a tree. A file
// that cannot be read is in [Tree.Unread]; an error means that the tree itself
// cannot be listed.
func Read(ctx context.Context, fsys fs.FS, o ReadOptions) (Tree, error) {
	for _, pattern := range o.Exclude {
		if !doublestar.ValidatePattern(pattern) || !lint.Spelled(pattern) {
			return Tree{}, fmt.Errorf("read dependencies: exclude %q is no path pattern, or one with too many alternatives", pattern)
		}
	}
	r := &reading{fsys: fsys, readers: allReaders(), options: o, texts: map[string][]byte{}, done: map[string]bool{}, members: map[string]bool{}, registries: map[string]bool{}, behind: map[string]string{}}
	r.userScopes()
	if err := r.list(ctx, ".", 0, lint.Ignore{}); err != nil {
		return Tree{}, err
	}
	r.addTracked()
	for _, name := range r.paths {
		if err := ctx.Err(); err != nil {
			return Tree{}, fmt.Errorf("read dependencies: %w", err)
		}
		r.read(name)
	}
	r.settle()
	slices.SortStableFunc(r.deps, func(a, b Dependency) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.At.Start, b.At.Start))
	})
	slices.SortFunc(r.unread, func(a, b lint.Skip) int { return cmp.Compare(a.Path, b.Path) })
	return Tree{Dependencies: r.deps, Files: len(r.done), Unread: r.unread, registries: r.registries}, nil
}

// vendored names folders that hold other people's manifests.
var vendored = map[string]bool{
	".git": true, ".hg": true, ".svn": true, ".jj": true,
	"node_modules": true, "bower_components": true, "jspm_packages": true, ".yarn": true, ".pnpm-store": true,
	"vendor": true, "third_party": true, "third-party": true, "thirdparty": true, "3rdparty": true,
	"site-packages": true, "dist-packages": true, ".venv": true, "venv": true, ".tox": true, ".nox": true,
	"Pods": true, "Carthage": true, ".gradle": true, ".terraform": true, ".bundle": true,
}

// reading is one run of Read.
type reading struct {
	fsys    fs.FS
	readers []reader
	options ReadOptions
	entries int
	ignored bool // an ignore file hid something
	paths   []string
	texts   map[string][]byte // settings files that several manifests ask for
	done    map[string]bool
	deps    []Dependency
	unread  []lint.Skip

	catalogs   []catalog
	own        map[string]bool // packages that the tree itself holds, see member
	workspaces []workspace
	folders    map[string][]string // of npm packages, by name
	members    map[string]bool     // answers of linked
	tries      int
	followed   int
	behind     map[string]string // what links to a folder bring in, see broughtIn
	cargoRoots map[string]map[string]Dependency
	registries map[string]bool
}

func (r *reading) skip(name, format string, args ...any) {
	r.unread = append(r.unread, lint.Skip{Path: name, Reason: fmt.Sprintf(format, args...)})
}

// list finds manifests and lockfiles, never through a link.
func (r *reading) list(ctx context.Context, dir string, depth int, ignore lint.Ignore) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("list manifests: %w", err)
	}
	entries, err := fs.ReadDir(r.fsys, dir)
	if err != nil {
		if dir == "." {
			return fmt.Errorf("list manifests: %w", err)
		}
		r.skip(dir, "cannot be listed: %v", err)
		return nil
	}
	if depth > maxDepth {
		r.skip(dir, "more than %d folders deep", maxDepth)
		return nil
	}
	ignore = r.ignoreFile(dir, entries, ignore)
	for _, e := range entries {
		if r.entries++; r.entries > maxEntries || len(r.paths) >= maxFiles {
			if len(r.unread) == 0 || r.unread[len(r.unread)-1].Path != dir {
				r.skip(dir, "too many files: the rest was not looked at")
			}
			return nil
		}
		full := path.Join(dir, e.Name())
		if r.excluded(full) {
			continue
		}
		if ignore.Hides(full, e.IsDir()) {
			r.ignored = true
			continue
		}
		switch {
		case e.IsDir():
			if !vendored[e.Name()] {
				if err := r.list(ctx, full, depth+1, ignore); err != nil {
					return err
				}
			}
		case r.readerOf(full) == nil:
			if e.Type()&fs.ModeSymlink != 0 {
				r.linkedFolder(full)
			}
		case e.Type().IsRegular():
			r.paths = append(r.paths, full)
		case e.Type()&fs.ModeSymlink != 0:
			r.skip(full, "it is a link, which is not followed")
		}
	}
	return nil
}

// ignoreFile adds a folder's .gitignore to those above it.
func (r *reading) ignoreFile(dir string, entries []fs.DirEntry, above lint.Ignore) lint.Ignore {
	listed := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".gitignore" && e.Type().IsRegular() })
	if r.options.Committed || !listed {
		return above
	}
	text, err := r.load(path.Join(dir, ".gitignore"), maxManifestBytes)
	if err != nil {
		r.skip(path.Join(dir, ".gitignore"), "ignore file was not read: %v", err)
		return above
	}
	return above.With(dir, string(text))
}

// addTracked adds the manifests that an ignore file hides but git tracks: they
// are everybody's.
func (r *reading) addTracked() {
	if !r.ignored {
		return
	}
	known := map[string]bool{}
	for _, name := range r.paths {
		known[name] = true
	}
	lint.Tracked(r.fsys, func(name string) {
		if known[name] || !fs.ValidPath(name) || r.readerOf(name) == nil || r.excluded(name) || len(r.paths) >= maxFiles {
			return
		}
		for part := range strings.SplitSeq(path.Dir(name), "/") {
			if vendored[part] {
				return
			}
		}
		if info, err := fs.Lstat(r.fsys, name); err == nil && info.Mode().IsRegular() {
			r.paths = append(r.paths, name)
		}
	})
	slices.Sort(r.paths)
}

func (r *reading) excluded(full string) bool {
	return slices.ContainsFunc(r.options.Exclude, func(pattern string) bool {
		return doublestar.MatchUnvalidated(pattern, full)
	})
}

// read reads one manifest or lockfile, once.
func (r *reading) read(name string) {
	reader := r.readerOf(name)
	if reader == nil || r.done[name] {
		return
	}
	r.done[name] = true
	limit := int64(maxManifestBytes)
	if reader.locked {
		limit = maxLockfileBytes
	}
	text, err := r.load(name, limit)
	if err != nil {
		r.skip(name, "%v", err)
		return
	}
	f := &file{path: name, src: text, tree: r, locked: reader.locked}
	if err := reader.read(f); err != nil {
		r.skip(name, "%s", f.explain(err))
	}
	r.deps = append(r.deps, f.deps...)
}

// load reads a regular file of bounded size that is text.
func (r *reading) load(name string, limit int64) ([]byte, error) {
	info, err := fs.Lstat(r.fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("is not a regular file")
	}
	in, err := r.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("more than %d bytes", limit)
	}
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return nil, errors.New("not UTF-8 text")
	}
	return text, nil
}

// setting returns a small file that says how manifests are read, nil where
// there is none.
func (r *reading) setting(name string) []byte {
	if text, ok := r.texts[name]; ok {
		return text
	}
	text, err := r.load(name, maxManifestBytes)
	if err != nil {
		text = nil // absent, or unreadable, which says no more
	}
	r.texts[name] = text
	return text
}

// upward returns the settings file of this name in the folder of a manifest
// and those above it, nearest first.
func (r *reading) upward(manifest, name string) [][]byte {
	var found [][]byte
	for dir := path.Dir(manifest); ; dir = path.Dir(dir) {
		if text := r.setting(path.Join(dir, name)); text != nil {
			found = append(found, text)
		}
		if dir == "." {
			return found
		}
	}
}

// public reports whether an address is asked anyway.
func (r *reading) public(e Ecosystem, address string) bool {
	return r.options.Public != nil && r.options.Public(e, address)
}
