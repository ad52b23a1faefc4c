package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Options are whom a [Resource] believes.
type Options struct {
	// URL is this server's own canonical address, "https://host/mcp".
	URL string
	// Audience is what an access token must be made out to; empty means URL.
	Audience string
	// Issuer is the identity provider's issuer identifier; empty means that
	// there is none.
	Issuer string
	// TokensFile holds the hashes of service tokens; empty means that there are
	// none.
	TokensFile string
	// Scopes are all that there are.
	Scopes []string
	// Client asks the identity provider; nil means one with bounds of its own.
	Client *http.Client
	// Clock is the time.
	Clock func() time.Time
}

// Resource is this server as OAuth sees it. It is safe for concurrent use.
type Resource struct {
	o        Options
	metadata string // its address; empty where there is no issuer
	issuer   *issuer
	tokens   *tokenFile
}

// ErrNobody is what [New] returns where nobody could ever be let in.
var ErrNobody = errors.New("neither an issuer nor a file of tokens is configured")

// New makes a resource. The identity provider is asked when the first token of
// it arrives, so it need not be up yet; the file of tokens must be readable.
func New(o Options) (*Resource, error) {
	if o.Issuer == "" && o.TokensFile == "" {
		return nil, ErrNobody
	}
	at, err := url.Parse(o.URL)
	if err != nil || at.Host == "" {
		return nil, fmt.Errorf("authorize %q: it is not the address of a server", o.URL)
	}
	if o.Audience == "" {
		o.Audience = o.URL
	}
	r := &Resource{o: o}
	if o.TokensFile != "" {
		r.tokens = &tokenFile{path: o.TokensFile, scopes: o.Scopes, now: o.Clock}
		if _, err := r.tokens.current(); err != nil {
			return nil, err
		}
	}
	if o.Issuer != "" {
		r.metadata = at.Scheme + "://" + at.Host + MetadataPath + strings.TrimSuffix(at.Path, "/")
		r.issuer = newIssuer(o)
	}
	return r, nil
}

// MetadataPath is where [Resource.Metadata] is expected, alone and followed by
// the path of the resource (RFC 9728, section 3.1).
const MetadataPath = "/.well-known/oauth-protected-resource"

// MetadataURL is where clients find the metadata; empty without an issuer, as
// there is nowhere to send them.
func (r *Resource) MetadataURL() string { return r.metadata }

// maxToken bounds the text of a token, in bytes.
const maxToken = 8 << 10

// Identify says who q comes from. The token is read from the Authorization
// header alone: one in the address would end up in logs and histories.
func (r *Resource) Identify(q *http.Request) (*Identity, *Refusal) {
	token, refusal := bearer(q)
	if refusal != nil {
		return nil, refusal
	}
	i, err := r.verify(q.Context(), token)
	if err != nil {
		return nil, notValid(err)
	}
	i.Scopes = r.known(i.Scopes)
	return i, nil
}

func (r *Resource) verify(ctx context.Context, token string) (*Identity, error) {
	switch {
	case strings.HasPrefix(token, tokenPrefix):
		if r.tokens == nil {
			return nil, errors.New("a service token, and no file of tokens")
		}
		return r.tokens.verify(token)
	case r.issuer == nil:
		return nil, errors.New("no service token, and no identity provider")
	}
	return r.issuer.verify(ctx, token)
}

// bearer takes the token out of a request.
func bearer(q *http.Request) (string, *Refusal) {
	if strings.Contains(q.URL.RawQuery, "access_token") || q.URL.Query().Has("access_token") {
		return "", malformed("The access token belongs in the Authorization header, not in the address. Treat this one as disclosed.")
	}
	all := q.Header.Values("Authorization")
	switch {
	case len(all) == 0:
		return "", missingToken()
	case len(all) > 1:
		return "", malformed("The request has more than one Authorization header.")
	}
	scheme, token, _ := strings.Cut(all[0], " ")
	token = strings.TrimSpace(token)
	switch {
	case !strings.EqualFold(scheme, "Bearer"):
		return "", missingToken()
	case token == "" || len(token) > maxToken || strings.ContainsAny(token, " \t,\""):
		return "", notValid(errors.New("it does not have the form of a token"))
	}
	return token, nil
}

// known are those of the scopes that there are, each once, in their order.
func (r *Resource) known(scopes []string) []string {
	known := []string{}
	for _, s := range r.o.Scopes {
		if slices.Contains(scopes, s) {
			known = append(known, s)
		}
	}
	return known
}

// Metadata answers with the protected resource metadata (RFC 9728). It needs
// no token.
func (r *Resource) Metadata() http.Handler {
	document, err := json.Marshal(map[string]any{
		"resource":                 r.o.URL,
		"authorization_servers":    []string{r.o.Issuer},
		"scopes_supported":         r.o.Scopes,
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "Steelyard",
	})
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch {
		case r.metadata == "" || err != nil:
			http.NotFound(w, q)
			return
		case q.Method != http.MethodGet && q.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Method not allowed.", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "public, max-age=300")
		_, _ = w.Write(document) // a client that has gone needs no answer
	})
}
