// Package docs carries the manual and the method notes inside the program, so
// that the dashboard shows the text that belongs to it. The rules' pages are
// not here: they are made from package rules.
package docs

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed *.md methods/*.md
var files embed.FS

// Page is one page, in Markdown.
type Page struct {
	// Name is its path below the folder, without its ending:
	// "methods/cross-fit-t", "dashboard".
	Name string
	// Title is its first heading; Text is what follows it.
	Title, Text string
}

// Pages returns every page, by name; the one of a folder itself is named after
// the folder ("methods").
func Pages() ([]Page, error) {
	var out []Page
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(strings.TrimSuffix(path, ".md"), "/README")
		_, rest, found := strings.Cut("\n"+string(text), "\n# ") // a comment may stand before it
		title, rest, more := strings.Cut(rest, "\n")
		if !found || !more {
			return fmt.Errorf("page %s has no title", path)
		}
		out = append(out, Page{Name: name, Title: strings.TrimSpace(title), Text: strings.TrimSpace(rest)})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the manual: %w", err)
	}
	return out, nil
}
