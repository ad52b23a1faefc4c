package rules

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"sync"
)

//go:embed *.md governed.yaml attribution.yaml
var files embed.FS

var loadPages = sync.OnceValues(func() ([]Page, error) { return readPages(files) })

// All returns every rule's page in the order of its ID. The pages are decoded
// once; an error names the page and what is wrong with it. The caller owns the
// slice, not the examples in it.
func All() ([]Page, error) {
	pages, err := loadPages()
	return slices.Clone(pages), err
}

// Get returns the page of the rule with this ID ("MC002") or name
// ("mcp-unpinned-server").
func Get(id string) (Page, bool) {
	pages, err := loadPages()
	if err != nil {
		return Page{}, false
	}
	for _, p := range pages {
		if p.ID == id || p.Name == id {
			return p, true
		}
	}
	return Page{}, false
}

// readPages decodes every *.md of fsys, which fs.Glob gives in name order and
// so in ID order.
func readPages(fsys fs.FS) ([]Page, error) {
	paths, err := fs.Glob(fsys, "*.md")
	if err != nil {
		return nil, fmt.Errorf("list rule pages: %w", err)
	}
	pages := make([]Page, 0, len(paths))
	names := map[string]string{}
	for _, path := range paths {
		text, err := fs.ReadFile(fsys, path)
		if err != nil {
			return nil, fmt.Errorf("read rule page: %w", err)
		}
		page, err := parsePage(path, text)
		if err != nil {
			return nil, fmt.Errorf("rule page %s: %w", path, err)
		}
		if other, taken := names[page.Name]; taken {
			return nil, fmt.Errorf("rule page %s: name %q belongs to %s", path, page.Name, other)
		}
		names[page.Name] = page.ID
		pages = append(pages, page)
	}
	return pages, nil
}
