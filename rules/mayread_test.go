package rules

import "testing"

func TestMayRead(t *testing.T) {
	all, err := Surfaces()
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]Surface{}
	for _, s := range all {
		byID[s.ID] = s
	}
	for _, test := range []struct {
		surface, path string
		want          bool
	}{
		{"copilot-review", ".github/copilot-instructions.md", true},
		{"copilot-review", "web/.github/copilot-instructions.md", false},
		{"copilot-review", "AGENTS.md", false},
		{"copilot-agent", "web/AGENTS.md", true},
		{"copilot-chat", ".github/instructions/a/b.instructions.md", true},
		{"copilot-chat", "README.md", false},
	} {
		s, ok := byID[test.surface]
		if !ok {
			t.Fatalf("no surface %s", test.surface)
		}
		if got := s.MayRead(test.path); got != test.want {
			t.Errorf("%s reads %s: %v", test.surface, test.path, got)
		}
	}
}
