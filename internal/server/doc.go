// Package server listens and serves the dashboard and the MCP endpoint. It
// knows nothing of either: it takes two handlers and gives them what every
// handler on a shared machine needs.
//
//   - [Listen] refuses any address that another machine could reach;
//     [ListenAnywhere] is for those who know who will get in.
//   - [Guard] refuses requests that a foreign web page caused, also by DNS
//     rebinding.
//   - [Serve] bounds headers, bodies and times, without cutting a stream that
//     is alive, turns a panic into an answer with a reference, and shuts down
//     by finishing what it has begun.
package server
