package instructions

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// staleVersion reports versions that the repository's own files rule out.
var staleVersion = lint.Rule{ID: "IN018", Check: checkStaleVersion}

func checkStaleVersion(p *lint.Pass) {
	for _, d := range live(docs(p, rules.Instructions)) {
		for _, group := range d.claimGroups() {
			checkClaims(p, d, group)
		}
	}
}

// placedClaim is a claim with the statement it stands in.
type placedClaim struct {
	claim
	s *Statement
}

// claimGroups returns the claims of each paragraph, item or row by product:
// "Node 22 or 24" is one group.
func (d *Doc) claimGroups() [][]placedClaim {
	return lint.Parsed(d.File, func(*lint.File) parsedClaims { return d.findClaims() })
}

// parsedClaims is cached by file.
type parsedClaims [][]placedClaim

func (d *Doc) findClaims() [][]placedClaim {
	var groups [][]placedClaim
	at := map[string]int{}
	for i := range d.Statements {
		s := &d.Statements[i]
		if s.Bad || s.Section.Gone {
			continue
		}
		for _, c := range append(claimsOf(s), d.rowClaims(i)...) {
			key := fmt.Sprint(c.product.name, s.Block)
			if _, ok := at[key]; !ok {
				at[key] = len(groups)
				groups = append(groups, nil)
			}
			groups[at[key]] = append(groups[at[key]], c)
		}
	}
	return groups
}

// claimsOf returns the claims of a statement.
func claimsOf(s *Statement) []placedClaim {
	var all []placedClaim
	for _, c := range s.claims() {
		all = append(all, placedClaim{c, s})
	}
	return all
}

// rowClaims returns the versions that a table's cell gives to the product that
// is all of the cell before it: "| Node.js | 24.x, LTS |".
func (d *Doc) rowClaims(i int) []placedClaim {
	s := &d.Statements[i]
	if !s.Table || i == 0 || !cellVersion.MatchString(s.S) {
		return nil
	}
	before := &d.Statements[i-1]
	name := strings.Trim(before.S, " *`")
	if before.Whole != s.Whole || before.Block == s.Block || len(productsIn(name+" 0")) == 0 {
		return nil
	}
	start := strings.Index(before.S, name)
	row := *s
	row.cues, row.Codes, row.Links = nil, nil, nil
	row.Text = before.Cut(start, start+len(name)).beside(s.Text)
	claims := claimsOf(&row)
	if len(claims) == 0 || claims[0].from > 0 || claims[0].to <= len(name) {
		return nil
	}
	return claims
}

// cellVersion begins a cell that holds a version.
var cellVersion = compile(`^\s*[*\x60]*(?:>=|≥|\^|~|>)?\s?v?\d`)

func checkClaims(p *lint.Pass, d *Doc, group []placedClaim) {
	facts, known := group[0].product.repository(p, d)
	if len(facts) == 0 || !known {
		return
	}
	for _, c := range group {
		if c.holds(facts) {
			return
		}
	}
	c, f := group[0], facts[0]
	related := []lint.Related{f.related()}
	p.ReportRelated(d.File, c.s.Span(c.from, c.to), related, "%q does not hold: %s says %q", c.text, f.file.Path, f.text)
}

func (f *fact) related() lint.Related {
	line, column := f.file.Position(f.at.Start)
	return lint.Related{Path: f.file.Path, Line: line, Column: column, Message: "says " + f.text}
}

// holds reports whether a claim fits at least one of the facts. "18+" fits a
// version one has if that is 18 or later; it does not fit a manifest that asks
// for at least 20, because who installs 18 fails.
func (c *claim) holds(facts []fact) bool {
	return slices.ContainsFunc(facts, func(f fact) bool {
		if !f.set.meets(c.set) {
			return false
		}
		low := f.set.low()
		if !c.atLeast || !f.least || low == nil {
			return true
		}
		n := min(len(low), len(c.set.low))
		return c.set.low.compare(low[:n]) >= 0
	})
}

// repository returns what the repository says of a product, for a document.
// known is false where a file that would say it cannot be read.
func (pr *product) repository(p *lint.Pass, d *Doc) ([]fact, bool) {
	known := lint.TreeParsed(p, func(*lint.Pass) productFacts { return productFacts{} })
	key := pr.name + "\x00" + home(d.File.Path)
	if _, ok := known[key]; !ok {
		facts, all := pr.lookUp(p, d)
		known[key] = knownFacts{facts, all}
	}
	return known[key].facts, known[key].known
}

// productFacts remembers what the repository says, by product and folder.
type productFacts map[string]knownFacts

type knownFacts struct {
	facts []fact
	known bool
}

func (pr *product) lookUp(p *lint.Pass, d *Doc) ([]fact, bool) {
	if pr.facts == nil {
		return packageFacts(p, d, pr.packages)
	}
	scope := home(d.File.Path)
	for _, dir := range above(scope) {
		facts, known := pr.facts(p, dir)
		if !known || len(facts) > 0 {
			return append(facts, pr.below(p, dir, scope)...), known
		}
	}
	found := pr.below(p, "", scope)
	return found, len(found) > 0
}

// versionFiles are the files that state the version of a toolchain.
var versionFiles = []string{
	".nvmrc", ".node-version", ".tool-versions", "mise.toml", ".mise.toml", "package.json", "go.mod", "pyproject.toml", ".python-version",
	"pom.xml", "build.gradle", "build.gradle.kts", "global.json", "Cargo.toml", "rust-toolchain.toml", "rust-toolchain", ".ruby-version", "Gemfile", "composer.json",
}

// below returns the facts of the folders below a scope. Where a folder above
// has spoken (its name is given), only files of its kind that pin a version
// count: what a package accepts is not what the team uses.
func (pr *product) below(p *lint.Pass, spoken, scope string) []fact {
	var found []fact
	seen := map[string]bool{spoken: true}
	for _, name := range versionFiles {
		for _, full := range everywhere(p, name) {
			dir := path.Dir(full)
			if seen[dir] || !under(dir, scope) || specimen(full) {
				continue
			}
			seen[dir] = true
			facts, _ := pr.facts(p, dir)
			for _, f := range facts {
				if spoken == "" || f.pinned || path.Base(f.file.Path) != "package.json" {
					found = append(found, f)
				}
			}
		}
	}
	return found
}
