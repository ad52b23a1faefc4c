package change_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"steelyard/lint"
	"steelyard/lint/change"
)

// manyForms spells out 2^24 forms, of which matching would try each.
var manyForms = strings.Repeat("{a,a}", 24)

// TestPolicyGlobs refuses the globs of a policy that cannot be matched, and
// names the entry.
func TestPolicyGlobs(t *testing.T) {
	for _, bad := range []string{manyForms, "[", "{" + strings.Repeat("a,", 2000) + "a}"} {
		for entry, p := range map[string]change.Policy{
			"risky_paths":      {Risky: []change.Paths{{Globs: []string{"auth/**", bad}}}},
			"owners_only":      {OwnersOnly: []change.Paths{{Globs: []string{bad}}}},
			"size.not_counted": {Size: change.Size{NotCounted: []string{bad}}},
		} {
			p.Source = "steelyard.yaml"
			if err := p.Validate(); err == nil || !strings.HasPrefix(err.Error(), "policy."+entry+" in steelyard.yaml: ") {
				t.Errorf("%s %.20q: %v", entry, bad, err)
			}
		}
	}
	if err := risky().Policy.Validate(); err != nil {
		t.Error(err)
	}
}

// TestManyForms wants a pattern of .gitattributes that would be tried for
// minutes to mark nothing, and those beside it to count.
func TestManyForms(t *testing.T) {
	made := change.MarkedGenerated([]byte(manyForms + "b linguist-generated\n[ linguist-generated\n*.sql linguist-generated\n"))
	start := time.Now()
	for range 100 {
		if got := change.KindOf(strings.Repeat("a", 24)+"c", nil, made); got != change.Code {
			t.Errorf("it counts as %s", got)
		}
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
	if got := change.KindOf("a.sql", nil, made); got != change.Generated {
		t.Errorf("a.sql counts as %s", got)
	}
}

// TestPolicyLetterCase wants no path out of a policy's reach because it is
// spelled in another letter case, which some file systems do not tell apart.
func TestPolicyLetterCase(t *testing.T) {
	c := risky()
	c.Files = []change.File{{Path: "AUTH/Login.go", Kind: change.Code}}
	c.Policy.OwnersOnly[0].Who = []string{"@bob"}
	found := map[string]int{}
	for _, f := range run(t, c) {
		found[f.Rule]++
	}
	if found["PR002"] != 1 || found["PR007"] != 1 {
		t.Errorf("findings are %v", found)
	}
}

// TestSteeringLinks asks for an owner's review of a link that steers assistants,
// and of what one leads to.
func TestSteeringLinks(t *testing.T) {
	for _, path := range []string{".claude", "setup/settings.json"} {
		c := risky()
		c.Files = []change.File{{Path: path, Kind: change.Code}}
		tree := fstest.MapFS{".claude": {Data: []byte("setup"), Mode: fs.ModeSymlink}, "setup/settings.json": {Data: []byte("{}")}}
		res, err := lint.Run(t.Context(), tree, change.Rules(), lint.Config{Given: []any{c}})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Findings) != 1 || res.Findings[0].Rule != "PR005" || res.Findings[0].Path != path {
			t.Errorf("%s: findings are %v", path, res.Findings)
		}
	}
}
