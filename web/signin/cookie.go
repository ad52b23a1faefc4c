package signin

import (
	"net/http"
	"time"
)

// The names of the cookies.
const (
	sessionCookie = "steelyard"
	attemptCookie = "steelyard-sign-in"
)

// cookieName has the prefix that binds a cookie to this host and to https. A
// browser takes such a cookie over https alone.
func (g *Gate) cookieName(name string) string {
	if g.secure {
		return "__Host-" + name
	}
	return name
}

// setCookie hands the browser a cookie; life 0 takes it away. Lax, because
// people come back from the provider by a link.
func (g *Gate) setCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	c := &http.Cookie{
		Name: g.cookieName(name), Value: value, Path: "/",
		HttpOnly: true, Secure: g.secure, SameSite: http.SameSiteLaxMode, MaxAge: int(life.Seconds()),
	}
	if life == 0 {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}
