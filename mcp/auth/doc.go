// Package auth decides who may call the MCP server over HTTP. The server is an
// OAuth 2.1 resource server: it takes access tokens of one identity provider,
// made out to this server alone, and service tokens for machines that have no
// identity provider. It hands out no token and keeps none.
//
//   - [New] makes a [Resource] from what the settings say.
//   - [Resource.Identify] says who a request comes from, or why it is refused.
//   - [Resource.Refuse] answers with the status and the challenge of RFC 6750.
//   - [Resource.Metadata] tells clients where to get a token (RFC 9728).
//   - [NewToken] and [ParseTokens] make and read service tokens, of which only a
//     hash is kept.
//
// A client reads nothing of why a token was refused but that it was; the log
// has the reason.
package auth
