package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// The error codes of RFC 6750, section 3.1.
const (
	invalidRequest    = "invalid_request"
	invalidToken      = "invalid_token"
	insufficientScope = "insufficient_scope"
)

// Refusal is why a request is not answered. Text is for whoever sent it and
// Cause for the log.
type Refusal struct {
	// Status is 400, 401, 403 or 503.
	Status int
	// Code is RFC 6750's error code; empty where no token came, and for 503.
	Code string
	// Text says what to do. It holds nothing of the token or the server.
	Text string
	// Cause is the detail; may be nil.
	Cause error
	// Scopes are what would be needed; nil means all that there are.
	Scopes []string
}

// Error is the refusal with its cause, for the log.
func (r *Refusal) Error() string {
	if r.Cause == nil {
		return r.Text
	}
	return fmt.Sprintf("%s (%v)", r.Text, r.Cause)
}

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Cause }

// errUnavailable is what a token cannot be judged without: an identity
// provider that does not answer, or a file that cannot be read.
var errUnavailable = errors.New("tokens cannot be checked at the moment")

func missingToken() *Refusal {
	return &Refusal{Status: http.StatusUnauthorized, Text: "An access token is needed, in the Authorization header."}
}

func malformed(text string) *Refusal {
	return &Refusal{Status: http.StatusBadRequest, Code: invalidRequest, Text: text}
}

// notValid is the one answer to every token that does not hold: which check it
// failed would help nobody but who forges them.
func notValid(cause error) *Refusal {
	if errors.Is(cause, errUnavailable) {
		return &Refusal{Status: http.StatusServiceUnavailable, Text: "Tokens cannot be checked at the moment; try again in a few seconds.", Cause: cause}
	}
	return &Refusal{Status: http.StatusUnauthorized, Code: invalidToken, Text: "The access token is not valid for this server, or has expired.", Cause: cause}
}

// Insufficient refuses an identity for what its token does not allow. needed
// are all scopes of what was asked for. The challenge names them together with
// those that the token has, so that a client which asks for just what it reads
// there loses nothing.
func Insufficient(i *Identity, needed []string) *Refusal {
	return &Refusal{
		Status: http.StatusForbidden, Code: insufficientScope,
		Text:   "The access token does not allow this; ask for one with the scopes " + strings.Join(needed, " ") + ".",
		Scopes: append(i.Lacks(needed), i.Scopes...),
	}
}

// Refuse answers with the refusal, its challenge and, in the body, its error
// in the form of OAuth.
func (r *Resource) Refuse(w http.ResponseWriter, refusal *Refusal) {
	h := w.Header()
	switch refusal.Status {
	case http.StatusServiceUnavailable:
		h.Set("Retry-After", "5")
	default:
		h.Set("WWW-Authenticate", r.challenge(refusal))
	}
	code := refusal.Code
	switch {
	case refusal.Status == http.StatusServiceUnavailable:
		code = "temporarily_unavailable"
	case code == "":
		code = "unauthorized"
	}
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/json")
	h.Del("Content-Length")
	w.WriteHeader(refusal.Status)
	// Two strings always marshal, and a client that has gone needs no answer.
	_ = json.NewEncoder(w).Encode(map[string]string{"error": code, "error_description": refusal.Text})
}

// challenge is the value of WWW-Authenticate (RFC 6750, section 3, and RFC
// 9728, section 5.1).
func (r *Resource) challenge(refusal *Refusal) string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+`="`+value+`"`)
		}
	}
	add("error", refusal.Code)
	if refusal.Code != "" {
		add("error_description", refusal.Text)
	}
	scopes := refusal.Scopes
	if scopes == nil {
		scopes = r.o.Scopes
	}
	if refusal.Status != http.StatusBadRequest {
		add("scope", strings.Join(r.known(scopes), " "))
	}
	add("resource_metadata", r.MetadataURL())
	if len(parts) == 0 {
		add("realm", "steelyard")
	}
	return "Bearer " + strings.Join(parts, ", ")
}
