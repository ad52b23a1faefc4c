package launch

import (
	"slices"
	"strings"
)

// Flag is an option of a command, with its value.
type Flag struct {
	Name  string // "-v", "--volume"
	At    Text   // the word the option stands in
	Value Text   // without a Node where it has none
}

// Container is a container that a command starts.
type Container struct {
	Program string // "docker", "podman"
	Flags   []Flag
	Image   Text
}

// ContainerOf reads "docker run …" and its kin; ok is false for any other
// command.
func ContainerOf(c Command) (found Container, ok bool) {
	if len(c.Words) < 2 {
		return Container{}, false
	}
	program, args := Program(c.Words[0].Value), c.Words[1:]
	if !slices.Contains([]string{"docker", "podman", "nerdctl"}, program) {
		return Container{}, false
	}
	if args[0].Value == "container" {
		args = args[1:]
	}
	if len(args) == 0 || args[0].Value != "run" && args[0].Value != "create" {
		return Container{}, false
	}
	found = Container{Program: program}
	args = args[1:]
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i].Value, "-") {
			found.Image = args[i]
			return found, true
		}
		name, value, inline := flagValue(args, i)
		flag := Flag{Name: name, At: args[i]}
		switch {
		case inline:
			flag.Value = value
		case slices.Contains(dockerValues, name):
			flag.Value = value
			i++
		}
		found.Flags = append(found.Flags, flag)
	}
	return found, true
}
