// Package syncing keeps what GitHub has of a repository current in the store:
// pull requests with everything that is measured of them, the reverts among
// them, and the teams that they belong to.
//
// A pull request goes through three forms. What GitHub answers becomes a
// [metrics.Record], which holds no more of people's texts than a title, names
// of branches and labels; a record becomes the [metrics.PullRequest] that is
// measured; and the search for reverts gets its facts. All three are written in
// one transaction with the cursor that says how far the repository was read, so
// that a process that dies repeats a page and loses none.
//
// GitHub is never asked inside a transaction. What could not be read is
// counted and kept by name until it can be.
package syncing
