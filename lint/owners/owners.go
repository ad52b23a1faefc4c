// Package owners checks who owns the governed files, by CODEOWNERS as GitHub
// reads it.
package owners

import "steelyard/lint"

// Rules returns the family's rules in ID order.
func Rules() []lint.Rule {
	return []lint.Rule{unowned, missing, unownedItself, ignoredLine, misplaced, unmatched, unusableOwner, reviewNotRequired}
}
