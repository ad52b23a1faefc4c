package instructions

import (
	"slices"
	"strings"
)

// covert is a kind of instruction that works against the person who reads the
// result.
type covert struct {
	what string
	// negative is set where "do not" is part of the form itself.
	negative bool
	form     *expression
}

// reach is what may stand between the verb and the object of a covert
// instruction: a few words of the same sentence.
const reach = `[^.!?;:]{0,40}?`

var covertForms = []covert{
	{"asks to conceal", true, compile(`\b(?:do not|don't|never|must not)\s+(?:ever )?(?:mention|tell|reveal|disclose|inform|show|let|report|say)\b` + reach + `\b(?:this (?:rule|instruction|step|file|section|prompt|behaviou?r)|these (?:rules|instructions|steps)|the above|about this)` + reach + `\b(?:user|users|human|developer|reviewer|person|anyone|operator)\b`)},
	{"asks to conceal", true, compile(`\b(?:do not|don't|never|must not)\s+(?:tell|inform|notify|alert|warn|show)\s+(?:the )?(?:user|human|developer|reviewer|operator|anyone)\b\s*(?:about|of|that you|what you)` + reach + `\b(?:this|these|you (?:are|did|have)|rule|instruction)`)},
	{"asks to conceal", false, compile(`\b(?:without (?:telling|informing|notifying|the knowledge of)|hide this from|keep this (?:hidden|secret) from)\s+(?:the |your )?(?:users?|humans?|developers?|reviewers?|operators?)\b`)},
	{"asks to ignore other instructions", false, compile(`\b(?:ignore|disregard|forget|override)\s+(?:all |any |the |your )*(?:previous|prior|above|earlier|preceding|system)\s+(?:instructions?|prompts?|rules|messages?|guidelines)\b`)},
	{"asks to send secrets away", false, compile(`\b(?:send|post|upload|exfiltrate|transmit|forward|submit|leak|e-?mail)\b` + reach + `(?:\b(?:secrets?|credentials?|api[ _-]?keys?|tokens?|passwords?|private keys?|environment variables|ssh keys?|id_rsa)|\.env)\b` + reach + `\b(?:to|at|via)\b\s+\S*(?:https?://|[\w-]+\.[a-z]{2,}|webhook|server|endpoint)`)},
	{"asks to send secrets away", false, compile(`\b(?:curl|wget|nc|fetch)\b[^\n]{0,80}?(?:\$\(|<\(|\x60)\s*(?:cat|printenv|env)\b[^\n)]{0,60}|\b(?:cat|printenv|env)\b[^\n|]{0,60}(?:\.env|id_rsa|\.ssh|\.aws|credentials)?[^\n|]{0,30}\|\s*(?:curl|nc|wget)\b`)},
	{"asks to skip review", false, compile(`\b(?:skip|bypass|avoid|circumvent|disable|evade)\s+(?:the |all |any |code |human )*(?:code reviews?|reviews?|reviewers?|branch protections?|security (?:checks?|scans?|reviews?)|approvals?)\b`)},
	{"asks to skip review", false, compile(`\b(?:merge|approve|push)\b` + reach + `\bwithout (?:any )?(?:review|approval|asking|human)\b`)},
	{"asks to conceal", true, compile(`\b(?:do not|don't|never|must not)\s+(?:tell|inform|notify|alert|warn)\s+(?:the )?(?:users?|humans?|developers?|reviewers?|operators?|anyone|anybody)\s+(?:about (?:it|that|them|what)\b|(?:that|what|which|where|when|why) (?:you|we|it|the agent|the assistant)(?:'ve|'re)?\b)`)},
	{"asks to conceal", true, compile(`\band (?:do not|don't|never) (?:tell|inform) (?:the )?(?:user|human|developer|reviewer|operator|anyone|anybody)\s*(?:[.!]|$)`)},
}

var (
	// aboutAttacks is what makes a sentence speak of such instructions.
	aboutAttacks = compile(`\b(injection|inject|attack(?:s|er|ers)?|malicious|suspicious|adversar\w*|untrusted|detect\w*|attempts?|attempting|flag|jailbreak\w*|phishing|e\.g|example|such as|like|contain(?:s|ing)?|appears?|looks? for|treat|refuse|threat|vulnerab\w*|red flags?|exfiltrat(?:ion|ing)|risks?)\b`)
	// forbids before the words turns them around.
	forbids = compile(`\b(never|do not|don't|must not|cannot|can't|avoid|not|no|without|refuse to|should not|shouldn't|isn't|nobody|no one)\b`)
	quoted  = compile(`"[^"]*"|“[^”]*”|\x60[^\x60]*\x60|'[^']{4,}'`)
)

// covertIn returns what a text asks for in secret, "" for nothing. Words in
// quotes are somebody else's, and a negated demand is none.
func covertIn(text string) string {
	text = folded(text)
	if !slices.ContainsFunc(covertForms, func(c covert) bool { return c.form.may(text) }) ||
		aboutAttacks.MatchString(address.re().ReplaceAllString(text, "")) {
		return ""
	}
	text = quoted.re().ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("_", len(s)) })
	for _, c := range covertForms {
		m := c.form.FindStringIndex(text)
		if m == nil {
			continue
		}
		if c.negative || !forbids.MatchString(text[:m[0]]) {
			return c.what
		}
	}
	return ""
}
