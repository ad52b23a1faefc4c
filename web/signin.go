package web

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
)

// SignInState says what the page about signing in shows.
type SignInState int

// The states: the providers to choose from, signed out, a person without a
// role, an attempt that failed, a form that was not ours.
const (
	SignInChoose SignInState = iota
	SignInOut
	SignInStranger
	SignInFailed
	SignInForm
)

// SignIn is a page about signing in.
type SignIn struct {
	Status  int
	State   SignInState
	Choices []SignInChoice
	// Reference is where the log says why it failed.
	Reference string
}

// SignInChoice is a link to an identity provider.
type SignInChoice struct{ Title, Address string }

// Reference is a short random name for one failure, for a page and the log.
func Reference() string { return reference() }

// SignInPages returns what shows pages about signing in, in the dashboard's
// look. They need nothing but [StaticPath]. A nil logger discards.
func SignInPages(version string, logger *slog.Logger) (func(http.ResponseWriter, *http.Request, SignIn), error) {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	a, err := loadAssets()
	if err != nil {
		return nil, fmt.Errorf("load assets: %w", err)
	}
	return func(w http.ResponseWriter, r *http.Request, v SignIn) {
		var b bytes.Buffer
		s := shell{Title: signInTitle(v.State), Version: version, Assets: a, Closed: true}
		if err := signInPage(s, v).Render(r.Context(), &b); err != nil {
			logger.Error("sign-in page failed", "error", err)
			http.Error(w, "This page could not be made.", http.StatusInternalServerError)
			return
		}
		setHeaders(w.Header())
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(v.Status)
		_, _ = w.Write(b.Bytes()) // a reader that went away misses nothing
	}, nil
}

// StaticPath holds what pages are drawn with; it tells nothing about anybody.
const StaticPath = "/static/"

func signInTitle(s SignInState) string {
	switch s {
	case SignInOut:
		return "You are signed out"
	case SignInStranger:
		return "You may not see this"
	case SignInFailed:
		return "Signing in did not work"
	case SignInForm:
		return "Nothing was changed"
	}
	return "Sign in"
}

type visitorKey struct{}

// withVisitor lets the frame of a page show who looks at it.
func withVisitor(ctx context.Context, v Visitor) context.Context {
	return context.WithValue(ctx, visitorKey{}, v)
}

// signedIn is who looks at the page; without SignOut nobody signed in.
func signedIn(ctx context.Context) Visitor {
	v, _ := ctx.Value(visitorKey{}).(Visitor)
	return v
}

func roleWord(v Visitor) string {
	if v.MayChange {
		return "admin"
	}
	return "viewer"
}
