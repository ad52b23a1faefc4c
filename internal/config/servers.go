package config

import (
	"time"

	"go.yaml.in/yaml/v3"
)

// Servers is what is decided about MCP servers.
type Servers struct {
	// Approved are the servers that the team has looked at.
	Approved []ServerApproval
}

// ServerApproval is what was decided about one server.
type ServerApproval struct {
	// Server is "package:NAME", "host:NAME" or "program:NAME".
	Server string
	Reason string
	Owner  string
	// Until is the last day on which it holds (UTC); zero means for good.
	Until time.Time
	// Line is its line in the settings file.
	Line int
}

func serverKeys() []key {
	return []key{{
		name:    "approved",
		doc:     "MCP servers that the team has looked at, each with its reason: beside policy.servers, they are the list that the rule about servers goes by.",
		example: "- server: package:@acme/tools\n  reason: read by the platform team, reaches nothing but the ticket system\n  owner: platform team\n  until: 2027-01-31",
		take:    takeApprovals,
		shape: shape{kind: list, element: &shape{kind: table, keys: []key{
			{
				name: "server", doc: "package:NAME for one that is fetched, without its version; host:NAME for a remote one; program:NAME for one that is there.", required: true,
				shape: shape{pattern: `^(package|host|program):\S+$`, want: "a server such as package:@acme/tools"},
			},
			{
				name: "reason", doc: "Why it may be used, for whoever reads it next.", required: true,
				shape: shape{pattern: `\S`, want: "a sentence"},
			},
			{
				name: "owner", doc: "The team or role that looks again.",
				shape: shape{want: "a name"},
			},
			{
				name: "until", doc: "The last day on which it holds.",
				shape: shape{kind: date, want: "a day such as 2027-01-31"},
			},
		}}},
	}}
}

func takeApprovals(c *Config, n *yaml.Node) {
	for _, e := range n.Content {
		a := ServerApproval{Server: scalarAt(e, "server"), Reason: scalarAt(e, "reason"), Owner: scalarAt(e, "owner"), Line: e.Line}
		a.Until, _ = time.Parse(time.DateOnly, scalarAt(e, "until")) // checked; an absent one stays zero
		c.Servers.Approved = append(c.Servers.Approved, a)
	}
}

func (s Servers) approvalWords() []string {
	all := []string{}
	for _, a := range s.Approved {
		w := a.Server
		if a.Owner != "" {
			w += " by " + a.Owner
		}
		if !a.Until.IsZero() {
			w += " until " + a.Until.Format(time.DateOnly)
		}
		all = append(all, w+" because "+a.Reason)
	}
	return all
}
