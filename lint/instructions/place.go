package instructions

import (
	"path"
	"strings"
)

// home returns the folder that a governed file speaks about: its own, or the
// one above an assistant's folder such as .github or .cursor/rules.
func home(name string) string {
	dir := path.Dir(name)
	segments := strings.Split(dir, "/")
	for i, s := range segments {
		if len(s) > 1 && s[0] == '.' && s != ".." {
			if i == 0 {
				return "."
			}
			return strings.Join(segments[:i], "/")
		}
	}
	return dir
}

// above yields a folder and those above it, the root last.
func above(dir string) []string {
	dirs := []string{dir}
	for dir != "." {
		dir = path.Dir(dir)
		dirs = append(dirs, dir)
	}
	return dirs
}

// bases are the folders from which a file's relative paths may start: its own,
// and every one from its home to the root.
func bases(name string) []string {
	dirs := above(home(name))
	if own := path.Dir(name); own != dirs[0] {
		dirs = append([]string{own}, dirs...)
	}
	return dirs
}

// under reports whether a path lies in a folder or is it.
func under(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// specimen reports whether a file lies among templates, test data or the
// material of skills: what it says is about a project that is made elsewhere.
func specimen(name string) bool {
	for _, s := range strings.Split(path.Dir(name), "/") {
		switch strings.ToLower(strings.Trim(s, "_")) {
		case "template", "templates", "testdata", "test-data", "fixture", "fixtures", "skeleton", "scaffold",
			"boilerplate", "cookiecutter", "snapshots", "mocks", "samples", "blueprints", "archive", "archived", "archives", "deprecated", "legacy", "old", "skills":
			return true
		}
	}
	return strings.Contains(name, "{{") || testSetup.MatchString(name)
}

// testSetup matches an assistant's folder among tests: a repository made for
// them.
var testSetup = compile(`(?i)(^|/)(tests?|__tests__|spec|e2e)/(.*/)?\.[a-z]+/`)

// live returns the documents whose words are about this repository as it is.
func live(all []*Doc) []*Doc {
	var kept []*Doc
	for _, d := range all {
		if !specimen(d.File.Path) {
			kept = append(kept, d)
		}
	}
	return kept
}
