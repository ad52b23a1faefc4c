package signin

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// attemptLife is how long somebody may take at the provider.
const attemptLife = 10 * time.Minute

// attempt is what must match when somebody comes back from a provider. The
// browser keeps it, sealed with a key that follows from the client secret, so
// that strangers cost the database nothing and any process can go on with it.
type attempt struct {
	Provider string    `json:"p"`
	State    string    `json:"s"`
	Nonce    string    `json:"n"`
	Verifier string    `json:"v"` // of PKCE
	To       string    `json:"t"` // where the visitor wanted to go
	Ends     time.Time `json:"e"`
}

func newAttempt(provider, to string, now time.Time) attempt {
	return attempt{
		Provider: provider, State: newNumber().String(), Nonce: newNumber().String(), Verifier: newNumber().String(),
		To: to, Ends: now.Add(attemptLife).UTC(),
	}
}

// sealer seals attempts.
type sealer struct{ aead cipher.AEAD }

// newSealer derives the key from a secret that every process of one
// installation has.
func newSealer(secret string) (sealer, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "steelyard sign-in attempt", 32)
	if err != nil {
		return sealer{}, fmt.Errorf("derive a key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return sealer{}, fmt.Errorf("derive a key: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return sealer{}, fmt.Errorf("derive a key: %w", err)
	}
	return sealer{aead}, nil
}

func (s sealer) seal(a attempt) (string, error) {
	text, err := json.Marshal(a)
	if err != nil {
		return "", fmt.Errorf("seal a sign-in: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, text, nil)), nil
}

func (s sealer) open(sealed string, now time.Time) (a attempt, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return a, errors.New("the cookie of this sign-in is damaged")
	}
	text, err := s.aead.Open(nil, nil, raw, nil)
	if err != nil {
		return a, errors.New("the cookie of this sign-in is not ours")
	}
	if err := json.Unmarshal(text, &a); err != nil {
		return a, fmt.Errorf("read the cookie of this sign-in: %w", err)
	}
	if !now.Before(a.Ends) {
		return a, errors.New("this sign-in took longer than ten minutes")
	}
	return a, nil
}
