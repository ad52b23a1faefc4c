// Package githubtest is a GitHub to test against and to show things with: one
// [World] that answers REST and GraphQL over HTTP for exactly what package
// github asks, from data that a test puts in and may change while it is read.
//
// It has the parts that bite: pages with Link headers and cursors, ETags and
// 304, lists that move while they are read, hourly and secondary limits in
// every form in which they arrive, servers that stumble, answers that are cut,
// errors inside a 200, renamed, transferred and deleted repositories, deleted
// accounts and forks, and pull requests that cannot be read. Its GraphQL is
// executed from the query that was sent (a field that was not asked for does
// not come back) and counted in nodes and points as GitHub counts them.
//
//	w := githubtest.New(githubtest.Options{})
//	w.Repository("acme/api")
//	n := w.Open("acme/api", githubtest.Pull{Title: "Add a door", Author: "ada"})
//	server, err := w.Listen()
//	client, err := github.New(github.Options{BaseURL: server.URL})
//
// A world is filled by hand, from a table of real pull requests
// ([World.FillTable]), or with teams and a built-in effect ([World.Build]).
package githubtest
