package mcpconfig

import (
	"regexp"
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
)

// wholeEnvironment reports servers that are handed every variable of whoever
// starts them.
var wholeEnvironment = lint.Rule{ID: "MC010", Check: checkWholeEnvironment}

// allVariables matches a script that spells out the environment.
var allVariables = regexp.MustCompile(`\$\((env|printenv|export -p)\b[^)]*\)|` + "`(env|printenv)\\b[^`]*`" + `|<\((env|printenv)\b|/proc/(self|\$\$|1)/environ`)

func checkWholeEnvironment(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, at := range s.passesAll() {
				p.Reportf(c.File, at, "server %q is handed every environment variable", s.Name.Value)
			}
			for _, e := range elements(s.Entry.Get("env_vars")) {
				if e.Text == "*" {
					p.Reportf(c.File, e.At, "server %q is handed every environment variable", s.Name.Value)
				}
			}
		}
	}
}

// passesAll returns the places where a command passes the whole environment on.
func (s Server) passesAll() []lint.Span {
	var found []lint.Span
	for _, w := range s.line() {
		if m := allVariables.FindStringIndex(w.Value); m != nil {
			found = append(found, w.Sub(m[0], m[1]))
		}
	}
	words := s.line()
	if len(words) > 1 && launch.Program(words[0].Value) == "sudo" {
		for _, w := range words[1:] {
			if !strings.HasPrefix(w.Value, "-") {
				break
			}
			if w.Value == "-E" || w.Value == "--preserve-env" {
				found = append(found, w.At())
			}
		}
	}
	for _, one := range s.containers() {
		for _, f := range one.Flags {
			all := f.Name == "--env-host" && f.Value.Value != "false" ||
				(f.Name == "-e" || f.Name == "--env") && f.Value.Value == "*"
			if all {
				found = append(found, f.At.At())
			}
		}
	}
	return found
}

// elements returns a list's values, none for anything else.
func elements(n *lint.Node) []*lint.Node {
	if n == nil {
		return nil
	}
	return n.Elements
}
