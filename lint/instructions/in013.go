package instructions

import (
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// hiddenInstruction reports instructions that a person who looks at the
// rendered page does not see.
var hiddenInstruction = lint.Rule{ID: "IN013", Check: checkHiddenInstruction}

func checkHiddenInstruction(p *lint.Pass) {
	for _, d := range docs(p, rules.Instructions, rules.Tasks) {
		for _, at := range d.Comments {
			text := strings.TrimSuffix(strings.TrimPrefix(string(d.source[at.Start:at.End]), "<!--"), "-->")
			if what := hiddenIn(text); what != "" {
				p.Reportf(d.File, at, "comment %s", what)
			}
		}
		for _, m := range invisibleMarkup.re().FindAllSubmatchIndex(d.source, maxMarkup) {
			text := string(d.source[m[2]:m[3]])
			if strings.TrimSpace(text) != "" && !d.inCode(m[0]) {
				p.Reportf(d.File, lint.Span{Start: m[0], End: m[1]}, "text %q is written so that no person sees it", quote(strings.TrimSpace(text)))
			}
		}
	}
}

// maxMarkup bounds the hidden elements of one file.
const maxMarkup = 100

// invisibleMarkup is an element whose text is not shown.
var invisibleMarkup = compile(`(?is)<(?:span|div|p|font|section)\b[^<>]{0,200}?(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0[^.0-9]|color\s*[:=]\s*["']?\s*(?:white|#fff(?:fff)?|transparent)\b|\shidden(?:\s|>))[^<>]{0,200}?>([^<]{1,900})<`)

// pipedToShell runs what an address serves.
var pipedToShell = compile(`(?i)\b(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)\b[^|\n]{0,300}(?:https?://|\$)[^|\n]{0,300}\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|iex|python3?)\b`)

// hiddenIn returns what a comment asks an assistant for that it should not ask
// unseen, "" for nothing.
func hiddenIn(text string) string {
	for sentence := range strings.SplitSeq(text, "\n") {
		if what := covertIn(sentence); what != "" {
			return what
		}
	}
	if what := covertIn(strings.Join(strings.Fields(text), " ")); what != "" {
		return what
	}
	if pipedToShell.MatchString(text) {
		return "runs a script from the network"
	}
	return ""
}

// inCode reports whether an offset lies in a code block or a code span.
func (d *Doc) inCode(offset int) bool {
	for i := range d.Fences {
		lines := d.Fences[i].Lines
		if len(lines) > 0 && lines[0].At <= offset && offset <= lines[len(lines)-1].At+len(lines[len(lines)-1].Text) {
			return true
		}
	}
	for i := range d.Statements {
		s := &d.Statements[i]
		for _, c := range s.Codes {
			if at := s.Span(c.From, c.To); at.Start <= offset && offset < at.End {
				return true
			}
		}
	}
	return false
}
