package config

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// KeyDependenciesFailOn is the dotted path of the setting that --fail-on of the
// check of new dependencies sets.
const KeyDependenciesFailOn = "dependencies.fail_on"

// Dependencies is how new dependencies are judged.
type Dependencies struct {
	// FailOn lists the judgements that make the exit code 1; empty means that
	// none does.
	FailOn []string
	// Registries are addresses by ecosystem ("npm") or service ("depsdev",
	// "osv").
	Registries map[string]string
	// Licences are SPDX identifiers and classes of licences that need no
	// question.
	Licences []string
	// Allow are decisions about single packages.
	Allow      []PackageDecision
	Thresholds Thresholds
}

// Thresholds are the numbers of the judgements, in days and in downloads a
// month.
type Thresholds struct {
	YoungDays, LookalikeDays, LookalikeDownloads, FewDownloads, FewDownloadsDays int
}

// PackageDecision is what a person decided about one package.
type PackageDecision struct {
	// Package is "ecosystem:name" or "ecosystem:name@version".
	Package string
	// For lists the judgements that it answers; empty means ask, legal and
	// unverified.
	For    []string
	Reason string
	Owner  string
	// Until is the last day on which it holds (UTC); zero means for good.
	Until time.Time
	// Line is its line in the settings file.
	Line int
}

var (
	judgements     = []string{"block", "ask", "legal", "unverified"}
	registryNames  = []string{"npm", "pypi", "go", "cargo", "gem", "nuget", "maven", "actions", "docker", "depsdev", "osv"}
	packagePattern = `^[a-z]+:[^\s@]\S*$`
)

func dependencyKeys() []key {
	return []key{
		{
			name:     "fail_on",
			doc:      "The judgements that make steelyard dependencies exit 1, separated by commas: block, ask, legal, unverified; never reports without failing.",
			fallback: "block",
			env:      "STEELYARD_DEPENDENCIES_FAIL_ON",
			set:      func(c *Config, v string) { c.Dependencies.FailOn = judgementList(v) },
			shape:    shape{valid: validJudgements, want: "judgements such as block,ask"},
		},
		{
			name:    "registries",
			doc:     "Where an ecosystem is asked, instead of where its own client would ask. Such an address is a mirror unless it is the default of the client, on this machine, or written as registry+https://…, which says that it speaks for the registry itself; off says that nobody is asked. Each can be set in the environment too, as STEELYARD_REGISTRY_NPM.",
			example: "npm: https://npm.example.com\nosv: off",
			take: func(c *Config, n *yaml.Node) {
				c.Dependencies.Registries = map[string]string{}
				for i := 0; i+1 < len(n.Content); i += 2 {
					c.Dependencies.Registries[n.Content[i].Value] = n.Content[i+1].Value
				}
			},
			shape: shape{
				kind: dict, names: `^(` + strings.Join(registryNames, "|") + `)$`, namesAre: "one of " + strings.Join(registryNames, ", "),
				element: &shape{valid: validRegistry, secret: true, want: "an address such as https://npm.example.com without a password, or off"},
			},
		},
		{
			name: "licences", doc: "Which licences need no question.",
			shape: shape{kind: table, keys: []key{{
				name:    "allow",
				doc:     "SPDX identifiers and classes of licences (permissive, weak copyleft, strong copyleft, network copyleft, source-available); without a list the permissive ones are allowed.",
				example: "- permissive\n- MPL-2.0",
				take:    func(c *Config, n *yaml.Node) { c.Dependencies.Licences = texts(n) },
				shape:   shape{kind: list, element: &shape{pattern: `^[A-Za-z0-9][A-Za-z0-9 .+-]*$`, want: "an SPDX identifier or a class, such as MIT or permissive"}},
			}}},
		},
		{
			name:    "allow",
			doc:     "Decisions about single packages, each with its reason; they are shown with what they answer.",
			example: "- package: npm:left-pad\n  for: [ask]\n  reason: read by the platform team, eleven lines\n  owner: platform team\n  until: 2027-01-31",
			take:    takeDecisions,
			shape:   shape{kind: list, element: &shape{kind: table, keys: decisionKeys()}},
		},
		{
			name: "thresholds", doc: "The numbers of the judgements. The defaults were measured on thousands of real additions.",
			shape: shape{kind: table, keys: thresholdKeys()},
		},
	}
}

func decisionKeys() []key {
	return []key{
		{
			name: "package", doc: "ECOSYSTEM:NAME, or ECOSYSTEM:NAME@VERSION for one version alone.", required: true,
			shape: shape{pattern: packagePattern, want: "a package such as npm:left-pad"},
		},
		{
			name: "for", doc: "The judgements that it answers; without it ask, legal and unverified. A block is answered only where it is named here.",
			shape: shape{kind: list, element: &shape{choices: judgements}},
		},
		{
			name: "reason", doc: "Why the package is allowed, for whoever reads it next.", required: true,
			shape: shape{pattern: `\S`, want: "a sentence"},
		},
		{
			name: "owner", doc: "Who decided, or who looks again.",
			shape: shape{want: "a name"},
		},
		{
			name: "until", doc: "The last day on which it holds; afterwards what it answered is back, and so is a finding about the decision.",
			shape: shape{kind: date, want: "a day such as 2027-01-31"},
		},
	}
}

func thresholdKeys() []key {
	threshold := func(name, doc, fallback string, field func(*Thresholds) *int) key {
		return key{
			name: name, doc: doc, fallback: fallback,
			set: func(c *Config, v string) {
				n, _ := strconv.Atoi(v) // checked before
				*field(&c.Dependencies.Thresholds) = n
			},
			shape: shape{kind: whole, above: -1, upTo: 1_000_000_000, want: "a whole number, 0 or more"},
		}
	}
	return []key{
		threshold("young_days", "A package that was first published less than this many days ago is asked about.", "30", func(t *Thresholds) *int { return &t.YoungDays }),
		threshold("lookalike_days", "A look-alike of a popular package is asked about where it is younger than this many days …", "90", func(t *Thresholds) *int { return &t.LookalikeDays }),
		threshold("lookalike_downloads", "… or has fewer downloads a month than this.", "1000", func(t *Thresholds) *int { return &t.LookalikeDownloads }),
		threshold("few_downloads", "A package with fewer downloads a month than this is asked about …", "500", func(t *Thresholds) *int { return &t.FewDownloads }),
		threshold("few_downloads_days", "… where it is younger than this many days.", "180", func(t *Thresholds) *int { return &t.FewDownloadsDays }),
	}
}

func judgementList(v string) []string {
	if v == "never" {
		return nil
	}
	var list []string
	for one := range strings.SplitSeq(v, ",") {
		list = append(list, strings.TrimSpace(one))
	}
	return list
}

func validJudgements(v string) error {
	for _, one := range judgementList(v) {
		if !slices.Contains(judgements, one) {
			if s := Suggest(one, judgements); s != "" {
				return fmt.Errorf("there is no judgement %q; did you mean %q", one, s)
			}
			return fmt.Errorf("there is no judgement %q", one)
		}
	}
	return nil
}

func validRegistry(v string) error {
	if v == "off" {
		return nil
	}
	u, err := url.Parse(strings.TrimPrefix(strings.TrimPrefix(v, "mirror+"), "registry+"))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("it is not an address")
	}
	if _, secret := u.User.Password(); secret {
		return errors.New("a password does not stand in this file: set the address in the environment")
	}
	return nil
}

func takeDecisions(c *Config, n *yaml.Node) {
	for _, e := range n.Content {
		d := PackageDecision{
			Package: scalarAt(e, "package"), Reason: scalarAt(e, "reason"), Owner: scalarAt(e, "owner"), Line: e.Line,
		}
		if list := at(e, "for"); list != nil {
			d.For = texts(list)
		}
		d.Until, _ = time.Parse(time.DateOnly, scalarAt(e, "until")) // checked; an absent one stays zero
		c.Dependencies.Allow = append(c.Dependencies.Allow, d)
	}
}

func (d Dependencies) failWords() string {
	if len(d.FailOn) == 0 {
		return "never"
	}
	return strings.Join(d.FailOn, ",")
}

func (d Dependencies) registryWords() []string {
	all := []string{}
	for _, name := range registryNames {
		if v, ok := d.Registries[name]; ok {
			all = append(all, name+": "+v)
		}
	}
	return all
}

func (d Dependencies) decisionWords() []string {
	all := []string{}
	for _, p := range d.Allow {
		w := p.Package
		if len(p.For) > 0 {
			w += " for " + strings.Join(p.For, ", ")
		}
		if p.Owner != "" {
			w += " by " + p.Owner
		}
		if !p.Until.IsZero() {
			w += " until " + p.Until.Format(time.DateOnly)
		}
		all = append(all, w+" because "+p.Reason)
	}
	return all
}

// dependencyValues are the settings by their dotted path.
func (c *Config) dependencyValues(values map[string]any) map[string]any {
	d, t := c.Dependencies, c.Dependencies.Thresholds
	values[KeyDependenciesFailOn] = d.failWords()
	values["dependencies.registries"] = d.registryWords()
	values["dependencies.licences.allow"] = words(d.Licences)
	values["dependencies.allow"] = d.decisionWords()
	values["servers.approved"] = c.Servers.approvalWords()
	for name, n := range map[string]int{
		"young_days": t.YoungDays, "lookalike_days": t.LookalikeDays, "lookalike_downloads": t.LookalikeDownloads,
		"few_downloads": t.FewDownloads, "few_downloads_days": t.FewDownloadsDays,
	} {
		values["dependencies.thresholds."+name] = float64(n)
	}
	return values
}
