package config_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/config"
)

func TestApprovedServers(t *testing.T) {
	c, err := load(`servers:
  approved:
    - server: package:@acme/tools
      reason: read by the platform team
      owner: platform team
      until: 2027-01-31
    - {server: "host:mcp.example.com", reason: ours}
`)
	if err != nil {
		t.Fatal(err)
	}
	want := []config.ServerApproval{
		{Server: "package:@acme/tools", Reason: "read by the platform team", Owner: "platform team", Until: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), Line: 3},
		{Server: "host:mcp.example.com", Reason: "ours", Line: 7},
	}
	if diff := cmp.Diff(want, c.Servers.Approved); diff != "" {
		t.Errorf("approved (-want +got):\n%s", diff)
	}
	for _, bad := range []string{"servers: {approved: [{server: tools, reason: x}]}\n", "servers: {approved: [{server: \"package:x\"}]}\n"} {
		if _, err := load(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
