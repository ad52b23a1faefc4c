// Package signin asks who somebody is before the dashboard shows itself. A
// [Gate] stands in front of it: whoever has no session is sent to an identity
// provider (OpenID Connect, or GitHub as an OAuth app), whoever comes back gets
// a session with the role that their groups give, and everybody else gets
// nothing.
//
// What travels through the browser is little: while somebody signs in, a sealed
// cookie that holds what must match when they come back; afterwards a cookie
// with a random number, of which the database keeps the hash. A session begins
// anew with every sign-in, so that nobody can hand another person a session of
// theirs. Forms carry a token that follows from the session.
//
// Sources: OpenID Connect Core 1.0; RFC 6749, 7636 (PKCE), 9207 (issuer in the
// answer) and 9700 (security of OAuth); RFC 6265bis (cookie prefixes).
package signin
