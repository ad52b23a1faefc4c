package main

import (
	"fmt"
	"strings"

	"steelyard/internal/config"
	"steelyard/rules"
)

type explainCommand struct {
	Rule   string `arg:"" name:"RULE" help:"A rule's id or name, such as MC002 or mcp-unpinned-server."`
	Format string `enum:"text,json" default:"text" help:"text or json."`
}

// Help shows how it is used.
func (c *explainCommand) Help() string {
	return `    steelyard explain MC002
    steelyard explain mcp-unpinned-server`
}

func (c *explainCommand) Run(p *program) error {
	page, ok := rules.Get(c.Rule)
	if !ok {
		page, ok = rules.Get(strings.ToUpper(c.Rule))
	}
	if !ok {
		return unknownRule(c.Rule)
	}
	if c.Format == "json" {
		return printJSON(p.stdout, page)
	}
	fix := map[rules.FixSafety]string{
		rules.FixNone: "mended by hand", rules.FixSafe: "can be mended safely", rules.FixUnsafe: "can be mended, with a look at the result",
	}[page.Fix]
	_, err := fmt.Fprintf(p.stdout, "%s %s\n%s\n\n%s, %s since %s, %s\n\n%s\n",
		page.ID, page.Name, page.Title,
		page.Severity, page.Lifecycle, page.Since, fix,
		strings.TrimSpace(page.Markdown))
	if text := page.Accepting(); err == nil && text != "" {
		_, err = fmt.Fprintf(p.stdout, "\n%s", text)
	}
	return err
}

func unknownRule(rule string) error {
	err := fmt.Errorf("there is no rule %q", rule)
	names, readErr := ruleNames()
	if readErr != nil {
		return readErr
	}
	if s := config.Suggest(rule, names); s != "" {
		return withHint(err, "did you mean %q?", s)
	}
	return withHint(err, "\"steelyard rules\" lists them")
}
