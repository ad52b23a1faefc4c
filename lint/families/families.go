// Package families lists the lint rules that Steelyard has. It is the one
// place that knows every family; a new rule of a family needs nothing here.
package families

import (
	"cmp"
	"slices"

	"steelyard/lint"
	"steelyard/lint/change"
	"steelyard/lint/change/tests"
	"steelyard/lint/dependencies"
	"steelyard/lint/instructions"
	"steelyard/lint/mcpconfig"
	"steelyard/lint/owners"
	"steelyard/lint/permissions"
)

// All returns every rule in ID order.
func All() []lint.Rule {
	all := slices.Concat(
		owners.Rules(),
		change.Rules(),
		dependencies.Rules(),
		instructions.Rules(),
		mcpconfig.Rules(),
		permissions.Rules(),
		tests.Rules(),
		lint.SuppressionRules(),
	)
	slices.SortFunc(all, func(a, b lint.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Observers fill the inventory of a repository: its governed files with their
// owners and readers, its MCP servers, and the texts of its instructions.
func Observers() []lint.Observer {
	return []lint.Observer{owners.Observe, mcpconfig.Observe, instructions.Observe}
}
