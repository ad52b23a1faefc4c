package secrets

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"steelyard/lint/launch"
	"steelyard/lint/leaks"
)

// The words that make a name one of a secret, and what the secret then is.
var secretWords = map[string]string{
	"password": "password", "passwd": "password", "pwd": "password", "pass": "password", "passphrase": "password",
	"passcode": "password", "secret": "secret", "secrets": "secret", "token": "token", "tokens": "token",
	"apikey": "API key", "apitoken": "token", "accesstoken": "token", "credential": "credential",
	"credentials": "credential", "bearer": "token", "pat": "token", "jwt": "token", "auth": "credential",
	"authorization": "credential", "cookie": "cookie", "dsn": "credential", "authtoken": "token",
}

// tellers are last words that say the name is about a secret, not one itself.
var tellers = []string{
	"id", "ids", "url", "uri", "endpoint", "path", "file", "dir", "name", "names", "type", "length", "len", "size",
	"count", "limit", "limits", "ttl", "expiry", "expires", "expiration", "timeout", "region", "version", "format",
	"header", "prefix", "suffix", "scheme", "mode", "enabled", "disabled", "host", "port", "user", "username", "email",
	"env", "var", "alias", "algorithm", "budget", "window", "scope", "scopes", "issuer", "audience", "realm", "method",
	"provider", "domain", "refresh", "rotation", "policy", "level", "required", "symbol", "address", "mint",
}

// notKeys come before "key" where it is no secret.
var notKeys = []string{
	"public", "publishable", "pub", "anon", "anonymous", "primary", "foreign", "partition", "sort", "cache", "object",
	"row", "project", "issue", "hot", "shortcut", "sitemap", "order", "group", "index", "lookup", "map", "site",
	"socket", "recv", // of WebSocket's handshake, of gpg --recv-keys
}

// KindByName reports whether a name (of a variable, header, flag or parameter)
// is one of a secret, and of which kind.
func KindByName(name string) (string, bool) {
	words := nameWords(name)
	if len(words) == 0 || slices.Contains(tellers, words[len(words)-1]) || slices.Contains(words, "max") {
		return "", false
	}
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(notKeys[:5], w) }) {
		return "", false
	}
	last := words[len(words)-1]
	if last == "key" || last == "keys" {
		switch {
		case len(words) == 1:
			return "key", true
		case slices.Contains(notKeys, words[len(words)-2]):
			return "", false
		case words[len(words)-2] == "api":
			return "API key", true
		}
		return "key", true
	}
	for _, w := range slices.Backward(words) {
		if kind, ok := secretWords[w]; ok {
			return kind, true
		}
	}
	return "", false
}

// nameWords splits SOME_NAME, some-name and someName into lower-case words.
func nameWords(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = nil
	}
	var before rune
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(before):
			flush()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		before = r
	}
	flush()
	return words
}

var (
	domain  = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}$`)
	address = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[a-z]{2,}$`)
)

// looksGenerated reports whether a value whose name says it is a secret has
// the form of one: long and mixed rather than words, a path or a number.
func looksGenerated(value string) bool {
	if StandIn(value) || harmlessJWT(value) || strings.ContainsAny(value, " \t\r\n") || launch.IsPath(value) || strings.Contains(value, "://") {
		return false
	}
	if domain.MatchString(value) || address.MatchString(value) || constantName.MatchString(value) || fingerprint.MatchString(value) {
		return false
	}
	c := classes(value)
	switch size := len(value); {
	case size < 8:
		return false
	case size < 16:
		return c.count() >= 3 && leaks.Entropy(value) >= 2.5
	}
	return leaks.Entropy(value) >= 3 && slices.ContainsFunc(strings.FieldsFunc(value, isJoint), mixed)
}

// fingerprint matches that of an OpenPGP key, as its tools print it.
var fingerprint = regexp.MustCompile(`^[0-9A-F]{40}$`)

// isJoint splits a value into the parts that would be words in a phrase.
func isJoint(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ':' || r == '/' }

// mixed reports whether a part is no word: letters and digits interleaved, or
// letters of both cases beyond a capital.
func mixed(part string) bool {
	changes := 0
	upper := 0
	var before rune
	for i, r := range part {
		if i > 0 && unicode.IsDigit(r) != unicode.IsDigit(before) {
			changes++
		}
		if i > 0 && unicode.IsUpper(r) && unicode.IsLower(before) {
			upper++
		}
		before = r
	}
	return len(part) >= 6 && (changes >= 2 || len(part) >= 16 && (changes >= 1 || upper >= 3))
}

type charClasses struct{ lower, upper, digit, other bool }

func classes(s string) charClasses {
	var c charClasses
	for _, r := range s {
		switch {
		case unicode.IsLower(r):
			c.lower = true
		case unicode.IsUpper(r):
			c.upper = true
		case unicode.IsDigit(r):
			c.digit = true
		case !isJoint(r):
			c.other = true
		}
	}
	return c
}

func (c charClasses) count() int {
	n := 0
	for _, has := range []bool{c.lower, c.upper, c.digit, c.other} {
		if has {
			n++
		}
	}
	return n
}
