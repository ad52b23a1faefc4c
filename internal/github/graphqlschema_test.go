package github_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

// loadSchema reads GitHub's own GraphQL schema.
func loadSchema(t *testing.T) *ast.Schema {
	t.Helper()
	text, err := io.ReadAll(reference(t, "graphql/schema.dedup.graphql.gz"))
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "github", Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// tap records what passes between a client and a world.
type tap struct {
	mu    sync.Mutex
	pairs []exchanged
}

type exchanged struct {
	request  *http.Request
	sent     []byte
	status   int
	received []byte
}

func (p *tap) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent []byte
	if r.Body != nil {
		sent, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(sent))
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	received, err := io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(received))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pairs = append(p.pairs, exchanged{r, sent, response.StatusCode, received})
	return response, err
}

// longPull is a pull request whose lists do not fit into one answer.
func longPull(r *rig, number int) github.PullRequest {
	p := wholePull(r, number)
	for i := range 30 {
		p.Labels = append(p.Labels, fmt.Sprintf("label-%02d", i))
	}
	for i := range 15 {
		p.Assignees = append(p.Assignees, r.Person(fmt.Sprintf("person-%02d", i)))
	}
	p.Commits = slices.Clone(p.Commits)
	for i := range 200 {
		c := p.Commits[0]
		c.OID, c.Message, c.Authored, c.Committed = "", fmt.Sprintf("Weight %d", i), c.Authored.Add(1), c.Committed.Add(1)
		p.Commits = append(p.Commits, github.Commit{Message: c.Message, Author: c.Author, Authored: morning, Committed: morning})
	}
	for i := range 140 {
		p.Reviews = append(p.Reviews, github.Review{Author: r.Person("bob"), State: "COMMENTED", Submitted: p.Merged.Add(-1)})
		p.Events = append(p.Events, github.Event{Kind: github.BaseChanged, At: p.Created, Actor: p.Author, From: fmt.Sprint(i), To: fmt.Sprint(i + 1)})
		p.Files = append(p.Files, github.File{Path: fmt.Sprintf("dir/%03d.go", i), Additions: i})
	}
	for i := range 70 {
		thread := github.Thread{Path: fmt.Sprintf("dir/%03d.go", i)}
		comments := 1
		if i%20 == 5 {
			comments = 131
		}
		for range comments {
			thread.Comments = append(thread.Comments, github.Comment{Author: r.Person("bob"), Created: p.Created})
		}
		p.Threads = append(p.Threads, thread)
	}
	for i := range p.Reviews {
		p.Reviews[i].Submitted = p.Created
	}
	for i := range p.Events {
		p.Events[i].At = p.Created
	}
	for i := range p.Threads {
		for k := range p.Threads[i].Comments {
			p.Threads[i].Comments[k].Created = p.Created
		}
	}
	p.ChangedFiles = 0
	return p
}

// TestGraphQLFitsGitHubsSchema sends every query, and holds the query and the
// fake's answer to GitHub's schema: what is asked for exists, and what comes
// has its shape, its types and no more nulls than the schema allows.
func TestGraphQLFitsGitHubsSchema(t *testing.T) {
	schema := loadSchema(t)
	p := &tap{}
	r := newRig(t, func(o *github.Options) { o.Transport, o.Token = p, "ghs_only_for_tests" })
	r.Put(name, wholePull(r, 1))
	r.Put(name, longPull(r, 2))
	r.Open(name, githubtest.Pull{Number: 3, Author: "gone"})
	r.Open(name, githubtest.Pull{Number: 4})
	r.Merge(name, 4, "bob", "")
	r.Commit(name, github.Commit{Message: "Directly"})
	r.DeleteAccount("gone")
	r.Open(name, githubtest.Pull{Number: 5})
	r.Break(name, 5, githubtest.NullNode)

	readAll(t, r.page(t), github.PageQuery{Commits: true})
	if _, err := r.Client.Page(t.Context(), ref, github.PageQuery{Newest: true, OpenOnly: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Client.PullRequest(t.Context(), ref, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Client.Briefs(t.Context(), ref, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Client.Totals(t.Context(), ref); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Client.Page(t.Context(), github.RepositoryRef{Owner: "acme", Name: "nothing"}, github.PageQuery{}); err == nil {
		t.Fatal("a repository that is not there was read")
	}

	r.Viewer(r.Bot("github-actions"))
	if _, err := r.Client.UpdateComment(t.Context(), ref.Owner, ref.Name, 2, mark, mark); err != nil {
		t.Fatal(err)
	}

	seen := map[string]bool{}
	for _, x := range p.pairs {
		if x.request.Method != http.MethodPost {
			continue
		}
		var asked struct {
			Query         string
			OperationName string
			Variables     map[string]any
		}
		var answer struct{ Data map[string]any }
		if err := json.Unmarshal(x.sent, &asked); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(x.received, &answer); err != nil {
			t.Fatal(err)
		}
		doc, errs := gqlparser.LoadQueryWithRules(schema, asked.Query, rules.NewDefaultRules())
		if errs != nil {
			t.Fatalf("%s is no query of this schema: %v", asked.OperationName, errs)
		}
		op := doc.Operations.ForName(asked.OperationName)
		check := &shapeCheck{schema: schema, variables: asked.Variables}
		check.object(asked.OperationName, op.SelectionSet, schema.Query, answer.Data)
		for _, fault := range check.faults {
			t.Errorf("%s", fault)
		}
		seen[asked.OperationName] = true
	}
	for _, want := range []string{"Page", "One", "More", "Briefs", "Totals"} {
		if !seen[want] {
			t.Errorf("query %s was not sent", want)
		}
	}
}

// shapeCheck compares an answer with what a query asks for.
type shapeCheck struct {
	schema    *ast.Schema
	variables map[string]any
	faults    []string
}

func (c *shapeCheck) fault(at, format string, args ...any) {
	c.faults = append(c.faults, at+": "+fmt.Sprintf(format, args...))
}

// fields are the fields that a selection asks of an object of a type, by key.
func (c *shapeCheck) fields(set ast.SelectionSet, of *ast.Definition, into map[string][]*ast.Field) {
	applies := func(condition string) bool {
		return condition == "" || condition == of.Name || slices.ContainsFunc(c.schema.GetPossibleTypes(c.schema.Types[condition]), func(d *ast.Definition) bool { return d.Name == of.Name })
	}
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if c.included(s.Directives) {
				into[s.Alias] = append(into[s.Alias], s)
			}
		case *ast.InlineFragment:
			if applies(s.TypeCondition) && c.included(s.Directives) {
				c.fields(s.SelectionSet, of, into)
			}
		case *ast.FragmentSpread:
			if applies(s.Definition.TypeCondition) && c.included(s.Directives) {
				c.fields(s.Definition.SelectionSet, of, into)
			}
		}
	}
}

func (c *shapeCheck) included(all ast.DirectiveList) bool {
	for _, d := range all {
		value, err := d.Arguments.ForName("if").Value.Value(c.variables)
		if err != nil || value != (d.Name == "include") {
			return false
		}
	}
	return true
}

func (c *shapeCheck) object(at string, set ast.SelectionSet, of *ast.Definition, got map[string]any) {
	if of.IsAbstractType() {
		of = c.concrete(at, of, got)
		if of == nil {
			return
		}
	}
	want := map[string][]*ast.Field{}
	c.fields(set, of, want)
	for key := range got {
		if _, asked := want[key]; !asked {
			c.fault(at, "%q came without being asked for", key)
		}
	}
	for key, fields := range want {
		v, came := got[key]
		if !came {
			c.fault(at, "%q was asked for and did not come", key)
			continue
		}
		var below ast.SelectionSet
		for _, f := range fields {
			below = append(below, f.SelectionSet...)
		}
		if fields[0].Name == "__typename" {
			if v != of.Name {
				c.fault(at, "__typename is %v, not %s", v, of.Name)
			}
			continue
		}
		c.value(at+"."+key, below, fields[0].Definition.Type, v)
	}
}

// concrete is the type of an object of an interface or a union: by its
// __typename, or, where that was not asked for, the one kind that is given.
func (c *shapeCheck) concrete(at string, of *ast.Definition, got map[string]any) *ast.Definition {
	kind, _ := got["__typename"].(string)
	if kind == "" {
		switch {
		case of.Name == "GitObject":
			kind = "Commit"
		case strings.HasPrefix(at, "More.p") && got["comments"] != nil:
			kind = "PullRequestReviewThread"
		case strings.HasPrefix(at, "More.p"):
			kind = "PullRequest"
		}
	}
	for _, d := range c.schema.GetPossibleTypes(of) {
		if d.Name == kind {
			return d
		}
	}
	c.fault(at, "%q is no %s", kind, of.Name)
	return nil
}

func (c *shapeCheck) value(at string, below ast.SelectionSet, kind *ast.Type, v any) {
	if v == nil {
		if kind.NonNull && at != "Page.repository" {
			c.fault(at, "null, where the schema has %s", kind)
		}
		return
	}
	if kind.Elem != nil {
		all, ok := v.([]any)
		if !ok {
			c.fault(at, "%T, where the schema has %s", v, kind)
			return
		}
		for i, one := range all {
			c.value(fmt.Sprintf("%s[%d]", at, i), below, kind.Elem, one)
		}
		return
	}
	of := c.schema.Types[kind.NamedType]
	if of.IsCompositeType() {
		object, ok := v.(map[string]any)
		if !ok {
			c.fault(at, "%T, where the schema has %s", v, kind)
			return
		}
		c.object(at, below, of, object)
		return
	}
	c.leaf(at, of, v)
}

// leaf checks a scalar or an enum.
func (c *shapeCheck) leaf(at string, of *ast.Definition, v any) {
	var ok bool
	switch of.Name {
	case "Int":
		n, isNumber := v.(float64)
		ok = isNumber && n == float64(int32(n))
	case "Boolean":
		_, ok = v.(bool)
	case "Float":
		_, ok = v.(float64)
	default: // String, ID, and GitHub's own scalars are all strings
		var s string
		s, ok = v.(string)
		if of.Kind == ast.Enum {
			ok = ok && of.EnumValues.ForName(s) != nil
		}
	}
	if !ok {
		c.fault(at, "%v, where the schema has %s", v, of.Name)
	}
}
