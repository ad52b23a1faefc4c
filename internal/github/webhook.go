package github

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

// What makes a delivery unacceptable.
var (
	// ErrSignature: the signature is missing, malformed or wrong.
	ErrSignature = errors.New("the webhook's signature does not match the secret")
	// ErrTooLarge: the body is over [MaxWebhook].
	ErrTooLarge = errors.New("the webhook's body is too large")
	// ErrNoSecret: no secret is configured, so nothing can be believed.
	ErrNoSecret = errors.New("no webhook secret is configured")
	// ErrDelivery: a header that GitHub always sends is missing, or the body
	// is not an event.
	ErrDelivery = errors.New("not a delivery of a GitHub webhook")
)

// MaxWebhook bounds the body of a delivery, in bytes: GitHub sends at most
// 25 MB.
const MaxWebhook = 25 << 20

// Webhook is what a verified delivery says: a hint of what to read again.
type Webhook struct {
	Delivery string // X-GitHub-Delivery, to tell repeated deliveries
	Event    string // X-GitHub-Event, such as "pull_request"
	Action   string // such as "closed"; empty for events without actions

	// Repository is the one it is about; ID is empty if it is about none.
	Repository Repository
	// PullRequests are the numbers to read again; nearly always one or none.
	PullRequests []int
	// PullRequestID is the node id where the event is about one pull request.
	PullRequestID string
	// Organization is the login of the organisation, if any.
	Organization string
	// Installation is the App's installation, 0 without.
	Installation int64

	// FormerName is the "owner/name" before a rename or a transfer.
	FormerName string
	// Added and Removed are repositories that an installation gained or lost.
	Added, Removed []Repository
	// Team and Member are set for events of teams and memberships.
	Team   Team
	Member Account
	// Branch and Head are the branch and its new head of a push.
	Branch, Head string
}

// ParseWebhook verifies a delivery and reads what it says. The signature is
// the one of X-Hub-Signature-256 (HMAC with SHA-256 over the body as it came),
// compared in constant time; the older SHA-1 is not accepted. Events that are
// not known are read as far as they have the usual parts.
//
// Errors are [ErrNoSecret], [ErrTooLarge], [ErrSignature] and [ErrDelivery].
func ParseWebhook(secret []byte, header http.Header, body []byte) (Webhook, error) {
	switch {
	case len(secret) == 0:
		return Webhook{}, ErrNoSecret
	case len(body) > MaxWebhook:
		return Webhook{}, ErrTooLarge
	case !signed(secret, header.Get("X-Hub-Signature-256"), body):
		return Webhook{}, ErrSignature
	}
	w := Webhook{Delivery: header.Get("X-GitHub-Delivery"), Event: header.Get("X-GitHub-Event")}
	if w.Delivery == "" || w.Event == "" || len(w.Delivery) > 200 || len(w.Event) > 200 {
		return Webhook{}, fmt.Errorf("%w: X-GitHub-Delivery and X-GitHub-Event must be there", ErrDelivery)
	}
	payload, err := payloadOf(header.Get("Content-Type"), body)
	if err != nil {
		return Webhook{}, err
	}
	var e event
	if err := json.Unmarshal(payload, &e); err != nil {
		return Webhook{}, fmt.Errorf("%w: the body is not an event: %w", ErrDelivery, err)
	}
	e.into(&w)
	return w, nil
}

// signed compares a signature with the body's, in constant time.
func signed(secret []byte, signature string, body []byte) bool {
	text, ok := strings.CutPrefix(signature, "sha256=")
	if !ok {
		return false
	}
	claimed, err := hex.DecodeString(text)
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write(body)
	return hmac.Equal(claimed, mac.Sum(nil))
}

// payloadOf takes the JSON out of either content type that GitHub offers.
func payloadOf(contentType string, body []byte) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(contentType)
	switch {
	case contentType == "" || (err == nil && kind == "application/json"):
		return body, nil
	case err != nil || kind != "application/x-www-form-urlencoded":
		return nil, fmt.Errorf("%w: the content type is neither JSON nor a form", ErrDelivery)
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || form.Get("payload") == "" {
		return nil, fmt.Errorf("%w: the form has no payload", ErrDelivery)
	}
	return []byte(form.Get("payload")), nil
}
