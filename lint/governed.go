package lint

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"steelyard/rules"
)

// matcher finds a path's rows in the table of governed files without trying
// every pattern on every path: rows are filed under a folder name, a file name
// or an extension that a path must have to match them.
//
// Where file systems tell no letter case apart (macOS, Windows), a program that
// opens .mcp.json gets .MCP.json as well. So case is nothing to go by where a
// path begins with a dot somewhere, or lies at the root: nobody calls a page so.
// Below it, docs/claude.md is mostly a page about Claude.
type matcher struct {
	byFolder, byName, byExt map[string][]int
	byFold                  map[string][]int // as byName, of names in lower case
	rows                    []rules.Governed
	lower                   []string // the rows' patterns in lower case
	dotted                  []bool   // whether a segment of a row's begins with a dot
}

func newMatcher(rows []rules.Governed) *matcher {
	m := &matcher{
		rows: rows, byFolder: map[string][]int{}, byName: map[string][]int{}, byExt: map[string][]int{}, byFold: map[string][]int{},
	}
	for i, row := range rows {
		segments := strings.Split(row.Path, "/")
		m.lower = append(m.lower, strings.ToLower(row.Path))
		m.dotted = append(m.dotted, slices.ContainsFunc(segments, func(s string) bool { return strings.HasPrefix(s, ".") }))
		name := segments[len(segments)-1]
		switch folder := literalFolder(segments[:len(segments)-1]); {
		case !strings.ContainsAny(name, "*?[{"):
			m.byName[name] = append(m.byName[name], i)
			if folds := row.Kind != rules.Ownership && row.Kind != rules.Review; folds { // GitHub tells case apart
				fold := strings.ToLower(name)
				m.byFold[fold] = append(m.byFold[fold], i)
			}
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

// match returns the rows a file's path meets, in table order, those that it meets
// in another letter case last. filed holds the rows filed under the folders above
// it, see under.
func (m *matcher) match(path, name string, filed []int) []rules.Governed {
	candidates, folded := m.byName[name], m.byFold[strings.ToLower(name)]
	var ext []int
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		ext = m.byExt[name[i:]]
	}
	if len(candidates) == 0 && len(folded) == 0 && len(ext) == 0 && len(filed) == 0 && len(m.byFolder[name]) == 0 {
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
	return append(found, m.folding(path, folded, filed)...)
}

// folding returns the rows that a path meets in another letter case alone: the
// mcp.json of any host, say, and that of a host whose folder is spelled .Roo.
func (m *matcher) folding(path string, candidates, filed []int) (found []rules.Governed) {
	root, lower := !strings.Contains(path, "/"), strings.ToLower(path)
	for _, list := range [][]int{candidates, filed} {
		for _, i := range list {
			if (root || m.dotted[i]) && doublestar.MatchUnvalidated(m.lower[i], lower) && !doublestar.MatchUnvalidated(m.rows[i].Path, path) {
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
	if len(more) == 0 && strings.HasPrefix(folder, ".") {
		more = m.byFolder[strings.ToLower(folder)]
	}
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
