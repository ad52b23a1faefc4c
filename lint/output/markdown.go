package output

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"strings"

	"steelyard/lint"
	"steelyard/rules"
)

// MaxSummary is how many bytes a job summary has at most: GitHub refuses a
// step's file of more than 1 MiB, and another part of the step may write too.
const MaxSummary = 1_000_000

// MaxComment is how many bytes a comment has at most; GitHub takes 65,536
// characters.
const MaxComment = 60_000

// Bounds of one entry, so that no single finding fills a report.
const (
	maxMessage = 1000 // bytes of a message
	maxPath    = 300  // bytes of a path
	maxPlaces  = 5    // related places of a finding
	maxAside   = 20   // paths that were skipped, things left out
)

// writeSummary writes the full report for GitHub's job summary.
func writeSummary(w io.Writer, c Check, o Options) error {
	r := &reportWriter{o: o, most: MaxSummary, howTo: true, whole: "GitHub takes 1 MiB of a step; --output json:FILE has all of them"}
	_, err := w.Write(r.report(c))
	return err
}

// writeComment writes the report for one comment on a pull request, its marker
// first.
func writeComment(w io.Writer, c Check, o Options) error {
	r := &reportWriter{o: o, most: MaxComment, whole: "a comment holds 65,536 characters; the job summary has more"}
	if target, ok := address(o.Details); ok {
		r.whole = "a comment holds 65,536 characters; [the job's report](" + target + ") has more"
	}
	if o.Marker != "" {
		r.text.WriteString(o.Marker + "\n")
	}
	_, err := w.Write(r.report(c))
	return err
}

// reportWriter makes a report in Markdown that stays within a bound. Whatever a
// repository says stands in it as code, or as words that Markdown and GitHub
// leave alone: it names nobody, links nowhere and is no markup.
type reportWriter struct {
	o     Options
	most  int    // bytes of the whole report
	howTo bool   // whether each rule's cure is told at length
	whole string // where the rest is, when the report is cut
	text  bytes.Buffer
}

// aside is how many bytes are kept for the sentence about what was cut.
const aside = 500

func (r *reportWriter) report(c Check) []byte {
	r.head(c)
	tail := r.tail(c)
	room := r.most - len(tail) - aside
	left := r.findings(bySeverity(c.Result.Findings), room)
	if left > 0 {
		fmt.Fprintf(&r.text, "%s left out here, the worst are above: %s.\n\n", wereNot(left), r.whole)
	}
	r.text.Write(tail)
	return r.text.Bytes()
}

func wereNot(n int) string {
	if n == 1 {
		return "1 finding is"
	}
	return fmt.Sprintf("%d findings are", n)
}

// head is the answer in one line, and what it is about.
func (r *reportWriter) head(c Check) {
	res := c.Result
	sums := count(res.Findings)
	switch {
	case len(res.Findings) > 0:
		var parts []string
		for _, p := range []struct {
			n    int
			noun string
		}{{sums.errors, "error"}, {sums.warnings, "warning"}, {sums.notes, "note"}} {
			if p.n > 0 {
				parts = append(parts, plural(p.n, p.noun))
			}
		}
		fmt.Fprintf(&r.text, "## Steelyard: %s\n\n", strings.Join(parts, ", "))
	case res.Known > 0:
		r.text.WriteString("## Steelyard: no new findings\n\n")
	default:
		r.text.WriteString("## Steelyard: no findings\n\n")
	}
	r.text.WriteString("Looked at " + plural(res.Files, "governed file"))
	if c.Repository != "" {
		r.text.WriteString(" of " + code(bounded(c.Repository, maxPath)))
	}
	switch {
	case c.Base != "" && c.Head != "":
		fmt.Fprintf(&r.text, ", and at what changed from %s to %s", revision(c.Base), revision(c.Head))
	case c.Base != "":
		fmt.Fprintf(&r.text, ", and at what changed since %s", revision(c.Base))
	}
	r.text.WriteString(".")
	if res.Suppressed > 0 {
		fmt.Fprintf(&r.text, " %s answered by a suppression with a reason.", wasWere(res.Suppressed))
	}
	if res.Known > 0 {
		fmt.Fprintf(&r.text, " %s there before and not shown.", wasWere(res.Known))
	}
	if len(res.Findings) > 0 && !c.Fails() {
		r.text.WriteString(" Nothing here fails the check.")
	}
	r.text.WriteString("\n\n")
}

// commit is the form of a whole commit's name.
var commit = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)

// shortCommit is how many digits of a commit are shown.
const shortCommit = 12

// revision is a revision as people read it: a commit by its first digits.
func revision(s string) string { return code(bounded(abbreviated(s), maxPath)) }

// abbreviated is a revision with a whole commit's name cut to its first digits.
func abbreviated(rev string) string {
	if commit.MatchString(rev) {
		return rev[:shortCommit]
	}
	return rev
}

func wasWere(n int) string {
	if n == 1 {
		return "1 finding was"
	}
	return fmt.Sprintf("%d findings were", n)
}

// findings writes as many as there is room for, grouped by rule in order of
// severity, and returns how many it left out.
func (r *reportWriter) findings(findings []lint.Finding, room int) (left int) {
	pages := map[string]rules.Page{}
	for _, p := range r.o.Rules {
		pages[p.ID] = p
	}
	for _, group := range byRule(findings) {
		f := group[0]
		heading := r.heading(f, pages[f.Rule], len(group))
		written := 0
		for _, f := range group {
			entry := r.entry(f)
			if written == 0 {
				entry = heading + entry
			}
			if r.text.Len()+len(entry) > room {
				break
			}
			r.text.WriteString(entry)
			written++
		}
		left += len(group) - written
		if written > 0 {
			r.text.WriteString("\n")
			if how := r.cure(pages[f.Rule]); written == len(group) && r.text.Len()+len(how) <= room {
				r.text.WriteString(how)
			}
		}
	}
	return left
}

// byRule puts the findings of one rule and severity together, in order of their
// first.
func byRule(findings []lint.Finding) [][]lint.Finding {
	type key struct {
		severity rules.Severity
		rule     string
	}
	at := map[key]int{}
	var all [][]lint.Finding
	for _, f := range findings {
		k := key{f.Severity, f.Rule}
		i, ok := at[k]
		if !ok {
			i = len(all)
			at[k] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], f)
	}
	return all
}

// headings are the severities at the start of a heading.
var headings = map[rules.Severity]string{rules.Error: "Error", rules.Warning: "Warning", rules.Note: "Note"}

func (r *reportWriter) heading(f lint.Finding, page rules.Page, n int) string {
	title := page.Title
	if title == "" {
		title = prose(f.Name)
	}
	return fmt.Sprintf("### %s: %s (%s, %d)\n\n%s", headings[f.Severity], title, f.Rule, n, paragraph(firstParagraph(page.Why)))
}

func paragraph(s string) string {
	if s == "" {
		return ""
	}
	return s + "\n\n"
}

// cure is how a rule's findings are mended, folded away.
func (r *reportWriter) cure(page rules.Page) string {
	if !r.howTo || page.HowToFix == "" {
		return ""
	}
	return "<details><summary>How to fix</summary>\n\n" + strings.TrimSpace(page.HowToFix) + "\n\n</details>\n\n"
}

func (r *reportWriter) entry(f lint.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- %s %s\n", r.place(f.Path, f.Line), prose(bounded(f.Message, maxMessage)))
	for _, rel := range f.Related[:min(len(f.Related), maxPlaces)] {
		fmt.Fprintf(&b, "  - see %s %s\n", r.place(rel.Path, rel.Line), prose(bounded(rel.Message, maxMessage)))
	}
	if more := len(f.Related) - maxPlaces; more > 0 {
		fmt.Fprintf(&b, "  - and %s\n", plural(more, "more place"))
	}
	return b.String()
}

// place is a line of a file, as a link where its address is known.
func (r *reportWriter) place(path string, line int) string {
	full := r.o.from(path)
	text := code(fmt.Sprintf("%s:%d", bounded(full, maxPath), max(line, 1)))
	source, ok := address(r.o.Source)
	if !ok || len(full) > maxPath {
		return text
	}
	segments := strings.Split(full, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	return fmt.Sprintf("[%s](%s/%s#L%d)", text, strings.TrimSuffix(source, "/"), strings.Join(segments, "/"), max(line, 1))
}

// tail is what was not looked at, and how to go on.
func (r *reportWriter) tail(c Check) []byte {
	var b bytes.Buffer
	if n := len(c.LeftOut) + len(c.Result.Skipped); n > 0 {
		b.WriteString("### Not looked at\n\n")
		for _, s := range c.LeftOut[:min(len(c.LeftOut), maxAside)] {
			fmt.Fprintf(&b, "- %s\n", prose(bounded(s, maxMessage)))
		}
		for _, s := range c.Result.Skipped[:min(len(c.Result.Skipped), maxAside)] {
			fmt.Fprintf(&b, "- %s %s\n", code(bounded(r.o.from(s.Path), maxPath)), prose(bounded(s.Reason, maxPath)))
		}
		if more := max(len(c.LeftOut)-maxAside, 0) + max(len(c.Result.Skipped)-maxAside, 0); more > 0 {
			fmt.Fprintf(&b, "- and %d more\n", more)
		}
		b.WriteString("\n")
	}
	if len(c.Result.Findings) > 0 {
		b.WriteString("`steelyard explain RULE` says why a rule is there, how to mend a finding, and how to accept one with a reason.\n")
	}
	return b.Bytes()
}

// address returns an address that is safe inside a Markdown link.
func address(s string) (string, bool) {
	ok := strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
	return s, ok && !strings.ContainsAny(s, " ()<>\"'\\`[]|\t\r\n") && !strings.ContainsFunc(s, unsafe)
}
