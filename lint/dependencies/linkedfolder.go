package dependencies

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// maxLinkHops bounds the links that are followed behind one another.
const maxLinkHops = 4

// linkedFolder says so where a link makes a folder of other people's files, or an
// excluded one, a part of the project: an installer follows it, and the list does
// not go there. Any other folder is listed where it lies.
func (r *reading) linkedFolder(link string) {
	real, ok := r.leadsTo(link)
	if !ok || !r.passedOver(real) {
		return
	}
	why, looked := r.behind[real]
	if !looked {
		why = r.broughtIn(real)
		r.behind[real] = why
	}
	if why != "" {
		r.skip(link, "it is a link to %s, which %s", real, why)
	}
}

// broughtIn says what a link to a folder brings in that is not looked at, "" for
// nothing. Its manifests are told by their names: the link gives them other
// folders than they lie in.
func (r *reading) broughtIn(folder string) string {
	entries, err := fs.ReadDir(r.fsys, folder)
	if err != nil {
		return "cannot be listed"
	}
	for _, e := range entries {
		if !e.IsDir() && r.readerOf(e.Name()) != nil {
			return "is not looked at, and has a " + e.Name()
		}
	}
	return ""
}

// leadsTo is the folder of the tree that a link leads to.
func (r *reading) leadsTo(link string) (string, bool) {
	at := link
	for range maxLinkHops {
		target, err := fs.ReadLink(r.fsys, at)
		if err != nil || path.IsAbs(target) {
			return "", false
		}
		if at = path.Join(path.Dir(at), target); !fs.ValidPath(at) {
			return "", false
		}
		info, err := fs.Lstat(r.fsys, at)
		if err != nil {
			return "", false
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return at, info.IsDir()
		}
	}
	return "", false
}

// passedOver reports whether the list goes past a folder.
func (r *reading) passedOver(folder string) bool {
	parts := strings.Split(folder, "/")
	if slices.ContainsFunc(parts, func(part string) bool { return vendored[part] }) {
		return true
	}
	for i := range parts {
		if r.excluded(strings.Join(parts[:i+1], "/")) {
			return true
		}
	}
	return false
}
