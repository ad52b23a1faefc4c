package config

import (
	"fmt"
	"strings"
	"unicode"
)

// Found is what lies in a folder already; a new settings file is written from
// it.
type Found struct {
	// MCP and Instructions are governed files, by path.
	MCP, Instructions []string
	// Owners is the CODEOWNERS file; empty where there is none.
	Owners string
	// Database is the URL of a database that exists; empty where there is none.
	Database string
	// Policy, where it is set, makes the file begin with a policy in force.
	Policy *PolicyFound
}

// Starter returns a commented settings file. Every setting stands in it with
// its default, commented out unless what was found says otherwise, so it means
// the same as no file at all until somebody edits it.
func Starter(f Found) []byte {
	var b strings.Builder
	b.WriteString("# Settings of Steelyard. Everything here is optional; a setting that is\n" +
		"# commented out shows its default or an example. A flag beats an environment\n" +
		"# variable, which beats this file. \"steelyard config verify\" checks the file and\n" +
		"# \"steelyard config show\" says where each value comes from.\n#\n")
	b.WriteString("# Found here when this file was written:\n")
	foundPaths(&b, "MCP configurations", f.MCP)
	foundPaths(&b, "instruction files", f.Instructions)
	foundOne(&b, "code owners", f.Owners)
	foundOne(&b, "database", f.Database)
	for _, k := range settings().keys {
		b.WriteString("\n")
		if k.name == "policy" && f.Policy != nil {
			b.Write(PolicyStart(*f.Policy))
			continue
		}
		starterKey(&b, "", k, f)
	}
	return []byte(b.String())
}

func starterKey(b *strings.Builder, indent string, k key, f Found) {
	for _, line := range wrap(k.doc, 78-len(indent)) {
		fmt.Fprintf(b, "%s# %s\n", indent, line)
	}
	if k.env != "" {
		fmt.Fprintf(b, "%s# Environment: %s\n", indent, k.env)
	}
	switch {
	case k.kind == table:
		fmt.Fprintf(b, "%s%s:\n", indent, k.name)
		for i, inner := range k.keys {
			if i > 0 {
				b.WriteString("\n")
			}
			starterKey(b, indent+"  ", inner, f)
		}
	case k.name == KeyDatabase && f.Database != "":
		fmt.Fprintf(b, "%s%s: %s\n", indent, k.name, quote(f.Database))
	case k.set != nil && k.fallback == "":
		fmt.Fprintf(b, "%s#%s: %s\n", indent, k.name, k.example)
	case k.set != nil && k.pattern == clockPattern: // 09:00 is no text without quotes to every reader of YAML
		fmt.Fprintf(b, "%s#%s: %s\n", indent, k.name, quote(k.fallback))
	case k.set != nil:
		fmt.Fprintf(b, "%s#%s: %s\n", indent, k.name, k.fallback)
	default:
		fmt.Fprintf(b, "%s#%s:\n", indent, k.name)
		for line := range strings.Lines(k.example) {
			fmt.Fprintf(b, "%s#  %s\n", indent, strings.TrimSuffix(line, "\n"))
		}
	}
}

func foundPaths(b *strings.Builder, title string, paths []string) {
	const most = 12
	if len(paths) == 0 {
		foundOne(b, title, "")
		return
	}
	fmt.Fprintf(b, "#   %s:\n", title)
	for _, p := range paths[:min(most, len(paths))] {
		fmt.Fprintf(b, "#     %s\n", printable(p))
	}
	if more := len(paths) - most; more > 0 {
		fmt.Fprintf(b, "#     and %d more\n", more)
	}
}

func foundOne(b *strings.Builder, title, value string) {
	if value == "" {
		value = "none"
	}
	fmt.Fprintf(b, "#   %s: %s\n", title, printable(value))
}

// printable keeps a file's name on its comment line, whatever is in it.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// quote writes s as a YAML double-quoted scalar.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable(s)) + `"`
}

// wrap breaks s into lines of at most width bytes between words.
func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(s) {
		if line != "" && len(line)+1+len(w) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	return append(lines, line)
}
