package instructions

import "strings"

// Cues by which a sentence says that a path or a command in it need not be
// there. Each is matched on folded text.
var (
	negatedCue = compile(`\b(never|don'?t|do not|does not|doesn'?t|avoid|not|no longer|without|instead of|rather than|cannot|can'?t|mustn'?t|shouldn'?t|isn'?t|aren'?t|no|nor|neither)\b|不要|禁止|勿`)
	goneCue    = compile(`\b(removed|deleted|no longer|renamed|moved (from|out)|deprecated|gone|obsolete|superseded|replaced|legacy|formerly|previously|used to be|does not exist|doesn'?t exist|do not exist|don'?t exist|non-?existent|missing|not (yet|committed|checked|tracked|included|present)|git-?ignored?|ignored|untracked|git-excluded|todo|planned|future|proposed|upcoming|not there|absent|dead|lazy|lazily|on demand|archived?)\b|❌|🚫`)
	exampleCue = compile(`\b(e\.g|eg\.|for example|for instance|such as|like|sample|imagine|suppose|hypothetical|placeholder|naming|named|similar to|i\.e|would be)\b|\bexamples?\b|例如|比如|例:`)
	createCue  = compile(`\b(create[sd]?|creating|add(ed|ing|s)?|new|introduce[sd]?|scaffold(ed|s)?|mkdir|touch|rename[sd]?|place[sd]?|put|initiali[sz]e[sd]?|define[sd]?|make|drop|copy|copies|copied|append|extract(ed)?|split|implement (it|them|this|these|those|a|an|your))\b|创建|新建|添加`)
	productCue = compile(`\b(generat(e|es|ed|ing|or)|auto-?generated|output(s|ted)?|writ(e|es|ten|ing)|wrote|emit(s|ted)?|produc(e|es|ed)|sav(e|es|ed|ing)|stor(e|es|ed|ing)|built|builds|compil(e|es|ed)|cach(e|es|ed)|download(s|ed)?|install(s|ed)?|logs?|logged|dump(s|ed)?|export(s|ed)? to|artifacts?|results?|reports?|record(s|ed)?|persist(s|ed)?|upload(s|ed)?|deploy(s|ed)?|clon(e|es|ed)|checked? out|mount(s|ed)?|symlink(s|ed)?|temporary|temp|scratch|unpack(s|ed)?|materiali[sz]e[sd]?|populated?|rendered|bundled?|vendored|fetched|local-only|runtime|at runtime|screenshots?)\b|生成|输出|保存`)
	optionCue  = compile(`\b(if (it|they|you|the|this|that|there|a|an|any|one|your|present|needed|necessary|exists?|available|applicable|missing|not)\b[^.]*|when(ever)? (it|they|present|available|needed|one)|where (present|available|applicable)|optional(ly)?|may (not )?(exist|have|live|be)|might|could|would|should you|or similar|or equivalent|depending on|if any|if present|if exists)`)
	repoCue    = compile(`\b(upstream|downstream|(another|separate|other|external|sibling|different|private|internal|sister|companion|parent) (repo|repos|repository|repositories|project|projects|checkout)|(user|users|user's|customer|consumer|consumers|client's|their|target|host|generated|scaffolded|caller'?s|consuming|end-user|new)('s|s')? (project|repo|repository|app|application|workspace|machine|code ?base)|home directory|(in|inside|into) the (container|image|pod|vm|sandbox)|on the (server|host|device|vm)|s3|bucket|cdn|wiki|website)\b`)
	wordCue    = compile(`\b(routes?|endpoints?|urls?|branch|branches|labels?|tags?|prefix|package name|import path|module path|specifier|scope|registry|requests?|methods?|calls?|events?|topics?|commands?|namespaces?|hostname|headers?|mime|type)\b`)
	placedCue  = compile(`\b(should|must|shall|will|to) (live|be (placed|put|in|at|located|stored)|go|reside|sit)\b|\b(maintain|track|keep) `)
	leadMakes  = compile(`\b(create[sd]?|creating|generat(e|es|ed)|add|scaffold(s|ed)?|writes?|outputs?|produc(e|es|ed)|saved?|stored?)\b[^.]*\b(files?|following|director(y|ies)|folders?|structure|artifacts?|here|to|in)\b|\bwhen (you )?(add|adding|write|writing|create|creating) (a |an |new |more )?([\w-]+ )?tests?\b`)
	rowCue     = compile(`\b(if (it is |it's )?(present|available|any|it exists|exists|defined|configured|applicable)|where (present|available|applicable)|optional|removed|deprecated|planned|not yet|no longer)\b`)
	repoWord   = compile("\\b(?:the|that|its) `?([\\w./-]+)[\\])*`]* (repo|repository)('s)?\\b")
)

// ownRepository are the words before "repository" that mean this one.
var ownRepository = map[string]bool{
	"this": true, "the": true, "our": true, "root": true, "mono": true, "entire": true, "whole": true, "same": true, "a": true,
	"git": true, "github": true, "of": true, "from": true, "per": true, "in": true, "current": true, "local": true, "your": true,
	"main": true, "single": true, "monorepo": true, "and": true, "or": true, "for": true, "at": true, "to": true, "see": true,
	"product": true, "library": true, "source": true, "each": true, "every": true, "full": true,
}

// otherRepository reports whether a sentence speaks of a place outside this
// repository.
func otherRepository(s string) bool {
	if repoCue.MatchString(s) {
		return true
	}
	for _, m := range repoWord.FindAllStringSubmatch(s, -1) {
		if !ownRepository[m[1]] {
			return true
		}
	}
	return false
}

// sampleSection is a heading over what is made up or made later.
var sampleSection = compile(`\b(examples?|templates?|proposed|future|roadmap|planned|output|naming|naming conventions?|sample|artifacts?|generated)\b`)

// foreignSection is a heading over the files of another project's test suite.
var foreignSection = compile(`\b(conformance|upstream)\b`)

// cues is what the words of a statement say about what it names.
type cues struct {
	// gone, optional, elsewhere: what it names need not be there. word: it
	// speaks of routes, branches and the like.
	gone, optional, elsewhere, word bool
	// makes and sample are the lead's: it tells to make what follows, or calls
	// it an example.
	makes, sample bool
}

// judged reads a statement's cues once.
func (s *Statement) judged() *cues {
	if s.cues != nil {
		return s.cues
	}
	all, lead := s.prose(0, len(s.S)), folded(s.Lead)
	c := &cues{
		gone:      goneCue.MatchString(all) || strings.Contains(s.S, "gitignore"),
		optional:  optionCue.MatchString(all) || s.Table && rowCue.MatchString(folded(s.Whole)), // another cell says it
		elsewhere: otherRepository(all) || otherRepository(lead),
		word:      wordCue.MatchString(all),
	}
	if leadEnd.MatchString(lead) {
		c.makes, c.sample = leadMakes.MatchString(lead), exampleCue.MatchString(lead)
	}
	s.cues = c
	return c
}

// prose returns S[from:to] folded, with the text of code spans and of links'
// destinations blanked: what they say is not said by the sentence.
func (s *Statement) prose(from, to int) string {
	const most = 2000 // what is said farther before says nothing
	from = max(from, to-most)
	text := []byte(s.S[from:to])
	hide := func(a, b int) {
		if a, b = max(a, from), min(b, to); a < b {
			blank(text[a-from : b-from])
		}
	}
	for _, c := range s.Codes {
		hide(c.From, c.To)
	}
	for _, l := range s.Links {
		hide(l.From, l.To)
	}
	return folded(strings.ToValidUTF8(string(text), ""))
}

// before is the prose in front of a place of the sentence.
func (s *Statement) before(at int) string {
	const most = 300
	return s.prose(max(0, at-most), at)
}
