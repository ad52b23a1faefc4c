package github_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

// description is GitHub's own description of REST, as JSON schemas: for each
// address the schema of its answer to GET.
type description struct {
	compiler *jsonschema.Compiler
	paths    []describedPath
}

type describedPath struct {
	match    *regexp.Regexp
	schemaAt string
}

const described = "openapi.json"

func loadDescription(t *testing.T) *description {
	t.Helper()
	var doc map[string]any
	if err := json.NewDecoder(reference(t, "openapi/api.github.com.pr-subset.json.gz")).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	nullable(doc)
	d := &description{compiler: jsonschema.NewCompiler()}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource(described, doc); err != nil {
		t.Fatal(err)
	}
	braces := regexp.MustCompile(`\\\{[a-z_]+\\\}`)
	for path, item := range doc["paths"].(map[string]any) {
		for method, status := range map[string]string{"get": "200", "post": "201"} {
			if operation, ok := item.(map[string]any)[method].(map[string]any); !ok || operation["responses"].(map[string]any)[status] == nil {
				continue
			}
			pointer := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(path)
			d.paths = append(d.paths, describedPath{
				match:    regexp.MustCompile("^" + strings.ToUpper(method) + " " + braces.ReplaceAllString(regexp.QuoteMeta(path), `[^/]+`) + "$"),
				schemaAt: described + "#/paths/" + pointer + "/" + method + "/responses/" + status + "/content/application~1json/schema",
			})
		}
	}
	return d
}

// nullable turns OpenAPI 3.0's nullable into JSON Schema's null.
func nullable(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			nullable(one)
		}
	case map[string]any:
		for _, one := range v {
			nullable(one)
		}
		if v["nullable"] == true {
			if kind, ok := v["type"].(string); ok {
				v["type"] = []any{kind, "null"}
			}
			if values, ok := v["enum"].([]any); ok {
				v["enum"] = append(values, nil)
			}
			for _, name := range []string{"allOf", "anyOf", "oneOf"} {
				if all, ok := v[name].([]any); ok && v["type"] == nil {
					delete(v, name)
					v["anyOf"] = []any{map[string]any{name: all}, map[string]any{"type": "null"}}
				}
			}
		}
		delete(v, "example")
		delete(v, "examples")
	}
}

// undeniable takes out the nulls that GitHub's description denies and that its
// recorded answers have: the repository of a deleted fork, deleted accounts,
// and lines that are no longer in the change. Accounts and repositories are
// replaced by ones that were seen before, so that the rest is checked.
func undeniable(v any, account map[string]any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = undeniable(v[i], account)
		}
	case map[string]any:
		if base, ok := v["base"].(map[string]any); ok {
			account, _ = base["user"].(map[string]any)
			if head, ok := v["head"].(map[string]any); ok && head["repo"] == nil {
				head["repo"] = base["repo"]
			}
		}
		for _, gone := range []string{"line", "position"} {
			if at, there := v[gone]; there && at == nil {
				delete(v, gone)
			}
		}
		for name := range v {
			if v[name] == nil && name == "user" && account != nil {
				v[name] = account
			}
			v[name] = undeniable(v[name], account)
		}
	}
	return v
}

// TestRESTFitsGitHubsDescription reads everything by REST, and holds the
// fake's answers to GitHub's own description.
func TestRESTFitsGitHubsDescription(t *testing.T) {
	d := loadDescription(t)
	p := &tap{}
	r := newAppRig(t, nil)
	client := r.connect(t, func(o *github.Options) { o.Transport = p; o.App = r.app })
	r.Put(name, wholePull(r, 1))
	fill(r, 3)
	r.DeleteFork(name, 1)
	r.Open(name, githubtest.Pull{Author: "gone", Fork: true})
	r.DeleteAccount("gone")
	r.Team("acme", "scales", "ada", "bob")
	r.Seats("acme", github.Seat{Account: r.Person("ada"), Team: "scales", Created: morning, LastActivity: morning, LastEditor: "vscode"})
	r.Files(name, map[string]githubtest.File{"AGENTS.md": {Text: "Weigh."}})
	r.Viewer(r.Bot("acme-app"))

	readAll(t, func(q github.PageQuery) (github.Page, error) { return client.PageREST(t.Context(), ref, q) }, github.PageQuery{Commits: true, Size: 2})
	for _, read := range []func() error{
		func() error { _, err := client.Repositories(t.Context(), "acme"); return err },
		func() error { _, err := client.InstallationRepositories(t.Context()); return err },
		func() error { _, err := client.Teams(t.Context(), "acme"); return err },
		func() error { _, err := client.TeamMembers(t.Context(), "acme", "scales"); return err },
		func() error { _, err := client.CopilotSeats(t.Context(), "acme"); return err },
		func() error { _, err := client.Tree(t.Context(), ref, "main"); return err },
		func() error { return client.UpsertComment(t.Context(), ref.Owner, ref.Name, 1, mark, mark+"one") },
		func() error { return client.UpsertComment(t.Context(), ref.Owner, ref.Name, 1, mark, mark+"two") },
	} {
		if err := read(); err != nil {
			t.Fatal(err)
		}
	}

	seen := map[string]bool{}
	for _, x := range p.pairs {
		if x.status != http.StatusOK && x.status != http.StatusCreated {
			continue
		}
		path := strings.TrimPrefix(x.request.URL.Path, "/api/v3")
		for _, at := range d.paths {
			if !at.match.MatchString(x.request.Method+" "+path) || x.request.Header.Get("Accept") == "application/vnd.github.v3.sha" {
				continue
			}
			seen[at.schemaAt] = true
			schema, err := d.compiler.Compile(at.schemaAt)
			if err != nil {
				t.Fatal(err)
			}
			got, err := jsonschema.UnmarshalJSON(bytes.NewReader(x.received))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(undeniable(got, nil)); err != nil {
				t.Errorf("%s %s: %v", x.request.Method, path, err)
			}
		}
	}
	if len(seen) < 15 {
		t.Errorf("only %d kinds of answers were checked: %v", len(seen), seen)
	}
}
