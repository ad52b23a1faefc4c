package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steelyard/internal/actions"
	"steelyard/internal/github/githubtest"
	"steelyard/lint"
	"steelyard/lint/output"
	"steelyard/rules"
)

// commentRig is a GitHub with one pull request, and a program that runs in a
// job of it.
type commentRig struct {
	*githubtest.World
	p      *program
	stderr bytes.Buffer
	run    actions.Run
	env    map[string]string
}

func newCommentRig(t *testing.T) *commentRig {
	t.Helper()
	r := &commentRig{World: githubtest.New(githubtest.Options{})}
	r.Repository("acme/shop")
	r.Open("acme/shop", githubtest.Pull{Author: "ada"})
	r.Viewer(r.Bot("github-actions"))
	server, err := r.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	r.run = actions.Run{GitHub: true, Repository: "acme/shop", Number: 1, SummaryFile: filepath.Join(t.TempDir(), "summary.md")}
	r.env = map[string]string{"GITHUB_TOKEN": "ghs_only_for_tests", "GITHUB_SERVER_URL": server.URL}
	r.p = &program{
		stderr: &r.stderr, now: time.Now,
		env: func(name string) (string, bool) { v, ok := r.env[name]; return v, ok },
	}
	return r
}

func (r *commentRig) comment(t *testing.T, mode string, c output.Check) {
	t.Helper()
	if err := r.p.comment(t.Context(), mode, &r.run, c, output.Options{}, false); err != nil {
		t.Fatal(err)
	}
}

var (
	failing = output.Check{FailOn: "error", Result: lint.Result{Findings: []lint.Finding{{
		Rule: "MC002", Name: "mcp-unpinned-server", Severity: rules.Error, Path: ".mcp.json", Line: 3, Message: `npx fetches "@acme/search" without an exact version`,
	}}}}
	passing = output.Check{FailOn: "error"}
)

// TestCommentModes wants one comment, begun only where the mode says so, and
// renewed when the findings are mended.
func TestCommentModes(t *testing.T) {
	r := newCommentRig(t)
	for _, step := range []struct {
		mode  string
		check output.Check
		want  string // what the only comment says, empty for no comment
	}{
		{commentNever, failing, ""},
		{commentOnFailure, passing, ""},
		{commentOnFailure, failing, "1 error"},
		{commentOnFailure, passing, "no findings"},
		{commentAlways, failing, "1 error"},
		{commentAlways, passing, "no findings"},
	} {
		r.comment(t, step.mode, step.check)
		got := r.Remarks("acme/shop", 1)
		switch {
		case step.want == "" && len(got) > 0, step.want != "" && len(got) != 1:
			t.Fatalf("%s: there are %d comments", step.mode, len(got))
		case step.want != "" && !strings.Contains(got[0].Body, step.want):
			t.Errorf("%s: the comment is %q, without %q", step.mode, got[0].Body, step.want)
		}
	}
	if r.stderr.Len() > 0 {
		t.Errorf("it says %s", r.stderr.String())
	}
}

// TestCommentFallsBack wants the report in the job's summary and a sentence,
// and never a failure, where the comment cannot be written.
func TestCommentFallsBack(t *testing.T) {
	for what, c := range map[string]struct {
		arrange func(*commentRig)
		says    string
	}{
		"read-only token": {func(r *commentRig) { r.ReadOnly(true) }, "pull-requests: write"},
		"no token":        {func(r *commentRig) { delete(r.env, "GITHUB_TOKEN") }, "pull-requests: write"},
		"no pull request": {func(r *commentRig) { r.run.Number = 0 }, "no pull request"},
		"GitHub is ill": {func(r *commentRig) {
			r.Fail(githubtest.Fault{Kind: githubtest.NotJSON, Times: 1})
			r.Viewer(r.Bot("x"))
			r.ReadOnly(true)
		}, "no comment was written"},
	} {
		r := newCommentRig(t)
		c.arrange(r)
		r.comment(t, commentAlways, failing)
		text, err := os.ReadFile(r.run.SummaryFile)
		if err != nil || !strings.Contains(string(text), "## Steelyard: 1 error") {
			t.Errorf("%s: the summary is %q, %v", what, text, err)
		}
		if !strings.Contains(r.stderr.String(), c.says) || strings.Contains(r.stderr.String(), "ghs_only") {
			t.Errorf("%s: it says %q", what, r.stderr.String())
		}
	}
}
