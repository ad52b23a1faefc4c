// Package secrets finds literal secrets in the values and command lines of
// configurations: by the forms that gitleaks knows, and by names and randomness
// where a value has no form of its own. References, placeholders and the
// default passwords of local tools are none. A secret is never shown whole.
package secrets
