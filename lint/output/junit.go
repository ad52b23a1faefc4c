package output

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"steelyard/lint"
)

// writeJUnit writes a check as JUnit XML: one suite a file, one case a finding.
// What fails the run is a failure; what does not is a passed case that says its
// finding; what was not looked at is skipped. A check without any of them is
// one passed case, because an empty report is refused.
//
// Source: the schemas of Jenkins' xUnit plugin and of Maven Surefire, in the
// part that both allow.
func writeJUnit(w io.Writer, c Check, o Options) error {
	report := junitReport{Name: "steelyard"}
	findings := bySeverity(c.Result.Findings)
	slices.SortStableFunc(findings, func(a, b lint.Finding) int { return bytes.Compare([]byte(a.Path), []byte(b.Path)) })
	for _, f := range findings {
		suite := report.suite(plain(o.from(f.Path)))
		suite.add(caseOf(c, f, o))
	}
	for _, s := range c.Result.Skipped {
		report.suite(plain(o.from(s.Path))).add(junitCase{Name: "not looked at", Skipped: &junitMessage{Message: plain(s.Reason)}})
	}
	for _, s := range c.LeftOut {
		report.suite("steelyard").add(junitCase{Name: "left out", Skipped: &junitMessage{Message: plain(s)}})
	}
	if len(findings) == 0 {
		report.suite("steelyard").add(junitCase{Name: "no findings in " + plural(c.Result.Files, "governed file")})
	}
	for _, s := range report.Suites {
		report.Tests += s.Tests
		report.Failures += s.Failures
	}
	var text bytes.Buffer
	text.WriteString(xml.Header)
	enc := xml.NewEncoder(&text)
	enc.Indent("", "  ")
	if err := enc.Encode(report); err != nil {
		return err
	}
	text.WriteString("\n")
	_, err := w.Write(text.Bytes())
	return err
}

func caseOf(c Check, f lint.Finding, o Options) junitCase {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s:%d:%d: %s: %s", plain(o.from(f.Path)), max(f.Line, 1), max(f.Column, 1), f.Severity, plain(f.Message))
	for _, r := range f.Related {
		fmt.Fprintf(&text, "\nsee %s:%d %s", plain(o.from(r.Path)), r.Line, plain(r.Message))
	}
	one := junitCase{Name: fmt.Sprintf("%s %s, line %d", f.Rule, f.Name, max(f.Line, 1))}
	if c.failing(f) {
		one.Failure = &junitMessage{Message: plain(f.Message), Type: string(f.Severity), Text: text.String()}
	} else {
		one.Out = text.String()
	}
	return one
}

type junitReport struct {
	XMLName  xml.Name      `xml:"testsuites"`
	Name     string        `xml:"name,attr"`
	Tests    int           `xml:"tests,attr"`
	Failures int           `xml:"failures,attr"`
	Errors   int           `xml:"errors,attr"`
	Suites   []*junitSuite `xml:"testsuite"`

	byName map[string]*junitSuite
}

// suite returns the suite of this name, a new one where there is none.
func (r *junitReport) suite(name string) *junitSuite {
	if s, ok := r.byName[name]; ok {
		return s
	}
	if r.byName == nil {
		r.byName = map[string]*junitSuite{}
	}
	s := &junitSuite{Name: name, Time: "0"}
	r.byName[name] = s
	r.Suites = append(r.Suites, s)
	return s
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

func (s *junitSuite) add(c junitCase) {
	c.Class, c.Time = s.Name, "0"
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *junitMessage `xml:"skipped"`
	Failure *junitMessage `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}
