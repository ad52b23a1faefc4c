package github

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// credentials put what GitHub asks for on a request, just before it is sent
// and only if it goes to GitHub.
type credentials interface {
	// apply sets the Authorization header.
	apply(ctx context.Context, h http.Header) error
	// budget names whose hourly limits a request draws on.
	budget(ctx context.Context) string
	// refused hears that GitHub did not accept them; it reports whether others
	// are worth a try.
	refused(ctx context.Context) bool
	// secrets are the texts that must never show.
	secrets() []string
}

// nobody reads public data without credentials.
type nobody struct{}

func (nobody) apply(context.Context, http.Header) error { return nil }
func (nobody) budget(context.Context) string            { return "" }
func (nobody) refused(context.Context) bool             { return false }
func (nobody) secrets() []string                        { return nil }

// token is a personal access token.
type token string

// newToken refuses what cannot be a header's value, without showing it.
func newToken(s string) (token, error) {
	if strings.TrimSpace(s) != s || strings.ContainsAny(s, "\r\n\x00") {
		return "", errors.New("connect to GitHub: the token has spaces or line breaks around it; remove them")
	}
	return token(s), nil
}

func (t token) apply(_ context.Context, h http.Header) error {
	h.Set("Authorization", "Bearer "+string(t))
	return nil
}
func (token) budget(context.Context) string { return "" }
func (token) refused(context.Context) bool  { return false }
func (t token) secrets() []string           { return []string{string(t)} }

// ownerKey carries the owner of what is read, by which an App finds its
// installation.
type ownerKey struct{}

func withOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, strings.ToLower(owner))
}

func ownerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

// installationKey carries an installation that is already known.
type installationKey struct{}

func withInstallation(ctx context.Context, id int64) context.Context {
	return context.WithValue(ctx, installationKey{}, id)
}

func installationOf(ctx context.Context) int64 {
	id, _ := ctx.Value(installationKey{}).(int64)
	return id
}

// asAppKey marks a request as the App's own, signed by its key.
type asAppKey struct{}

func asApp(ctx context.Context) context.Context {
	return context.WithValue(ctx, asAppKey{}, true)
}

func isAsApp(ctx context.Context) bool { return ctx.Value(asAppKey{}) != nil }
