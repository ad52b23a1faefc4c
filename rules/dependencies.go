package rules

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed dependencies
var dependencyFiles embed.FS

// Popular is one name of a popular list.
type Popular struct {
	Name string
	// Downloads of a month; 0 where the list has ranks alone.
	Downloads int64
}

// LicenceClass is a group of licences that ask for the same.
type LicenceClass struct {
	Class string   `yaml:"class"` // "weak copyleft"
	Means string   `yaml:"means"` // in words, lower case, no full stop
	IDs   []string `yaml:"ids"`   // SPDX identifiers
}

// Dependencies is what the check of new dependencies knows as data.
type Dependencies struct {
	// Popular lists names by ecosystem ("npm", "pypi", "gem", "go",
	// "cargo", "actions"), the most used first.
	Popular map[string][]Popular
	// Invented holds the SHA-256, in hex, of "ecosystem/name" of names that
	// language models invent.
	Invented map[string]bool
	// Distributions maps the name that Python code imports to the package that
	// brings it.
	Distributions map[string]string
	// Licences are the classes in the order in which they ask for more.
	Licences []LicenceClass
}

var loadDependencies = sync.OnceValues(readDependencies)

// DependencyData returns the lists of the check of new dependencies. They are
// decoded once; the caller must not change them.
func DependencyData() (*Dependencies, error) { return loadDependencies() }

func readDependencies() (*Dependencies, error) {
	d := &Dependencies{Popular: map[string][]Popular{}, Invented: map[string]bool{}, Distributions: map[string]string{}}
	for _, ecosystem := range []string{"npm", "pypi", "gem", "go", "cargo", "actions"} {
		err := eachRow(ecosystem+".tsv", func(name, count string) error {
			p := Popular{Name: name}
			if count != "" {
				n, err := strconv.ParseInt(count, 10, 64)
				if err != nil {
					return fmt.Errorf("%q is not a number of downloads", count)
				}
				p.Downloads = n
			}
			d.Popular[ecosystem] = append(d.Popular[ecosystem], p)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	err := eachRow("invented.txt", func(hash, _ string) error {
		if len(hash) != 64 {
			return fmt.Errorf("%q is not a SHA-256", hash)
		}
		d.Invented[hash] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = eachRow("imports.tsv", func(name, distribution string) error {
		if distribution == "" {
			return fmt.Errorf("%q has no distribution", name)
		}
		d.Distributions[name] = distribution
		return nil
	})
	if err != nil {
		return nil, err
	}
	text, err := dependencyFiles.ReadFile("dependencies/licences.yaml")
	if err != nil {
		return nil, fmt.Errorf("read licence classes: %w", err)
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&d.Licences); err != nil {
		return nil, fmt.Errorf("read licences.yaml: %w", err)
	}
	return d, nil
}

// eachRow reads a file of lines with one or two columns; "#" begins a comment.
func eachRow(name string, take func(first, second string) error) error {
	text, err := dependencyFiles.ReadFile("dependencies/" + name)
	if err != nil {
		return fmt.Errorf("read dependency data: %w", err)
	}
	line := 0
	for row := range strings.Lines(string(text)) {
		line++
		row = strings.TrimRight(row, "\r\n")
		if row == "" || strings.HasPrefix(row, "#") {
			continue
		}
		first, second, _ := strings.Cut(row, "\t")
		if err := take(first, second); err != nil {
			return fmt.Errorf("%s, line %d: %w", name, line, err)
		}
	}
	return nil
}
