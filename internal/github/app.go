package github

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	gh "github.com/google/go-github/v60/github"
)

const (
	// renewBefore is how long before its end an installation's token is
	// renewed: longer than one attempt takes.
	renewBefore = 5 * time.Minute
	// signedFor is how long the App's own token lives; GitHub allows ten
	// minutes. It is dated back for a clock that runs ahead.
	signedFor, signedBack = 8 * time.Minute, time.Minute
)

// appCredentials sign with the App's key, and use the tokens that GitHub hands
// out to its installations.
type appCredentials struct {
	id           int64
	installation int64
	key          *rsa.PrivateKey
	clock        func() time.Time
	rest         *gh.Client

	mu     sync.Mutex
	owners map[string]int64 // installation by owner
	tokens map[int64]issued // by installation
}

// issued is an installation's token.
type issued struct {
	token   string
	expires time.Time
}

func newAppCredentials(app App, x *exchange, base *url.URL) (*appCredentials, error) {
	if app.ID <= 0 {
		return nil, errors.New("connect to GitHub: the App's id is missing; it stands on the App's settings page")
	}
	key, err := parseKey(app.Key)
	if err != nil {
		return nil, err
	}
	return &appCredentials{
		id: app.ID, installation: app.Installation, key: key, clock: x.clock,
		rest:   restClient(x, base),
		owners: map[string]int64{}, tokens: map[int64]issued{},
	}, nil
}

// parseKey reads an RSA key in PEM form (PKCS #1 as GitHub writes it, or
// PKCS #8). Its errors show nothing of the key.
func parseKey(text []byte) (*rsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("read the App's key: it is not in PEM form; use the .pem file that GitHub handed out")
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	if any, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
		if key, ok := any.(*rsa.PrivateKey); ok {
			return key, nil
		}
	}
	return nil, errors.New("read the App's key: it is not an RSA private key; use the .pem file that GitHub handed out")
}

func (a *appCredentials) apply(ctx context.Context, h http.Header) error {
	if isAsApp(ctx) {
		signed, err := a.sign(a.clock())
		if err != nil {
			return err
		}
		h.Set("Authorization", "Bearer "+signed)
		return nil
	}
	installation, err := a.find(ctx)
	if err != nil {
		return err
	}
	token, err := a.token(ctx, installation)
	if err != nil {
		return err
	}
	h.Set("Authorization", "Bearer "+token)
	return nil
}

// find tells which installation reads for the request's owner.
func (a *appCredentials) find(ctx context.Context) (int64, error) {
	if id := installationOf(ctx); id != 0 {
		return id, nil
	}
	if a.installation != 0 {
		return a.installation, nil
	}
	owner := ownerOf(ctx)
	if owner == "" {
		return 0, errors.New("find the App's installation: nothing tells the owner; name the installation's id")
	}
	a.mu.Lock()
	id, known := a.owners[owner]
	a.mu.Unlock()
	if known {
		return id, nil
	}
	found, response, err := a.rest.Apps.FindOrganizationInstallation(asApp(ctx), owner)
	if err != nil && response != nil && response.StatusCode == http.StatusNotFound {
		found, _, err = a.rest.Apps.FindUserInstallation(asApp(ctx), owner)
	}
	if err != nil {
		return 0, fmt.Errorf("find the App's installation for %s (is it installed there?): %w", owner, clean(err))
	}
	a.mu.Lock()
	a.owners[owner] = found.GetID()
	a.mu.Unlock()
	return found.GetID(), nil
}

// token gives the installation's token, a new one where it ends soon. Two who
// ask at once may fetch two, which does no harm.
func (a *appCredentials) token(ctx context.Context, installation int64) (string, error) {
	a.mu.Lock()
	have := a.tokens[installation]
	a.mu.Unlock()
	if have.token != "" && a.clock().Before(have.expires.Add(-renewBefore)) {
		return have.token, nil
	}
	got, _, err := a.rest.Apps.CreateInstallationToken(asApp(ctx), installation, nil)
	if err != nil {
		return "", fmt.Errorf("get a token for installation %d of the App: %w", installation, clean(err))
	}
	a.mu.Lock()
	a.tokens[installation] = issued{token: got.GetToken(), expires: got.GetExpiresAt().Time}
	a.mu.Unlock()
	return got.GetToken(), nil
}

// sign makes the App's own token: a JWT with RS256 (RFC 7519, RFC 7518
// section 3.3).
func (a *appCredentials) sign(now time.Time) (string, error) {
	claims, err := json.Marshal(map[string]any{
		"iat": now.Add(-signedBack).Unix(),
		"exp": now.Add(signedFor).Unix(),
		"iss": strconv.FormatInt(a.id, 10),
	})
	if err != nil {
		return "", fmt.Errorf("sign for the App: %w", err)
	}
	text := encode([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + encode(claims)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, a.key, crypto.SHA256, sum[:])
	if err != nil {
		return "", fmt.Errorf("sign for the App: %w", err)
	}
	return text + "." + encode(signature), nil
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func (a *appCredentials) budget(ctx context.Context) string {
	if isAsApp(ctx) {
		return "app"
	}
	if id := installationOf(ctx); id != 0 {
		return strconv.FormatInt(id, 10)
	}
	if a.installation != 0 {
		return strconv.FormatInt(a.installation, 10)
	}
	return ownerOf(ctx)
}

// refused forgets the token that GitHub no longer takes, so that the next
// attempt brings a new one.
func (a *appCredentials) refused(ctx context.Context) bool {
	if isAsApp(ctx) {
		return false
	}
	id, err := a.find(ctx)
	if err != nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.tokens, id)
	return true
}

func (a *appCredentials) secrets() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := make([]string, 0, len(a.tokens))
	for _, t := range a.tokens {
		out = append(out, t.token)
	}
	return out
}
