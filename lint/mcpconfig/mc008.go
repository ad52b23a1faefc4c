package mcpconfig

import (
	"regexp"
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
	"steelyard/rules"
)

// broadFolder reports servers that are given the whole machine or a whole home.
var broadFolder = lint.Rule{ID: "MC008", Check: checkBroadFolder}

var (
	// socket matches a container engine's control socket in a mount.
	socket = regexp.MustCompile(`(docker|podman|containerd|crio)\.sock\b|//\./pipe/docker_engine`)
	// whole matches the root, a drive, all homes or one whole home, however it
	// is written.
	whole = regexp.MustCompile(`^(?i:/+|/\*\*?|/host|[a-z]:[\\/]*|~[\\/]*|\$home/?|\$\{home\}/?|\$\{env:home\}/?|\{env:home\}/?|\$\{userhome\}/?|` +
		`\$\{localenv:home\}/?|%userprofile%\\?|%home%\\?|\$\{env:userprofile\}|\$env:userprofile|` +
		`/(home|users)/?|/(home|users)/[^/]+/?|/root/?|[a-z]:[\\/]users[\\/]*|[a-z]:[\\/]users[\\/][^\\/]+[\\/]*)$`)
	drive = regexp.MustCompile(`^[A-Za-z]:[\\/]`)
	// somebody matches the name in an example's path.
	somebody = regexp.MustCompile(`(?i)/(<.*>|\{.*\}|your.*|user(name)?|me|name|path|xxx+)/?$`)
)

func checkBroadFolder(p *lint.Pass) {
	known, err := rules.KnownServers()
	if err != nil {
		return // the table's own test holds it to nil
	}
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			if known, ok := s.known(known); ok && known.Files {
				for _, a := range s.line() {
					if isWhole(a.Value) {
						p.Reportf(c.File, a.At(), "server %q is given %s", s.Name.Value, wholeName(a.Value))
					}
				}
			}
			for _, one := range s.containers() {
				for _, flag := range one.Flags {
					if source, ok := mounted(flag); ok && isWhole(source) && source != "/host" {
						p.Reportf(c.File, flag.Value.At(), "the container of server %q is given %s", s.Name.Value, wholeName(source))
					}
				}
			}
		}
	}
}

func isWhole(s string) bool {
	return whole.MatchString(s) && !somebody.MatchString(strings.ReplaceAll(s, `\`, "/"))
}

// wholeName says what a path is.
func wholeName(path string) string {
	if strings.Trim(path, "/*") == "" || len(path) <= 3 && strings.Contains(path, ":") {
		return "the whole file system"
	}
	return "a whole home folder"
}

// mounted is the folder of the machine that an option mounts.
func mounted(f launch.Flag) (source string, ok bool) {
	value := f.Value.Value
	switch f.Name {
	case "-v", "--volume":
		if drive.MatchString(value) { // C:\x:/y
			rest, _, found := strings.Cut(value[2:], ":")
			return value[:2] + rest, found
		}
		if strings.HasPrefix(value, "${") {
			end := strings.IndexByte(value, '}') + 1
			rest, _, found := strings.Cut(value[end:], ":")
			return value[:end] + rest, found
		}
		source, _, ok = strings.Cut(value, ":")
		return source, ok
	case "--mount":
		for part := range strings.SplitSeq(value, ",") {
			if key, source, _ := strings.Cut(part, "="); key == "source" || key == "src" {
				return source, true
			}
		}
	}
	return "", false
}
