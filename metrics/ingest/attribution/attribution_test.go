package attribution_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"steelyard/metrics/ingest/attribution"
	"steelyard/rules"
)

func matcher(t testing.TB) *attribution.Matcher {
	t.Helper()
	table, err := rules.AttributionTable()
	if err != nil {
		t.Fatal(err)
	}
	return attribution.New(table)
}

func say(all []attribution.Signal) []string {
	lines := []string{}
	for _, s := range all {
		lines = append(lines, fmt.Sprintf("%s: %s by %s %q ×%d", s.Tool, s.Level, s.Kind, s.Evidence, s.Count))
	}
	return lines
}

type pull = attribution.PullRequest

func message(text string) pull {
	return pull{Commits: []attribution.Commit{{Message: text}}}
}

func TestSignals(t *testing.T) {
	agent := attribution.Account{Login: "devin-ai-integration[bot]", ID: 158243242, Bot: true}
	for _, c := range []struct {
		name string
		pull pull
		want []string
	}{
		{"nothing", pull{}, []string{}},
		{"author over REST", pull{Author: agent}, []string{`devin: authored by author "devin-ai-integration" ×1`}},
		{"author over GraphQL", pull{Author: attribution.Account{Login: "devin-ai-integration", Bot: true}}, []string{`devin: authored by author "devin-ai-integration" ×1`}},
		{"author by number alone", pull{Author: attribution.Account{Login: "renamed", ID: 158243242}}, []string{`devin: authored by author "devin-ai-integration" ×1`}},
		{"reviewer's account opens", pull{Author: attribution.Account{Login: "coderabbitai", Bot: true}}, []string{}},
		{"branch", pull{Head: "codex/add-cache"}, []string{`codex: inferred by branch "codex/" ×1`}},
		{"label", pull{Labels: []string{" Claude-Code-Assisted", "bug"}}, []string{`claude-code: inferred by label "claude-code-assisted" ×1`}},
		{"label of any tool", pull{Labels: []string{"ai-generated"}}, []string{`: inferred by label "ai-generated" ×1`}},
		{"commit author", pull{Commits: []attribution.Commit{{Author: attribution.Account{Login: "cursoragent"}}, {AuthorEmail: "cursoragent@cursor.com"}}}, []string{
			`cursor: authored by commit_author "cursoragent" ×1`, `cursor: authored by commit_author "cursoragent@cursor.com" ×1`,
		}},
		{"commit author's name", pull{Commits: []attribution.Commit{{AuthorName: "Jane Roe (aider)", AuthorEmail: "jane@example.com"}}}, []string{`aider: co-authored by commit_author " (aider)" ×1`}},
		{"co-author", message("Add\n\nCo-Authored-By: Claude Opus 4.5 <NoReply@anthropic.com>"), []string{`claude-code: co-authored by co_author "noreply@anthropic.com" ×1`}},
		{"co-author without brackets", message("Add\n\nCo-authored-by: Claude claude@anthropic.com"), []string{`claude-code: co-authored by co_author "claude@anthropic.com" ×1`}},
		{"co-author by number", message("Add\n\nCo-authored-by: Copilot <223556219+Copilot@users.noreply.github.com>"), []string{`copilot-cli: co-authored by co_author "Copilot" ×1`}},
		{"number under any name", message("Add\n\nCo-authored-by: Somebody <223556219+Renamed@users.noreply.github.com>"), []string{`copilot-cli: co-authored by co_author "Copilot" ×1`}},
		{"accepted suggestion", message("Add\n\nCo-authored-by: Copilot <175728472+Copilot@users.noreply.github.com>"), []string{`copilot-review: suggestion by co_author "Copilot" ×1`}},
		{"the action's number", message("Add\n\nCo-authored-by: claude[bot] <41898282+claude[bot]@users.noreply.github.com>"), []string{`claude-code: co-authored by co_author "41898282+claude[bot]@users.noreply.github.com" ×1`}},
		{"another bot", message("Add\n\nCo-authored-by: github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>"), []string{}},
		{"trailers", message("Add\n\nMade-with: Cursor\nAmp-Thread-ID: https://ampcode.com/threads/T-1\nMade-with: Love"), []string{
			`amp: co-authored by trailer "Amp-Thread-ID" ×1`, `cursor: co-authored by trailer "Made-with" ×1`,
		}},
		{"assisted by", message("Add\n\nAssisted-by: Claude Code (model: opus, supervised)"), []string{`claude-code: co-authored by trailer "Assisted-by" ×1`}},
		{"assisted by a model", message("Add\n\nAssisted-by: Claude:claude-opus-4"), []string{`claude-code: co-authored by trailer "Assisted-by" ×1`}},
		{"footer", pull{Body: "Adds it.\n\n🤖 Generated with [Claude Code](https://claude.com/claude-code)"}, []string{`claude-code: co-authored by footer "Generated with [Claude Code]" ×1`}},
		{"link", pull{Body: "https://chatgpt.com/codex/tasks/task_e_1"}, []string{`codex: co-authored by link "chatgpt.com/codex/tasks/" ×1`}},
		{"squash repeats", pull{
			Message: "Add (#2)\n\n* one\n\nCo-authored-by: Claude <noreply@anthropic.com>",
			Body:    "Co-Authored-By: Claude <noreply@anthropic.com>",
			Commits: []attribution.Commit{{Message: "one\n\nCo-authored-by: Claude <noreply@anthropic.com>"}, {Message: "two\n\nCo-authored-by: Claude <noreply@anthropic.com>"}},
		}, []string{`claude-code: co-authored by co_author "noreply@anthropic.com" ×2`}},
		{"squash dropped them", pull{Message: "Add (#2)", Head: "claude/add", Body: "Co-Authored-By: Claude <noreply@anthropic.com>"}, []string{
			`claude-code: co-authored by co_author "noreply@anthropic.com" ×1`, `claude-code: inferred by branch "claude/" ×1`,
		}},
		{"several tools", pull{Author: agent, Head: "devin/1-add", Labels: []string{"copilot"}}, []string{
			`devin: authored by author "devin-ai-integration" ×1`, `devin: inferred by branch "devin/" ×1`, `copilot: inferred by label "copilot" ×1`,
		}},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			if diff := cmp.Diff(c.want, say(matcher(t).Signals(c.pull))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestNoSignals holds what looks like an assistant and is none: people of those
// companies, people of those names, other people's text.
func TestNoSignals(t *testing.T) {
	const footer = "Generated with [Claude Code](https://claude.com/claude-code)"
	for _, c := range []struct {
		name string
		pull pull
	}{
		{"colleague at a vendor", message("Add\n\nCo-authored-by: Jane Roe <jane@anthropic.com>\nCo-authored-by: Joe Doe <joe@openai.com>\nCo-authored-by: Jo <jo@cognition.ai>")},
		{"a person called Claude", message("Add\n\nCo-authored-by: Claude Martin <claude@example.fr>\nCo-authored-by: Devin <devin@example.com>\nCo-authored-by: Jules <jules@google.com>")},
		{"a name without a mailbox", message("Add\n\nCo-authored-by: Claude\nAssisted-by: Devin\nAssisted-by: Jules Verne\nAssisted-by: Jane Roe <jane@example.com>")},
		{"a user called claude", pull{Author: attribution.Account{Login: "claude", ID: 4711}, Commits: []attribution.Commit{{Author: attribution.Account{Login: "devin"}, AuthorName: "Devin", AuthorEmail: "devin@example.com"}}}},
		{"a user called like a bot", pull{Author: attribution.Account{Login: "cursor"}}},
		{"a bot of that login, another number", pull{Author: attribution.Account{Login: "claude", ID: 4711, Bot: true}}},
		{"GitHub's own mailbox", message("Add\n\nCo-authored-by: GitHub <noreply@github.com>")},
		{"a mailbox that only ends so", message("Add\n\nCo-authored-by: X <notnoreply@anthropic.com.example.org>\nCo-authored-by: Y <xnoreply@anthropic.com>")},
		{"somebody's number", message("Add\n\nCo-authored-by: Copilot <12345+Copilot@users.noreply.github.com>")},
		{"an unnumbered address", message("Add\n\nCo-authored-by: Copilot <Copilot@users.noreply.github.com>")},
		{"a branch about it", pull{Head: "fix-claude/config"}},
		{"a branch of words", pull{Head: "cursor-pagination"}},
		{"a label about it", pull{Labels: []string{"area: copilot"}}},
		{"a quotation", pull{Body: "> " + footer + "\n> Co-authored-by: Claude <noreply@anthropic.com>"}},
		{"release notes", pull{Body: "Bumps x.\n<details><blockquote>\nCo-authored-by: Claude <noreply@anthropic.com>\n</blockquote></details>"}},
		{"a comment of the template", pull{Body: "<!-- " + footer + " -->"}},
		{"a code block", pull{Body: "```\n" + footer + "\n```\n"}},
		{"a documentation link", pull{Body: "See https://claude.com/claude-code and https://docs.devin.ai/sessions/x"}},
		{"a host that ends so", pull{Body: "https://notchatgpt.com/codex/tasks/1"}},
		{"a mention", pull{Body: "@claude please look, Copilot said so, by Cursor"}},
	} {
		t.Run(strings.NewReplacer(" ", "_", ",", "", "'", "").Replace(c.name), func(t *testing.T) {
			if got := say(matcher(t).Signals(c.pull)); len(got) > 0 {
				t.Errorf("signals %q", got)
			}
		})
	}
}

func TestRole(t *testing.T) {
	for _, c := range []struct {
		name    string
		account attribution.Account
		want    rules.Role
	}{
		{"agent", attribution.Account{Login: "google-labs-jules[bot]"}, rules.Agent},
		{"AI reviewer over GraphQL", attribution.Account{Login: "coderabbitai", Bot: true}, rules.Reviewer},
		{"AI reviewer over REST", attribution.Account{Login: "Copilot", ID: 175728472, Bot: true}, rules.Reviewer},
		{"Copilot's reviewer over GraphQL", attribution.Account{Login: "copilot-pull-request-reviewer", Bot: true}, rules.Reviewer},
		{"known bot", attribution.Account{Login: "dependabot[bot]", ID: 49699333}, rules.Bot},
		{"unknown bot", attribution.Account{Login: "our-release", Bot: true}, rules.Bot},
		{"robot with a user's account", attribution.Account{Login: "gemini-cli-robot"}, rules.Bot},
		{"person", attribution.Account{Login: "octocat", ID: 583231}, ""},
		{"person called claude", attribution.Account{Login: "claude"}, ""},
		{"ghost", attribution.Account{}, ""},
	} {
		t.Run(strings.NewReplacer(" ", "_", "'", "").Replace(c.name), func(t *testing.T) {
			got, known := matcher(t).Role(c.account)
			if got != c.want || known != (c.want != "") {
				t.Errorf("%q, %v; want %q", got, known, c.want)
			}
		})
	}
}

func data(t testing.TB, name string) [][]string {
	t.Helper()
	root := os.Getenv("STEELYARD_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(root, "measurement", name))
	if os.IsNotExist(err) {
		t.Skipf("the reference data is not there: set STEELYARD_DATA to its folder (looked for %s)", f.Name())
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// TestObservedTrailers reads the co-author trailers of assistants that stand in
// 417,615 public commits. What has no mailbox, or one that is not only an
// assistant's, stays unread on purpose.
func TestObservedTrailers(t *testing.T) {
	m := matcher(t)
	all, read := 0, 0
	for _, row := range data(t, "ai_trailers_observed.csv") {
		n, err := strconv.Atoi(row[1])
		if err != nil {
			t.Fatal(err)
		}
		all += n
		got := m.Signals(message("x\n\nCo-authored-by: " + row[0]))
		if len(got) > 0 {
			read += n
			continue
		}
		t.Logf("unread: %s, %d commits", row[0], n)
	}
	t.Logf("%d of %d trailers read: %.2f %%", read, all, 100*float64(read)/float64(all))
	if float64(read) < .98*float64(all) {
		t.Errorf("%d of %d trailers read", read, all)
	}
}

// TestAIDevShares gives every signal of the AIDev pull requests, one by one, and
// expects the shares of each agent's pull requests that were published.
func TestAIDevShares(t *testing.T) {
	m := matcher(t)
	best := map[string]float64{}
	for _, row := range data(t, "aidev_pop_attribution_signals.csv") {
		agent, signal, value := row[0], row[1], row[2]
		got := m.Signals(aidevPull(signal, value))
		prs, _ := strconv.ParseFloat(row[4], 64)
		of, _ := strconv.ParseFloat(row[5], 64)
		for _, s := range got {
			key := agent + " " + s.Tool + " " + string(s.Kind)
			best[key] = max(best[key], 100*prs/of)
		}
		if person := strings.Contains(value, "@") && len(got) > 0 && !isAssistant(value); person {
			t.Errorf("%s %q read as %q", signal, value, say(got))
		}
	}
	for key, want := range map[string]string{
		"Copilot copilot-agent commit_author": "99.3",
		"Copilot copilot-agent footer":        "92.4",
		"Cursor cursor commit_author":         "97.9",
		"Devin devin commit_author":           "99.1",
		"Devin devin link":                    "96.7",
		"OpenAI_Codex codex link":             "46.5",
		"Claude_Code claude-code co_author":   "81.2",
		"Claude_Code claude-code footer":      "75.2",
	} {
		got := fmt.Sprintf("%.1f", best[key])
		t.Logf("%s: %s %%", key, got)
		if got != want {
			t.Errorf("%s: %s %%, want %s %%", key, got, want)
		}
	}
}

// aidevPull is a pull request with one signal, as the table describes it.
func aidevPull(signal, value string) pull {
	switch signal {
	case "co-author trailer (commit)":
		return message("x\n\nCo-authored-by: " + value)
	case "co-author trailer (PR body)":
		return pull{Body: "x\n\nCo-authored-by: " + value}
	case "commit author login":
		return pull{Commits: []attribution.Commit{{Author: attribution.Account{Login: value, Bot: value == "Copilot"}}}}
	}
	bodies := map[string]string{
		`footer "Generated with [Claude Code]"`:       "Generated with [Claude Code](https://claude.ai/code)",
		`copilot body tip "Let Copilot coding agent"`: "Let Copilot coding agent set things up for you",
		`user @Copilot mention`:                       "@Copilot please",
		`app.devin.ai session link`:                   "https://app.devin.ai/sessions/1",
		`"Link to Devin run"`:                         "Link to Devin run: see there",
		`chatgpt.com/codex task link`:                 "https://chatgpt.com/codex/tasks/1",
		`footer url claude.ai/code`:                   "https://claude.ai/code",
	}
	return pull{Body: bodies[value]}
}

func isAssistant(trailer string) bool {
	for _, mark := range []string{"[bot]", "+Copilot@", "@anthropic.com"} {
		if strings.Contains(trailer, mark) {
			return true
		}
	}
	return false
}

func FuzzSignals(f *testing.F) {
	for _, seed := range []string{
		"Co-authored-by: Claude <noreply@anthropic.com>", "Assisted-by: Codex (m)", "> quoted", "```\nx", "<!-- x", "<blockquote>x",
		"Co-authored-by: X <999999999999999999999+x@users.noreply.github.com>", "https://app.devin.ai/sessions/1\x00\xff",
	} {
		f.Add("claude", seed, "codex/x")
	}
	m := matcher(f)
	f.Fuzz(func(t *testing.T, login, text, head string) {
		p := pull{
			Author: attribution.Account{Login: login}, Body: text, Message: text, Head: head, Labels: []string{text},
			Commits: []attribution.Commit{{Message: text, AuthorEmail: login, AuthorName: text}},
		}
		got := m.Signals(p)
		for _, s := range got {
			if s.Kind == "" || s.Level == "" || s.Evidence == "" || s.Count < 1 {
				t.Errorf("signal %+v", s)
			}
		}
		if diff := cmp.Diff(got, m.Signals(p)); diff != "" {
			t.Errorf("not the same twice:\n%s", diff)
		}
	})
}
