// Package attribution reads from a pull request which assistants left a mark on
// it: its author, its commits' authors and trailers, its body, its head branch
// and its labels. It is pure, and it knows no tool by itself: the signals are
// the table rules.AttributionTable.
//
// Every signal is kept as it was seen, with its level. Nothing is guessed: no
// signal is not "no assistant", and no signals are added up to one. The same
// table tells the accounts of agents, AI reviewers and bots from people's.
//
// docs/attribution.md says it for users.
package attribution
