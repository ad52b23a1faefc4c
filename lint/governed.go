package lint

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/rules"
)

// matcher finds a path's rows in the table of governed files without trying
// every pattern on every path: rows are filed under a folder name, a file name
// or an extension that a path must have to match them.
type matcher struct {
	byFolder, byName, byExt map[string][]int
	rows                    []rules.Governed
}

func newMatcher(rows []rules.Governed) *matcher {
	m := &matcher{
		rows: rows, byFolder: map[string][]int{}, byName: map[string][]int{}, byExt: map[string][]int{},
	}
	for i, row := range rows {
		segments := strings.Split(row.Path, "/")
		name := segments[len(segments)-1]
		switch folder := literalFolder(segments[:len(segments)-1]); {
		case !strings.ContainsAny(name, "*?[{"):
			m.byName[name] = append(m.byName[name], i)
		case folder != "":
			m.byFolder[folder] = append(m.byFolder[folder], i)
		default:
			ext := name[strings.LastIndexByte(name, '.'):]
			m.byExt[ext] = append(m.byExt[ext], i)
		}
	}
	return m
}

// literalFolder returns the first segment without a wildcard, "" for none.
func literalFolder(segments []string) string {
	for _, s := range segments {
		if !strings.ContainsAny(s, "*?[{") {
			return s
		}
	}
	return ""
}

// match returns the rows a file's path meets, in table order. filed holds the
// rows filed under the folders above it, see under.
func (m *matcher) match(path, name string, filed []int) []rules.Governed {
	candidates := m.byName[name]
	var ext []int
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		ext = m.byExt[name[i:]]
	}
	if len(candidates) == 0 && len(ext) == 0 && len(filed) == 0 && len(m.byFolder[name]) == 0 {
		return nil
	}
	var found []rules.Governed
	for _, list := range [][]int{candidates, ext, filed, m.byFolder[name]} {
		for _, i := range list {
			if doublestar.MatchUnvalidated(m.rows[i].Path, path) {
				found = append(found, m.rows[i])
			}
		}
	}
	return found
}

// under returns the rows filed under a folder's name, added to those of the
// folders above it.
func (m *matcher) under(folder string, filed []int) []int {
	more := m.byFolder[folder]
	if len(more) == 0 {
		return filed
	}
	return append(filed[:len(filed):len(filed)], more...)
}

// matchPath is match for a path by itself.
func (m *matcher) matchPath(full string) []rules.Governed {
	var filed []int
	start := 0
	for i := range len(full) {
		if full[i] == '/' {
			filed = m.under(full[start:i], filed)
			start = i + 1
		}
	}
	return m.match(full, full[start:], filed)
}
