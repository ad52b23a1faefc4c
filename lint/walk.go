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

	"github.com/bmatcuk/doublestar/v4"

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
	files   []*File          // governed, in path order
	folders []folder         // every folder that was listed
	extra   map[string]*File // named by governed ones; nil = known to be absent
	cache   map[any]any
	skips   []Skip

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

// walker finds the governed files of a tree. It lists folders and reads ignore
// files; it opens nothing else.
type walker struct {
	ctx     context.Context
	tree    *tree
	match   *matcher
	exclude []string
	entries int
	ignores bool // ignore files apply
	ignored int  // paths they hid
	full    bool // a bound on the number of files was met
}

func walk(ctx context.Context, fsys fs.FS, cfg Config) (*tree, error) {
	rows, err := rules.GovernedFiles()
	if err != nil {
		return nil, fmt.Errorf("load governed files: %w", err)
	}
	t := &tree{fsys: fsys, limits: cfg.Limits.withDefaults(), extra: map[string]*File{}, cache: map[any]any{}, committed: cfg.Committed, strict: cfg.Strict, today: cfg.Today}
	w := &walker{ctx: ctx, tree: t, match: newMatcher(rows), exclude: cfg.Exclude, ignores: !cfg.Committed}
	if err := w.folder(".", 0, nil, nil); err != nil {
		return nil, err
	}
	w.addTracked()
	w.addLinkTargets()
	slices.SortFunc(t.files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	return t, nil
}

// folder lists one folder and goes down. filed are the table's rows filed
// under the folders above, ignore the ignore files that apply.
func (w *walker) folder(dir string, depth int, filed []int, ignore *ignoreList) error {
	if err := w.ctx.Err(); err != nil {
		return fmt.Errorf("list repository: %w", err)
	}
	entries, err := fs.ReadDir(w.tree.fsys, dir)
	if err != nil {
		if dir == "." {
			return fmt.Errorf("list repository: %w", err)
		}
		w.tree.skip(dir, "cannot be listed: %v", err)
		return nil
	}
	if depth > w.tree.limits.Depth {
		w.tree.skip(dir, "more than %d folders deep", w.tree.limits.Depth)
		return nil
	}
	w.tree.folders = append(w.tree.folders, folder{dir, entries})
	ignore = w.ignoreFile(dir, entries, ignore)
	for _, e := range entries {
		if w.entries++; w.entries > w.tree.limits.Entries && !w.full {
			w.full = true
			w.tree.skip(dir, "repository of more than %d files and folders: the rest was not looked at", w.tree.limits.Entries)
		}
		if w.full {
			return nil
		}
		name := e.Name()
		if e.IsDir() {
			if err := w.subfolder(dir, name, depth, filed, ignore); err != nil {
				return err
			}
			continue
		}
		w.file(dir, name, e.Type(), filed, ignore)
	}
	return nil
}

func (w *walker) subfolder(dir, name string, depth int, filed []int, ignore *ignoreList) error {
	if vendored[name] {
		return nil
	}
	full := join(dir, name)
	if w.hidden(full, true, ignore) {
		return nil
	}
	return w.folder(full, depth+1, w.match.under(name, filed), ignore)
}

func (w *walker) file(dir, name string, mode fs.FileMode, filed []int, ignore *ignoreList) {
	if !mode.IsRegular() && mode&fs.ModeSymlink == 0 {
		return
	}
	full := join(dir, name)
	rows := w.match.match(full, name, filed)
	if len(rows) == 0 || w.hidden(full, false, ignore) {
		return
	}
	w.add(w.open(full, mode, rows))
}

// hidden reports whether a path is ignored or excluded.
func (w *walker) hidden(full string, folder bool, ignore *ignoreList) bool {
	if ignore.ignored(full, folder) {
		w.ignored++
		return true
	}
	return w.excluded(full)
}

func (w *walker) open(full string, mode fs.FileMode, rows []rules.Governed) *File {
	f := &File{Path: full, rows: rows}
	if mode&fs.ModeSymlink != 0 {
		f.Link = "?"
		if target, err := fs.ReadLink(w.tree.fsys, full); err == nil {
			f.Link = target
		}
	}
	return f
}

// addTracked adds the governed files that an ignore file hides but git tracks.
func (w *walker) addTracked() {
	if w.ignored == 0 || w.full {
		return
	}
	known := w.paths()
	w.tree.tracked(func(p []byte) {
		full := string(p)
		rows := w.match.matchPath(full)
		if len(rows) == 0 || known[full] || !fs.ValidPath(full) || w.outside(full) {
			return
		}
		info, err := fs.Lstat(w.tree.fsys, full)
		if err != nil {
			return
		}
		if mode := info.Mode().Type(); mode&fs.ModeSymlink != 0 || w.tree.regular(full) {
			w.add(w.open(full, mode, rows))
		}
	})
}

// outside reports whether a path lies in a vendored or excluded folder, or is
// excluded itself.
func (w *walker) outside(full string) bool {
	for i, c := range full {
		if c == '/' && (vendored[path.Base(full[:i])] || w.excluded(full[:i])) {
			return true
		}
	}
	return w.excluded(full)
}

func (w *walker) paths() map[string]bool {
	known := make(map[string]bool, len(w.tree.files))
	for _, f := range w.tree.files {
		known[f.Path] = true
	}
	return known
}

func (w *walker) add(f *File) {
	t := w.tree
	switch {
	case len(t.files) < t.limits.Governed:
		f.tree, f.limits = t.fsys, t.limits
		t.files = append(t.files, f)
	case !w.full:
		w.full = true
		t.skip(f.Path, "more than %d governed files: the rest was not looked at", t.limits.Governed)
	}
}

// addLinkTargets governs the files that governed links name: whoever may
// change the target changes the instructions.
func (w *walker) addLinkTargets() {
	known := w.paths()
	for _, link := range slices.Clone(w.tree.files) {
		if link.Link == "" || path.IsAbs(link.Link) {
			continue
		}
		target := path.Join(path.Dir(link.Path), link.Link)
		if known[target] || w.outside(target) {
			continue
		}
		if f, ok := w.tree.named(target); ok {
			known[target] = true
			f.rows = link.rows
			w.add(f)
		}
	}
}

func (w *walker) excluded(full string) bool {
	return slices.ContainsFunc(w.exclude, func(pattern string) bool {
		return doublestar.MatchUnvalidated(pattern, full)
	})
}

// ignoreFile adds a folder's .gitignore to those above it.
func (w *walker) ignoreFile(dir string, entries []fs.DirEntry, above *ignoreList) *ignoreList {
	_, found := find(entries, ".gitignore")
	if !found || !w.ignores {
		return above
	}
	f, ok := w.tree.named(join(dir, ".gitignore"))
	if !ok {
		return above
	}
	text, err := f.Bytes()
	if err != nil {
		w.tree.skip(f.Path, "ignore file was not read: %v", err)
		return above
	}
	return above.with(dir, string(text))
}

func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}
