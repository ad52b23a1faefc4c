package dependencies_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"steelyard/lint/dependencies"
)

var update = flag.Bool("update", false, "renew golden files")

// TestRead reads the tree in each archive and compares what it found with the
// archive's last section.
func TestRead(t *testing.T) {
	names, err := filepath.Glob("testdata/read/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree := fstest.MapFS{}
			for _, f := range ar.Files {
				if f.Name != "want" {
					tree[f.Name] = &fstest.MapFile{Data: f.Data}
				}
			}
			got := rendered(read(t, tree))
			last := &ar.Files[len(ar.Files)-1]
			if *update && got != string(last.Data) {
				last.Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(last.Data), got); diff != "" {
				t.Errorf("dependencies (-want +got):\n%s", diff)
			}
		})
	}
}

func rendered(tree dependencies.Tree) string {
	var b strings.Builder
	for _, d := range tree.Dependencies {
		fmt.Fprintf(&b, "%s:%d:%d: %s", d.Path, d.Line, d.Column, d.String())
		if d.ResolvedName != "" {
			fmt.Fprintf(&b, " for %s", d.Name)
		}
		marks := []string{}
		if d.Source != dependencies.FromRegistry {
			marks = append(marks, string(d.Source))
		}
		for word, on := range map[string]bool{"indirect": !d.Direct && !d.Locked, "elsewhere": d.Elsewhere, "no integrity": d.NoIntegrity} {
			if on {
				marks = append(marks, word)
			}
		}
		slices.Sort(marks)
		if len(marks) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(marks, ", "))
		}
		if d.Resolved != "" {
			fmt.Fprintf(&b, " from %s", d.Resolved)
		}
		fmt.Fprintf(&b, " [%s]\n", d.Table)
	}
	return b.String()
}

// TestUnread holds that a broken file is named with its place, and that the
// others are read.
func TestUnread(t *testing.T) {
	tree, err := dependencies.Read(t.Context(), fstest.MapFS{
		"a/package.json":              {Data: []byte("{\n  \"dependencies\": {\"x\": }\n}")},
		"b/package.json":              {Data: []byte(`{"dependencies": {"good": "1.0.0"}}`)},
		"c/pyproject.toml":            {Data: []byte("[project\n")},
		"d/pom.xml":                   {Data: []byte("<project><dependencies></project>")},
		"e/package.json":              {Data: []byte("\xff\xfe")},
		"node_modules/f/package.json": {Data: []byte(`{"dependencies": {"other": "1"}}`)},
	}, dependencies.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var unread []string
	for _, u := range tree.Unread {
		unread = append(unread, u.Path+": "+u.Reason)
	}
	want := []string{
		"a/package.json: line 2, column 25: invalid character '}' at start of value",
		"c/pyproject.toml: line 1, column 9: expected '.' or ']' to end table name, but got '\\n' instead",
		"d/pom.xml: line 1, column 34: not valid XML",
		"e/package.json: not UTF-8 text",
	}
	if diff := cmp.Diff(want, unread); diff != "" {
		t.Errorf("unread (-want +got):\n%s", diff)
	}
	if len(tree.Dependencies) != 1 || tree.Dependencies[0].Name != "good" {
		t.Errorf("found %v", tree.Dependencies)
	}
}

// TestMoved holds that order, tables and files do not matter, and that a
// package that leaves the workspace for the registry is a change.
func TestMoved(t *testing.T) {
	base := fstest.MapFS{
		"package.json": {Data: []byte(`{"dependencies": {"a": "1.0.0", "b": "workspace:*"}, "devDependencies": {"c": "1"}}`)},
		"x.txt":        {},
	}
	head := fstest.MapFS{
		"package.json":     {Data: []byte(`{"devDependencies": {"a": "2.0.0"}, "dependencies": {"b": "^1.0.0"}}`)},
		"sub/package.json": {Data: []byte(`{"peerDependencies": {"c": "1"}}`)},
	}
	c := dependencies.Compare(read(t, base), read(t, head))
	if len(c.Added) != 0 {
		t.Errorf("added %v", c.Added)
	}
	if len(c.Changed) != 1 || c.Changed[0].Name != "b" || !slices.Equal(c.Changed[0].Was, []dependencies.Source{dependencies.FromLocal}) {
		t.Errorf("changed %v", c.Changed)
	}
}

// TestFirstPrivate asks a person where the change itself brings in the registry
// that nobody else may ask.
func TestFirstPrivate(t *testing.T) {
	manifest := func(deps string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{"dependencies": {` + deps + `}}`)}
	}
	npmrc := &fstest.MapFile{Data: []byte("@acme:registry=https://npm.acme.example\n")}
	head := fstest.MapFS{".npmrc": npmrc, "package.json": manifest(`"a": "1.0.0", "@acme/b": "1.0.0", "@acme/c": "1.0.0"`)}
	for name, c := range map[string]struct {
		base fstest.MapFS
		want string
	}{
		"named before":      {fstest.MapFS{".npmrc": npmrc, "package.json": manifest(`"a": "1.0.0", "@acme/c": "1.0.0"`)}, "@acme/b ok"},
		"named now":         {fstest.MapFS{"package.json": manifest(`"a": "1.0.0"`)}, "@acme/b ask, @acme/c ask"},
		"all is new":        {fstest.MapFS{}, "a unverified, @acme/b ok, @acme/c ok"},
		"another before":    {fstest.MapFS{".npmrc": {Data: []byte("@acme:registry=https://other.example\n")}, "package.json": manifest(`"a": "1.0.0", "@acme/c": "1.0.0"`)}, "@acme/b ask"},
		"named, not used":   {fstest.MapFS{".npmrc": npmrc, "package.json": manifest(`"a": "1.0.0"`)}, "@acme/b ok, @acme/c ok"},
		"first of its kind": {fstest.MapFS{"go.mod": {Data: []byte("module m\n")}}, "a unverified, @acme/b ask, @acme/c ask"},
	} {
		a := dependencies.Assess(t.Context(), dependencies.Compare(read(t, c.base), read(t, head)), dependencies.Answers{}, shippedNames(t), dependencies.Policy{Today: today}, dependencies.Options{})
		if got := judgements(a); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestFirstRegistries asks a person about each way in which a change can bring
// in a registry of its own beside one that was reviewed.
func TestFirstRegistries(t *testing.T) {
	for name, c := range map[string]struct{ file, base, head, want string }{
		"npm default":          {".npmrc", "@acme:registry=https://npm.acme.example", "@acme:registry=https://npm.acme.example\nregistry=https://evil.example/", "ask"},
		"same with a password": {".npmrc", "registry=https://npm.acme.example/", "registry=https://me:hunter2secret@npm.acme.example", "ok"},
		"index":                {"requirements.txt", "--index-url https://py.acme.example/simple\nold", "--index-url https://evil.example/simple\nnew", "ask"},
		"same index":           {"requirements.txt", "--index-url https://py.acme.example/simple\nold", "--index-url https://py.acme.example/simple\nnew", "ok"},
		"extra index":          {"requirements.txt", "old", "--extra-index-url https://evil.example/simple\nold\nnew", "ask"},
		"links":                {"requirements.txt", "old", "--find-links https://evil.example/\nold\nnew", "ask"},
		"uv index": {
			"pyproject.toml", "[project]\nname='x'\n[[tool.uv.index]]\nname='own'\nurl='https://py.acme.example/'\n[tool.uv.sources]\nold={index='own'}\n",
			"[project]\nname='x'\ndependencies=['new']\n[[tool.uv.index]]\nname='own'\nurl='https://evil.example/'\nexplicit=true\n[tool.uv.sources]\nnew={index='own'}\n", "ask",
		},
		"uv markers": {
			"pyproject.toml", "[project]\nname='x'\n",
			"[project]\nname='x'\ndependencies=['new']\n[tool.uv.sources]\nnew=[{path='.', marker=\"sys_platform=='x'\"},{url='https://evil.example/a.whl'}]\n", "ask",
		},
		"poetry source": {
			"pyproject.toml", "[tool.poetry.dependencies]\nold={version='1', source='own'}\n[[tool.poetry.source]]\nname='own'\nurl='https://py.acme.example/'\npriority='explicit'\n",
			"[tool.poetry.dependencies]\nnew={version='1', source='own'}\n[[tool.poetry.source]]\nname='own'\nurl='https://evil.example/'\npriority='explicit'\n", "ask",
		},
		"gem source":      {"Gemfile", "gem 'old', source: 'https://gems.acme.example'\n", "gem 'new', source: 'https://evil.example'\n", "ask"},
		"same gem source": {"Gemfile", "source 'https://gems.acme.example/'\ngem 'old'\n", "gem 'new', source: 'https://gems.acme.example'\n", "ok"},
		"cargo index":     {"Cargo.toml", "[dependencies]\nold={version='1', registry='own'}\n", "[dependencies]\nnew={version='1', registry-index='https://evil.example/'}\n", "ask"},
	} {
		base := fstest.MapFS{c.file: {Data: []byte(c.base)}, "package.json": {Data: []byte(`{"dependencies": {}}`)}}
		head := fstest.MapFS{c.file: {Data: []byte(c.head)}, "package.json": {Data: []byte(`{"dependencies": {}}`)}}
		if c.file == ".npmrc" {
			base["package.json"] = &fstest.MapFile{Data: []byte(`{"dependencies": {"@acme/old": "1"}}`)}
			head["package.json"] = &fstest.MapFile{Data: []byte(`{"dependencies": {"@acme/old": "1", "new": "1"}}`)}
		}
		answers := dependencies.Answers{"pypi:new": {Existence: dependencies.Exists, First: today.AddDate(-5, 0, 0), LicenceKnown: true, Licences: []string{"MIT"}}}
		a := dependencies.Assess(t.Context(), dependencies.Compare(read(t, base), read(t, head)), answers, shippedNames(t), dependencies.Policy{Today: today}, dependencies.Options{})
		if got := judgements(a); got != "new "+c.want {
			t.Errorf("%s: %s, want new %s", name, got, c.want)
		}
		var text strings.Builder
		if err := a.Text(&text); err != nil || strings.Contains(text.String(), "hunter2secret") || c.want == "ask" && !strings.Contains(text.String(), "evil.example") {
			t.Errorf("%s: %v\n%s", name, err, text.String())
		}
	}
}

// TestLockfileFaults finds what is downloaded from a host the lockfile never
// used, and what has no checksum any more.
func TestLockfileFaults(t *testing.T) {
	entry := func(name, host, integrity string) string {
		return fmt.Sprintf(`"node_modules/%s": {"version": "1.0.0", "resolved": "https://%s/%[1]s.tgz", "integrity": %[3]q}`, name, host, integrity)
	}
	lock := func(entries ...string) fstest.MapFS {
		return fstest.MapFS{"package-lock.json": {Data: []byte(`{"packages": {` + strings.Join(entries, ", ") + `}}`)}}
	}
	base := lock(entry("a", "registry.example", "sha512-a"), entry("old", "odd.example", ""))
	head := lock(entry("a", "registry.example", "sha512-a"), entry("old", "odd.example", ""),
		entry("b", "evil.example", "sha512-b"), entry("c", "registry.example", ""))
	var got []string
	for _, l := range dependencies.Compare(read(t, base), read(t, head)).Locked {
		got = append(got, fmt.Sprint(l.Name, " ", l.Host, " ", l.Usual))
	}
	if diff := cmp.Diff([]string{"b evil.example [odd.example registry.example]", "c  []"}, got); diff != "" {
		t.Errorf("locked (-want +got):\n%s", diff)
	}
	c := dependencies.Compare(dependencies.Tree{}, read(t, lock(entry("a", "registry.example", "s"), entry("b", "registry.example", "s"), entry("c", "evil.example", "s"))))
	if len(c.Locked) != 1 || c.Locked[0].Name != "c" {
		t.Errorf("in a new lockfile: %v", c.Locked)
	}
}

// TestIgnored leaves out what git ignores in a working tree, but not in a
// commit.
func TestIgnored(t *testing.T) {
	tree := fstest.MapFS{
		".gitignore":        {Data: []byte("dist/\n/local.gemspec\n")},
		"package.json":      {Data: []byte(`{"dependencies": {"a": "1"}}`)},
		"dist/package.json": {Data: []byte(`{"dependencies": {"b": "1"}}`)},
		"sub/dist/go.mod":   {Data: []byte("module x\nrequire example.com/c v1.0.0\n")},
		"local.gemspec":     {Data: []byte(`s.add_dependency "d"`)},
		"sub/local.gemspec": {Data: []byte(`s.add_dependency "e"`)},
	}
	for committed, want := range map[bool]string{false: "a e", true: "a b c d e"} {
		found, err := dependencies.Read(t.Context(), tree, dependencies.ReadOptions{Committed: committed})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, d := range found.Dependencies {
			names = append(names, strings.TrimPrefix(d.Name, "example.com/"))
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("committed %v: %s, want %s", committed, got, want)
		}
	}
}
