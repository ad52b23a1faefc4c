package lint

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// DecisionKind says what a decision is about.
type DecisionKind string

// The kinds.
const (
	AboutDependency DecisionKind = "dependency"
	AboutServer     DecisionKind = "server"
)

// DecisionVerdict is what was decided.
type DecisionVerdict string

// The verdicts. Withdrawn takes an earlier one back.
const (
	Allowed   DecisionVerdict = "allowed"
	Refused   DecisionVerdict = "refused"
	Withdrawn DecisionVerdict = "withdrawn"
)

// Decision is what people decided about a dependency or an MCP server. It is a
// record and changes no check: only what is committed to steelyard.yaml does,
// see [Decision.YAML].
type Decision struct {
	// ID numbers decisions in the order in which they were recorded.
	ID   int64        `json:"id"`
	Kind DecisionKind `json:"kind"`
	// Subject is "ecosystem:name" or "ecosystem:name@version" of a dependency;
	// [SeenServer.Subject] of a server.
	Subject string          `json:"subject"`
	Verdict DecisionVerdict `json:"verdict"`
	// For lists the judgements that it answers; a block only where it is named.
	// Empty for servers and for what is not allowed.
	For    []string `json:"for,omitempty"`
	Reason string   `json:"reason"`
	// Owner is a team or a role, never a person.
	Owner string `json:"owner"`
	// Until is the last day on which it holds (UTC); zero means for good.
	Until time.Time `json:"until,omitzero"`
	At    time.Time `json:"at"`
	// By is the role that recorded it ("admin"), "" on a machine of one's own.
	By string `json:"by,omitempty"`
}

// CommittedDecision is a decision of a repository's own settings.
type CommittedDecision struct {
	Reason string `json:"reason"`
	Owner  string `json:"owner,omitempty"`
	Until  string `json:"until,omitempty"` // 2027-01-31
}

// The bounds of what a person may write into a decision.
const (
	maxReason  = 1000
	maxOwner   = 100
	maxSubject = 600
)

// answerable are the judgements that a decision can answer.
var answerable = []string{"ask", "legal", "unverified", "block"}

// Check says what is wrong with a decision that is to be recorded, in words for
// whoever wrote it.
func (d Decision) Check(today time.Time) error {
	switch {
	case d.Kind != AboutDependency && d.Kind != AboutServer:
		return fmt.Errorf("kind %q is none that decisions are about", d.Kind)
	case d.Subject == "" || len(d.Subject) > maxSubject || !plainText(d.Subject):
		return errors.New("it does not say what it is about")
	case d.Verdict != Allowed && d.Verdict != Refused && d.Verdict != Withdrawn:
		return errors.New("it is neither allowed, refused nor withdrawn")
	case strings.TrimSpace(d.Reason) == "":
		return errors.New("a reason is missing: say why, for whoever reads it next")
	case len(d.Reason) > maxReason || !plainText(d.Reason):
		return fmt.Errorf("the reason has more than %d characters, or some that no text has", maxReason)
	case strings.TrimSpace(d.Owner) == "":
		return errors.New("a team or role is missing: who looks at it again")
	case len(d.Owner) > maxOwner || !plainText(d.Owner):
		return fmt.Errorf("the team or role has more than %d characters, or some that no text has", maxOwner)
	case isPerson(d.Owner):
		return errors.New("decisions belong to a team or a role, not to a person's account or address")
	case !d.Until.IsZero() && d.Until.Format(time.DateOnly) < today.UTC().Format(time.DateOnly):
		return errors.New("its last day is over already")
	}
	for _, j := range d.For {
		if !slices.Contains(answerable, j) {
			return fmt.Errorf("there is no judgement %q that a decision could answer", j)
		}
	}
	return nil
}

// plainText reports whether s is text without control characters.
func plainText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f })
}

// isPerson reports whether an owner has the form of one person: an account or a
// mail address. "@org/team" is a team.
func isPerson(owner string) bool {
	owner = strings.TrimSpace(owner)
	if account, ok := strings.CutPrefix(owner, "@"); ok {
		return !strings.Contains(account, "/")
	}
	return strings.Contains(owner, "@")
}

// Over reports whether its last day is over.
func (d Decision) Over(today time.Time) bool {
	return !d.Until.IsZero() && today.UTC().Format(time.DateOnly) > d.Until.Format(time.DateOnly)
}

// YAML is the entry for steelyard.yaml, "" where nothing is to be committed:
// what is refused or withdrawn is not on the list.
func (d Decision) YAML() string {
	if d.Verdict != Allowed {
		return ""
	}
	var b strings.Builder
	switch d.Kind {
	case AboutDependency:
		b.WriteString("dependencies:\n  allow:\n    - package: " + quoteYAML(d.Subject) + "\n")
		if len(d.For) > 0 {
			b.WriteString("      for: [" + strings.Join(d.For, ", ") + "]\n")
		}
	case AboutServer:
		b.WriteString("servers:\n  approved:\n    - server: " + quoteYAML(d.Subject) + "\n")
	default:
		return ""
	}
	b.WriteString("      reason: " + quoteYAML(strings.Join(strings.Fields(d.Reason), " ")) + "\n")
	b.WriteString("      owner: " + quoteYAML(d.Owner) + "\n")
	if !d.Until.IsZero() {
		b.WriteString("      until: " + d.Until.Format(time.DateOnly) + "\n")
	}
	return b.String()
}

// quoteYAML writes text in double quotes: whatever it holds stays one value.
func quoteYAML(s string) string { return strconv.QuoteToGraphic(s) }

// DecisionFilter selects decisions; zero fields select all.
type DecisionFilter struct {
	Kind    DecisionKind
	Subject string
	// Newest leaves out those that a later one about the same replaced.
	Newest bool
	// Limit bounds the answer (at most 500; 0 means 100), Offset skips.
	Limit, Offset int
}

// DecisionPage is one page of decisions, the newest first.
type DecisionPage struct {
	Decisions []Decision `json:"decisions"`
	Total     int        `json:"total"`
}

// DecisionStore keeps decisions. Nothing in it is ever changed or removed: a
// decision is taken back by a later one.
type DecisionStore interface {
	Decisions(ctx context.Context, f DecisionFilter) (DecisionPage, error)
	// Decide records a decision and returns it with its number. What
	// [Decision.Check] refuses is an error that wraps [ErrDecision].
	Decide(ctx context.Context, d Decision) (Decision, error)
}

// ErrDecision is wrapped by errors about a decision that cannot be recorded;
// their text is for whoever wrote it.
var ErrDecision = errors.New("the decision cannot be recorded")
