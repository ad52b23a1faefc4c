package dependencies_test

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint/dependencies"
)

// TestHidden finds dependencies that are written so as to be overlooked, and
// says what it did not look at.
func TestHidden(t *testing.T) {
	for name, c := range map[string]struct {
		tree fstest.MapFS
		want []string // "line name", or what is not read
	}{
		"second table":    {fstest.MapFS{"package.json": {Data: []byte(`{"dependencies": {"a": "1"}, "dependencies": {"evil": "1"}}`)}}, []string{"1 a", "1 evil"}},
		"second value":    {fstest.MapFS{"package.json": {Data: []byte(`{"dependencies": {"a": "1", "a": "npm:evil@1"}}`)}}, []string{"1 a", "1 evil"}},
		"escapes":         {fstest.MapFS{"package.json": {Data: []byte(`{"depend\u0065ncies": {"\u0065vil": "1"}}`)}}, []string{"1 evil"}},
		"split name":      {fstest.MapFS{"requirements.txt": {Data: []byte("ev\\\nil==1.0\nb \\\n  --hash=sha256:0\n")}}, []string{"1 evil", "3 b"}},
		"another address": {fstest.MapFS{"requirements.txt": {Data: []byte("-r https://me:hunter2secret@evil.example/r.txt?t=hunter2secret\n")}}, []string{"requirements.txt: it names the requirements of an address (https://evil.example/r.txt?…), which were not read"}},
		"outside":         {fstest.MapFS{"requirements.txt": {Data: []byte("-r ../../etc/passwd\n")}}, []string{"requirements.txt: it names requirements outside the tree (../../etc/passwd), which were not read"}},
		"not there":       {fstest.MapFS{"requirements.txt": {Data: []byte("-r more.txt\n")}}, nil},
		"link":            {fstest.MapFS{"package.json": {Data: []byte("elsewhere.txt"), Mode: fs.ModeSymlink}}, []string{"package.json: it is a link, which is not followed"}},
		"image below":     {fstest.MapFS{"Dockerfile": {Data: []byte("FROM \\\n# a comment\n\n  evil/image:1 \\\n  AS base\nFROM base\n")}}, []string{"4 evil/image"}},
		"other escape":    {fstest.MapFS{"Dockerfile": {Data: []byte("# escape=`\nFROM `\n  evil/image:1\nRUN dir C:\\\nFROM other\n")}}, []string{"3 evil/image", "5 other"}},
		"image copied":    {fstest.MapFS{"Dockerfile": {Data: []byte("FROM scratch AS one\nCOPY --from=one a b\nCOPY --from=0 a b\nCOPY --from=evil a b\n")}}, []string{"1 scratch", "4 evil"}},
		"shared steps":    {fstest.MapFS{".github/workflows/a.yml": {Data: []byte("x: &s\n  - uses: evil/a@v1\njobs:\n  a:\n    steps: *s\n")}}, []string{"2 evil/a"}},
	} {
		found, err := dependencies.Read(t.Context(), c.tree, dependencies.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range found.Dependencies {
			if d.Source != dependencies.FromLocal || d.Name == "scratch" {
				got = append(got, strconv.Itoa(d.Line)+" "+d.Asked())
			}
		}
		for _, u := range found.Unread {
			got = append(got, u.Path+": "+u.Reason)
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestSharedSteps reads a list that very many jobs share in bounded time.
func TestSharedSteps(t *testing.T) {
	text := "x: &s\n" + strings.Repeat("  - uses: a/b@v1\n", 20_000) + "jobs:\n"
	for i := range 5_000 {
		text += "  j" + strconv.Itoa(i) + ": {steps: *s}\n"
	}
	found, err := dependencies.Read(t.Context(), fstest.MapFS{".github/workflows/a.yml": {Data: []byte(text)}}, dependencies.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Unread) == 0 || len(found.Dependencies) == 0 {
		t.Errorf("%d entries, not read: %v", len(found.Dependencies), found.Unread)
	}
}

// TestSecretsInAddresses shows where something comes from, without what opens
// the door there.
func TestSecretsInAddresses(t *testing.T) {
	for _, address := range []string{
		"https://me:hunter2secret@h.example/a.tgz", "https://h.example/a.tgz?token=hunter2secret", "git+ssh://hunter2secret@h.example/x.git#v1",
		"git+https://me:hunter2/secret@h.example/x", "https://hunter2secret:x-oauth@h.example/a.tgz#sha=1",
	} {
		head := fstest.MapFS{"package.json": {Data: []byte(`{"dependencies": {"a": "` + address + `"}}`)}}
		a := dependencies.Assess(t.Context(), dependencies.Compare(dependencies.Tree{}, read(t, head)), dependencies.Answers{}, shippedNames(t), dependencies.Policy{Today: today}, dependencies.Options{})
		var out strings.Builder
		for _, write := range []error{a.Text(&out), a.JSON(&out), a.Markdown(&out)} {
			if write != nil {
				t.Fatal(write)
			}
		}
		if strings.Contains(out.String(), "hunter2") || strings.Contains(out.String(), "secret") || !strings.Contains(out.String(), "h.example") {
			t.Errorf("%s:\n%s", address, out.String())
		}
	}
}
