package instructions

import (
	"path"
	"slices"
	"strings"

	"steelyard/lint"
)

// call is a command that runs something a manifest names.
type call struct {
	runner *runner
	name   word
	// dir is where it runs, as written; anywhere is set where a flag picks the
	// place by other means.
	dir      string
	anywhere bool
}

// runner is a program that runs what its manifest names.
type runner struct {
	// file is what the manifest is called in a message, noun what it names.
	file, noun string
	read       func(p *lint.Pass, dir string) (*manifest, bool)
	// files are the manifest's possible names.
	files []string
}

var (
	npmRunner = &runner{"package.json", "script", func(p *lint.Pass, dir string) (*manifest, bool) {
		m, ok := readPackageJSON(p, path.Join(dir, "package.json"))
		if !ok {
			return nil, false
		}
		return &m.manifest, true
	}, []string{"package.json"}}
	makeRunner     = &runner{"Makefile", "target", readMakefile, makefiles}
	justRunner     = &runner{"justfile", "recipe", readJustfile, []string{"justfile", "Justfile", ".justfile"}}
	taskRunner     = &runner{"Taskfile", "task", readTaskfile, []string{"Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"}}
	composerRunner = &runner{"composer.json", "script", readComposer, []string{"composer.json"}}
	denoRunner     = &runner{"deno.json", "task", readDeno, []string{"deno.json", "deno.jsonc"}}
)

// nameForm is what a script, target or recipe is called; anything else is a
// placeholder or a file.
var nameForm = compile(`^[A-Za-z0-9][A-Za-z0-9_:-]*$`)

// calls returns what a command runs by name.
func (c *command) calls() []call {
	if found := monorepoCalls(c.words); found != nil {
		return found
	}
	args := c.words[1:]
	switch c.words[0].text {
	case "npm":
		return packageCalls(args, map[string]bool{"run": true, "run-script": true, "test": true, "t": true}, false)
	case "pnpm":
		return packageCalls(args, map[string]bool{"run": true, "test": true}, true)
	case "yarn":
		return packageCalls(args, map[string]bool{}, true)
	case "bun":
		return packageCalls(args, map[string]bool{}, false)
	case "make", "gmake":
		return makeCalls(args)
	case "just":
		return firstName(justRunner, args)
	case "task", "go-task":
		return firstName(taskRunner, args)
	case "composer":
		if len(args) > 1 && (args[0].text == "run" || args[0].text == "run-script") {
			return firstName(composerRunner, args[1:])
		}
	case "deno":
		if len(args) > 1 && args[0].text == "task" {
			return firstName(denoRunner, args[1:])
		}
	}
	return nil
}

// commonScripts are names that no package's own program has, so that "pnpm
// build" can only mean a script.
var commonScripts = map[string]bool{
	"build": true, "dev": true, "lint": true, "test": true, "typecheck": true, "type-check": true, "format": true, "check": true,
	"e2e": true, "coverage": true, "clean": true, "preview": true, "storybook": true, "codegen": true, "verify": true, "ci": true,
}

// packageCalls reads a package manager's arguments. only holds the words that
// run scripts and nothing else; short is set where "pnpm NAME" runs one too.
func packageCalls(args []word, only map[string]bool, short bool) []call {
	c := call{runner: npmRunner}
	args = c.packageFlags(args)
	if len(args) == 0 {
		return nil
	}
	verb := args[0].text
	switch {
	case verb == "workspace" && len(args) > 2:
		c.anywhere = true
		return packageScript(c, args[2:], false)
	case verb == "test" && only["test"], verb == "t" && only["t"]:
		c.name = word{"test", args[0].from, args[0].to}
		return []call{c}
	case verb == "run" || verb == "run-script":
		args = c.packageFlags(args[1:])
		if len(args) == 0 {
			return nil
		}
		return packageScript(c, args, only[verb])
	case short:
		return packageScript(c, args, false)
	}
	return nil
}

// packageScript is a call of a script. A manager that would run a package's
// own program of that name too is believed only for names that can be nothing
// but a script.
func packageScript(c call, args []word, strict bool) []call {
	c.name = args[0]
	name := c.name.text
	if !nameForm.MatchString(name) || !strict && !strings.Contains(name, ":") && !commonScripts[name] {
		return nil
	}
	if slices.ContainsFunc(args, func(w word) bool { return w.text == "--if-present" }) {
		return nil
	}
	return []call{c}
}

// packageFlags takes off leading flags and notes those that say where to run.
func (c *call) packageFlags(args []word) []word {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		flag, value, joined := strings.Cut(args[0].text, "=")
		args = args[1:]
		switch flag {
		case "--prefix", "-C", "--dir", "--cwd":
			if !joined && len(args) > 0 {
				value, args = args[0].text, args[1:]
			}
			c.dir = value
		case "--filter", "-F", "-w", "--workspace", "--workspaces", "-r", "--recursive", "-ws", "--workspace-root", "--if-present":
			c.anywhere = true
			if !joined && len(args) > 0 && (flag == "--filter" || flag == "-F" || flag == "--workspace" || flag == "-w" && len(args) > 1 && args[0].text != "run") {
				args = args[1:]
			}
		}
	}
	return args
}

func makeCalls(args []word) []call {
	c := call{runner: makeRunner}
	var found []call
	for i := 0; i < len(args); i++ {
		text := args[i].text
		switch {
		case text == "-C" || text == "--directory":
			if i++; i < len(args) {
				c.dir = args[i].text
			}
		case text == "-f" || strings.HasPrefix(text, "--file") || strings.HasPrefix(text, "-f"):
			return nil
		case text == "-j" || text == "-l" || text == "-o" || text == "-I":
			i++
		case strings.HasPrefix(text, "-"), strings.Contains(text, "="):
		case !nameForm.MatchString(text) && !dashedName.MatchString(text):
			return found
		default:
			target := c
			target.name = args[i]
			found = append(found, target)
		}
	}
	return found
}

var dashedName = compile(`^[A-Za-z0-9_-]+$`)

func firstName(r *runner, args []word) []call {
	if len(args) == 0 || !nameForm.MatchString(args[0].text) {
		return nil
	}
	return []call{{runner: r, name: args[0]}}
}

// manifests are those that a call could mean, in the order in which they would
// be used. They are read when somebody asks for them: most names stand in the
// first.
type manifests struct {
	read    []*manifest
	pending []func() *manifest // nil for one that is not there
}

// at returns the manifest at a place of the order, nil after the last.
func (l *manifests) at(i int) *manifest {
	for len(l.read) <= i && len(l.pending) > 0 {
		if m := l.pending[0](); m != nil {
			l.read = append(l.read, m)
		}
		l.pending = l.pending[1:]
	}
	if i < len(l.read) {
		return l.read[i]
	}
	return nil
}

// have reports whether one of them has a name.
func (l *manifests) have(name string) bool {
	for i := 0; l.at(i) != nil; i++ {
		if l.read[i].has(name) {
			return true
		}
	}
	return false
}

// manifests returns those that a call could mean from a document: the one of
// its folder, else those from the document's folders up to the root and those
// below its home.
func (c *call) manifests(p *lint.Pass, d *Doc, cmd *command) *manifests {
	dir := first(c.dir, cmd.dir)
	if dir != "" && !c.anywhere {
		return c.ofFolder(p, d, dir)
	}
	scope := home(d.File.Path)
	if c.anywhere || cmd.moved {
		scope = "."
	}
	known := lint.TreeParsed(p, func(*lint.Pass) manifestsByHome { return manifestsByHome{} })
	key := c.runner.file + "\x00" + d.File.Path + "\x00" + scope
	if known[key] == nil {
		known[key] = c.within(p, d, scope)
	}
	return known[key]
}

// manifestsByHome remembers the manifests that a document's commands could
// mean.
type manifestsByHome map[string]*manifests

func (c *call) within(p *lint.Pass, d *Doc, scope string) *manifests {
	list := &manifests{}
	for _, base := range bases(d.File.Path) {
		list.pending = append(list.pending, func() *manifest {
			m, _ := c.runner.read(p, base)
			return m
		})
	}
	for _, name := range c.runner.files {
		for _, full := range everywhere(p, name) {
			if !under(full, scope) {
				continue
			}
			list.pending = append(list.pending, func() *manifest {
				if m, ok := c.runner.read(p, path.Dir(full)); ok && (!m.open || !specimen(full)) {
					return m
				}
				return nil
			})
		}
	}
	return list
}

// ofFolder returns the manifest of a folder that the command names, or of the
// nearest one above.
func (c *call) ofFolder(p *lint.Pass, d *Doc, dir string) *manifests {
	for _, base := range bases(d.File.Path) {
		full := path.Join(base, dir)
		if e, real := p.Entry(full); e == lint.Folder {
			for _, up := range above(real) {
				if m, ok := c.runner.read(p, up); ok {
					return &manifests{read: []*manifest{m}}
				}
				if c.runner != npmRunner && c.runner != justRunner {
					break
				}
			}
			break
		}
	}
	return &manifests{}
}
