package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"
)

const manualPage = "../../docs/cli.md"

// TestManual holds docs/cli.md to the grammar; -update renews it.
func TestManual(t *testing.T) {
	var g grammar
	p := program{}
	parser, err := p.parser(&g, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	got := manual(parser.Model)
	if *update {
		if err := os.WriteFile(manualPage, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(manualPage)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is not what the grammar says; run the test with -update (-page +grammar):\n%s", manualPage, diff)
	}
}

// manual writes the manual's page of all commands.
func manual(app *kong.Application) string {
	var b strings.Builder
	b.WriteString(`<!-- Generated from the grammar in cmd/steelyard; do not edit. "go test ./cmd/steelyard -run TestManual -update" renews it. -->

# Commands

`)
	fmt.Fprintf(&b, "%s\n\n", app.Help)
	b.WriteString("Results go to standard output; progress, logs, warnings and errors to standard error. An error is one line, `steelyard: what failed, on what`, followed by `hint:` lines. A flag beats an environment variable, which beats `steelyard.yaml`, which beats the default: see [configuration](configuration.md). SIGINT and SIGTERM end a command cleanly. Should a command ever stop with an internal error, `STEELYARD_STACK=1` prints where.\n\n")
	leaves := app.Leaves(true)
	for _, n := range leaves {
		fmt.Fprintf(&b, "- [`steelyard %s`](#%s): %s\n", n.Path(), anchor(n), n.Help)
	}
	b.WriteString("\nEvery command takes:\n\n")
	flagTable(&b, app.Flags)
	for _, n := range leaves {
		command(&b, n)
	}
	return b.String()
}

func anchor(n *kong.Node) string { return strings.ReplaceAll("steelyard "+n.Path(), " ", "-") }

func command(b *strings.Builder, n *kong.Node) {
	fmt.Fprintf(b, "\n## steelyard %s\n\n", n.Path())
	fmt.Fprintf(b, "    steelyard %s\n\n%s\n", usage(n), n.Help)
	if n.Detail != "" {
		fmt.Fprintf(b, "\n%s\n", strings.TrimRight(n.Detail, "\n"))
	}
	if len(n.Positional) > 0 {
		b.WriteString("\n| argument | |\n| --- | --- |\n")
		for _, a := range n.Positional {
			fmt.Fprintf(b, "| `%s` | %s |\n", a.Name, cell(a.Help)+defaultNote(a))
		}
	}
	if len(n.Flags) > 0 {
		b.WriteString("\n")
		flagTable(b, n.Flags)
	}
}

// usage is the command line with what it requires.
func usage(n *kong.Node) string {
	words := []string{n.Path()}
	for _, a := range n.Positional {
		word := a.Name
		if !a.Required {
			word = "[" + word + "]"
		}
		words = append(words, word)
	}
	for _, f := range n.Flags {
		if f.Required {
			words = append(words, "--"+f.Name+" "+f.PlaceHolder)
		}
	}
	return strings.Join(append(words, "[flags]"), " ")
}

func flagTable(b *strings.Builder, flags []*kong.Flag) {
	b.WriteString("| flag | |\n| --- | --- |\n")
	for _, f := range flags {
		name := "`--" + f.Name
		if f.Short != 0 {
			name = "`-" + string(f.Short) + "`, " + name
		}
		if !f.IsBool() && f.Name != "help" {
			value := f.PlaceHolder
			if value == "" {
				value = strings.ToUpper(f.Name)
			}
			name += " " + strings.ReplaceAll(value, "|", "\\|")
		}
		help := cell(f.Help)
		if f.Required {
			help = "Required. " + help
		}
		fmt.Fprintf(b, "| %s` | %s |\n", name, help+defaultNote(f.Value))
	}
}

func defaultNote(v *kong.Value) string {
	if !v.HasDefault || v.Default == "" {
		return ""
	}
	return " Default: `" + v.Default + "`."
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }
