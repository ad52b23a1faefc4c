package main

import (
	"fmt"

	"steelyard/rules"
)

type rulesCommand struct {
	Format string `enum:"text,json" default:"text" help:"text or json; json holds the whole pages."`
}

// Help shows how it is used.
func (c *rulesCommand) Help() string {
	return `    steelyard rules
    steelyard rules --format json | jq -r '.[].id'`
}

func (c *rulesCommand) Run(p *program) error {
	pages, err := rules.All()
	if err != nil {
		return fmt.Errorf("read the rules: %w", err)
	}
	if c.Format == "json" {
		return printJSON(p.stdout, pages)
	}
	var rows [][]string
	for _, r := range pages {
		severity := string(r.Severity)
		if r.Lifecycle != rules.Stable {
			severity += " (" + string(r.Lifecycle) + ")"
		}
		rows = append(rows, []string{r.ID, severity, r.Name, r.Title})
	}
	return printColumns(p.stdout, rows)
}
