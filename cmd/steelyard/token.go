package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"steelyard/mcp"
	"steelyard/mcp/auth"
)

type tokenCommand struct {
	Name   string   `arg:"" name:"NAME" help:"Who will call with it, as the audit log shall say: letters, digits, dots, underscores, hyphens."`
	Scopes []string `placeholder:"SCOPE,…" help:"What it allows, with commas between: ${scopes}. All but dependencies:check, which asks public registries, where none is named."`
	Until  string   `placeholder:"DAY" help:"The last day on which it holds, such as 2027-01-31; 90 days from now otherwise."`
	File   string   `placeholder:"FILE" help:"Append the line to this file, which is made where it is not there, instead of printing it."`
}

// Help shows how it is used.
func (c *tokenCommand) Help() string {
	return `A service token lets a machine call /mcp that has no identity provider. It is shown once and kept nowhere; the line with its hash belongs into the file that serve.mcp.tokens_file names. Taking the line out ends the token, within seconds and without a restart.

    steelyard token nightly-report
    steelyard token ci --scopes findings:read,dependencies:check --until 2027-01-31 --file /etc/steelyard/tokens`
}

// tokenDays is how long a token holds where nobody says.
const tokenDays = 90

func (c *tokenCommand) Run(p *program) error {
	until, err := c.lastDay(p.now())
	if err != nil {
		return err
	}
	scopes, err := c.scopes()
	if err != nil {
		return err
	}
	if !auth.ValidName(c.Name) {
		return withHint(fmt.Errorf("token %q: it cannot have this name", c.Name), "a name has letters, digits, dots, underscores and hyphens, 64 at most, and begins with a letter or digit")
	}
	secret, line := auth.NewToken(c.Name, scopes, until)
	if c.File == "" {
		return printColumns(p.stdout, [][]string{{"token", secret}, {"line", line.String()}})
	}
	if err := appendToken(c.File, line); err != nil {
		return err
	}
	return printColumns(p.stdout, [][]string{{"token", secret}})
}

func (c *tokenCommand) lastDay(now time.Time) (time.Time, error) {
	today := now.UTC().Truncate(24 * time.Hour)
	if c.Until == "" {
		return today.AddDate(0, 0, tokenDays), nil
	}
	until, err := time.Parse(time.DateOnly, c.Until)
	switch {
	case err != nil:
		return until, fmt.Errorf("--until: expected a day such as 2027-01-31, found %q", c.Until)
	case until.Before(today):
		return until, fmt.Errorf("--until: %s is over", c.Until)
	}
	return until, nil
}

func (c *tokenCommand) scopes() ([]string, error) {
	if len(c.Scopes) == 0 {
		return []string{mcp.ScopePilots, mcp.ScopeFindings}, nil
	}
	for _, s := range c.Scopes {
		if !slices.Contains(mcp.Scopes(), s) {
			return nil, withHint(fmt.Errorf("--scopes: there is no scope %q", s), "there are: %s", strings.Join(mcp.Scopes(), ", "))
		}
	}
	return c.Scopes, nil
}

// appendToken writes a line behind those of a file, which must be a file of
// tokens that has no such name yet.
func appendToken(path string, line auth.Token) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("write the line: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	all, err := auth.ParseTokens(file, mcp.Scopes())
	if err != nil {
		return fmt.Errorf("write the line: %s is no file of tokens: %w", path, err)
	}
	if slices.ContainsFunc(all, func(t auth.Token) bool { return t.Name == line.Name }) {
		return withHint(fmt.Errorf("write the line: %s has a token %s already", path, line.Name), "take its line out first, or choose another name")
	}
	before, err := missingNewline(file)
	if err != nil {
		return fmt.Errorf("write the line: %w", err)
	}
	if _, err := file.WriteString(before + line.String() + "\n"); err != nil {
		return fmt.Errorf("write the line: %w", err)
	}
	return nil
}

// missingNewline is what must come before a new line: nothing, or the end of
// the last one.
func missingNewline(file *os.File) (string, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return "", err
	}
	var last [1]byte
	if _, err := file.ReadAt(last[:], info.Size()-1); err != nil || last[0] == '\n' {
		return "", err
	}
	return "\n", nil
}
