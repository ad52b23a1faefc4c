// Package metrics is the domain of Steelyard: pull requests, teams, pilots,
// the panels made of them, and the report that says whether a pilot helped.
//
// A [Pilot] names treated and comparison units, windows and outcomes. Its data
// is either a panel somebody measured already ([Panel]) or pull requests
// ([PullRequest]). [Reporter] turns both into one [Report]: a verdict with its
// reasons, three numbers for each outcome, and the tables behind every figure.
// The report is computed here, once; a page, a tool result and a file are
// renderings of that value and compute nothing.
//
// Estimates come from package did. The package knows no SQL, no HTTP and no
// clock: what it needs of a database is written down as interfaces in store.go.
package metrics
