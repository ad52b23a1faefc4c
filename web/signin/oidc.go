package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// OIDCOptions describe a provider that speaks OpenID Connect.
type OIDCOptions struct {
	Issuer, ClientID, ClientSecret string
	// GroupsClaim is the claim that holds a person's groups; empty: "groups".
	GroupsClaim string
	// Scopes are asked for beside openid, profile and email.
	Scopes []string
	Clock  func() time.Time
	// Transport is how it is asked; nil: as usual.
	Transport http.RoundTripper
}

// oidcProvider is asked for its metadata with the first sign-in, so that the
// dashboard starts, and serves who is signed in, while the provider is down.
type oidcProvider struct {
	o      OIDCOptions
	client *http.Client

	mu    sync.Mutex
	known *oidc.Provider
}

// NewOIDC returns a provider that speaks OpenID Connect.
func NewOIDC(o OIDCOptions) Provider {
	if o.GroupsClaim == "" {
		o.GroupsClaim = "groups"
	}
	return &oidcProvider{o: o, client: newClient(o.Transport)}
}

func (p *oidcProvider) ID() string     { return "oidc" }
func (p *oidcProvider) Title() string  { return hostOf(p.o.Issuer) }
func (p *oidcProvider) Issuer() string { return p.o.Issuer }

// provider reads the metadata, once it can be had. go-oidc keeps the context to
// ask for keys later, so it gets one that does not end with the request.
func (p *oidcProvider) provider(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known != nil {
		return p.known, nil
	}
	known, err := oidc.NewProvider(with(context.WithoutCancel(ctx), p.client), p.o.Issuer)
	if err != nil {
		return nil, fmt.Errorf("ask the identity provider: %w", err)
	}
	p.known = known
	return known, nil
}

func (p *oidcProvider) config(known *oidc.Provider, redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.o.ClientID, ClientSecret: p.o.ClientSecret, Endpoint: known.Endpoint(), RedirectURL: redirect,
		Scopes: append([]string{oidc.ScopeOpenID, "profile", "email"}, p.o.Scopes...),
	}
}

func (p *oidcProvider) Address(ctx context.Context, redirect string, a Challenge) (string, error) {
	known, err := p.provider(ctx)
	if err != nil {
		return "", err
	}
	return p.config(known, redirect).AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier)), nil
}

func (p *oidcProvider) Person(ctx context.Context, redirect, code string, a Challenge) (Person, error) {
	known, err := p.provider(ctx)
	if err != nil {
		return Person{}, err
	}
	ctx = with(ctx, p.client)
	token, err := p.config(known, redirect).Exchange(ctx, code, oauth2.VerifierOption(a.Verifier))
	if err != nil {
		return Person{}, exchangeError(err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return Person{}, errors.New("the identity provider answered without an ID token")
	}
	verifier := known.Verifier(&oidc.Config{ClientID: p.o.ClientID, Now: p.o.Clock})
	id, err := verifier.Verify(ctx, raw)
	switch {
	case err != nil:
		return Person{}, fmt.Errorf("judge the ID token: %w", err)
	case id.Nonce != a.Nonce:
		return Person{}, errors.New("judge the ID token: it answers another sign-in")
	case id.Subject == "":
		return Person{}, errors.New("judge the ID token: it names nobody")
	}
	claims := map[string]any{}
	if err := id.Claims(&claims); err != nil {
		return Person{}, fmt.Errorf("read the ID token: %w", err)
	}
	if err := p.more(ctx, known, token, id.Subject, claims); err != nil {
		return Person{}, err
	}
	person := Person{Subject: p.o.Issuer + " " + id.Subject, Name: nameOf(claims, id.Subject)}
	person.Groups, err = groupsOf(claims[p.o.GroupsClaim])
	if err != nil {
		return Person{}, fmt.Errorf("read the claim %q: %w", p.o.GroupsClaim, err)
	}
	return person, nil
}

// more asks for what the ID token left out: many providers give groups and
// names only there.
func (p *oidcProvider) more(ctx context.Context, known *oidc.Provider, token *oauth2.Token, subject string, claims map[string]any) error {
	_, hasGroups := claims[p.o.GroupsClaim]
	if hasGroups || known.UserInfoEndpoint() == "" {
		return nil
	}
	info, err := known.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return fmt.Errorf("ask the identity provider who somebody is: %w", err)
	}
	if info.Subject != subject { // OpenID Connect Core, section 5.3.2
		return fmt.Errorf("%w: it speaks of two different people", errDenied)
	}
	said := map[string]any{}
	if err := info.Claims(&said); err != nil {
		return fmt.Errorf("read who somebody is: %w", err)
	}
	for name, value := range said {
		if _, known := claims[name]; !known {
			claims[name] = value
		}
	}
	return nil
}

// exchangeError says what a provider answered, without what was sent.
func exchangeError(err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return fmt.Errorf("exchange the code: the identity provider answered %d %q", refused.Response.StatusCode, bound(refused.ErrorCode, maxName))
	}
	return fmt.Errorf("exchange the code: %w", err)
}

// nameOf is what people call somebody, or the provider's id of them.
func nameOf(claims map[string]any, subject string) string {
	for _, claim := range []string{"name", "email", "preferred_username"} {
		if s, ok := claims[claim].(string); ok && plain(s) != "" {
			return plain(s)
		}
	}
	return plain(subject)
}

// groupsOf reads a claim that is a list of names or a single one.
func groupsOf(claim any) ([]string, error) {
	switch v := claim.(type) {
	case nil:
		return nil, nil
	case string:
		return []string{v}, nil
	case []any:
		if len(v) > maxGroups {
			return nil, fmt.Errorf("it lists more than %d groups", maxGroups)
		}
		var groups []string
		for _, g := range v {
			s, ok := g.(string)
			if !ok {
				return nil, errors.New("it holds something that is no name of a group")
			}
			groups = append(groups, s)
		}
		slices.Sort(groups)
		return groups, nil
	}
	return nil, errors.New("it is neither a name nor a list of names")
}
