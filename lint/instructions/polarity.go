package instructions

import "strings"

// What a writer does to say that the words stand for something else than the
// repository as it is. Each expression is matched on lower case with straight
// apostrophes.
var (
	badHeadingForm = compile(`^[^a-z0-9]*(don'?ts?\b|do not\b|never\b|avoid\b|anti-?patterns?|wrong\b|bad\b|incorrect|forbidden|prohibited|what not to|(common |frequent )?(mistakes|pitfalls|gotchas)|removed|deprecated|legacy|not allowed|out of scope|things to avoid|red flags)|\b(anti-?patterns?|not to do|to avoid|don'?ts?)\b[^a-z]*$`)
	badLeadForm    = compile(`\b(never|do not|don'?t|avoid|wrong|bad|incorrect|not allowed|forbidden|prohibited|anti-?patterns?|must not|should not|shouldn'?t|instead of|not)\b[^.]*[:：]?\s*\**$`)
	leadEnd        = compile(`[:：]\**\s*$`)
	crossForm      = compile(`❌|🚫|✗|✘|⛔`)
	badCommentForm = compile(`^\s*(#|//|--|/\*|<!--|;|%)+\s*(❌|🚫|✗|✘|⛔)?\s*(\*\*)?(❌|wrong|bad|incorrect|don'?t|do not|never|avoid|not this|not:|no:|before|old|anti-?pattern|fail(s|ing)?\b)`)
	goodComment1   = compile(`^\s*(#|//|--|/\*|<!--|;|%)+\s*(✅|✓|✔|good|correct|right|do:|do this|instead|after|new|better|preferred|yes)`)
)

func folded(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), "’", "'")
}

// badHeading reports whether a heading says that what stands under it is not
// to be done. One that names both sides ("Do and don't") says nothing.
func badHeading(s string) bool {
	s = folded(s)
	if strings.Contains(s, "✅") || regexpDos.MatchString(s) {
		return false
	}
	return badHeadingForm.MatchString(s) || crossForm.MatchString(s)
}

var regexpDos = compile(`\bdo'?s? (and|&|/|vs\.?) |\bdo/don`)

// badLead reports whether a sentence introduces what is not to be done.
func badLead(s string) bool {
	s = purpose.Replace(folded(s))
	return leadEnd.MatchString(s) && (badLeadForm.MatchString(s) || crossForm.MatchString(s))
}

// purpose takes out words that sound like a prohibition and are none.
var purpose = strings.NewReplacer("to avoid", "", "not only", "", "if not", "", "do not forget", "", "don't forget", "", "not sure", "")

// crossed reports whether a text is marked as wrong.
func crossed(s string) bool { return crossForm.MatchString(s) && !strings.Contains(s, "✅") }

func badComment(line string) bool { return badCommentForm.MatchString(folded(line)) }

func goodComment(line string) bool { return goodComment1.MatchString(folded(line)) }
