package instructions

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
)

// dependency groups of a package.json and a composer.json.
var (
	npmGroups      = []string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies"}
	composerGroups = []string{"require", "require-dev"}
)

// packageFacts returns what the manifests that a document could mean ask of
// one of the packages. known is false where one of them cannot be read or asks
// for it without a range of numbers.
func packageFacts(p *lint.Pass, d *Doc, names []string) (found []fact, known bool) {
	known = true
	for _, dir := range manifestFolders(p, d) {
		facts, ok := folderPackages(p, dir, names)
		found = append(found, facts...)
		known = known && ok
	}
	return found, known
}

// manifestNames are the files that name dependencies.
var manifestNames = []string{"package.json", "composer.json", "pyproject.toml", "requirements.txt", "Gemfile"}

// manifestFolders returns the folders with a manifest, from a document's home
// up to the root and below it.
func manifestFolders(p *lint.Pass, d *Doc) []string {
	dirs := above(home(d.File.Path))
	for _, name := range manifestNames {
		for _, full := range everywhere(p, name) {
			if under(full, home(d.File.Path)) && !specimen(full) {
				dirs = append(dirs, path.Dir(full))
			}
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

func folderPackages(p *lint.Pass, dir string, names []string) (found []fact, known bool) {
	known = true
	if m, ok := readPackageJSON(p, path.Join(dir, "package.json")); ok {
		known = m.root != nil
		facts, ok := listedPackages(m.file, m.root, npmGroups, names)
		found, known = append(found, facts...), known && ok
	}
	if root, f := composerJSON(p, dir); f != nil {
		facts, ok := listedPackages(f, root, composerGroups, names)
		found, known = append(found, facts...), known && root != nil && ok
	}
	for _, name := range names {
		quoted := regexp.QuoteMeta(name)
		for file, form := range map[string]string{
			"pyproject.toml":   `(?mi)^\s*["']?` + quoted + `(?:\[[\w,-]+\])?\s*(?:=\s*["'])?((?:\^|~=|~|==|>=|<=|<|>)[^"';#\n]*)`,
			"requirements.txt": `(?mi)^` + quoted + `(?:\[[\w,-]+\])?\s*((?:~=|==|>=|<=|<|>)[^;#\n]*)`,
			"Gemfile":          `(?m)^\s*gem\s+["']` + quoted + `["'],\s*["']([^"']+)["']`,
		} {
			if _, ok := p.Named(path.Join(dir, file)); ok {
				found = append(found, rangeMatch(p, path.Join(dir, file), regexp.MustCompile(form))...)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b fact) int { return strings.Compare(a.file.Path, b.file.Path) })
	return found, known
}

func listedPackages(f *lint.File, root *lint.Node, groups, names []string) (found []fact, known bool) {
	known = true
	for _, group := range groups {
		for _, name := range names {
			n := root.Get(group, name)
			if n == nil {
				continue
			}
			text, _ := n.Str()
			set, ok := parseRange(text)
			if !ok {
				known = false
				continue
			}
			found = append(found, fact{set: set, text: text, file: f, at: n.At})
		}
	}
	return found, known
}
