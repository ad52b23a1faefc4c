package auth

import (
	"slices"
	"time"
)

// Identity is who a request comes from.
type Identity struct {
	// Issuer is the identity provider; empty for a service token.
	Issuer string
	// Subject is the provider's stable id of the person or machine, or the name
	// of the service token.
	Subject string
	// Client is the OAuth client that got the token; may be empty.
	Client string
	// Scopes are what the token allows.
	Scopes []string
	// Expires is when the token ends, in UTC.
	Expires time.Time
}

// Key tells identities apart: no two people or machines share one.
func (i *Identity) Key() string {
	if i.Issuer == "" {
		return "token " + i.Subject
	}
	return i.Issuer + " " + i.Subject
}

// Lacks lists those of the scopes that the identity does not have.
func (i *Identity) Lacks(scopes []string) []string {
	var missing []string
	for _, s := range scopes {
		if !slices.Contains(i.Scopes, s) {
			missing = append(missing, s)
		}
	}
	return missing
}
