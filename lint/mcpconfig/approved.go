package mcpconfig

import (
	"regexp"
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
)

// Approved is the list of servers that a team has agreed on. The rule about it
// takes it from [lint.Config.Given].
type Approved struct {
	// Servers are patterns: "npm:NAME" or "npm:NAME@VERSION", "docker:NAME", a
	// host, an address, a program; * stands for any part.
	Servers []string
	// Source is the file that it stands in.
	Source string
}

// ecosystems are the words of the list for where packages come from.
var ecosystems = map[launch.Ecosystem]string{launch.Image: "docker"}

// approves reports whether the list has everything that a server reaches,
// fetches or runs.
func (a Approved) approves(s Server) bool {
	if len(s.reaches) == 0 && len(s.fetches) == 0 {
		return a.program(s)
	}
	for _, one := range s.reaches {
		if one.user != "" || !a.has(one.host, one.host+strings.TrimSuffix(one.path, "/"), one.scheme+"://"+one.host+one.path) {
			return false
		}
	}
	for _, f := range s.fetches {
		if !a.fetch(f) {
			return false
		}
	}
	return true
}

func (a Approved) fetch(f launch.Fetch) bool {
	if launch.IsReference(f.Package.Value) {
		return false
	}
	name := ecosystemOf(f) + ":" + f.Name()
	return a.has(name, name+"@"+strings.ToLower(f.Version()))
}

// program holds a server without an address or a package to the list: by its
// name where it is found in the path, as it is written where a folder is named.
func (a Approved) program(s Server) bool {
	if len(s.runs) == 0 || len(s.runs[len(s.runs)-1].Words) == 0 {
		return false
	}
	word := s.runs[len(s.runs)-1].Words[0].Value
	return !launch.IsReference(word) && a.has(strings.ToLower(word))
}

// has reports whether a pattern matches one of some names, which are in lower
// case.
func (a Approved) has(names ...string) bool {
	for _, pattern := range a.Servers {
		form := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(strings.ToLower(pattern)), `\*`, ".*") + "$")
		for _, name := range names {
			if form.MatchString(name) {
				return true
			}
		}
	}
	return false
}

// Names lists what every server of a tree would be called on a list of approved
// ones, sorted: a start for such a list.
func Names(p *lint.Pass) []string {
	var all []string
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, one := range s.reaches {
				if one.host != "" && !launch.IsReference(one.host) {
					all = append(all, one.host)
				}
			}
			for _, f := range s.fetches {
				if !launch.IsReference(f.Package.Value) {
					all = append(all, ecosystemOf(f)+":"+f.Name())
				}
			}
			if len(s.reaches) > 0 || len(s.fetches) > 0 || len(s.runs) == 0 {
				continue
			}
			if words := s.runs[len(s.runs)-1].Words; len(words) > 0 && !launch.IsReference(words[0].Value) {
				all = append(all, strings.ToLower(words[0].Value))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func ecosystemOf(f launch.Fetch) string {
	if word, ok := ecosystems[f.Ecosystem]; ok {
		return word
	}
	return string(f.Ecosystem)
}
