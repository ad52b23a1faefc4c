package dependencies

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"steelyard/rules"
)

// Names knows popular names, invented ones, and what Python's import names
// stand for.
type Names struct {
	data *rules.Dependencies
	// indexes are made when an ecosystem is first asked about.
	mu      sync.Mutex
	indexes map[Ecosystem]*nameIndex
}

// NewNames returns the names that Steelyard ships with.
func NewNames() (*Names, error) {
	data, err := rules.DependencyData()
	if err != nil {
		return nil, fmt.Errorf("load dependency data: %w", err)
	}
	return &Names{data: data, indexes: map[Ecosystem]*nameIndex{}}, nil
}

// index finds the look-alikes of an ecosystem, nil for one without a list.
func (n *Names) index(e Ecosystem) *nameIndex {
	if n == nil || len(n.data.Popular[string(e)]) == 0 {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.indexes[e] == nil {
		n.indexes[e] = newNameIndex(e, n.data.Popular[string(e)])
	}
	return n.indexes[e]
}

// Invented reports whether language models are known to invent the name.
func (n *Names) Invented(e Ecosystem, name string) bool {
	if n == nil {
		return false
	}
	sum := sha256.Sum256([]byte(string(e) + "/" + e.Canonical(name)))
	return n.data.Invented[hex.EncodeToString(sum[:])]
}

// Distribution returns the package that brings what Python code imports under
// this name, "" where none is known or it is called the same.
func (n *Names) Distribution(e Ecosystem, name string) string {
	if n == nil || e != PyPI {
		return ""
	}
	for _, key := range []string{name, strings.ReplaceAll(name, "-", "_"), strings.ToLower(strings.ReplaceAll(name, "-", "_"))} {
		if d, ok := n.data.Distributions[key]; ok && PyPI.Canonical(d) != PyPI.Canonical(name) {
			return d
		}
	}
	return ""
}

// Popular reports whether the name is in the popular list of its ecosystem.
func (n *Names) Popular(e Ecosystem, name string) bool {
	x := n.index(e)
	if x == nil {
		return false
	}
	_, ok := x.rank[e.Canonical(name)]
	return ok
}

// Likeness says which popular name another one looks like. Its zero value
// says: none.
type Likeness struct {
	Target string
	Kind   LikenessKind
	// Downloads of the target a month, 0 where its list has ranks alone.
	Downloads int64
}

// LikenessKind is how two names differ.
type LikenessKind string

// The kinds.
const (
	LikeDelimiter LikenessKind = "delimiters"
	LikeSwap      LikenessKind = "swapped letters"
	LikePlural    LikenessKind = "plural"
	LikeDigit     LikenessKind = "digit"
	LikeEdit      LikenessKind = "one letter"
	LikeOwner     LikenessKind = "owner"
)

// Describe says it in words.
func (l Likeness) Describe(name string) string {
	how := map[LikenessKind]string{
		LikeDelimiter: "in its delimiters alone", LikeSwap: "by two swapped letters", LikePlural: "by an \"s\" at the end",
		LikeDigit: "by a digit", LikeEdit: "by one letter", LikeOwner: "in its owner alone",
	}[l.Kind]
	return fmt.Sprintf("%q differs from the popular %q %s", name, l.Target, how)
}

// minBase is the least length of a target's base name: nearly every shorter
// name is one letter from another.
const minBase = 5

// Like returns the most popular name that this one looks like, whatever its
// own use. A popular name looks like nothing.
func (n *Names) Like(e Ecosystem, name string) Likeness {
	if x := n.index(e); x != nil {
		return x.like(e.Canonical(name))
	}
	return Likeness{}
}

// LikeUsed is Like for a name of known use: one with a hundredth of the
// target's downloads or more stands on its own feet.
func (n *Names) LikeUsed(e Ecosystem, name string, downloads *int64) Likeness {
	l := n.Like(e, name)
	if downloads != nil && l.Downloads > 0 && *downloads*100 >= l.Downloads {
		return Likeness{}
	}
	return l
}

// Alike compares a name with one target, by the ecosystem's rules. It is what
// Like asks of each popular name.
func Alike(e Ecosystem, name, target string) (LikenessKind, bool) {
	a, b := e.Canonical(name), e.Canonical(target)
	if a == b && (e != RubyGems || name == target) || base(e, b) == "" {
		return "", false
	}
	if e == Go {
		if sameRepository(a, b) {
			return LikeOwner, true
		}
		return "", false
	}
	if len(base(e, b)) >= minBase || e == RubyGems {
		if bare(e, a) == bare(e, b) {
			return LikeDelimiter, true
		}
	}
	if e == RubyGems || len(base(e, b)) < minBase || sameScope(e, a, b) {
		return "", false
	}
	return oneEdit(a, b)
}

// bare is a name without the delimiters of its ecosystem.
func bare(e Ecosystem, name string) string {
	switch e {
	case NPM, RubyGems, Cargo, PyPI:
		return strings.NewReplacer("-", "", "_", "").Replace(name)
	}
	return name
}

// base is the part of a name that stands behind its scope or owner.
func base(e Ecosystem, name string) string {
	switch e {
	case NPM, Actions:
		return name[strings.LastIndexByte(name, '/')+1:]
	case Go:
		_, repo, _ := splitModule(name)
		return repo
	}
	return name
}

// sameScope reports whether one owner holds both names.
func sameScope(e Ecosystem, a, b string) bool {
	if e != NPM && e != Actions {
		return false
	}
	sa, _, oka := strings.Cut(a, "/")
	sb, _, okb := strings.Cut(b, "/")
	return oka && okb && sa == sb
}

// splitModule cuts a Go module path into host and owner, and repository,
// without a major version. It is false for a path without an owner.
func splitModule(path string) (owner, repo string, ok bool) {
	parts := strings.Split(path, "/")
	if last := parts[len(parts)-1]; len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		parts = parts[:len(parts)-1]
	}
	if len(parts) != 3 {
		return "", "", false
	}
	return parts[0] + "/" + parts[1], parts[2], true
}

// sameRepository reports whether two modules are called the same under
// different owners.
func sameRepository(a, b string) bool {
	oa, ra, oka := splitModule(a)
	ob, rb, okb := splitModule(b)
	const short = 4
	return oka && okb && strings.EqualFold(ra, rb) && !strings.EqualFold(oa, ob) && len(ra) >= short
}

// oneEdit reports whether one insertion, deletion, replacement or swap of
// neighbours turns b into a, and how it is called.
func oneEdit(a, b string) (LikenessKind, bool) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	ra, rb := a[i:], b[i:]
	switch {
	case len(ra) == len(rb) && len(ra) > 0 && ra[1:] == rb[1:]:
		if isDigit(ra[0]) || isDigit(rb[0]) {
			return LikeDigit, true
		}
		return LikeEdit, true
	case len(ra) == len(rb) && len(ra) > 1 && ra[0] == rb[1] && ra[1] == rb[0] && ra[2:] == rb[2:]:
		return LikeSwap, true
	case len(ra) == len(rb)+1 && ra[1:] == rb:
		return extra(ra[0], rb == ""), true
	case len(rb) == len(ra)+1 && rb[1:] == ra:
		return extra(rb[0], ra == ""), true
	}
	return "", false
}

func extra(letter byte, atEnd bool) LikenessKind {
	switch {
	case letter == 's' && atEnd:
		return LikePlural
	case isDigit(letter):
		return LikeDigit
	}
	return LikeEdit
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// nameIndex finds look-alikes without comparing a name with every other.
type nameIndex struct {
	ecosystem Ecosystem
	list      []rules.Popular // canonical names
	rank      map[string]int
	byLength  map[int][]int    // names that an edit can reach
	byBare    map[string][]int // by name without delimiters
	byRepo    map[string][]int // Go: by repository
	owners    map[string]bool  // Go: owners of popular modules
}

func newNameIndex(e Ecosystem, list []rules.Popular) *nameIndex {
	x := &nameIndex{
		ecosystem: e, rank: make(map[string]int, len(list)),
		byLength: map[int][]int{}, byBare: map[string][]int{}, byRepo: map[string][]int{}, owners: map[string]bool{},
	}
	for _, p := range list {
		i := len(x.list)
		p.Name = e.Canonical(p.Name)
		if _, twice := x.rank[p.Name]; twice {
			continue
		}
		x.list = append(x.list, p)
		x.rank[p.Name] = i
		x.byLength[len(p.Name)] = append(x.byLength[len(p.Name)], i)
		if b := bare(e, p.Name); e != Go {
			x.byBare[b] = append(x.byBare[b], i)
		} else if owner, repo, ok := splitModule(p.Name); ok {
			x.owners[strings.ToLower(owner)] = true
			x.byRepo[strings.ToLower(repo)] = append(x.byRepo[strings.ToLower(repo)], i)
		}
	}
	return x
}

func (x *nameIndex) like(name string) Likeness {
	if _, popular := x.rank[name]; popular {
		return Likeness{}
	}
	best, found := len(x.list), Likeness{}
	consider := func(list []int, near func(target string) bool) {
		for _, i := range list {
			if i >= best {
				break // less popular than what was found
			}
			if target := x.list[i]; near(target.Name) {
				if kind, ok := Alike(x.ecosystem, name, target.Name); ok {
					best, found = i, Likeness{Target: target.Name, Kind: kind, Downloads: target.Downloads}
				}
			}
		}
	}
	always := func(string) bool { return true }
	if x.ecosystem == Go {
		if owner, repo, ok := splitModule(name); ok && ownedHost(owner) && !x.owners[strings.ToLower(owner)] {
			consider(x.byRepo[strings.ToLower(repo)], always)
		}
		return found
	}
	consider(x.byBare[bare(x.ecosystem, name)], always)
	if x.ecosystem != RubyGems {
		near := func(target string) bool { _, ok := oneEdit(name, target); return ok }
		for length := len(name) - 1; length <= len(name)+1; length++ {
			consider(x.byLength[length], near)
		}
	}
	return found
}

// ownedHost reports whether anybody can open an account on a host and so be
// an owner there.
func ownedHost(owner string) bool {
	host, _, _ := strings.Cut(owner, "/")
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitee.com", "git.sr.ht":
		return true
	}
	return false
}
