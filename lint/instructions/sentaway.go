package instructions

import "steelyard/lint"

// secretFile is a file of keys and passwords as a command names it. Samples
// (.env.example) are none.
const secretFile = "(?:[\\w~$./{}-]*/)?(?:\\.env(?:\\.(?:local|prod|production|staging))?|id_rsa|id_ed25519|\\.netrc|\\.npmrc|\\.pypirc|\\.pgpass|\\.aws/credentials|\\.git-credentials|\\.kube/config)(?:[\\s\"'`);|]|$)"

var (
	// sentFile is a command that sends a file of secrets, or the environment,
	// to where another command of the line leads.
	sentFile = compile(`\b(?:curl|wget|https?)\b.*(?:@|-T\s*|--upload-file[= ]|--post-file[= ]|--body-file[= ]|<\s*|\$\((?:cat|base64(?: -w ?0)?)\s+)["']?` + secretFile +
		`|\b(?:cat|base64(?: -w ?0)?)\s+` + secretFile + `.*\|\s*(?:curl|wget|nc|ncat)\b` +
		`|(?:^|[;&]\s*|\$\()(?:env|printenv|export -p)\s*(?:\|.*)?\|\s*(?:curl|wget|nc|ncat)\b|\b(?:curl|wget)\b.*\$\((?:env|printenv)\b`)
	// farAway is an address of another machine.
	farAway = compile(`https?://(?:[^\s/@]*@)?([^\s/:"'\x60]+)|\b(?:nc|ncat)\s+(?:-\S+\s+)*([\w.-]+)\s+\d+`)
	nearby  = compile(`^(?:localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal|.*\.(?:local|localhost|internal|test)$)`)
)

// sendsSecrets reports whether a line of commands sends a file of secrets to
// another machine.
func sendsSecrets(line string) bool {
	const most = 2000
	if len(line) > most || !sentFile.MatchString(line) {
		return false
	}
	for _, m := range farAway.FindAllStringSubmatch(line, 20) {
		if !nearby.MatchString(m[1] + m[2]) {
			return true
		}
	}
	return false
}

// checkSentAway reports commands that send secrets away, in code spans and
// blocks that are not about attacks or what not to do.
func checkSentAway(p *lint.Pass, d *Doc) {
	for i := range d.Statements {
		s := &d.Statements[i]
		if s.Bad || s.Table || s.Section.Gone || len(s.Codes) == 0 || aboutAttacks.MatchString(folded(address.re().ReplaceAllString(s.S, ""))) {
			continue
		}
		for _, c := range s.Codes {
			if sendsSecrets(c.Text) && !forbids.MatchString(folded(s.S[:c.From])) {
				p.Reportf(d.File, s.Span(c.From, c.To), "%q asks to send secrets away", quote(c.Text))
			}
		}
	}
	for i := range d.Fences {
		f := &d.Fences[i]
		if !shellLangs[f.Lang] || f.Section.Gone || aboutAttacks.MatchString(folded(f.Lead)) {
			continue
		}
		for _, l := range f.Lines {
			if !l.Bad && sendsSecrets(l.Text) {
				p.Reportf(d.File, l.Span(0, len(l.Text)), "%q asks to send secrets away", quote(trimmed(l.Text)))
			}
		}
	}
}
