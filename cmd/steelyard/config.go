package main

import (
	"fmt"
	"strings"

	"steelyard/internal/config"
	"steelyard/migrations"
)

type configCommand struct {
	Show   configShowCommand   `cmd:"" help:"Print every setting with its value and where it comes from."`
	Verify configVerifyCommand `cmd:"" help:"Check the settings file and say every mistake in it."`
	Schema configSchemaCommand `cmd:"" help:"Print the JSON schema of the settings file."`
}

type configShowCommand struct {
	Format string `enum:"text,json" default:"text" help:"text or json."`
}

// Help shows how it is used.
func (c *configShowCommand) Help() string {
	return `A flag beats an environment variable, which beats the file, which beats the default. Passwords are not shown.

    steelyard config show
    STEELYARD_SERVE_ADDR=127.0.0.1:9000 steelyard config show --format json`
}

func (c *configShowCommand) Run(p *program) error {
	settings, err := p.settings()
	if err != nil {
		return err
	}
	all := settings.Settings()
	for i := range all {
		if url, ok := all[i].Value.(string); ok && all[i].Key == config.KeyDatabase {
			all[i].Value = migrations.Redact(url)
		}
	}
	if c.Format == "json" {
		return printJSON(p.stdout, all)
	}
	var rows [][]string
	for _, s := range all {
		rows = append(rows, []string{s.Key, settingText(s.Value), s.Origin.String()})
	}
	return printColumns(p.stdout, rows)
}

func settingText(value any) string {
	list, ok := value.([]string)
	switch {
	case value == "":
		return "none"
	case !ok:
		return fmt.Sprint(value)
	case len(list) == 0:
		return "none"
	}
	return strings.Join(list, "; ")
}

type configVerifyCommand struct {
	File string `arg:"" optional:"" name:"FILE" help:"The file to check; steelyard.yaml where none is named."`
}

// Help shows how it is used.
func (c *configVerifyCommand) Help() string {
	return `    steelyard config verify
    steelyard config verify deploy/steelyard.yaml`
}

func (c *configVerifyCommand) Run(p *program) error {
	if c.File != "" {
		p.configFile = c.File
	}
	settings, err := p.settings()
	if err != nil {
		return err
	}
	if settings.File == "" {
		return withHint(fmt.Errorf("there is no %s here", config.FileName), "\"steelyard init\" writes one; without it the defaults hold")
	}
	_, err = fmt.Fprintf(p.stdout, "%s is valid\n", settings.File)
	return err
}

type configSchemaCommand struct{}

// Help shows how it is used.
func (c *configSchemaCommand) Help() string {
	return `An editor that knows JSON schemas completes and checks steelyard.yaml with it.

    steelyard config schema > steelyard.schema.json`
}

func (c *configSchemaCommand) Run(p *program) error {
	schema, err := config.Schema()
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(schema)
	return err
}
