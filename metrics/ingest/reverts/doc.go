// Package reverts finds out which changes of one repository undid which
// others, from what people wrote: titles, descriptions, head branches and
// commit messages. It is pure: texts and times in, links out.
//
// Two steps. Candidates reads the texts of one change and lists everything
// that looks like a revert. Find resolves the candidates of a whole history:
// a candidate becomes a link only if it names another change of the same
// repository that reached the same base earlier. What names a commit of its
// own pull request is not a revert, and what names nothing that is there is
// listed for a person. Chains fold: the revert of a revert restores.
//
// docs/reverts.md says it for users, with the figures on real histories.
package reverts
