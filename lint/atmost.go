package lint

import (
	"slices"

	"steelyard/rules"
)

// AtMost returns a pass like this one whose findings weigh no more than most:
// for what is not wrong yet, such as a review that is still to come.
func (p *Pass) AtMost(most rules.Severity) *Pass {
	order := []rules.Severity{rules.Error, rules.Warning, rules.Note}
	lighter := *p
	if slices.Index(order, most) > slices.Index(order, p.rule.Severity) {
		lighter.rule.Severity = most
	}
	return &lighter
}
