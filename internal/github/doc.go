// Package github reads GitHub for the rest of the house: pull requests with
// everything that measurement needs of them, default-branch commits, teams and
// their members, Copilot seats, file trees, and webhooks. It is plumbing: it
// knows GitHub's interfaces and their moods, and nothing of metrics, stores or
// jobs.
//
// A [Client] is made by [New] from a token or a GitHub App. [Client.Page] reads
// one page of pull requests and one page of commits in a single GraphQL
// request; [Client.PageREST] gives the same values where GraphQL is blocked.
//
// What GitHub really does is handled here, so that no caller sees it: limits
// (403, 429, and inside a 200) are waited out as GitHub asks, servers that
// stumble are asked again, pages that are too heavy are halved, one pull
// request that cannot be read is left out by name ([Skipped]) and the rest is
// kept. Every wait and every retry is told to [Options].Notify, and
// [Client.Budget] says at any time what is left.
//
// Credentials go to the one host they belong to and into no error.
package github
