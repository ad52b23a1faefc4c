package web

import (
	"strings"
	"testing"
)

func TestVisible(t *testing.T) {
	for s, want := range map[string]string{
		"left-pad": "left-pad", "": "", "größe": "größe", "日本": "日本",
		"left\u202e-pad": "left⟨U+202E⟩-pad", "lo\u200bdash": "lo⟨U+200B⟩dash", "a\u2066b\u2069": "a⟨U+2066⟩b⟨U+2069⟩",
		"a\u00a0b": "a⟨U+00A0⟩b", "a b": "a b", "a\tb": "a⟨U+0009⟩b", "x\U000e0041": "x⟨U+E0041⟩", "\u3164": "⟨U+3164⟩", "a\u2800": "a⟨U+2800⟩",
	} {
		if got := visible(s); got != want {
			t.Errorf("%q is %q, not %q", s, got, want)
		}
	}
}

// What somebody decides about shows what is hidden in its name.
func TestHiddenCharactersAreShown(t *testing.T) {
	g := someGuards()
	for i := range g.servers {
		g.servers[i].Name += "\u200b"
		g.servers[i].Command += "\u202e"
		g.servers[i].Target += "\u202e"
	}
	for i := range g.deps {
		g.deps[i].Name += "\u202e"
	}
	h := guardHandler(t, guardOptions(g))
	for _, page := range []string{"/servers", "/dependencies", "/guardrails"} {
		body := get(t, h, page).Body.String()
		if strings.ContainsAny(body, "\u202e\u200b") || !strings.Contains(body, "⟨U+20") {
			t.Errorf("%s hides characters", page)
		}
	}
}
