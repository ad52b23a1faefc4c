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
	forms := packageForms(names)
	for _, dir := range manifestFolders(p, d) {
		facts, ok := folderPackages(p, dir, names, forms)
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
	known := lint.TreeParsed(p, func(*lint.Pass) foldersByHome { return foldersByHome{} })
	scope := home(d.File.Path)
	if known[scope] == nil {
		known[scope] = findManifests(p, d)
	}
	return known[scope]
}

// foldersByHome remembers the folders with a manifest.
type foldersByHome map[string][]string

func findManifests(p *lint.Pass, d *Doc) []string {
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

// packageForm finds the range of one package in a manifest that is read line by
// line.
type packageForm struct {
	file string
	form *expression
}

func packageForms(names []string) []packageForm {
	var forms []packageForm
	for _, name := range names {
		q := regexp.QuoteMeta(name)
		forms = append(
			forms,
			packageForm{"pyproject.toml", compile(`(?mi)^\s*["']?` + q + `(?:\[[\w,-]+\])?\s*(?:=\s*["'])?((?:\^|~=|~|==|>=|<=|<|>)[^"';#\n]*)`)},
			packageForm{"requirements.txt", compile(`(?mi)^` + q + `(?:\[[\w,-]+\])?\s*((?:~=|==|>=|<=|<|>)[^;#\n]*)`)},
			packageForm{"Gemfile", compile(`(?m)^\s*gem\s+["']` + q + `["'],\s*["']([^"']+)["']`)},
		)
	}
	return forms
}

func folderPackages(p *lint.Pass, dir string, names []string, forms []packageForm) (found []fact, known bool) {
	known = true
	if m, ok := readPackageJSON(p, path.Join(dir, "package.json")); ok {
		known = m.root != nil
		facts, ok := listedPackages(m.file, m.root, npmGroups, names, func(pkg, text string) (*lint.File, *lint.Node) {
			return catalogEntry(p, dir, pkg, text)
		})
		found, known = append(found, facts...), known && ok
	}
	if root, f := composerJSON(p, dir); f != nil {
		facts, ok := listedPackages(f, root, composerGroups, names, nil)
		found, known = append(found, facts...), known && root != nil && ok
	}
	for _, f := range forms {
		found = append(found, rangeMatch(p, path.Join(dir, f.file), f.form)...)
	}
	slices.SortStableFunc(found, func(a, b fact) int { return strings.Compare(a.file.Path, b.file.Path) })
	return found, known
}

// listedPackages reads the ranges that a manifest asks of packages. What is no
// range itself may stand for one that is written elsewhere.
func listedPackages(f *lint.File, root *lint.Node, groups, names []string, elsewhere func(pkg, text string) (*lint.File, *lint.Node)) (found []fact, known bool) {
	known = true
	for _, group := range groups {
		for _, name := range names {
			n := root.Get(group, name)
			if n == nil {
				continue
			}
			text, _ := n.Str()
			set, ok := parseRange(text)
			file := f
			if !ok && elsewhere != nil {
				if other, entry := elsewhere(name, text); entry != nil {
					file, n, text = other, entry, entry.Text
					set, ok = parseRange(text)
				}
			}
			if !ok {
				known = false
				continue
			}
			found = append(found, fact{set: set, text: text, file: file, at: n.At})
		}
	}
	return found, known
}
