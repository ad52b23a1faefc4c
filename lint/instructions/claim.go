package instructions

import (
	"regexp"
	"slices"
	"strings"
)

// product is something whose version a file may state, and a manifest.
type product struct {
	name string
	form string // an expression of its spellings
	hint string // what a text that names it holds
	// expression finds the name with a version behind it.
	expression func() *regexp.Regexp
	// facts reads what the repository says of a toolchain; it is nil for a
	// library, whose packages are looked up in the manifests.
	facts    factReader
	packages []string
}

// claim is a version that a statement gives.
type claim struct {
	product *product
	text    string // as it is written, without the marks of Markdown
	from    int    // its place in the statement
	to      int
	set     interval
	atLeast bool // "18+": that one or a later one
}

// versionForm is what may stand between a product's name and a version, and
// the version.
const versionForm = "(?:\\*\\*|`)?(?: (?:SDK|CSS|CMS|version|runtime|\\(LTS\\)))?(?:\\*\\*|`)?\\s*[:=]?\\s*(?:\\*\\*|`)?(>=|≥|\\^|~|>|@)?\\s?v?(\\d{1,3}(?:\\.\\d{1,4}){0,3})(\\.[xX*])?((?:\\*\\*|`)?\\s?\\+| or (?:higher|later|newer|above|greater)| and (?:above|up|later))?"

// moreForm is a further version of a list: ", v24, or v26".
var moreForm = compile(`^(?:\*\*|\x60)?(?:,|/| or| and| &|, or|, and|\s?[-–]|\sthrough)\s?(?:v|\.NET )?(\d{1,3}(?:\.\d{1,4}){0,2})(\.[xX*])?(\+)?`)

var (
	// beforeClaim is what makes a version history, a condition or someone
	// else's.
	beforeClaim = compile(`\b((?:written|compiled?|built|designed|meant) for|since|until|till|before|after|from|prior to|through|up to|older( than)?|below|earlier|newer than|introduced in|added in|as of|in|migrat\w*|upgrad\w*|mov(e|ed|ing) to|dropp?\w*|no longer|not|instead of|supports?|supported|supporting|compatib\w*|works? (on|with)|tested( on| with)?|legacy|e\.g\.|for example|if|when|unless|between|satisf\w*|either|old|beyond|like|such as|of|vs\.?|versus|than|under|requires?|a|an|whether|peer)\s*[(*"\x60]*(the |using |both )?[(*"\x60]*$`)
	afterClaim  = compile(`^[*)"\x60]*\s*(features?\b|syntax|semantics|style|only\b|and (earlier|below|older)|or (lower|earlier|below|older)|bytecode|api\b|apis\b|migration|preview|beta|guides?|docs|documentation|patterns?|best practices|conventions|idioms|introduced|adds?|added|removed?|allows?|extends?|deprecated|split|structure|removes|nests|has\b|had\b|changed|peer|satisfies|'s\b|’s\b|-vs-|-[a-z]|standard|target)`)
	fieldClaim  = compile(`\b((expert|expertise|experienced|proficient|skilled|speciali[sz]\w+|written|built|developed|implemented) in|requires|needs|use|uses|using|with|on|is|are|built with|runs? on|target|targets|powered by)\s*(?:the )?[(*"\x60]*$`)
	// "a Remix 2 app" is the repository's own, "a React 18 split" is not.
	aKind     = compile(`\ban?\s*[(*"\x60]*$`)
	ofProgram = compile(`^[*)"\x60]*\s*(?:[\w-]+ )?(app|application|monorepo|project|client|service|server|site|website|codebase|repo|repository|package|library|workspace|backend|frontend)\b`)
)

// claims returns the versions that a sentence states about the repository.
func (s *Statement) claims() []claim {
	if s.Heading || elsewhere.MatchString(s.prose(0, len(s.S))) {
		return nil
	}
	if c, ok := s.listed(); ok {
		return []claim{c}
	}
	var found []claim
	for _, p := range productsIn(s.S) {
		for _, m := range p.expression().FindAllStringSubmatchIndex(s.S, -1) {
			if c, ok := s.claim(p, m); ok && !s.titled(m[0]) {
				found = append(found, c...)
			}
		}
	}
	return found
}

// titled reports whether a place lies in the label of a link to elsewhere: the
// label is the title of a page of others.
func (s *Statement) titled(at int) bool {
	return slices.ContainsFunc(s.Links, func(l Link) bool {
		return l.Open <= at && at < l.From && strings.Contains(l.Dest, "://")
	})
}

var (
	// elsewhere is what makes a sentence one about other people's programs.
	elsewhere = compile(`^\W*if\b|\bif you\b|\b(consumers?|downstream|peers?|externali[sz]ed|for example|e\.g|browsers)\b`)
	// listedForm is a line of a list of packages: "laravel/framework (LARAVEL) - v12".
	listedForm = compile(`^([\w.@/-]+) \([^)]*\) - v?(\d+(?:\.\d+){0,2})\s*$`)
)

// listed reads a line of a list of packages with their versions.
func (s *Statement) listed() (claim, bool) {
	m := listedForm.re().FindStringSubmatchIndex(s.S)
	if m == nil {
		return claim{}, false
	}
	name := s.S[m[2]:m[3]]
	v, _ := parseVersion(s.S[m[4]:m[5]])
	return claim{
		product: &product{name: name, packages: []string{name}}, text: strings.TrimSpace(s.S), from: m[0], to: m[5],
		set: interval{v, v.next(len(v))},
	}, true
}

func (s *Statement) claim(p *product, m []int) ([]claim, bool) {
	before, after := folded(s.S[:m[0]]), folded(s.S[m[1]:])
	itself := aKind.MatchString(before) && ofProgram.MatchString(after)
	unclear := beforeClaim.MatchString(before) && !fieldClaim.MatchString(before) && !itself
	if negatedCue.MatchString(before) || unclear || afterClaim.MatchString(after) {
		return nil, false
	}
	group := func(n int) string {
		if m[n] < 0 {
			return ""
		}
		return s.S[m[n]:m[n+1]]
	}
	op, plus := group(2), group(8)
	c := claim{product: p, text: strings.NewReplacer("*", "", "`", "").Replace(s.S[m[0]:m[1]]), from: m[0], to: m[1]}
	v, _ := parseVersion(group(4))
	c.atLeast = plus != "" || op == ">=" || op == "≥" || op == ">"
	c.set = interval{v, v.next(len(v))}
	if c.atLeast || op == "^" || op == "~" {
		c.set.high = nil
	}
	list := []claim{c}
	for rest := s.S[m[1]:]; ; {
		more := moreForm.FindStringSubmatch(rest)
		if more == nil {
			return list, true
		}
		v, _ := parseVersion(more[1])
		other := c
		other.set = interval{v, v.next(len(v))}
		if other.atLeast = more[3] != ""; other.atLeast {
			other.set.high = nil
		}
		list = append(list, other)
		rest = rest[len(more[0]):]
	}
}

// productsIn returns the products that a text may name, quickly.
func productsIn(s string) []*product {
	if !strings.ContainsAny(s, "0123456789") {
		return nil
	}
	var found []*product
	for _, p := range products() {
		if strings.Contains(s, p.hint) {
			found = append(found, p)
		}
	}
	return found
}
