package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// DependencyVerdict is what is known of one package.
type DependencyVerdict struct {
	// Package is how the package is called in the answer: "npm:left-pad@1.3.0".
	Package string
	// Judgement is ok, ask, legal, block or unverified.
	Judgement string
	// Evidence are the reasons in words, the worst first; Rules the rules that
	// they break.
	Evidence, Rules []string
}

// DependencyChecker judges a package by its name, before anybody installs it.
type DependencyChecker interface {
	// CheckDependency takes "ecosystem:name" or "ecosystem:name@version". Its
	// error is about the argument and reaches the model.
	CheckDependency(ctx context.Context, pkg string) (DependencyVerdict, error)
}

type checkDependencyIn struct {
	Package string `json:"package" jsonschema:"ecosystem:name@version, version optional: npm:left-pad"`
}

type checkDependencyOut struct {
	Package   string   `json:"package"`
	Judgement string   `json:"judgement"`
	Evidence  []string `json:"evidence"`
	Rules     []string `json:"rules"`
}

func (s *Server) checkDependency() tool[checkDependencyIn, checkDependencyOut] {
	return tool[checkDependencyIn, checkDependencyOut]{
		name:  "check_dependency",
		title: "Check a package",
		open:  true,
		description: "Before you add or suggest a package: does it exist, is it the one meant, may it be used? " +
			"ok, ask, legal, block or unverified, which is not ok.",
		tighten: func(p map[string]*jsonschema.Schema) { p["package"].MaxLength = jsonschema.Ptr(300) },
		answer:  s.answerCheckDependency,
		text:    checkDependencyText,
	}
}

func (s *Server) answerCheckDependency(ctx context.Context, in checkDependencyIn) (checkDependencyOut, error) {
	v, err := s.o.Dependencies.CheckDependency(ctx, in.Package)
	if err != nil {
		return checkDependencyOut{}, userErrorf("%s. Call again with a name such as npm:left-pad or pypi:requests@2.32.0.", line(err.Error(), 400))
	}
	out := checkDependencyOut{Package: line(v.Package, 300), Judgement: v.Judgement, Evidence: []string{}, Rules: append([]string{}, v.Rules...)}
	for _, e := range v.Evidence {
		out.Evidence = append(out.Evidence, line(e, 400))
	}
	for size(out) > maxBytes {
		out.Evidence = out.Evidence[:len(out.Evidence)-1]
	}
	return out, nil
}

// nextStep says what a judgement asks of an assistant.
var nextStep = map[string]string{
	"block":      "Do not add it. Find out which package was meant.",
	"ask":        "Do not add it unasked: show a person the reasons.",
	"legal":      "Ask whoever answers for licences before adding it.",
	"unverified": "Nobody could say that it is fine: tell the person so.",
	"ok":         "Nothing speaks against it.",
}

func checkDependencyText(out checkDependencyOut) string {
	pieces := []piece{{text: fmt.Sprintf("%s: %s. %s", out.Package, out.Judgement, nextStep[out.Judgement])}}
	for i, e := range out.Evidence {
		pieces = append(pieces, piece{text: "- " + e, rank: i + 1, what: "reason"})
	}
	if len(out.Rules) > 0 {
		pieces = append(pieces, piece{text: "explain_rule says more: " + strings.Join(out.Rules, ", ") + "."})
	}
	return compose(pieces, nil, maxText, "The structured content has them.")
}
