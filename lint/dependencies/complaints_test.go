package dependencies_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"steelyard/lint/dependencies"
)

// today is the day on which every test runs.
var today = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// fine are the facts of a package that nothing speaks against.
func fine(change func(*dependencies.Facts)) dependencies.Facts {
	many := int64(250_000)
	f := dependencies.Facts{
		Asked: "the registry", Existence: dependencies.Exists, Version: "1.0.0", First: today.AddDate(-5, 0, 0), Downloads: &many,
		Licences: []string{"MIT"}, LicenceKnown: true,
	}
	if change != nil {
		change(&f)
	}
	return f
}

// recorder answers like Answers and keeps what it was asked.
type recorder struct {
	dependencies.Answers
	asked []string
}

// Lookup returns the facts of each query.
func (r *recorder) Lookup(ctx context.Context, queries []dependencies.Query) []dependencies.Facts {
	for _, q := range queries {
		r.asked = append(r.asked, fmt.Sprintf("%s:%s@%s", q.Ecosystem, q.Name, q.Version))
	}
	return r.Answers.Lookup(ctx, queries)
}

// assess judges what a tree has and an empty one has not.
func assess(t *testing.T, reg dependencies.Registry, p dependencies.Policy, files map[string]string) *dependencies.Assessment {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	p.Today = today
	return dependencies.Assess(t.Context(), dependencies.Compare(dependencies.Tree{}, read(t, tree)), reg, shippedNames(t), p, dependencies.Options{})
}

func judgements(a *dependencies.Assessment) string {
	var words []string
	for _, v := range a.Verdicts() {
		words = append(words, v.Name+" "+string(v.Judgement))
	}
	return strings.Join(words, ", ")
}

func licensed(licence ...string) dependencies.Facts {
	return fine(func(f *dependencies.Facts) { f.Licences = licence })
}

// TestComplaints holds seventeen real complaints about tools of this kind. The
// numbers are those of section 1.3 of the reference the check was built from.
func TestComplaints(t *testing.T) {
	one := func(eco string, f dependencies.Facts) (dependencies.Answers, map[string]string) {
		if eco == "pypi" {
			return dependencies.Answers{"pypi:it": f}, map[string]string{"requirements.txt": "it==1.0.0\n"}
		}
		return dependencies.Answers{"npm:it": f}, map[string]string{"package.json": `{"dependencies": {"it": "1.0.0"}}`}
	}
	for _, c := range []struct {
		name    string
		answers dependencies.Answers
		files   map[string]string
		policy  dependencies.Policy
		want    string
		says    string // in some reason
		not     string // in no reason
	}{
		{name: "1 two allowed licences joined by AND pass", want: "it ok"},
		{name: "2 a licence that is no SPDX does not fail the run", want: "it legal", says: "no SPDX expression can be made of its licence", not: "violation"},
		{name: "3 it is a question, not an error", want: "it legal"},
		{name: "4 MIT of an action is MIT", want: "acme/it ok"},
		{name: "5 new identifiers are known", want: "it ok"},
		{name: "9 dots are no delimiters in npm", want: "lodash.pick ok", not: "differs from"},
		{name: "10 a mistake of an advisory can be answered here", want: "dotenv-expand ok", says: "allowed by security because the advisory is about another package"},
		{name: "11 no licence field is said, and never an error", want: "it legal", says: "states no licence"},
		{name: "12 an advisory does not hit private and git packages of the name", want: "@acme/it ok, it ask", not: "MAL-"},
		{name: "13 git addresses and private scopes are not missing", want: "@acme/it ok, it ask", not: "has no package"},
		{name: "14 a missing time is said so that one can act", want: "it unverified", says: "its age is not known: the registry does not say when it was created"},
		{name: "15 an index without upload times does not exclude everything", want: "it unverified", says: "the index gives no upload times"},
		{name: "16 an image without a time does not wait for ever", want: "acme/it unverified", says: "no age that its publisher could not forge"},
		{name: "17 an alias is asked under its real name", want: "folder ok"},
	} {
		t.Run(c.name, func(t *testing.T) {
			number, _, _ := strings.Cut(c.name, " ")
			switch number {
			case "1":
				c.answers, c.files = one("npm", licensed("Apache-2.0 AND MIT"))
			case "2":
				c.answers, c.files = one("npm", licensed("SEE LICENSE IN license.txt"))
			case "3":
				c.answers, c.files = one("pypi", licensed("Dual License"))
			case "4":
				c.answers = dependencies.Answers{"actions:acme/it": licensed("MIT")}
				c.files = map[string]string{".github/workflows/ci.yml": "jobs: {a: {steps: [{uses: acme/it@v1}]}}\n"}
			case "5":
				c.answers, c.files = one("pypi", licensed("Unicode-3.0"))
			case "9":
				c.answers = dependencies.Answers{"npm:lodash.pick": fine(nil)}
				c.files = map[string]string{"package.json": `{"dependencies": {"lodash.pick": "4.4.0"}}`}
			case "10":
				c.answers = dependencies.Answers{"npm:dotenv-expand": fine(func(f *dependencies.Facts) { f.Malicious = []string{"MAL-2026-9"} })}
				c.files = map[string]string{"package.json": `{"dependencies": {"dotenv-expand": "1.0.0"}}`}
				c.policy.Decisions = []dependencies.Decision{{
					Package: "npm:dotenv-expand", For: []dependencies.Judgement{dependencies.Block}, Owner: "security", Reason: "the advisory is about another package",
				}}
			case "11":
				c.answers, c.files = one("pypi", licensed())
			case "12", "13":
				c.answers = dependencies.Answers{"npm:@acme/it": {Existence: dependencies.Missing, Malicious: []string{"MAL-1"}}, "npm:it": {Existence: dependencies.Missing, Malicious: []string{"MAL-1"}}}
				c.files = map[string]string{
					".npmrc":       "@acme:registry=https://npm.acme.example\n",
					"package.json": `{"dependencies": {"@acme/it": "1.0.0", "it": "git+https://git.acme.example/it.git"}}`,
				}
			case "14":
				c.answers, c.files = one("npm", fine(func(f *dependencies.Facts) {
					f.First, f.AgeWhy = time.Time{}, "the registry does not say when it was created"
				}))
			case "15":
				c.answers, c.files = one("pypi", fine(func(f *dependencies.Facts) { f.First, f.AgeWhy = time.Time{}, "the index gives no upload times" }))
			case "16":
				c.answers = dependencies.Answers{"docker:acme/it": {Existence: dependencies.Exists, AgeWhy: "the registry gives no age that its publisher could not forge"}}
				c.files = map[string]string{"Dockerfile": "FROM acme/it:1@sha256:abc\n"}
			case "17":
				c.answers = dependencies.Answers{"npm:real": fine(nil)}
				c.files = map[string]string{"package.json": `{"dependencies": {"folder": "npm:real@1.0.0"}}`}
			}
			reg := &recorder{Answers: c.answers}
			a := assess(t, reg, c.policy, c.files)
			if got := judgements(a); got != c.want {
				t.Errorf("judged %q, want %q", got, c.want)
			}
			reasons := ""
			for _, v := range a.Verdicts() {
				reasons += v.Reasons() + "\n"
			}
			if !strings.Contains(reasons, c.says) || c.not != "" && strings.Contains(reasons, c.not) {
				t.Errorf("reasons:\n%s", reasons)
			}
			if a.Fails([]dependencies.Judgement{dependencies.Block}) {
				t.Error("the run fails by default")
			}
			if (number == "12" || number == "13") && len(reg.asked) > 0 {
				t.Errorf("asked about %v", reg.asked)
			}
			if number == "17" && !slices.Equal(reg.asked, []string{"npm:real@1.0.0"}) {
				t.Errorf("asked about %v", reg.asked)
			}
		})
	}
}

// TestNeedsNobody holds complaints 6, 7 and 8: there are no snapshots and no
// service to depend on. What is compared are two trees; one that has no
// manifest of a kind yet adds what the other has, and the same tree twice adds
// nothing.
func TestNeedsNobody(t *testing.T) {
	tree := read(t, fstest.MapFS{"package.json": {Data: []byte(`{"dependencies": {"a": "1", "b": "2"}}`)}})
	if c := dependencies.Compare(tree, tree); len(c.Added)+len(c.Changed)+len(c.Transitive) != 0 {
		t.Errorf("the same tree twice adds %v", c)
	}
	if c := dependencies.Compare(dependencies.Tree{}, tree); len(c.Added) != 2 {
		t.Errorf("against nothing: %v", c.Added)
	}
	other := read(t, fstest.MapFS{
		"package.json": {Data: []byte(`{"dependencies": {"a": "1", "b": "2"}}`)},
		"go.mod":       {Data: []byte("module x\nrequire example.com/y v1.0.0\n")},
	})
	if c := dependencies.Compare(tree, other); len(c.Added) != 1 || c.Added[0].Name != "example.com/y" {
		t.Errorf("with a new kind of manifest: %v", c.Added)
	}
}

// TestLicences normalises what people write, and leaves alone what would be
// guessing.
func TestLicences(t *testing.T) {
	for stated, want := range map[string]string{
		"MIT":                                    "MIT",
		"MIT/Apache-2.0":                         "MIT OR Apache-2.0",
		"Apache 2.0":                             "Apache-2.0",
		"Apache License, Version 2.0":            "Apache-2.0",
		"The Apache License, Version 2.0":        "Apache-2.0",
		"The MIT License (MIT)":                  "MIT",
		"BSD":                                    "BSD-2-Clause AND BSD-3-Clause",
		"BSD 3-Clause License":                   "BSD-3-Clause",
		"(MIT OR GPL-3.0)":                       "(MIT OR GPL-3.0)",
		"MIT or Apache 2.0":                      "MIT OR Apache-2.0",
		"License :: OSI Approved :: MIT License": "MIT",
		"GPL-2.0+":                               "GPL-2.0+",
		"Apache-2.0 WITH LLVM-exception":         "Apache-2.0 WITH LLVM-exception",
		"MIT License\n\nCopyright (c) 2020 Someone": "MIT",
		"Unicode-3.0":         "Unicode-3.0",
		"BUSL-1.1":            "BUSL-1.1",
		"UNLICENSED":          "",
		"SEE LICENSE IN EULA": "",
		"Custom":              "",
		"MIT, Apache-2.0":     "",
		"":                    "",
	} {
		got, ok := dependencies.NormaliseLicence(stated)
		if got != want || ok != (want != "") {
			t.Errorf("%q is %q, want %q", stated, got, want)
		}
	}
}

// TestLicencePolicy judges expressions by an allow list.
func TestLicencePolicy(t *testing.T) {
	for _, c := range []struct {
		licence string
		allow   []string
		want    dependencies.Judgement
		says    string
	}{
		{"MIT", nil, dependencies.OK, ""},
		{"MIT OR GPL-3.0-only", nil, dependencies.OK, ""},
		{"MIT AND GPL-3.0-only", nil, dependencies.Legal, "strong copyleft"},
		{"Apache-2.0 WITH LLVM-exception", nil, dependencies.OK, ""},
		{"LGPL-2.1-or-later", nil, dependencies.Legal, "weak copyleft: changes to the package itself"},
		{"LGPL-2.1-or-later", []string{"permissive", "weak copyleft"}, dependencies.OK, ""},
		{"MPL-2.0", []string{"MPL-2.0"}, dependencies.OK, ""},
		{"MIT", []string{"MPL-2.0"}, dependencies.Legal, "permissive"},
		{"AGPL-3.0-only", nil, dependencies.Legal, "over a network"},
		{"BUSL-1.1", nil, dependencies.Legal, "source-available"},
		{"GPL-2.0-only WITH Classpath-exception-2.0", nil, dependencies.Legal, "strong copyleft"},
		{"UNLICENSED", nil, dependencies.Legal, "nobody but its author"},
		{"Glide", nil, dependencies.Legal, "of no class that is known here"},
	} {
		a := assess(t, dependencies.Answers{"npm:it": licensed(c.licence)}, dependencies.Policy{Licences: dependencies.LicencePolicy{Allow: c.allow}},
			map[string]string{"package.json": `{"dependencies": {"it": "1.0.0"}}`})
		v := a.Added[0]
		if v.Judgement != c.want || !strings.Contains(v.Reasons(), c.says) {
			t.Errorf("%s, allowed %v: %s, %s", c.licence, c.allow, v.Judgement, v.Reasons())
		}
	}
	if err := (dependencies.LicencePolicy{Allow: []string{"permissive", "MIT", "Nonsense-1.0"}}).Validate(); err == nil || !strings.Contains(err.Error(), "Nonsense-1.0") {
		t.Errorf("validate: %v", err)
	}
}

// TestDecisions applies a decision to its package, version and judgements, and
// until its last day.
func TestDecisions(t *testing.T) {
	young := dependencies.Answers{"npm:it": fine(func(f *dependencies.Facts) { f.First = today.AddDate(0, 0, -3) })}
	day := func(text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, c := range []struct {
		name    string
		d       dependencies.Decision
		want    dependencies.Judgement
		expired bool
	}{
		{"answers", dependencies.Decision{Package: "npm:it", Reason: "ours"}, dependencies.OK, false},
		{"this version", dependencies.Decision{Package: "npm:it@1.0.0", Reason: "ours"}, dependencies.OK, false},
		{"another version", dependencies.Decision{Package: "npm:it@2.0.0", Reason: "ours"}, dependencies.Ask, false},
		{"another package", dependencies.Decision{Package: "npm:other", Reason: "ours"}, dependencies.Ask, false},
		{"another ecosystem", dependencies.Decision{Package: "pypi:it", Reason: "ours"}, dependencies.Ask, false},
		{"another judgement", dependencies.Decision{Package: "npm:it", For: []dependencies.Judgement{dependencies.Legal}, Reason: "ours"}, dependencies.Ask, false},
		{"without a reason", dependencies.Decision{Package: "npm:it"}, dependencies.Ask, false},
		{"on its last day", dependencies.Decision{Package: "npm:it", Reason: "ours", Until: day("2026-11-30")}, dependencies.OK, false},
		{"past its end", dependencies.Decision{Package: "npm:it", Reason: "ours", Until: day("2026-11-29")}, dependencies.Ask, true},
	} {
		a := assess(t, young, dependencies.Policy{Decisions: []dependencies.Decision{c.d}}, map[string]string{"package.json": `{"dependencies": {"it": "1.0.0"}}`})
		if v := a.Added[0]; v.Judgement != c.want || (v.Decision != nil) != (c.want == dependencies.OK) || len(a.Expired) > 0 != c.expired {
			t.Errorf("%s: %s, decision %v, expired %v", c.name, v.Judgement, v.Decision, a.Expired)
		}
	}
	blocked := dependencies.Answers{"npm:it": {Existence: dependencies.Missing, Why: "x"}}
	a := assess(t, blocked, dependencies.Policy{Decisions: []dependencies.Decision{{Package: "npm:it", Reason: "ours"}}}, map[string]string{"package.json": `{"dependencies": {"it": "1.0.0"}}`})
	if a.Added[0].Judgement != dependencies.Block {
		t.Error("a block is answered without being named")
	}
}

// TestThresholds moves the numbers.
func TestThresholds(t *testing.T) {
	few := int64(100)
	answers := dependencies.Answers{"npm:it": fine(func(f *dependencies.Facts) { f.First, f.Downloads = today.AddDate(0, 0, -40), &few })}
	files := map[string]string{"package.json": `{"dependencies": {"it": "1.0.0"}}`}
	if a := assess(t, answers, dependencies.Policy{}, files); a.Added[0].Judgement != dependencies.Ask {
		t.Errorf("by default: %s", a.Added[0].Reasons())
	}
	loose := dependencies.DefaultThresholds()
	loose.FewDownloads = 50
	if a := assess(t, answers, dependencies.Policy{Thresholds: loose}, files); a.Added[0].Judgement != dependencies.OK {
		t.Errorf("with 50 downloads as the bound: %s", a.Added[0].Reasons())
	}
	loose.Young = 60 * 24 * time.Hour
	if a := assess(t, answers, dependencies.Policy{Thresholds: loose}, files); a.Added[0].Judgement != dependencies.Ask {
		t.Errorf("with 60 days as the bound: %s", a.Added[0].Reasons())
	}
}

// TestText holds what people read.
func TestText(t *testing.T) {
	tree, err := dependencies.Read(t.Context(), fstest.MapFS{
		"package.json":   {Data: []byte(`{"dependencies": {"fine": "1.0.0", "odd` + "\u202e" + `|<b>": "1.0.0", "linked": "link:../x"}}`)},
		"pyproject.toml": {Data: []byte("[broken")},
		"go.mod":         {Data: []byte("module x\nrequire example.com/y v1.0.0 // indirect\n")},
	}, dependencies.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a := dependencies.Assess(t.Context(), dependencies.Compare(dependencies.Tree{}, tree), dependencies.Answers{"npm:fine": fine(nil)}, shippedNames(t),
		dependencies.Policy{Today: today}, dependencies.Options{})
	var text, markdown strings.Builder
	if err := a.Text(&text); err != nil {
		t.Fatal(err)
	}
	if err := a.Markdown(&markdown); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{
		"ok          package.json:1  npm:fine@1.0.0\n", `npm:odd\u202e|<b>@1.0.0`, "it is local: there is nothing to ask",
		"pyproject.toml  not read: line 1", "not checked: go:example.com/y@v1.0.0 (only another dependency needs it", "3 new or changed: 1 unverified, 2 ok; 1 not checked; 1 not read",
	} {
		if !strings.Contains(text.String(), s) {
			t.Errorf("the text does not say %q:\n%s", s, text.String())
		}
	}
	if strings.ContainsRune(text.String()+markdown.String(), '\u202e') {
		t.Error("an invisible character is shown as it is")
	}
	if s := "| **unverified** | `npm:odd\\u202e\\|<b>@1.0.0` |"; !strings.Contains(markdown.String(), s) {
		t.Errorf("the Markdown does not say %q:\n%s", s, markdown.String())
	}
}

func FuzzNormaliseLicence(f *testing.F) {
	for _, s := range []string{"MIT", "MIT/Apache-2.0", "(MIT OR Apache 2.0) AND BSD", "GPL-2.0+ WITH x", "MIT License\nx", "((((((", "a AND b OR c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, stated string) {
		got, ok := dependencies.NormaliseLicence(stated)
		if ok == (got == "") {
			t.Fatalf("%q is %q, %v", stated, got, ok)
		}
		if again, ok2 := dependencies.NormaliseLicence(got); ok && (!ok2 || again == "") {
			t.Fatalf("%q became %q, which is nothing", stated, got)
		}
	})
}

func FuzzParsePackage(f *testing.F) {
	for _, s := range []string{"npm:left-pad", "npm:@a/b@1", "docker:x:1@sha256:a", "pypi:a==1", "go:a.b/c@v1", "", ":"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if q, err := dependencies.ParsePackage(s); err == nil && (q.Name == "" || q.Ecosystem == "") {
			t.Fatalf("%q is %+v", s, q)
		}
	})
}

// TestPrivateModules does not block a module that the proxy cannot know.
func TestPrivateModules(t *testing.T) {
	missing := dependencies.Facts{Existence: dependencies.Missing, Why: "it answered 404 in its own words"}
	a := assess(t, dependencies.Answers{"go:github.com/acme/secret": missing, "go:github.com/other/secret": missing}, dependencies.Policy{}, map[string]string{
		"go.mod": "module github.com/acme/product\nrequire github.com/acme/secret v1.0.0\nrequire github.com/other/secret v1.0.0\n",
	})
	if got, want := judgements(a), "github.com/acme/secret unverified, github.com/other/secret block"; got != want {
		t.Errorf("judged %q, want %q", got, want)
	}
}
