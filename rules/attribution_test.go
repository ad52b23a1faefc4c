package rules

import (
	"strings"
	"testing"
)

func TestAttributionTable(t *testing.T) {
	a, err := AttributionTable()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, r := range a.Accounts {
		used[r.Tool] = true
	}
	for _, r := range a.Mailboxes {
		used[r.Tool] = true
	}
	for _, tool := range a.Tools {
		if !used[tool.ID] {
			t.Errorf("tool %s has neither an account nor a mailbox", tool.ID)
		}
	}
}

func TestAttributionIsStrict(t *testing.T) {
	const tool = "tools: [{id: x, name: X}]\n"
	for _, c := range []struct{ name, text, want string }{
		{"unknown_key", tool + "mailboxes: [{tool: x, mailbox_address: a@b.c}]", "mailbox_address"},
		{"unknown_tool", tool + "branches: [{tool: y, prefix: y/, level: inferred, source: s}]", `branch "y/": unknown tool "y"`},
		{"unknown_level", tool + "branches: [{tool: x, prefix: x/, level: sure, source: s}]", `branch "x/": unknown level "sure"`},
		{"unknown_role", tool + "accounts: [{tool: x, login: x, role: helper, source: s}]", `account "x": unknown role "helper"`},
		{"no_source", tool + "labels: [{name: x, level: inferred}]", "has no source"},
		{"twice", tool + "labels: [{name: x, level: inferred, source: s}, {name: x, level: inferred, source: s}]", "stands twice"},
		{"domain", tool + "mailboxes: [{tool: x, address: example.com, level: inferred, source: s}]", "not a mailbox"},
		{"bot_suffix", tool + "accounts: [{tool: x, login: 'x[bot]', role: agent, source: s}]", "without [bot]"},
		{"branch_without_slash", tool + "branches: [{tool: x, prefix: x, level: inferred, source: s}]", "ends in a slash"},
		{"host_alone", tool + "links: [{tool: x, address: example.com, level: inferred, source: s}]", "needs a host and a path"},
		{"tool_twice", "tools: [{id: x, name: X}, {id: x, name: Y}]", "an id of its own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parseAttribution([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}
