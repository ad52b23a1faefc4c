// Package dependencies says which packages a change brings in, and judges each:
// does it exist, is it what was meant, is it old and used enough to trust, may
// its licence be used.
//
// [Read] takes the dependencies of a file tree from every manifest and lockfile
// it knows, with their lines; [Compare] says what one tree has that another
// has not. [Assess] asks a [Registry] about each, and turns its [Facts] into
// one of five judgements with evidence. Nothing here touches the network or
// the clock: a Registry is given, and so is the day.
package dependencies

import (
	"regexp"
	"strings"

	"steelyard/lint"
)

// Ecosystem names a kind of registry.
type Ecosystem string

// The ecosystems.
const (
	NPM      Ecosystem = "npm"
	PyPI     Ecosystem = "pypi"
	Go       Ecosystem = "go"
	Cargo    Ecosystem = "cargo"
	RubyGems Ecosystem = "gem"
	NuGet    Ecosystem = "nuget"
	Maven    Ecosystem = "maven"
	Actions  Ecosystem = "actions"
	Docker   Ecosystem = "docker"
)

// Ecosystems returns all of them in the order of the manual.
func Ecosystems() []Ecosystem {
	return []Ecosystem{NPM, PyPI, Go, Cargo, RubyGems, NuGet, Maven, Actions, Docker}
}

// ParseEcosystem reads an ecosystem as people write it ("crates.io",
// "rubygems", "golang"). It is false for a word it does not know.
func ParseEcosystem(word string) (Ecosystem, bool) {
	switch strings.ToLower(word) {
	case "npm", "node", "yarn", "pnpm":
		return NPM, true
	case "pypi", "pip", "python", "uv":
		return PyPI, true
	case "go", "golang":
		return Go, true
	case "cargo", "crates", "crates.io", "rust":
		return Cargo, true
	case "gem", "rubygems", "ruby":
		return RubyGems, true
	case "nuget", "dotnet":
		return NuGet, true
	case "maven", "java":
		return Maven, true
	case "actions", "github-actions", "githubactions":
		return Actions, true
	case "docker", "oci", "image":
		return Docker, true
	}
	return "", false
}

// Title is the ecosystem's name in prose.
func (e Ecosystem) Title() string {
	return map[Ecosystem]string{
		NPM: "npm", PyPI: "PyPI", Go: "Go", Cargo: "crates.io", RubyGems: "RubyGems",
		NuGet: "NuGet", Maven: "Maven", Actions: "GitHub Actions", Docker: "container images",
	}[e]
}

var pep503 = regexp.MustCompile(`[-_.]+`)

// Canonical returns the form under which the ecosystem compares names: PEP 503
// on PyPI, lower case on NuGet and GitHub, "-" for "_" on crates.io. Elsewhere
// names are compared as they stand: npm's are case-sensitive, and its dots are
// no delimiters; where an image without a host comes from is decided by the
// machine that runs it.
func (e Ecosystem) Canonical(name string) string {
	switch e {
	case PyPI:
		return strings.ToLower(pep503.ReplaceAllString(name, "-"))
	case Cargo:
		return strings.ReplaceAll(strings.ToLower(name), "_", "-")
	case NuGet:
		return strings.ToLower(name)
	case Actions:
		return canonicalAction(name)
	default:
		return name
	}
}

// canonicalAction keeps owner and repository: what lies below is a folder.
func canonicalAction(name string) string {
	parts := strings.SplitN(strings.ToLower(name), "/", 3)
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// Source says where a dependency comes from.
type Source string

// The sources. Local ones (a path, a workspace, a build stage) and private
// ones (a registry that the repository names for itself) are never asked
// about.
const (
	FromRegistry Source = "registry"
	FromPrivate  Source = "private"
	FromGit      Source = "git"
	FromURL      Source = "url"
	FromLocal    Source = "local"
)

// Dependency is one entry of a manifest or lockfile.
type Dependency struct {
	Ecosystem Ecosystem
	// Name is as written. ResolvedName is what an alias, a rename or a
	// replacement stands for, "" where it is the name itself.
	Name, ResolvedName string
	// Version is the exact version, "" where a range or nothing is written;
	// Spec is what is written.
	Version, Spec string
	// Path is the file, At the place in it, Line and Column 1-based.
	Path         string
	At           lint.Span
	Line, Column int
	// Table is where in the file: "devDependencies".
	Table string
	// Direct is false for what only another dependency needs: lockfile entries
	// and those that a manifest marks as indirect.
	Direct bool
	Source Source
	// Elsewhere is set where the name may live in a place that is not asked: in
	// a further registry that the manifest names, or in a private repository
	// of the same owner.
	Elsewhere bool
	// Registry lists the addresses of the repository's own registries that a
	// private entry comes from, or one that lives elsewhere may come from: in
	// the form of registryKey, separated by spaces, "" where they are not known.
	Registry string
	// Locked is set on entries of lockfiles. Resolved is the address that the
	// lockfile would download from, Integrity whether it holds a checksum;
	// both are known only where the format has them, see NoIntegrity.
	Locked      bool
	Resolved    string
	NoIntegrity bool
}

// Asked is the name that the registry knows.
func (d Dependency) Asked() string {
	if d.ResolvedName != "" {
		return d.ResolvedName
	}
	return d.Name
}

// Key is the ecosystem and the canonical form of the name as written.
func (d Dependency) Key() string {
	return string(d.Ecosystem) + ":" + d.Ecosystem.Canonical(d.Name)
}

// asKey tells sources of one name apart.
func (d Dependency) asKey() string {
	return d.Key() + "\x00" + string(d.Source) + "\x00" + d.Ecosystem.Canonical(d.Asked())
}

// String is the dependency as the command line takes it: "npm:left-pad@1.3.0".
func (d Dependency) String() string {
	s := string(d.Ecosystem) + ":" + d.Asked()
	if d.Version != "" {
		s += "@" + d.Version
	}
	return s
}
