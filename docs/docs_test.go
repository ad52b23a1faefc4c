package docs_test

import (
	"slices"
	"testing"

	"steelyard/docs"
)

func TestPages(t *testing.T) {
	pages, err := docs.Pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []docs.Page{{Name: "dashboard", Title: "The dashboard"}, {Name: "methods", Title: "Methods"}, {Name: "methods/cross-fit-t", Title: "Cross-fit t"}} {
		i := slices.IndexFunc(pages, func(p docs.Page) bool { return p.Name == want.Name })
		if i < 0 || pages[i].Title != want.Title || len(pages[i].Text) < 200 || pages[i].Text[0] == '#' {
			t.Errorf("no page %q titled %q with its text", want.Name, want.Title)
		}
	}
}
