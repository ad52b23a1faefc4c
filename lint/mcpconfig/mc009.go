package mcpconfig

import (
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
)

// looseContainer reports containers that are none: privileged ones, and those
// that may start others.
var looseContainer = lint.Rule{ID: "MC009", Check: checkLooseContainer}

func checkLooseContainer(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, one := range s.containers() {
				for _, flag := range one.Flags {
					if fault := loose(flag); fault != "" {
						p.Reportf(c.File, flag.At.At(), "the container of server %q %s", s.Name.Value, fault)
					}
				}
			}
		}
	}
}

// containers returns the containers that starting the server starts.
func (s Server) containers() []launch.Container {
	var all []launch.Container
	for _, c := range s.runs {
		if one, ok := launch.ContainerOf(c); ok {
			all = append(all, one)
		}
	}
	return all
}

// loose says what an option gives away of the machine, "" for nothing.
func loose(f launch.Flag) string {
	value := f.Value.Value
	switch f.Name {
	case "--privileged":
		if value != "false" {
			return "is privileged, so it can do what root on the machine can"
		}
	case "--pid", "--userns", "--ipc":
		if value == "host" {
			return "shares " + map[string]string{"--pid": "the machine's processes", "--userns": "the machine's users", "--ipc": "the machine's shared memory"}[f.Name]
		}
	case "--cap-add":
		if slices.Contains([]string{"ALL", "SYS_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH"}, strings.TrimPrefix(strings.ToUpper(value), "CAP_")) {
			return "has the capability " + strings.ToUpper(value) + ", which leads out of it"
		}
	case "--security-opt":
		if slices.Contains([]string{"seccomp=unconfined", "apparmor=unconfined", "label=disable", "seccomp:unconfined", "apparmor:unconfined"}, value) {
			return "has its confinement switched off (" + value + ")"
		}
	case "-v", "--volume", "--mount":
		if socket.MatchString(value) {
			return "holds the engine's socket, so it can start any other container as root"
		}
	}
	return ""
}
