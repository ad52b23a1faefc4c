package lint

import (
	"strings"
	"testing"
)

// A secret may begin another one; neither may show in a message.
func TestMessagesHideTheLongerOfTwoSecrets(t *testing.T) {
	const short, long = "hunter2hunter2hunter2", "hunter2hunter2hunter2-and-the-rest-of-it-0001"
	f := &File{Path: ".mcp.json"}
	f.Mask(Span{1, 1 + len(short)}, short)
	f.Mask(Span{50, 50 + len(long)}, long)
	if got := f.maskText("uses " + long); strings.Contains(got, "and-the-rest") {
		t.Errorf("message shows %q", got)
	}
}
