package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAppManifest holds that the App's manifest only reads, and that the page
// shows it as it is.
func TestAppManifest(t *testing.T) {
	text, err := os.ReadFile("../../docs/github-app.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Public      bool              `json:"public"`
		Permissions map[string]string `json:"default_permissions"`
		Events      []string          `json:"default_events"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"metadata": "read", "pull_requests": "read", "contents": "read", "members": "read"}
	if diff := cmp.Diff(want, manifest.Permissions); diff != "" || manifest.Public || len(manifest.Events) == 0 {
		t.Errorf("-want +manifest:\n%s", diff)
	}
	page, err := os.ReadFile("../../docs/github.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(page), "```json\n")
	shown, _, _ = strings.Cut(shown, "```")
	if diff := cmp.Diff(string(text), shown); diff != "" {
		t.Errorf("docs/github.md shows another manifest (-file +page):\n%s", diff)
	}
}
