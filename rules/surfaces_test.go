package rules

import (
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// TestSurfaces holds every row to a governed file, so that nothing an assistant
// reads goes unlinted.
func TestSurfaces(t *testing.T) {
	surfaces, err := Surfaces()
	if err != nil {
		t.Fatal(err)
	}
	governed, err := GovernedFiles()
	if err != nil {
		t.Fatal(err)
	}
	sample := strings.NewReplacer("**/", "x/", "**", "x.md", "*.{md,txt}", "x.md", "*", "x")
	for _, s := range surfaces {
		for _, r := range s.Reads {
			path, found := sample.Replace(r.Path), false
			for _, g := range governed {
				found = found || g.Kind == Instructions && doublestar.MatchUnvalidated(g.Path, path)
			}
			if !found {
				t.Errorf("surface %s reads %s, which is no governed instruction file", s.ID, r.Path)
			}
		}
	}
}

func TestSurfacesAreStrict(t *testing.T) {
	const head = "- {id: x, assistant: a, surface: s, title: t, source: u, reads: [%]}"
	for _, c := range []struct{ name, text, want string }{
		{"unknown_key", strings.Replace(head, "%", "{path: a, in: root, scoped: b}", 1), "scoped"},
		{"no_place", strings.Replace(head, "%", "{path: a}", 1), "not root, ancestors or nearest"},
		{"no_default", strings.Replace(head, "%", "{path: a, in: root, scope: b}", 1), "not always or never"},
		{"default_alone", strings.Replace(head, "%", "{path: a, in: root, default: never}", 1), "needs a scope"},
		{"pattern", strings.Replace(head, "%", "{path: '[', in: root}", 1), "not a path pattern"},
		{"nothing", strings.Replace(head, "%", "", 1), "reads nothing"},
		{"twice", strings.Replace(head+"\n"+head, "%", "{path: a, in: root}", 2), "an id of its own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parseSurfaces([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
		})
	}
}
