package auth

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
)

// skew is by how much the issuer's clock may differ from ours.
const skew = time.Minute

// algorithms are the signatures that are taken: all of them with a public key,
// so that no secret of ours could be used to make one.
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// issuer judges the access tokens of an identity provider.
type issuer struct {
	name     string
	keys     *keySet
	verifier *oidc.IDTokenVerifier
	now      func() time.Time
}

func newIssuer(o Options) *issuer {
	client := o.Client
	if client == nil {
		client = newClient()
	}
	d := &discovery{issuer: o.Issuer, client: client}
	keys := &keySet{fetch: d.keys, now: o.Clock, algs: algorithms}
	names := make([]string, len(algorithms))
	for i, a := range algorithms {
		names[i] = string(a)
	}
	return &issuer{
		name: o.Issuer, keys: keys, now: o.Clock,
		verifier: oidc.NewVerifier(o.Issuer, keys, &oidc.Config{
			ClientID:             o.Audience, // what go-oidc looks for in aud
			SupportedSigningAlgs: names,
			SkipExpiryCheck:      true, // checked in times, with a skew
		}),
	}
}

// claims are what is read of an access token beside what go-oidc reads.
type claims struct {
	Subject   string      `json:"sub"`
	Client    string      `json:"client_id"`
	Party     string      `json:"azp"`
	Scope     words       `json:"scope"`
	Scp       words       `json:"scp"`
	Expires   json.Number `json:"exp"`
	NotBefore json.Number `json:"nbf"`
	IssuedAt  json.Number `json:"iat"`
}

// verify judges an access token as RFC 9068, section 4, says.
func (i *issuer) verify(ctx context.Context, token string) (*Identity, error) {
	if err := accessToken(token); err != nil {
		return nil, err
	}
	if err := i.keys.ready(ctx); err != nil {
		return nil, err
	}
	verified, err := i.verifier.Verify(ctx, token)
	if err != nil {
		return nil, err
	}
	var c claims
	if err := verified.Claims(&c); err != nil {
		return nil, fmt.Errorf("read the claims: %w", err)
	}
	expires, err := times(c, i.now())
	if err != nil {
		return nil, err
	}
	if c.Subject == "" {
		return nil, errors.New("the token names no subject")
	}
	if c.Client == "" {
		c.Client = c.Party
	}
	return &Identity{
		Issuer: i.name, Subject: c.Subject, Client: c.Client,
		Scopes: append(c.Scope, c.Scp...), Expires: expires,
	}, nil
}

// accessToken refuses whatever is no signed access token in compact form,
// before anybody is asked for keys. An ID token says other things to others,
// and its type is not at+jwt (RFC 9068, section 2.1).
func accessToken(token string) error {
	head, rest, ok := strings.Cut(token, ".")
	if !ok || strings.Count(rest, ".") != 1 {
		return errors.New("it is not a JSON Web Token in compact form")
	}
	raw, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		return errors.New("its header is not base64url")
	}
	var header struct {
		Typ string `json:"typ"`
	}
	if err := json.Unmarshal(raw, &header); err != nil {
		return errors.New("its header is not JSON")
	}
	switch strings.ToLower(header.Typ) {
	case "at+jwt", "application/at+jwt":
		return nil
	}
	return fmt.Errorf("its type is %.40q, not at+jwt: it is no access token of RFC 9068", header.Typ)
}

// times checks when the token begins and ends.
func times(c claims, now time.Time) (expires time.Time, err error) {
	expires, ok := moment(c.Expires)
	switch {
	case !ok:
		return expires, errors.New("the token does not say when it ends")
	case !now.Before(expires.Add(skew)):
		return expires, fmt.Errorf("the token ended at %s", expires.Format(time.RFC3339))
	}
	for _, number := range []json.Number{c.NotBefore, c.IssuedAt} {
		at, ok := moment(number)
		if number != "" && (!ok || now.Add(skew).Before(at)) {
			return expires, fmt.Errorf("it begins at %s, which lies ahead of this machine's clock or is no time", number)
		}
	}
	return expires, nil
}

// moment is a NumericDate of RFC 7519: seconds since 1970, perhaps with a
// fraction.
func moment(n json.Number) (time.Time, bool) {
	seconds, err := n.Float64()
	if err != nil || seconds < 0 || seconds > 1e11 {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(seconds * 1000)).UTC(), true
}

// words is a claim of several words: "a b", or ["a", "b"] as some write it.
type words []string

// UnmarshalJSON takes either form.
func (w *words) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*w = strings.Fields(text)
		return nil
	}
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		return errors.New("a scope is a text or a list of texts")
	}
	*w = list
	return nil
}
