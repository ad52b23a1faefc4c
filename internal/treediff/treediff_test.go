package treediff_test

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/treediff"
)

func tree(files map[string]string) treediff.Tree {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
		if target, ok := strings.CutPrefix(text, "-> "); ok {
			m[name] = &fstest.MapFile{Data: []byte(target), Mode: fs.ModeSymlink | 0o777}
		}
	}
	return treediff.Tree{FS: m, Paths: slices.Sorted(maps.Keys(files))}
}

func shown(changes []treediff.Change) string {
	var b strings.Builder
	for _, c := range changes {
		kind := "modified"
		switch {
		case c.Deleted:
			kind = "deleted"
		case c.OldPath == "":
			kind = "added"
		case c.OldPath != c.Path:
			kind = "renamed from " + c.OldPath
		}
		fmt.Fprintf(&b, "%s: %s +%d -%d %s\n", c.Path, kind, c.Additions, c.Deletions, c.Unread)
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	long := strings.Repeat("one line\nanother line\n", 10)
	base := tree(map[string]string{
		"same": "x\n", "changed": "a\nb\nc\n", "gone": "only here\n", "moved/a.go": long, "edited.go": long + "old end\n",
		"binary": "\x00a\n", "link": "-> same", "moved lines": "1\n2\n3\n", "large": strings.Repeat("x\n", 3<<20),
	})
	head := tree(map[string]string{
		"same": "x\n", "changed": "a\nB\nc\nd\n", "new": "fresh\n", "elsewhere/a.go": long, "edited/again.go": long + "new end\n",
		"binary": "\x00b\n", "link": "-> other", "moved lines": "3\n1\n2\n", "large": strings.Repeat("y\n", 3<<20),
	})
	got, err := treediff.Compare(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	want := `binary: modified +0 -0 
changed: modified +2 -1 
edited/again.go: renamed from edited.go +1 -1 
elsewhere/a.go: renamed from moved/a.go +0 -0 
gone: deleted +0 -1 
large: modified +0 -0 it is larger than 4 MB
link: modified +0 -0 
moved lines: modified +0 -0 
new: added +1 -0 
`
	if diff := cmp.Diff(want, shown(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNames compares a tree that knows git's names with one that does not.
func TestNames(t *testing.T) {
	base := tree(map[string]string{"hello": "hello\n", "other": "other\n"})
	// git hash-object of "hello\n", SHA-1 and SHA-256.
	for _, name := range []string{"ce013625030ba8dba906f756967f9e9ca394464a", "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4"} {
		base.ID = func(p string) (string, bool) { return name, true }
		got, err := treediff.Compare(t.Context(), base, tree(map[string]string{"hello": "hello\n", "other": "order\n"}))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got[0].Path != "other" {
			t.Errorf("changes are %s", shown(got))
		}
	}
}

// TestManyRenames wants a bound on the work, not a hang.
func TestManyRenames(t *testing.T) {
	before, after := map[string]string{}, map[string]string{}
	for i := range 3000 {
		before[fmt.Sprintf("a/%d.go", i)] = fmt.Sprintf("package a\n// %d\n", i)
		after[fmt.Sprintf("b/%d.go", i)] = fmt.Sprintf("package b\n// %d\n", i)
	}
	got, err := treediff.Compare(t.Context(), tree(before), tree(after))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 6000 {
		t.Errorf("%d changes, want each file that went and each that came", len(got))
	}
}

// TestLargeRenames wants no long search among large files.
func TestLargeRenames(t *testing.T) {
	before, after := map[string]string{}, map[string]string{}
	for i := range 60 {
		text := strings.Repeat(fmt.Sprintf("line %d\n", i), 100_000)
		before[fmt.Sprintf("a/%d.go", i)] = text + "old\n"
		after[fmt.Sprintf("b/%d.go", i)] = text + "new\n"
	}
	got, err := treediff.Compare(t.Context(), tree(before), tree(after))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 120 {
		t.Errorf("%d changes, want each file that went and each that came", len(got))
	}
}

// listed is a tree that names contents, as a commit's does, and knows of more
// than it can show.
func listed(files, others map[string]string) treediff.Tree {
	t := tree(files)
	t.FS = knowing{t.FS, others}
	t.ID = func(p string) (string, bool) { return strings.TrimPrefix(files[p], "-> "), true }
	return t
}

type knowing struct {
	fs.FS
	others map[string]string
}

func (k knowing) Others() map[string]string { return k.others }
func (k knowing) Lstat(name string) (fs.FileInfo, error) {
	return fs.Lstat(k.FS, name)
}
func (k knowing) ReadLink(name string) (string, error) { return fs.ReadLink(k.FS, name) }

// TestUnshown lists what a commit has and no tree can show, so that no change
// hides there, and a file that became a link to what it said.
func TestUnshown(t *testing.T) {
	base := listed(map[string]string{"auth/key": "../secret", "same": "x"}, map[string]string{"lib": "1", "kept": "2", "old\xff": "3"})
	head := listed(map[string]string{"auth/key": "-> ../secret", "same": "x"}, map[string]string{"lib": "9", "kept": "2", "auth/\xfe.go": "4"})
	got, err := treediff.Compare(t.Context(), base, head)
	if err != nil {
		t.Fatal(err)
	}
	want := "auth/key: modified +0 -1 \n" +
		"auth/\uFFFD.go: added +0 -0 its name is no path of UTF-8 text\n" +
		"lib: modified +0 -0 it is a submodule\n" +
		"old\uFFFD: deleted +0 -0 its name is no path of UTF-8 text\n"
	if diff := cmp.Diff(want, shown(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, err := treediff.Compare(t.Context(), tree(nil), head); err != nil || len(got) != 2 {
		t.Errorf("against a folder: %s, %v; want the two files", shown(got), err)
	}
}

// TestLargeFiles counts the lines of what is too large to be read, and reads the
// small files of a change however much else there is.
func TestLargeFiles(t *testing.T) {
	base, head := map[string]string{"gone": strings.Repeat("x\n", 3<<20), "both": strings.Repeat("x\n", 3<<20)}, map[string]string{
		"new": strings.Repeat("x\n", 3<<20) + "end", "both": strings.Repeat("y\n", 3<<20), "binary": strings.Repeat("\x00\n", 3<<20),
		"zz_test.go": "package zz\n",
	}
	junk := strings.Repeat("j", 4<<20)
	for i := range 70 { // 280 MB
		head[fmt.Sprintf("aa/%d", i)] = junk
	}
	got, err := treediff.Compare(t.Context(), tree(base), tree(head))
	if err != nil {
		t.Fatal(err)
	}
	unread := 0
	for _, c := range got {
		var want int
		counted := true
		switch c.Path {
		case "gone":
			want = 3 << 20
		case "new":
			want = 3<<20 + 1
		case "binary":
			want = 0
		case "both":
			want, counted = 0, false
		case "zz_test.go":
			want = 1
			if c.Unread != "" {
				t.Errorf("%s was not read: %s", c.Path, c.Unread)
			}
		default:
			want = 1
			if c.Unread != "" {
				unread++
			}
		}
		if c.Additions+c.Deletions != want || c.Uncounted == counted {
			t.Errorf("%s has %d lines, counted %v; want %d", c.Path, c.Additions+c.Deletions, !c.Uncounted, want)
		}
	}
	if unread == 0 {
		t.Error("there is no bound on what is read")
	}
}

// endless is a tree of one file that would fill the memory of a small machine:
// zeros, and a last byte.
type endless struct {
	size int64
	last byte
}

func (e endless) Open(string) (fs.File, error) {
	return &endlessFile{endless: e, left: e.size}, nil
}

func (e endless) Lstat(string) (fs.FileInfo, error) { return endlessInfo{size: e.size}, nil }
func (e endless) ReadLink(string) (string, error)   { return "", fs.ErrInvalid }
func (f *endlessFile) Stat() (fs.FileInfo, error)   { return endlessInfo{size: f.size}, nil }
func (f *endlessFile) Close() error                 { return nil }
func (i endlessInfo) Size() int64                   { return i.size }
func (i endlessInfo) Mode() fs.FileMode             { return 0o644 }
func (f *endlessFile) Read(p []byte) (n int, _ error) {
	if f.left == 0 {
		return 0, io.EOF
	}
	n = int(min(int64(len(p)), f.left))
	clear(p[:n])
	if f.left -= int64(n); f.left == 0 {
		p[n-1] = f.last
	}
	return n, nil
}

type endlessFile struct {
	endless
	left int64
}

type endlessInfo struct {
	fs.FileInfo
	size int64
}

// TestHugeFiles compares files without holding them.
func TestHugeFiles(t *testing.T) {
	one := func(size int64, last byte) treediff.Tree {
		return treediff.Tree{FS: endless{size, last}, Paths: []string{"huge"}}
	}
	const size = 512 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, test := range []struct {
		head treediff.Tree
		want int
	}{{one(size, 1), 0}, {one(size, 2), 1}, {one(size+1, 1), 1}} {
		got, err := treediff.Compare(t.Context(), one(size, 1), test.head)
		if err != nil || len(got) != test.want {
			t.Errorf("%d changes, %v; want %d", len(got), err, test.want)
		}
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > size/8 {
		t.Errorf("%d bytes were held", used)
	}
}
