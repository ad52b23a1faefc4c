package launch

import (
	"path"
	"slices"
	"strings"
)

// Fetch is one package that a command fetches and runs.
type Fetch struct {
	Launcher string // "npx", "docker run"
	Package  Text   // as it is written
	// Fault is why it is not pinned: "without an exact version"; "" if it is.
	Fault string
	// Local is the name under which an installed copy would run instead, "" if
	// the launcher always fetches.
	Local string
	// Ecosystem says where the package comes from.
	Ecosystem Ecosystem
}

// maxUnwrap bounds how many wrappers are looked through.
const maxUnwrap = 8

// Commands returns what a command runs in the end, in order: wrappers (env,
// mise exec --) and shells with a script are looked through.
func Commands(words []Text) []Command { return Unwrap(Command{Words: words}) }

// Unwrap is [Commands] for a command of a script.
func Unwrap(c Command) []Command { return unwrapped(c, maxUnwrap) }

func unwrapped(c Command, depth int) []Command {
	for len(c.Words) > 0 && IsAssignment(c.Words[0].Value) {
		c.Words = c.Words[1:]
	}
	if len(c.Words) == 0 {
		return nil
	}
	program, args := Program(c.Words[0].Value), c.Words[1:]
	var inner []Command
	if flags, ok := shells[program]; ok {
		inner = shellScript(args, flags)
	} else if w, ok := wrappers[program]; ok {
		inner = []Command{{Words: w.unwrap(args)}}
	}
	var all []Command
	for _, one := range inner {
		if depth > 0 {
			all = append(all, unwrapped(one, depth-1)...)
		}
	}
	if len(all) == 0 {
		return []Command{c}
	}
	all[len(all)-1].Piped = c.Piped
	return all
}

// CommandsOfLine is [Commands] for a command written as one line.
func CommandsOfLine(line Text) []Command {
	var all []Command
	for _, c := range Split(line) {
		all = append(all, Unwrap(c)...)
	}
	return all
}

// Fetches returns what commands fetch, pinned or not.
func Fetches(commands []Command) []Fetch { return fetchesOf(commands, maxUnwrap) }

func fetchesOf(commands []Command, depth int) []Fetch {
	if depth == 0 {
		return nil
	}
	found := append(pipedIntoShell(commands), savedAndRun(commands)...)
	for _, c := range commands {
		found = append(found, substituted(c.Words)...)
		found = append(found, fetchesOfOne(c.Words, depth)...)
	}
	return found
}

func fetchesOfOne(words []Text, depth int) []Fetch {
	if len(words) == 0 {
		return nil
	}
	program, args := Program(words[0].Value), words[1:]
	for _, l := range launchers {
		if rest, ok := l.matches(program, args); ok {
			return l.read(strings.Join(append([]string{program}, l.verbs...), " "), rest, depth-1)
		}
	}
	return nil
}

// Program is a program's name without folder and Windows extension.
func Program(command string) string {
	name := path.Base(strings.ReplaceAll(command, `\`, "/"))
	lower := strings.ToLower(name)
	for _, ext := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		if strings.HasSuffix(lower, ext) {
			return strings.TrimSuffix(lower, ext)
		}
	}
	return name
}

// IsPath reports whether a text names a file on the machine rather than a
// package.
func IsPath(s string) bool {
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

// IsShell reports whether a program is a shell.
func IsShell(command string) bool { return shells[Program(command)] != nil }

// shellScript returns the commands of a shell's script. The words after
// cmd's /c and PowerShell's -Command are the script; a POSIX shell takes one.
func shellScript(args []Text, flags []string) []Command {
	for i, a := range args {
		lower := strings.ToLower(a.Value)
		posix := flags[0] == "c"
		switch {
		case posix && strings.HasPrefix(lower, "-") && !strings.HasPrefix(lower, "--") && strings.HasSuffix(lower, "c"):
			if i+1 < len(args) {
				return Split(args[i+1])
			}
		case !posix && slices.Contains(flags, lower):
			if len(args) == i+2 {
				return Split(args[i+1])
			}
			return []Command{{Words: args[i+1:]}}
		}
	}
	return nil
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
	"sudo":      {values: []string{"-u", "-g", "-h", "-p", "-C"}, assign: true},
	"exec":      {},
	"nice":      {values: []string{"-n"}},
	"nohup":     {},
	"xargs":     {values: []string{"-I", "-i", "-n", "-P", "-L", "-l", "-d", "-s", "-E", "-a", "--max-args", "--max-procs", "--delimiter", "--arg-file"}},
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
		case w.assign && IsAssignment(a):
		case skip > 0:
			skip--
		default:
			return args[i:]
		}
	}
	return nil
}

// IsAssignment reports whether a word is NAME=value.
func IsAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
}
