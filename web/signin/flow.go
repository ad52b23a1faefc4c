package signin

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"steelyard/web"
)

// in serves everything below [Path].
func (g *Gate) in(w http.ResponseWriter, r *http.Request, s *Session) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		g.o.Page(w, r, web.SignIn{Status: http.StatusMethodNotAllowed, State: web.SignInChoose, Choices: g.choices("/")})
		return
	}
	to := within(r.URL.Query().Get("to"))
	id, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, Path), "/"), "/")
	at := slices.IndexFunc(g.o.Providers, func(p Provider) bool { return p.ID() == id })
	switch {
	case id == "" && s != nil:
		http.Redirect(w, r, to, http.StatusSeeOther)
	case id == "":
		state := web.SignInChoose
		if r.URL.Query().Has("out") {
			state = web.SignInOut
		}
		g.o.Page(w, r, web.SignIn{Status: http.StatusOK, State: state, Choices: g.choices(to)})
	case at < 0 || rest != "" && rest != "callback":
		g.o.Page(w, r, web.SignIn{Status: http.StatusNotFound, State: web.SignInChoose, Choices: g.choices("/")})
	case r.Method == http.MethodHead: // it must not begin anything
		w.WriteHeader(http.StatusNoContent)
	case rest == "":
		g.begin(w, r, g.o.Providers[at], to)
	default:
		g.finish(w, r, g.o.Providers[at])
	}
}

// begin sends somebody to a provider.
func (g *Gate) begin(w http.ResponseWriter, r *http.Request, p Provider, to string) {
	a := newAttempt(p.ID(), to, g.o.Clock())
	address, err := p.Address(r.Context(), g.o.URL+Callback(p.ID()), a.challenge())
	if err != nil {
		g.failed(w, r, http.StatusBadGateway, err)
		return
	}
	sealed, err := g.sealer.seal(a)
	if err != nil {
		g.failed(w, r, http.StatusInternalServerError, err)
		return
	}
	g.setCookie(w, attemptCookie, sealed, attemptLife)
	http.Redirect(w, r, address, http.StatusSeeOther)
}

func (a attempt) challenge() Challenge {
	return Challenge{State: a.State, Nonce: a.Nonce, Verifier: a.Verifier}
}

// finish takes whoever comes back from a provider.
func (g *Gate) finish(w http.ResponseWriter, r *http.Request, p Provider) {
	g.setCookie(w, attemptCookie, "", 0) // an attempt ends here, however it does
	a, err := g.matching(r, p)
	if err != nil {
		g.failed(w, r, http.StatusBadRequest, err)
		return
	}
	q := r.URL.Query()
	if q.Has("error") {
		g.failed(w, r, http.StatusForbidden, fmt.Errorf("the provider answered %q", bound(q.Get("error"), maxName)))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*providerTimeout)
	defer cancel()
	person, err := p.Person(ctx, g.o.URL+Callback(p.ID()), q.Get("code"), a.challenge())
	switch {
	case errors.Is(err, errDenied):
		g.failed(w, r, http.StatusForbidden, err)
		return
	case err != nil:
		g.failed(w, r, http.StatusBadGateway, err)
		return
	}
	role, ok := g.o.Roles.of(person.Groups)
	if !ok {
		g.o.Logger.Info("sign-in refused: none of the person's groups has a role", "subject", person.Subject)
		g.o.Page(w, r, web.SignIn{Status: http.StatusForbidden, State: web.SignInStranger, Choices: g.choices("/")})
		return
	}
	if err := g.welcome(w, r, person, role); err != nil {
		g.failed(w, r, http.StatusServiceUnavailable, err)
		return
	}
	http.Redirect(w, r, within(a.To), http.StatusSeeOther)
}

// matching is the attempt that an answer belongs to: begun by this browser,
// with this provider.
func (g *Gate) matching(r *http.Request, p Provider) (attempt, error) {
	cookie, err := r.Cookie(g.cookieName(attemptCookie))
	if err != nil {
		return attempt{}, errors.New("this browser began no sign-in, or keeps no cookies")
	}
	a, err := g.sealer.open(cookie.Value, g.o.Clock())
	if err != nil {
		return attempt{}, err
	}
	q := r.URL.Query()
	switch iss := q.Get("iss"); {
	case a.Provider != p.ID():
		return attempt{}, errors.New("the answer comes from another provider than the one that was asked")
	case !hmac.Equal([]byte(q.Get("state")), []byte(a.State)):
		return attempt{}, errors.New("the answer belongs to another sign-in")
	case iss != "" && p.Issuer() != "" && iss != p.Issuer():
		return attempt{}, errors.New("the answer names another issuer")
	}
	return a, nil
}

// welcome begins a session. Its number is new, and the one that the browser had
// before ends: nobody can hand over a number that they know.
func (g *Gate) welcome(w http.ResponseWriter, r *http.Request, p Person, role Role) error {
	if old, err := r.Cookie(g.cookieName(sessionCookie)); err == nil {
		if n, ok := parseNumber(old.Value); ok {
			if err := g.o.Sessions.Remove(r.Context(), n.id()); err != nil {
				return fmt.Errorf("end the session before: %w", err)
			}
		}
	}
	n, now := newNumber(), g.o.Clock().UTC().Truncate(time.Millisecond)
	s := Session{Subject: p.Subject, Name: p.Name, Role: role, Created: now, Seen: now, Expires: now.Add(longest)}
	if err := g.o.Sessions.Add(r.Context(), n.id(), s, now); err != nil {
		return fmt.Errorf("begin a session: %w", err)
	}
	g.setCookie(w, sessionCookie, n.String(), longest)
	g.o.Logger.Info("signed in", "subject", p.Subject, "role", role)
	return nil
}

// out ends a session. The browser is asked to forget what it has seen.
func (g *Gate) out(w http.ResponseWriter, r *http.Request, n number, s *Session) {
	switch {
	case r.Method != http.MethodPost:
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	case s != nil && !carries(w, r, n):
		g.o.Page(w, r, web.SignIn{Status: http.StatusForbidden, State: web.SignInForm})
		return
	case s != nil:
		if err := g.o.Sessions.Remove(r.Context(), n.id()); err != nil {
			g.failed(w, r, http.StatusServiceUnavailable, fmt.Errorf("end the session: %w", err))
			return
		}
	}
	g.setCookie(w, sessionCookie, "", 0)
	w.Header().Set("Clear-Site-Data", `"cache"`)
	http.Redirect(w, r, Path+"?out", http.StatusSeeOther)
}
