package mcpconfig

import (
	"path"
	"slices"
	"strings"
)

// fetch is one package that starting a server fetches and runs.
type fetch struct {
	launcher string // "npx", "docker"
	pkg      Text   // the package as it is written
	// fault is why it is not pinned: "without an exact version"; "" if it is.
	fault string
	// local is the name under which an installed copy would run instead, "" if
	// the launcher always fetches.
	local string
}

// maxUnwrap bounds how many wrappers are looked through.
const maxUnwrap = 8

// fetches returns what starting the server fetches, pinned or not.
func (s Server) fetches() []fetch {
	words := append(slices.Clone(s.Command), s.Args...)
	if len(s.Command) == 1 && strings.ContainsAny(s.Command[0].Value, " \t") && !isPath(s.Command[0].Value) {
		// Some hosts split a command that is written as one line.
		split := shellWords(s.Command[0])
		if len(split) > 0 {
			last := &split[len(split)-1]
			last.words = append(last.words, s.Args...)
		}
		return fetchesOfAll(split, maxUnwrap)
	}
	return fetchesOf(words, maxUnwrap)
}

func fetchesOfAll(script []command, depth int) []fetch {
	found := pipedIntoShell(script)
	for _, c := range script {
		words := c.words
		for len(words) > 0 && isAssignment(words[0].Value) {
			words = words[1:]
		}
		found = append(found, fetchesOf(words, depth)...)
	}
	return found
}

// fetchesOf looks through wrappers to the launcher of one command.
func fetchesOf(words []Text, depth int) []fetch {
	if len(words) == 0 || depth == 0 {
		return nil
	}
	program := programName(words[0].Value)
	args := words[1:]
	if shell, ok := shells[program]; ok {
		return fetchesOfAll(shellScript(args, shell), depth-1)
	}
	if w, ok := wrappers[program]; ok {
		return fetchesOf(w.unwrap(args), depth-1)
	}
	for _, l := range launchers {
		if rest, ok := l.matches(program, args); ok {
			return l.read(strings.Join(append([]string{program}, l.verbs...), " "), rest, depth-1)
		}
	}
	return nil
}

// programName is a program's name without folder and Windows extension.
func programName(command string) string {
	name := path.Base(strings.ReplaceAll(command, `\`, "/"))
	lower := strings.ToLower(name)
	for _, ext := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		if strings.HasSuffix(lower, ext) {
			return strings.TrimSuffix(lower, ext)
		}
	}
	return name
}

// isPath reports whether a text names a file on the machine rather than a
// package.
func isPath(s string) bool {
	for _, prefix := range []string{"./", "../", "/", "~", `.\`, "file:", "link:", "${workspace", "${CLAUDE_PLUGIN_ROOT"} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return s == "." || s == ".." || len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
}

// shells run a script given as text: the flags after which it comes.
var shells = map[string][]string{
	"sh": {"c"}, "bash": {"c"}, "zsh": {"c"}, "dash": {"c"}, "ash": {"c"}, "ksh": {"c"}, "fish": {"c"},
	"cmd": {"/c", "/k"}, "powershell": {"-command", "-c"}, "pwsh": {"-command", "-c"},
}

// shellScript returns the commands of a shell's script. The words after
// cmd's /c and PowerShell's -Command are the script; a POSIX shell takes one.
func shellScript(args []Text, flags []string) []command {
	for i, a := range args {
		lower := strings.ToLower(a.Value)
		posix := flags[0] == "c"
		switch {
		case posix && strings.HasPrefix(lower, "-") && !strings.HasPrefix(lower, "--") && strings.HasSuffix(lower, "c"):
			if i+1 < len(args) {
				return shellWords(args[i+1])
			}
		case !posix && slices.Contains(flags, lower):
			if len(args) == i+2 {
				return shellWords(args[i+1])
			}
			return []command{{words: args[i+1:]}}
		}
	}
	return nil
}

// pipedIntoShell finds a download whose output the next command runs.
func pipedIntoShell(script []command) []fetch {
	var found []fetch
	for i := 0; i+1 < len(script); i++ {
		from, to := script[i].words, script[i+1].words
		download := slices.Contains([]string{"curl", "wget", "iwr", "irm"}, programName(from[0].Value))
		into := programName(to[0].Value)
		_, shell := shells[into]
		if !script[i].piped || !download || !shell && !slices.Contains([]string{"python", "python3", "node", "iex", "sudo"}, into) {
			continue
		}
		for _, w := range from[1:] {
			if strings.Contains(w.Value, "://") {
				found = append(found, fetch{launcher: into, pkg: w, fault: "straight from the network"})
			}
		}
	}
	return found
}

// wrapper is a program that runs the command among its arguments.
type wrapper struct {
	verbs  []string // first arguments, one of which must be there; none = any
	values []string // flags that take the next argument
	dashes bool     // the command comes after --
	skip   int      // arguments before the command that are not flags
	assign bool     // NAME=value may stand before the command
}

var wrappers = map[string]wrapper{
	"env":       {values: []string{"-u", "--unset", "-C", "--chdir"}, assign: true},
	"cross-env": {assign: true},
	"sudo":      {values: []string{"-u", "-g", "-E"}, assign: true},
	"exec":      {},
	"nice":      {values: []string{"-n"}},
	"nohup":     {},
	"time":      {},
	"stdbuf":    {values: []string{"-i", "-o", "-e"}},
	"timeout":   {values: []string{"-s", "-k", "--signal", "--kill-after"}, skip: 1},
	"xvfb-run":  {values: []string{"-s", "-n", "--server-args", "--server-num"}},
	"wsl":       {values: []string{"-d", "-u", "--distribution", "--user", "--cd"}},
	"mise":      {verbs: []string{"exec", "x"}, dashes: true},
	"rtx":       {verbs: []string{"exec", "x"}, dashes: true},
	"asdf":      {verbs: []string{"exec"}},
	"op":        {verbs: []string{"run"}, dashes: true},
	"dotenvx":   {verbs: []string{"run"}, dashes: true},
	"dotenv":    {values: []string{"-e", "-f", "-c"}},
	"doppler":   {verbs: []string{"run"}, dashes: true},
	"infisical": {verbs: []string{"run"}, dashes: true},
	"aws-vault": {verbs: []string{"exec"}, dashes: true},
	"chamber":   {verbs: []string{"exec"}, dashes: true},
	"direnv":    {verbs: []string{"exec"}, skip: 1},
	"volta":     {verbs: []string{"run"}, values: []string{"--node", "--npm", "--pnpm", "--yarn"}},
	"fnm":       {verbs: []string{"exec"}, values: []string{"--using"}},
}

// unwrap returns the wrapped command, nil if there is none.
func (w wrapper) unwrap(args []Text) []Text {
	if len(w.verbs) > 0 {
		if len(args) == 0 || !slices.Contains(w.verbs, args[0].Value) {
			return nil
		}
		args = args[1:]
	}
	if dash := slices.IndexFunc(args, func(t Text) bool { return t.Value == "--" }); dash >= 0 {
		return args[dash+1:]
	}
	if w.dashes {
		return nil
	}
	skip := w.skip
	for i := 0; i < len(args); i++ {
		a := args[i].Value
		switch {
		case slices.Contains(w.values, a):
			i++
		case strings.HasPrefix(a, "-"):
		case w.assign && isAssignment(a):
		case skip > 0:
			skip--
		default:
			return args[i:]
		}
	}
	return nil
}

// isAssignment reports whether a word is NAME=value.
func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
}
