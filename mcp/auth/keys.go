package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/singleflight"
)

// How long an issuer's keys are used.
const (
	// keysFresh is how long they are taken without asking again, and so how
	// long a key that the issuer withdrew still counts.
	keysFresh = time.Hour
	// keysStale is how long they are taken while the issuer does not answer.
	keysStale = 24 * time.Hour
	// keysPause is the least time between two questions: forged tokens that
	// name keys nobody has must not become requests to the issuer.
	keysPause = 5 * time.Second
)

// keySet is an issuer's public keys. It implements go-oidc's KeySet; that
// package's own one has no end to a withdrawn key and no pause between
// questions.
type keySet struct {
	fetch func(context.Context) ([]jose.JSONWebKey, error)
	now   func() time.Time
	algs  []jose.SignatureAlgorithm

	flight singleflight.Group

	mu      sync.Mutex
	keys    []jose.JSONWebKey
	fetched time.Time // when keys were true
	tried   time.Time // when the issuer was asked last
	err     error     // of the last question
}

// ready makes sure that there are keys; without any, what it returns wraps
// [errUnavailable].
func (k *keySet) ready(ctx context.Context) error {
	now := k.now()
	k.mu.Lock()
	age, have := now.Sub(k.fetched), len(k.keys) > 0
	k.mu.Unlock()
	switch {
	case have && age < keysFresh:
		return nil
	case have && age < keysStale:
		// They will do; who comes next finds newer ones.
		go func() { _ = k.refresh(context.WithoutCancel(ctx)) }() // its error is kept in k
		return nil
	}
	return k.refresh(ctx)
}

// refresh asks the issuer, unless it was asked just now; many ask as one.
func (k *keySet) refresh(ctx context.Context) error {
	k.mu.Lock()
	soon, last := !k.tried.IsZero() && k.now().Sub(k.tried) < keysPause, k.err
	k.mu.Unlock()
	if soon {
		return last
	}
	done := k.flight.DoChan("", func() (any, error) {
		// The answer is everybody's, so it does not end with who asked first.
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), issuerTimeout)
		defer cancel()
		keys, err := k.fetch(limited)
		if err == nil && len(keys) == 0 {
			err = errors.New("the issuer publishes no key that can be used")
		}
		if err != nil {
			err = fmt.Errorf("%w: %w", errUnavailable, err)
		}
		k.keep(keys, err)
		return nil, err
	})
	select {
	case r := <-done:
		return r.Err
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errUnavailable, ctx.Err())
	}
}

func (k *keySet) keep(keys []jose.JSONWebKey, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tried, k.err = k.now(), err
	if err == nil {
		k.keys, k.fetched = keys, k.tried
	}
}

// VerifySignature returns what the token says where one of the issuer's keys
// signed it. A token that names a key which is not there makes it ask again.
func (k *keySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	signed, err := jose.ParseSignedCompact(token, k.algs)
	if err != nil {
		return nil, err
	}
	if len(signed.Signatures) != 1 {
		return nil, errors.New("a token has one signature")
	}
	header := signed.Signatures[0].Header
	if payload, known := k.try(signed, header); payload != nil {
		return payload, nil
	} else if known {
		return nil, errors.New("the signature does not match the key that the token names")
	}
	if err := k.refresh(ctx); err != nil {
		return nil, err
	}
	if payload, _ := k.try(signed, header); payload != nil {
		return payload, nil
	}
	return nil, errors.New("no key of the issuer made the signature")
}

// try tries the keys that may have signed; known says that the one that the
// token names is among them.
func (k *keySet) try(signed *jose.JSONWebSignature, header jose.Header) (payload []byte, known bool) {
	k.mu.Lock()
	keys := k.keys // replaced as a whole, never changed
	k.mu.Unlock()
	for i := range keys {
		key := &keys[i]
		if header.KeyID != "" && key.KeyID != header.KeyID || key.Algorithm != "" && key.Algorithm != header.Algorithm {
			continue
		}
		known = header.KeyID != ""
		if payload, err := signed.Verify(key); err == nil {
			return payload, true
		}
	}
	return nil, known
}
