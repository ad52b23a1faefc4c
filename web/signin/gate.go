package signin

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"steelyard/web"
)

// The addresses of signing in and out. A provider's own lie below [Path]; it
// sends people back to [Callback].
const (
	Path    = "/sign-in"
	OutPath = "/sign-out"
)

// Callback is the path that a provider sends people back to.
func Callback(provider string) string { return Path + "/" + provider + "/callback" }

// Options describe a [Gate].
type Options struct {
	// URL is how the dashboard is reached, "https://host"; cookies are for
	// https alone unless it is http.
	URL string
	// Providers are whom people may sign in with, at least one.
	Providers []Provider
	Roles     Roles
	Sessions  Store
	// Secret is known to every process of this installation and to nobody else:
	// it seals what a browser keeps while somebody signs in.
	Secret string
	// Open are paths that need no session, or with a final slash all below
	// them: style sheets, and what judges its requests by itself.
	Open []string
	// Page shows what the gate has to say.
	Page   func(w http.ResponseWriter, r *http.Request, v web.SignIn)
	Clock  func() time.Time
	Logger *slog.Logger
}

// Gate lets people with a session through. It is safe for concurrent use and
// keeps nothing in memory.
type Gate struct {
	o      Options
	sealer sealer
	secure bool
}

// ShortestSecret is the least length of a client secret in bytes: what seals an
// attempt must not be guessed.
const ShortestSecret = 16

// New returns a gate, or an error that names the option that is missing.
func New(o Options) (*Gate, error) {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil || u.Host == "":
		return nil, fmt.Errorf("sign-in: %q is not the address of the dashboard", o.URL)
	case len(o.Providers) == 0:
		return nil, errors.New("sign-in: no identity provider")
	case len(o.Secret) < ShortestSecret:
		return nil, fmt.Errorf("sign-in: the client secret is shorter than %d characters", ShortestSecret)
	case len(o.Roles.Viewers)+len(o.Roles.Admins) == 0:
		return nil, errors.New("sign-in: no group has a role, so nobody could see anything")
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s, err := newSealer(o.Secret)
	if err != nil {
		return nil, fmt.Errorf("sign-in: %w", err)
	}
	return &Gate{o: o, sealer: s, secure: u.Scheme == "https"}, nil
}

// Handler puts the gate in front of the dashboard.
func (g *Gate) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.open(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		// What somebody sees depends on the cookie; and while it is about
		// signing in nothing is kept at all.
		w.Header().Add("Vary", "Cookie")
		n, s, err := g.session(r)
		switch {
		case err != nil:
			w.Header().Set("Cache-Control", "no-store")
			g.failed(w, r, http.StatusServiceUnavailable, fmt.Errorf("read the session: %w", err))
		case r.URL.Path == OutPath:
			w.Header().Set("Cache-Control", "no-store")
			g.out(w, r, n, s)
		case r.URL.Path == Path || strings.HasPrefix(r.URL.Path, Path+"/"):
			w.Header().Set("Cache-Control", "no-store")
			g.in(w, r, s)
		case s == nil:
			w.Header().Set("Cache-Control", "no-store")
			g.stop(w, r)
		case !safe(r.Method) && !carries(w, r, n):
			w.Header().Set("Cache-Control", "no-store")
			g.o.Page(w, r, web.SignIn{Status: http.StatusForbidden, State: web.SignInForm})
		default:
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitorKey{}, web.Visitor{
				Name: s.Name, MayChange: s.Role == Admin, FormToken: n.formToken(), SignOut: OutPath,
			})))
		}
	})
}

type visitorKey struct{}

// Visitor is who sent a request that came through the gate. Any other may do
// nothing.
func Visitor(r *http.Request) web.Visitor {
	v, _ := r.Context().Value(visitorKey{}).(web.Visitor)
	return v
}

func (g *Gate) open(path string) bool {
	return slices.ContainsFunc(g.o.Open, func(p string) bool {
		return path == p || strings.HasSuffix(p, "/") && strings.HasPrefix(path, p)
	})
}

// safe reports whether a method changes nothing (RFC 9110, section 9.2.1).
func safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// maxForm bounds the body of a form.
const maxForm = 1 << 20

// carries reports whether a form holds the token of its session.
func carries(w http.ResponseWriter, r *http.Request, n number) bool {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return false
	}
	return hmac.Equal([]byte(r.PostForm.Get(web.FormTokenField)), []byte(n.formToken()))
}

// session is the live session of a request; nil where there is none.
func (g *Gate) session(r *http.Request) (number, *Session, error) {
	cookie, err := r.Cookie(g.cookieName(sessionCookie))
	if err != nil {
		return number{}, nil, nil //nolint:nilerr // no cookie, no session
	}
	n, ok := parseNumber(cookie.Value)
	if !ok {
		return number{}, nil, nil
	}
	s, err := g.o.Sessions.Session(r.Context(), n.id())
	switch now := g.o.Clock(); {
	case errors.Is(err, ErrNoSession):
		return number{}, nil, nil
	case err != nil:
		return number{}, nil, err
	case !s.alive(now):
		return number{}, nil, nil
	case now.Sub(s.Seen) >= touch:
		if err := g.o.Sessions.Seen(r.Context(), n.id(), now); err != nil {
			return number{}, nil, err
		}
	}
	return n, &s, nil
}

// stop sends whoever has no session to sign in, and back to this page
// afterwards. A script or a form learns that it cannot go on.
func (g *Gate) stop(w http.ResponseWriter, r *http.Request) {
	if !safe(r.Method) || r.Header.Get("Sec-Fetch-Dest") == "empty" {
		g.o.Page(w, r, web.SignIn{Status: http.StatusUnauthorized, State: web.SignInChoose, Choices: g.choices("/")})
		return
	}
	http.Redirect(w, r, Path+"?"+url.Values{"to": {within(r.URL.RequestURI())}}.Encode(), http.StatusSeeOther)
}

// choices are the links to the providers.
func (g *Gate) choices(to string) []web.SignInChoice {
	var all []web.SignInChoice
	for _, p := range g.o.Providers {
		all = append(all, web.SignInChoice{Title: p.Title(), Address: Path + "/" + p.ID() + "?" + url.Values{"to": {to}}.Encode()})
	}
	return all
}

// failed shows that it did not work, with a reference under which the log has
// the reason.
func (g *Gate) failed(w http.ResponseWriter, r *http.Request, status int, err error) {
	reference := web.Reference()
	g.o.Logger.Warn("sign-in failed", "reference", reference, "path", r.URL.Path, "error", err)
	g.o.Page(w, r, web.SignIn{Status: status, State: web.SignInFailed, Reference: reference, Choices: g.choices("/")})
}
