package lint

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"steelyard/rules"
)

// vendored names folders that hold other people's files: their instructions
// and configurations are read by nobody on the team.
var vendored = map[string]bool{
	".git": true, ".hg": true, ".svn": true, ".jj": true,
	"node_modules": true, "bower_components": true, "jspm_packages": true, ".yarn": true, ".pnpm-store": true,
	"vendor": true, "third_party": true, "third-party": true, "thirdparty": true, "3rdparty": true,
	"site-packages": true, "dist-packages": true, ".venv": true, "venv": true, ".tox": true, ".nox": true,
	"Pods": true, "Carthage": true, ".gradle": true, ".terraform": true, ".bundle": true,
}

// tree is a repository as one run sees it.
type tree struct {
	fsys    fs.FS
	limits  Limits
	files   []*File            // governed, in path order
	folders []folder           // every folder that was listed, those above first
	listed  map[string][]entry // their entries by path
	extra   map[string]*File   // named by governed ones; nil = known to be absent
	cache   map[any]any
	skips   []Skip

	full      bool // see Result.Full
	committed bool // see Config.Committed
	strict    bool // see Config.Strict
	today     time.Time
}

func (t *tree) skip(path, format string, args ...any) {
	t.skips = append(t.skips, Skip{path, fmt.Sprintf(format, args...)})
}

// sortedSkips adds the governed files that could not be read.
func (t *tree) sortedSkips() []Skip {
	for _, f := range t.files {
		if f.err != nil && f.Link == "" {
			t.skip(f.Path, "%v", f.err)
		}
	}
	slices.SortFunc(t.skips, func(a, b Skip) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	return append([]Skip{}, t.skips...)
}

// regular reports whether a path is a regular file reached through folders
// alone.
func (t *tree) regular(name string) bool {
	dir, base := path.Split(name)
	dir = folderOf(dir)
	mode, ok := t.mode(dir, base)
	if _, walked := t.listed[dir]; walked || !ok || !mode.IsRegular() {
		return ok && mode.IsRegular() // no walk goes through a link
	}
	for above := dir; above != "."; above = path.Dir(above) {
		up, base := path.Split(above)
		if mode, ok := t.mode(folderOf(up), base); !ok || !mode.IsDir() {
			return false
		}
	}
	return true
}

// mode returns the type of one entry, from the walk's listing where the walk
// went, else by asking the tree.
func (t *tree) mode(dir, name string) (fs.FileMode, bool) {
	if entries, ok := t.listed[dir]; ok {
		i, found := find(entries, name)
		if !found {
			return 0, false
		}
		return entries[i].mode, true
	}
	info, err := fs.Lstat(t.fsys, join(dir, name))
	if err != nil {
		return 0, false
	}
	return info.Mode().Type(), true
}

// folderOf is a folder as [path.Split] returns it, as the walk names it.
func folderOf(dir string) string {
	if dir == "" {
		return "."
	}
	return strings.TrimSuffix(dir, "/")
}

// walk finds the governed files of a tree. It lists folders and reads ignore
// files; it opens nothing else.
func walk(ctx context.Context, fsys fs.FS, cfg Config) (*tree, error) {
	rows, err := rules.GovernedFiles()
	if err != nil {
		return nil, fmt.Errorf("load governed files: %w", err)
	}
	t := &tree{
		fsys: fsys, limits: cfg.Limits.withDefaults(), listed: map[string][]entry{}, extra: map[string]*File{}, cache: map[any]any{},
		committed: cfg.Committed, strict: cfg.Strict, today: cfg.Today,
	}
	w := &walker{
		ctx: ctx, fsys: fsys, limits: t.limits, match: newMatcher(rows), exclude: cfg.Exclude, ignores: !cfg.Committed,
	}
	root, err := w.walk()
	if err != nil {
		return nil, fmt.Errorf("list repository: %w", err)
	}
	t.take(root)
	t.addTracked(w)
	t.addLinked(w)
	slices.SortFunc(t.files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	t.full = w.full.Load() || w.deep.Load()
	return t, nil
}

// take adds what a walk found.
func (t *tree) take(b *branch) {
	t.folders = append(t.folders, b.folder)
	t.listed[b.path] = b.entries
	t.files = append(t.files, b.files...)
	t.skips = append(t.skips, b.skips...)
	if b.ignoreFile != nil {
		t.extra[b.ignoreFile.Path] = b.ignoreFile
	}
	for _, below := range b.below {
		t.take(below)
	}
}

// addTracked adds the governed files that an ignore file hides but git tracks.
func (t *tree) addTracked(w *walker) {
	if w.ignored.Load() == 0 || w.full.Load() {
		return
	}
	known := t.paths()
	t.tracked(func(p []byte) {
		full := string(p)
		rows := w.match.matchPath(full)
		if len(rows) == 0 || known[full] || !fs.ValidPath(full) || w.outside(full) {
			return
		}
		info, err := fs.Lstat(t.fsys, full)
		if err != nil {
			return
		}
		if mode := info.Mode().Type(); mode&fs.ModeSymlink != 0 || t.regular(full) {
			t.add(w, w.open(full, mode, rows))
		}
	})
}

func (t *tree) add(w *walker, f *File) {
	var b branch
	w.add(&b, f)
	t.files = append(t.files, b.files...)
	t.skips = append(t.skips, b.skips...)
}

func (t *tree) paths() map[string]bool {
	known := make(map[string]bool, len(t.files))
	for _, f := range t.files {
		known[f.Path] = true
	}
	return known
}

// names are the paths of the governed files in order.
func (t *tree) names() []string {
	names := make([]string, len(t.files))
	for i, f := range t.files {
		names[i] = f.Path
	}
	return names
}
