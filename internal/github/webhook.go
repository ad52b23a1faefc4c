package github

import "errors"

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
	// PullRequests are the numbers to read again, in order.
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
