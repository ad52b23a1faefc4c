package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"steelyard/rules"
)

type explainRuleIn struct {
	Rule string `json:"rule" jsonschema:"id such as MC002, or name"`
}

type explainRuleOut struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Title     string    `json:"title"`
	Severity  string    `json:"severity"`
	Lifecycle string    `json:"lifecycle"`
	Fix       string    `json:"fix" jsonschema:"automatic: none, safe or unsafe"`
	Why       string    `json:"why" clean:"block"`
	Bad       []example `json:"bad"`
	Good      []example `json:"good"`
	HowToFix  string    `json:"how_to_fix" clean:"block"`
	Truncated bool      `json:"truncated" jsonschema:"examples were cut; steelyard explain prints all"`
}

type example struct {
	Path string `json:"path"`
	Text string `json:"text" clean:"block"`
}

func (s *Server) explainRule() tool[explainRuleIn, explainRuleOut] {
	return tool[explainRuleIn, explainRuleOut]{
		name:  "explain_rule",
		title: "Explain a lint rule",
		description: "One rule, whether of the AI setup, of packages or of pull requests: why it exists, a bad and a good example, how to fix a finding. " +
			"Use it before you advise on a finding. It does not say where the rule is broken.",
		tighten: func(p map[string]*jsonschema.Schema) { tightenRule(p["rule"]) },
		help: func(context.Context) string {
			all, err := s.o.Rules()
			if err != nil {
				return ""
			}
			return "Rules: " + choices("", ruleNames(all)) + "."
		},
		answer: s.answerExplainRule,
		text:   explainRuleText,
	}
}

func (s *Server) answerExplainRule(_ context.Context, in explainRuleIn) (explainRuleOut, error) {
	page, err := s.rule(in.Rule)
	if err != nil {
		return explainRuleOut{}, err
	}
	out := explainRuleOut{
		ID:        page.ID,
		Name:      page.Name,
		Title:     page.Title,
		Severity:  string(page.Severity),
		Lifecycle: string(page.Lifecycle),
		Fix:       string(page.Fix),
		Why:       page.Why,
		HowToFix:  page.HowToFix,
	}
	// Examples are the part that can be long; they share what the rest leaves.
	for limit := 2000; ; limit /= 2 {
		var cutBad, cutGood bool
		out.Bad, cutBad = examplesOf(page.Bad, limit)
		out.Good, cutGood = examplesOf(page.Good, limit)
		out.Truncated = cutBad || cutGood
		if size(out) <= maxBytes || limit < 20 {
			return out, nil
		}
	}
}

// rule finds a page by ID or name, whatever its case.
func (s *Server) rule(want string) (rules.Page, error) {
	all, err := s.o.Rules()
	if err != nil {
		return rules.Page{}, fmt.Errorf("read rules: %w", err)
	}
	for _, p := range all {
		if strings.EqualFold(p.ID, want) || strings.EqualFold(p.Name, want) {
			return p, nil
		}
	}
	return rules.Page{}, userErrorf("There is no rule %q. Call again with one of: %s.", line(want, 64), choices(want, ruleNames(all)))
}

func ruleNames(all []rules.Page) []string {
	names := make([]string, 0, len(all))
	for _, p := range all {
		names = append(names, p.ID+" ("+p.Name+")")
	}
	return names
}

// examplesOf cuts each example to limit runes and says whether it did.
func examplesOf(all []rules.Example, limit int) ([]example, bool) {
	out := make([]example, 0, len(all))
	truncated := false
	for _, e := range all {
		text := block(e.Text, limit)
		truncated = truncated || text != block(e.Text, len(e.Text)+1)
		out = append(out, example{Path: e.Path, Text: text})
	}
	return out, truncated
}

// explainRuleText cuts the prose as little as leaves room for the examples.
func explainRuleText(out explainRuleOut) string {
	var text string
	for _, limit := range []int{1500, 1200, 900, 700, 500} {
		pieces, gone := rulePieces(out, limit)
		text = compose(pieces, gone, maxText, "The structured content has it, `steelyard explain "+out.ID+"` prints all.")
		if utf8.RuneCountInString(render(pieces, slices.Repeat([]bool{true}, len(pieces)), gone, "")) < maxText-100 {
			break
		}
	}
	return text
}

// rulePieces are the parts of a rule's text, the prose cut to limit runes, and
// what was cut.
func rulePieces(out explainRuleOut, limit int) (pieces []piece, gone []string) {
	head := fmt.Sprintf("%s %s (%s): %s", out.ID, out.Name, out.Severity, out.Title)
	if out.Lifecycle != string(rules.Stable) {
		head += " [" + out.Lifecycle + "]"
	}
	why, fix := cut(out.Why, limit), cut(out.HowToFix, limit)
	if why != out.Why {
		gone = append(gone, "the end of why")
	}
	if fix != out.HowToFix {
		gone = append(gone, "the end of how to fix")
	}
	pieces = []piece{
		{text: head},
		{text: "Why: " + why, rank: 1, what: "why"},
		{text: "How to fix: " + fix, rank: 2, what: "how to fix"},
	}
	for _, e := range out.Bad {
		pieces = append(pieces, piece{text: fenced("Bad", e), rank: 4, what: "bad example"})
	}
	for _, e := range out.Good {
		pieces = append(pieces, piece{text: fenced("Good", e), rank: 3, what: "good example"})
	}
	return pieces, gone
}

// fenced shows an example as quoted text. The fence is longer than any in it.
func fenced(kind string, e example) string {
	fence := "```"
	for strings.Contains(e.Text, fence) {
		fence += "`"
	}
	return fmt.Sprintf("%s, %s:\n%s\n%s\n%s", kind, e.Path, fence, e.Text, fence)
}

// tightenRule narrows an argument that names a rule.
func tightenRule(p *jsonschema.Schema) {
	p.Pattern = "^[A-Za-z][A-Za-z0-9-]{0,63}$"
}
