package action_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"steelyard/rules"
)

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestReleaseFits wants the release to have what the action downloads, and the
// packages what they say they bring.
func TestReleaseFits(t *testing.T) {
	var release struct {
		Builds []struct {
			GOOS   []string `yaml:"goos"`
			GOARCH []string `yaml:"goarch"`
			Flags  []string `yaml:"flags"`
			LD     []string `yaml:"ldflags"`
		} `yaml:"builds"`
		Archives []struct {
			Formats []string `yaml:"formats"`
			Name    string   `yaml:"name_template"`
		} `yaml:"archives"`
		Checksum struct {
			Name      string `yaml:"name_template"`
			Algorithm string `yaml:"algorithm"`
		} `yaml:"checksum"`
		Packages []struct {
			Contents []struct {
				Src string `yaml:"src"`
			} `yaml:"contents"`
		} `yaml:"nfpms"`
		Images []struct {
			Base string `yaml:"base_image"`
		} `yaml:"kos"`
	}
	readYAML(t, ".goreleaser.yaml", &release)
	build, archives := release.Builds[0], release.Archives[0]
	name := strings.NewReplacer("{{ .Version }}", "1.2.3", "{{ .Os }}", "linux", "{{ .Arch }}", "amd64").Replace(archives.Name)
	if name+".tar.gz" != linux || !slices.Equal(archives.Formats, []string{"tar.gz"}) || release.Checksum.Name != "checksums.txt" || release.Checksum.Algorithm != "sha256" {
		t.Errorf("the release has %s as %v and %+v; the action wants %s", name, archives.Formats, release.Checksum, linux)
	}
	install, err := os.ReadFile("install.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, system := range build.GOOS {
		if !strings.Contains(string(install), "os="+system) {
			t.Errorf("the action knows no %s", system)
		}
	}
	for _, processor := range build.GOARCH {
		if !strings.Contains(string(install), "arch="+processor) {
			t.Errorf("the action knows no %s", processor)
		}
	}
	for _, p := range release.Packages {
		for _, c := range p.Contents {
			if _, err := os.Stat(filepath.Join("../..", c.Src)); err != nil {
				t.Errorf("a package brings %v", err)
			}
		}
	}
	var ko struct {
		Base   string `yaml:"defaultBaseImage"`
		Builds []struct {
			Flags []string `yaml:"flags"`
			LD    []string `yaml:"ldflags"`
		} `yaml:"builds"`
	}
	readYAML(t, ".ko.yaml", &ko)
	if ko.Base != release.Images[0].Base || !regexp.MustCompile(`@sha256:[0-9a-f]{64}$`).MatchString(ko.Base) {
		t.Errorf("the images stand on %s and %s", ko.Base, release.Images[0].Base)
	}
	if !slices.Equal(ko.Builds[0].Flags, build.Flags) || !slices.Equal(ko.Builds[0].LD, build.LD) || !slices.Contains(build.Flags, "-trimpath") {
		t.Errorf("the image is built with %v %v, the archives with %v %v", ko.Builds[0].Flags, ko.Builds[0].LD, build.Flags, build.LD)
	}
}

// TestHooksStart wants the hooks to start for every kind of governed file, and
// not for every commit.
func TestHooksStart(t *testing.T) {
	var hooks []struct {
		ID, Language, Files string
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 2 || hooks[0].Files != hooks[1].Files {
		t.Fatalf("the hooks are %+v", hooks)
	}
	// (?x) is Python's: white space in an expression means nothing.
	words, extended := strings.CutPrefix(hooks[0].Files, "(?x)")
	starts := regexp.MustCompile(strings.Join(strings.Fields(words), ""))
	if !extended {
		t.Fatal("the expression is not (?x)")
	}
	rows, err := rules.GovernedFiles()
	if err != nil {
		t.Fatal(err)
	}
	// A path for each pattern: "**/" at the start is any folder.
	example := strings.NewReplacer("**/", "a/", "/**", "/x/y.md", "**", "x", "*", "x", "{", "", "}", "")
	for _, row := range rows {
		path := example.Replace(regexp.MustCompile(`\{([^,}]+)[^}]*\}`).ReplaceAllString(row.Path, "$1"))
		if !starts.MatchString(path) {
			t.Errorf("%s (of %s) starts no hook", path, row.Path)
		}
	}
	for _, path := range []string{"src/main.go", "README.md", "docs/ci.md", "a/b.json", "web/claude.ts"} {
		if starts.MatchString(path) {
			t.Errorf("%s starts a hook", path)
		}
	}
}
