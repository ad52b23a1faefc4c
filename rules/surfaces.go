package rules

import (
	"bytes"
	_ "embed" // the table below
	"fmt"
	"slices"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v3"
)

//go:embed surfaces.yaml
var surfacesText []byte

// Surface is one place where an assistant works: an editor's chat, a command
// line, a cloud agent, a code review.
type Surface struct {
	ID        string `yaml:"id" json:"id"` // "copilot-review"
	Assistant string `yaml:"assistant" json:"assistant"`
	Surface   string `yaml:"surface" json:"surface"`
	Title     string `yaml:"title" json:"title"`
	Source    string `yaml:"source" json:"source"`
	// Called are its names in front matter that leaves surfaces out.
	Called []string `yaml:"called" json:"-"`
	// Total bounds what is read of all files together, in bytes; 0 = unbounded.
	Total int    `yaml:"total" json:"total,omitempty"`
	Reads []Read `yaml:"reads" json:"-"`
}

// Read is one row of what a surface reads, in reading order.
type Read struct {
	Path string `yaml:"path"` // doublestar pattern
	In   Place  `yaml:"in"`
	// Scope is the front matter key with the globs for which the file is read;
	// Always one that says it is read anyway. Default is what holds without
	// the key.
	Scope   string  `yaml:"scope"`
	Always  string  `yaml:"always"`
	Default Default `yaml:"default"`
	// Except is the front matter key that lists surfaces which leave it out.
	Except string `yaml:"except"`
	// Group: of the rows of one group only the first that finds a file is read.
	Group string `yaml:"group"`
	// Unless names a file whose presence, in the same places, makes the row
	// unread.
	Unless  string `yaml:"unless"`
	Imports bool   `yaml:"imports"`
	// Borrowed is another assistant's file, read for want of an own one.
	Borrowed bool `yaml:"borrowed"`
	// Bytes and Characters bound what is read of one file; 0 = unbounded.
	Bytes      int `yaml:"bytes"`
	Characters int `yaml:"characters"`
}

// Place says in which folders a pattern is looked for.
type Place string

// The places.
const (
	AtRoot    Place = "root"
	Ancestors Place = "ancestors" // every folder from the root down to the file's
	Nearest   Place = "nearest"   // of these, the nearest that has it
)

// Default says whether a file without scope is read.
type Default string

// The defaults.
const (
	Always Default = "always"
	Never  Default = "never"
)

var loadSurfaces = sync.OnceValues(func() ([]Surface, error) { return parseSurfaces(surfacesText) })

// Surfaces returns every surface in the order it is written. The caller must
// not change them.
func Surfaces() ([]Surface, error) { return loadSurfaces() }

func parseSurfaces(text []byte) ([]Surface, error) {
	var all []Surface
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&all); err != nil {
		return nil, fmt.Errorf("read surfaces.yaml: %w", err)
	}
	seen := map[string]bool{}
	for _, s := range all {
		if s.ID == "" || s.Title == "" || s.Assistant == "" || s.Surface == "" || s.Source == "" || seen[s.ID] {
			return nil, fmt.Errorf("surfaces.yaml: surface %q: needs an id of its own, a title, an assistant, a surface and a source", s.ID)
		}
		seen[s.ID] = true
		if len(s.Reads) == 0 {
			return nil, fmt.Errorf("surfaces.yaml: surface %q reads nothing", s.ID)
		}
		for _, r := range s.Reads {
			if err := r.check(); err != nil {
				return nil, fmt.Errorf("surfaces.yaml: surface %q: %w", s.ID, err)
			}
		}
	}
	return all, nil
}

func (r Read) check() error {
	switch {
	case r.Path == "" || !doublestar.ValidatePattern(r.Path):
		return fmt.Errorf("%q is not a path pattern", r.Path)
	case !slices.Contains([]Place{AtRoot, Ancestors, Nearest}, r.In):
		return fmt.Errorf("%s: in %q is not root, ancestors or nearest", r.Path, r.In)
	case r.Scope != "" && r.Default != Always && r.Default != Never:
		return fmt.Errorf("%s: default %q is not always or never", r.Path, r.Default)
	case r.Scope == "" && (r.Default != "" || r.Always != ""):
		return fmt.Errorf("%s: a default needs a scope", r.Path)
	}
	return nil
}
