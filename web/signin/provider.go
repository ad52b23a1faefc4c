package signin

import (
	"context"
	"errors"
	"net/http"
	"time"

	"golang.org/x/oauth2"
)

// Provider knows people.
type Provider interface {
	// ID is its name in addresses: "oidc" or "github"; Title its name for
	// people.
	ID() string
	Title() string
	// Address is where the browser is sent.
	Address(ctx context.Context, redirect string, a Challenge) (string, error)
	// Person says who came back with a code.
	Person(ctx context.Context, redirect, code string, a Challenge) (Person, error)
	// Issuer is what an answer's iss parameter must be, where it has one (RFC
	// 9207); empty: the provider has no such name.
	Issuer() string
}

// Challenge is what ties an answer to the question.
type Challenge struct{ State, Nonce, Verifier string }

// Person is what a provider says of somebody.
type Person struct {
	// Subject is the provider's name and its stable id of the person.
	Subject string
	// Name is for people to read; it identifies nobody.
	Name string
	// Groups are those that roles are given by.
	Groups []string
}

// errDenied is what [Provider.Person] wraps where the person cannot be let in
// whoever they are.
var errDenied = errors.New("the provider vouches for nobody")

// The bounds of a conversation with a provider.
const (
	providerTimeout = 10 * time.Second
	maxAnswer       = 1 << 20 // bytes
	maxGroups       = 1000
	maxName         = 100 // bytes
)

// newClient asks providers: bounded, and without following a redirect, as no
// endpoint of theirs needs one and a token must not travel on.
func newClient(base http.RoundTripper) *http.Client {
	if base == nil {
		base = http.DefaultTransport
	}
	return &http.Client{
		Timeout:       providerTimeout,
		Transport:     bounded{base},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bounded cuts answers that are too large.
type bounded struct{ base http.RoundTripper }

func (b bounded) RoundTrip(q *http.Request) (*http.Response, error) {
	res, err := b.base.RoundTrip(q)
	if err != nil {
		return nil, err //nolint:wrapcheck // the client says whom it asked
	}
	res.Body = http.MaxBytesReader(nil, res.Body, maxAnswer)
	return res, nil
}

// with gives oauth2 and go-oidc the bounded client.
func with(ctx context.Context, c *http.Client) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, c)
}
