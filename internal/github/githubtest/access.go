package githubtest

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// App registers a GitHub App by its public key.
func (w *World) App(id int64, key *rsa.PublicKey) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.apps[id] = &app{key: key}
}

// Install installs the App for an owner and returns the installation's id.
func (w *World) Install(owner string) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.org(owner)
	if o.installs == 0 {
		o.installs = w.id()
	}
	return o.installs
}

// RevokeTokens ends all installation tokens at once.
func (w *World) RevokeTokens() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tokens = map[string]granted{}
}

// admits checks the credentials of a request; it answers by itself where they
// are not good.
func (w *World) admits(out http.ResponseWriter, r *http.Request) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.token == "" && len(w.apps) == 0 {
		return true
	}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	path := strings.TrimPrefix(r.URL.Path, "/api/v3")
	asApp := hasPrefix(path, "/app/") || (hasPrefix(path, "/orgs/") || hasPrefix(path, "/users/")) && strings.HasSuffix(path, "/installation")
	switch g, known := w.tokens[token]; {
	case token != "" && token == w.token && !asApp:
		return true
	case asApp && w.signedByApp(token):
		return true
	case !asApp && known && w.now().Before(g.expires):
		return true
	}
	text(out, http.StatusUnauthorized, `{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest"}`)
	return false
}

// signedByApp verifies an App's own token: RS256, its times, its issuer.
func (w *World) signedByApp(token string) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return false
	}
	head, err1 := base64.RawURLEncoding.DecodeString(parts[0])
	claims, err2 := base64.RawURLEncoding.DecodeString(parts[1])
	signature, err3 := base64.RawURLEncoding.DecodeString(parts[2])
	var header struct{ Alg string }
	var said struct {
		Iat, Exp int64
		Iss      string
	}
	if err1 != nil || err2 != nil || err3 != nil || json.Unmarshal(head, &header) != nil || json.Unmarshal(claims, &said) != nil {
		return false
	}
	id, err := strconv.ParseInt(said.Iss, 10, 64)
	a := w.apps[id]
	now := w.now().Unix()
	if err != nil || a == nil || header.Alg != "RS256" || said.Iat > now || said.Exp <= now || said.Exp-said.Iat > 600 {
		return false
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	return rsa.VerifyPKCS1v15(a.key, crypto.SHA256, sum[:], signature) == nil
}

// grant hands out an installation's token for an hour.
func (w *World) grant(installation int64) (string, time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	expires := w.now().Add(time.Hour)
	token := fmt.Sprintf("ghs_%s", oid("token", installation, w.id()))
	w.tokens[token] = granted{installation: installation, expires: expires}
	return token, expires
}

// installationFor is the installation whose token a request carries, 0 for
// other tokens.
func (w *World) installationFor(r *http.Request) int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tokens[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")].installation
}
