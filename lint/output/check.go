package output

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// Check is one finished run, as it leaves: what was found, in what, and what
// was not looked at.
type Check struct {
	Result lint.Result
	// Repository names what was checked ("owner/name"), Base and Head the two
	// revisions that were compared. All three are empty for a plain lint.
	Repository, Base, Head string
	// BaseName and HeadName say what the two are for people, such as the branch
	// that Base is the last common commit with; empty where nobody named them.
	BaseName, HeadName string
	// LeftOut says in sentences what the run could not look at as a whole, such
	// as the reviews where there was no token.
	LeftOut []string
	// FailOn is the least severity that fails the run ("note", "warning",
	// "error"); anything else fails nothing.
	FailOn string
}

// Fails reports whether a finding is as bad as FailOn says.
func (c Check) Fails() bool { return slices.ContainsFunc(c.Result.Findings, c.failing) }

func (c Check) failing(f lint.Finding) bool {
	least := slices.Index(severities, rules.Severity(c.FailOn))
	return least >= 0 && weight(f) <= least
}

// severities are in order of weight: the worst first.
var severities = []rules.Severity{rules.Error, rules.Warning, rules.Note}

// Options say what stands in an output beside what was found.
type Options struct {
	// Version is the program's own.
	Version string
	// Rules are the pages of the rules that ran.
	Rules []rules.Page
	// Color writes ANSI colours in text. Whether the reader wants them (a
	// terminal, no NO_COLOR) is the caller's to decide.
	Color bool
	// Folder is where the checked folder stands in the repository
	// ("services/payments"), empty for its root. What a host shows beside a
	// file (github, sarif, rdjson, junit, summary, markdown) names paths from
	// the repository's root, text and json from the checked folder.
	Folder string
	// Source is the address below which the files of the checked commit are
	// shown ("https://github.com/owner/name/blob/SHA"), empty for no links.
	Source string
	// Marker is the hidden first line of a comment, by which it is found again
	// to be updated; see [Marker]. Empty for none.
	Marker string
	// Details is the address of a fuller report, which a comment names where it
	// had to be cut; empty for none.
	Details string
}

// writers are the forms in which a check leaves.
var writers = []struct {
	format, what string
	write        func(io.Writer, Check, Options) error
}{
	{"text", "for people, with the source line", writeText},
	{"json", "one versioned object", writeJSON},
	{"sarif", "SARIF 2.1.0, for code scanning", writeSARIF},
	{"github", "annotations of GitHub Actions", annotate},
	{"summary", "GitHub's job summary: the full report in Markdown", writeSummary},
	{"markdown", "one comment on a pull request", writeComment},
	{"junit", "JUnit XML, for test reports", writeJUnit},
	{"rdjson", "reviewdog's JSON, with suggested changes", writeRDJSON},
}

// Formats are the names that [Write] takes.
func Formats() []string {
	names := make([]string, len(writers))
	for i, w := range writers {
		names[i] = w.format
	}
	return names
}

// Write writes a check in one of [Formats]. What a repository says is escaped
// as the form needs it, and each form keeps to the bounds of whoever reads it:
// the worst findings are kept, and the form says how many it leaves out. An
// error is an unknown format or the writer's own.
func Write(w io.Writer, format string, c Check, o Options) error {
	for _, form := range writers {
		if form.format == format {
			if err := form.write(w, c, o); err != nil {
				return fmt.Errorf("write the check as %s: %w", format, err)
			}
			return nil
		}
	}
	return fmt.Errorf("write the check: there is no format %q; there are %s", format, strings.Join(Formats(), ", "))
}

// Target is one output of a run.
type Target struct {
	Format string
	File   string // empty for standard output
}

// ParseTargets reads values of --output, each FORMAT or FORMAT:FILE, where a
// file "-" or none is standard output. Two outputs must not go to one place, but
// for text and annotations on standard output.
func ParseTargets(values []string) ([]Target, error) {
	var targets []Target
	taken := map[string]string{}
	for _, value := range values {
		format, file, _ := strings.Cut(value, ":")
		if !slices.Contains(Formats(), format) {
			return nil, fmt.Errorf("--output %q: there is no format %q; write FORMAT:FILE, where FORMAT is one of %s", value, format, strings.Join(Formats(), ", "))
		}
		if file == "-" {
			file = ""
		}
		place := file
		if file != "" {
			place = path.Clean(file)
		}
		other, ok := taken[place]
		if both := format + other; ok && place == "" && (both == "textgithub" || both == "githubtext") {
			ok = false // a runner reads the annotations out of the text
		}
		if ok {
			return nil, fmt.Errorf("--output %q: %q goes to the same place; give each a file of its own", value, other)
		}
		taken[place] = value
		targets = append(targets, Target{format, file})
	}
	return targets, nil
}

// Marker is the hidden line by which a comment about a folder is known again;
// each checked folder of a repository has a comment of its own.
func Marker(folder string) string {
	safe := strings.Map(func(r rune) rune {
		if r == '/' || r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '~'
	}, strings.Trim(folder, "/"))
	return "<!-- steelyard check /" + safe + " -->"
}

func writeSARIF(w io.Writer, c Check, o Options) error {
	return SARIF(w, c.Result, SARIFOptions{Version: o.Version, Rules: o.Rules, Folder: o.Folder, LeftOut: c.LeftOut})
}

// from is a path of the checked folder, from the repository's root.
func (o Options) from(p string) string {
	if o.Folder == "" {
		return p
	}
	return path.Join(o.Folder, p)
}

// bySeverity returns the findings with the worst first, otherwise in their
// order.
func bySeverity(findings []lint.Finding) []lint.Finding {
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b lint.Finding) int { return weight(a) - weight(b) })
	return sorted
}

// weight is a finding's place in severities: the worst has the least.
func weight(f lint.Finding) int { return slices.Index(severities, f.Severity) }
