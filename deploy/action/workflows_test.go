package action_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// step is a step of a workflow or of a composite action.
type step struct {
	Name  string            `yaml:"name"`
	Uses  string            `yaml:"uses"`
	Run   string            `yaml:"run"`
	Shell string            `yaml:"shell"`
	If    string            `yaml:"if"`
	With  map[string]any    `yaml:"with"`
	Env   map[string]string `yaml:"env"`
}

type workflow struct {
	Name        string    `yaml:"name"`
	On          yaml.Node `yaml:"on"`
	Permissions yaml.Node `yaml:"permissions"`
	Concurrency yaml.Node `yaml:"concurrency"`
	Env         map[string]string
	Jobs        map[string]struct {
		Name        string    `yaml:"name"`
		RunsOn      yaml.Node `yaml:"runs-on"`
		Permissions yaml.Node `yaml:"permissions"`
		Timeout     int       `yaml:"timeout-minutes"`
		Environment string    `yaml:"environment"`
		If          string    `yaml:"if"`
		Uses        string    `yaml:"uses"`
		Secrets     yaml.Node `yaml:"secrets"`
		Container   yaml.Node `yaml:"container"`
		Services    yaml.Node `yaml:"services"`
		Steps       []step    `yaml:"steps"`
	} `yaml:"jobs"`
	Runs struct { // of an action
		Using string `yaml:"using"`
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

var (
	pinned    = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	pinLine   = regexp.MustCompile(`uses: +[\w./-]+@[0-9a-f]{40} +# v[0-9]+\.[0-9]+\.[0-9]+$`)
	grant     = regexp.MustCompile(`^ +[a-z-]+: (read|write)( +# .+)?$`)
	writesEnv = regexp.MustCompile(`GITHUB_(ENV|PATH)`)
)

// faults are what zizmor would say of a workflow or an action, by its own names
// of rules, as far as they can be told without the network.
//
// Source: zizmor's manual, "Audit Rules", version 1.30.
func faults(text string) ([]string, error) {
	var w workflow
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		return nil, err
	}
	f := &finder{text: text}
	releases := strings.Contains(text, "tags:") || strings.Contains(text, "release:\n")
	if w.Runs.Using == "" {
		f.workflow(w)
	}
	for name, job := range w.Jobs {
		f.say(job.Name == "", "anonymous-definition", name)
		f.say(job.Permissions.IsZero(), "excessive-permissions", name+" takes the default")
		f.say(job.Permissions.Kind == yaml.ScalarNode, "excessive-permissions", name+" takes all of them")
		f.say(job.Timeout == 0, "no time limit", name)
		f.say(strings.Contains(valueOf(job.RunsOn), "self-hosted"), "self-hosted-runner", name)
		f.say(valueOf(job.Secrets) == "inherit", "secrets-inherit", name)
		f.say(!job.Container.IsZero() || !job.Services.IsZero(), "unpinned-images", name+" runs in a container, which this test does not read")
		f.say(job.Uses != "", "unpinned-uses", name+" uses a workflow, which this test does not read")
		f.condition(job.If)
		f.say(strings.Contains(text, "secrets.") && job.Environment == "", "secrets-outside-env", name)
		for _, s := range job.Steps {
			f.step(s, releases)
		}
	}
	for _, s := range w.Runs.Steps {
		f.say(s.Run != "" && s.Shell == "", "misfeature", "a step without a shell")
		f.step(s, false)
	}
	return f.found, nil
}

type finder struct {
	text  string
	found []string
}

func (f *finder) say(wrong bool, rule, what string) {
	if wrong {
		f.found = append(f.found, rule+": "+what)
	}
}

func (f *finder) workflow(w workflow) {
	f.say(w.Name == "", "anonymous-definition", "the workflow")
	f.say(valueOf(w.Permissions) != "{}", "excessive-permissions", "the workflow gives something to every job")
	f.say(w.Concurrency.IsZero(), "concurrency-limits", "the workflow")
	for _, trigger := range []string{"pull_request_target", "workflow_run", "issue_comment"} {
		f.say(strings.Contains(valueOf(w.On), trigger), "dangerous-triggers", trigger)
	}
	inGrants := false
	for line := range strings.Lines(f.text) {
		line = strings.TrimRight(line, "\n")
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "permissions:") {
			inGrants = true
			continue
		}
		m := grant.FindStringSubmatch(line)
		inGrants = inGrants && m != nil
		f.say(inGrants && m != nil && m[2] == "", "undocumented-permissions", strings.TrimSpace(line))
	}
	for _, bad := range []string{"toJSON(secrets)", "toJson(secrets)"} {
		f.say(strings.Contains(f.text, bad), "overprovisioned-secrets", bad)
	}
	f.say(strings.Contains(f.text, "fromJSON(secrets"), "unredacted-secrets", "fromJSON(secrets…)")
	f.say(strings.Contains(f.text, "ACTIONS_ALLOW_UNSECURE_COMMANDS"), "insecure-commands", "the workflow")
}

func (f *finder) step(s step, releases bool) {
	name := s.Name + s.Uses
	f.say(s.Name == "", "anonymous-definition", name)
	f.say(strings.Contains(s.Run, "${{"), "template-injection", name)
	f.say(strings.Contains(s.Shell, "${{"), "obfuscation", name)
	f.say(writesEnv.MatchString(s.Run), "github-env", name)
	f.say(strings.Contains(s.Run, "::set-env") || strings.Contains(s.Run, "::add-path"), "insecure-commands", name)
	for _, fetches := range []string{"pip install", "npm install", "npx ", "go install", "gem install", "| sh", "| bash"} {
		f.say(strings.Contains(s.Run, fetches), "adhoc-packages", name)
	}
	f.condition(s.If)
	if s.Uses == "" {
		return
	}
	f.uses(s, name)
	cached := s.With["cache"] != false
	f.say(releases && strings.HasPrefix(s.Uses, "actions/setup-") && cached, "cache-poisoning", name)
	f.say(releases && strings.HasPrefix(s.Uses, "actions/cache"), "cache-poisoning", name)
}

func (f *finder) uses(s step, name string) {
	if strings.HasPrefix(s.Uses, "./") {
		f.say(!strings.Contains(f.text, "uses: "+s.Uses+" # zizmor: ignore[self-repository]"), "self-repository", name)
		return
	}
	f.say(!pinned.MatchString(s.Uses), "unpinned-uses", name)
	f.say(strings.Contains(s.Uses, ".."), "obfuscation", name)
	at := strings.Index(f.text, s.Uses)
	line, _, _ := strings.Cut(f.text[max(at-len("uses: "), 0):], "\n")
	f.say(!pinLine.MatchString(line), "ref-version-mismatch", name+" does not say which version that is")
	for _, already := range []string{"ncipollo/release-action", "softprops/action-gh-release", "peter-evans/create-pull-request"} {
		f.say(strings.HasPrefix(s.Uses, already), "superfluous-actions", name)
	}
	if strings.HasPrefix(s.Uses, "actions/checkout@") {
		f.say(s.With["persist-credentials"] != false, "artipacked", name)
	}
	for tool, input := range map[string]string{"goreleaser/goreleaser-action": "version", "anchore/sbom-action/download-syft": "syft-version"} {
		version, _ := s.With[input].(string)
		f.say(strings.HasPrefix(s.Uses, tool+"@") && !regexp.MustCompile(`^v\d+\.\d+\.\d+$`).MatchString(version), "unpinned-tools", name)
	}
}

func (f *finder) condition(s string) {
	f.say(strings.Contains(s, "github.actor"), "bot-conditions", s)
	f.say(strings.Contains(s, "contains('") || strings.Contains(s, `contains("`), "unsound-contains", s)
	f.say(strings.Contains(s, "${{") && (!strings.HasPrefix(s, "${{") || strings.HasSuffix(s, "\n")), "unsound-condition", s)
}

// valueOf is a node as YAML.
func valueOf(n yaml.Node) string {
	if n.IsZero() {
		return ""
	}
	text, err := yaml.Marshal(&n)
	if err != nil {
		return fmt.Sprint(err)
	}
	return strings.TrimSpace(string(text))
}

// TestWorkflows wants nothing that zizmor would say.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no workflows: %v", err)
	}
	for _, file := range append(files, "../../action.yml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found, err := faults(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, one := range found {
			t.Errorf("%s: %s", file, one)
		}
	}
}

// TestManualPins wants the manual's workflows to use what our own use.
func TestManualPins(t *testing.T) {
	own, err := os.ReadFile("../../.github/workflows/ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	pins := regexp.MustCompile(`actions/[a-z-]+@[0-9a-f]+ # v[0-9.]+`).FindAllString(string(manual), -1)
	if len(pins) == 0 {
		t.Fatal("the manual pins nothing")
	}
	for _, pin := range pins {
		if !strings.Contains(string(own), pin) {
			t.Errorf("docs/ci.md has %s, which our own workflow does not use", pin)
		}
	}
}

// TestFaults breaks a good workflow in every way that is looked for.
func TestFaults(t *testing.T) {
	const pin = "3d3c42e5aac5ba805825da76410c181273ba90b1"
	good := `name: Good
on: {push: {tags: ["v*"]}}
permissions: {}
concurrency:
  group: one
jobs:
  one:
    name: One
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions:
      contents: read # to check out
    steps:
      - name: Check out
        uses: actions/checkout@` + pin + ` # v7.0.1
        with:
          persist-credentials: false
      - name: Set up
        uses: actions/setup-go@` + pin + ` # v7.0.0
        with:
          cache: false
      - name: Release
        uses: goreleaser/goreleaser-action@` + pin + ` # v7.2.3
        with:
          version: v2.15.1
      - name: Run
        if: always()
        run: make
`
	if found, err := faults(good); err != nil || len(found) > 0 {
		t.Fatalf("the good workflow: %v, %v", found, err)
	}
	for _, c := range [][3]string{
		{"anonymous-definition", "name: Good\n", ""},
		{"anonymous-definition", "name: One\n", "name: ''\n"},
		{"excessive-permissions", "permissions: {}", "permissions: read-all"},
		{"excessive-permissions", "    permissions:\n      contents: read # to check out\n", ""},
		{"excessive-permissions", "    permissions:\n      contents: read # to check out\n", "    permissions: write-all\n"},
		{"undocumented-permissions", " # to check out", ""},
		{"concurrency-limits", "concurrency:\n  group: one\n", ""},
		{"dangerous-triggers", "push: {tags", "pull_request_target: {}, push: {tags"},
		{"no time limit", "    timeout-minutes: 5\n", ""},
		{"self-hosted-runner", "runs-on: ubuntu-24.04", "runs-on: [self-hosted]"},
		{"unpinned-images", "    timeout-minutes: 5\n", "    timeout-minutes: 5\n    container: node:22\n"},
		{"secrets-outside-env", "run: make", "run: make\n        env: {A: '${{ secrets.A }}'}"},
		{"overprovisioned-secrets", "run: make", "run: make\n        env: {A: '${{ toJSON(secrets) }}'}"},
		{"template-injection", "run: make", "run: echo ${{ github.head_ref }}"},
		{"github-env", "run: make", "run: echo A=b >> $GITHUB_ENV"},
		{"adhoc-packages", "run: make", "run: pip install zizmor"},
		{"insecure-commands", "run: make", "run: echo ::add-path::x"},
		{"unpinned-uses", "checkout@" + pin + " #", "checkout@v7 #"},
		{"ref-version-mismatch", pin + " # v7.0.1", pin},
		{"artipacked", "persist-credentials: false", "persist-credentials: true"},
		{"cache-poisoning", "cache: false", "cache: true"},
		{"unpinned-tools", "version: v2.15.1", "version: latest"},
		{"self-repository", "uses: actions/setup-go@" + pin + " # v7.0.0", "uses: ./"},
		{"bot-conditions", "if: always()", "if: github.actor == 'dependabot[bot]'"},
		{"unsound-contains", "if: always()", "if: contains('main', github.ref_name)"},
		{"unsound-condition", "if: always()", "if: true ${{ always() }}"},
		{"superfluous-actions", "actions/setup-go@", "softprops/action-gh-release@"},
	} {
		bad := strings.Replace(good, c[1], c[2], 1)
		found, err := faults(bad)
		if err != nil || bad == good || !slices.ContainsFunc(found, func(s string) bool { return strings.HasPrefix(s, c[0]+":") }) {
			t.Errorf("%s for %q: %v, %v", c[0], c[1], found, err)
		}
	}
}

// TestActionInputs wants every input handed on through the environment or to an
// action, and none read that there is not.
func TestActionInputs(t *testing.T) {
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct {
			Description string `yaml:"description"`
		} `yaml:"inputs"`
		Outputs map[string]struct {
			Description, Value string
		} `yaml:"outputs"`
	}
	if err := yaml.Unmarshal(text, &action); err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(string(text), -1) {
		used[m[1]] = true
		if _, ok := action.Inputs[m[1]]; !ok {
			t.Errorf("inputs.%s is read and not declared", m[1])
		}
	}
	for name, input := range action.Inputs {
		if !used[name] || input.Description == "" || !strings.Contains(string(manual), "| `"+name+"` |") {
			t.Errorf("input %s is not used, not described or not in docs/ci.md", name)
		}
	}
	scripts := ""
	for _, script := range []string{"run.sh", "install.sh"} {
		body, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		scripts += string(body)
	}
	for name, o := range action.Outputs {
		if !strings.Contains(scripts, name) || o.Description == "" || !strings.Contains(string(manual), "| `"+name+"` |") {
			t.Errorf("output %s is not written, not described or not in docs/ci.md", name)
		}
	}
}
