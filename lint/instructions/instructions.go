// Package instructions checks the files that tell assistants how to work on a
// repository: whether what they say holds (commands, paths, versions), whether
// they contradict each other, and whether they hide something. A file is read
// once into a [Doc]; every rule of the family works on that and on the facts
// that the repository itself states.
package instructions

import "steelyard/lint"

// Rules returns the family's rules in ID order.
func Rules() []lint.Rule {
	return []lint.Rule{
		selfContradiction, contradictingFiles, contradictsRepository, surfaceDrift, missingCommand, missingPath,
		brokenImport, tooLong, emptyScope, malformedFrontMatter, invisibleCharacters, homoglyphCommand,
		hiddenInstruction, covertInstruction, literalSecret, noCommands, reviewDue, staleVersion, absentFramework,
		remoteScript, overriddenOrder, notReviewed,
	}
}
