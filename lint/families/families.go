// Package families lists the lint rules that Steelyard has. It is the one
// place that knows every family; a new rule of a family needs nothing here.
package families

import (
	"cmp"
	"slices"

	"steelyard/lint"
	"steelyard/lint/change"
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
		lint.SuppressionRules(),
	)
	slices.SortFunc(all, func(a, b lint.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Observers fill the inventory of a repository: its governed files with their
// owners and readers, and its MCP servers.
func Observers() []lint.Observer {
	return []lint.Observer{owners.Observe, mcpconfig.Observe}
}
