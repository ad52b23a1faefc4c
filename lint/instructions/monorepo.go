package instructions

import (
	"path"
	"slices"
	"strings"

	"steelyard/lint"
)

// The task runners of monorepos. Their tasks stand in many files, so one is
// there if any file of the repository has it.
var (
	turboRunner = &runner{"turbo.json", "task", readTurbo, turboFiles}
	nxRunner    = &runner{"nx.json", "target", readNx, []string{"nx.json"}}
	turboFiles  = []string{"turbo.json", "turbo.jsonc"}
)

// launchers run a program of the packages that are installed.
var launchers = [][]string{
	{"npx"}, {"bunx"}, {"pnpx"}, {"pnpm", "exec"}, {"pnpm", "dlx"}, {"yarn", "dlx"}, {"npm", "exec"}, {"bun", "x"}, {"pnpm"}, {"yarn"}, {"bun"},
}

// monorepoCalls returns what turbo or nx run by name, through a launcher or
// not.
func monorepoCalls(words []word) []call {
	for _, l := range launchers {
		if len(words) > len(l) && slices.EqualFunc(words[:len(l)], l, func(w word, s string) bool { return w.text == s }) {
			words = words[len(l):]
			for len(words) > 0 && (words[0].text == "-y" || words[0].text == "--yes" || words[0].text == "--") {
				words = words[1:]
			}
			break
		}
	}
	if len(words) < 2 {
		return nil
	}
	switch words[0].text {
	case "turbo":
		return turboCalls(words[1:])
	case "nx":
		return nxCalls(words[1:])
	}
	return nil
}

// turboOwn are turbo's own commands.
var turboOwn = wordSet("bin boundaries clone completion daemon devtools docs gen generate info link login logout ls prune query scan search telemetry unlink watch config get-mfe-port mfe")

// turboCalls reads the tasks of "turbo run a b --filter x" and "turbo a b".
func turboCalls(args []word) []call {
	if args[0].text == "run" {
		args = args[1:]
	} else if turboOwn[args[0].text] {
		return nil
	}
	var found []call
	for _, w := range args {
		if !nameForm.MatchString(w.text) {
			break // a flag, a placeholder, a package's own task
		}
		found = append(found, call{runner: turboRunner, name: w, anywhere: true})
	}
	return found
}

// nxOwn are nx's own commands.
var nxOwn = wordSet("add affected configure-ai-agents connect console daemon dep-graph exec fix-ci format format:check format:write g generate graph import init list login logout mcp migrate new polygraph print-affected record register release repair report reset show start-agent start-ci-run start-nx-agents stop-all-agents sync sync:check view-logs watch workspace-generator workspace-lint")

// nxCalls reads the targets of "nx run project:target", "nx target project" and
// "nx run-many -t a,b".
func nxCalls(args []word) []call {
	first := args[0].text
	switch {
	case first == "run" && len(args) > 1:
		_, target, ok := strings.Cut(args[1].text, ":")
		target, _, _ = strings.Cut(target, ":")
		if !ok || !nameForm.MatchString(target) || strings.ContainsAny(args[1].text, "<>{}$*") {
			return nil
		}
		return []call{{runner: nxRunner, name: word{target, args[1].from, args[1].to}, anywhere: true}}
	case first == "run-many" || first == "affected":
		return nxTargets(args[1:])
	case nxOwn[first] || strings.HasPrefix(first, "affected:") || !nameForm.MatchString(first) || strings.Contains(first, ":"):
		return nil
	}
	return []call{{runner: nxRunner, name: args[0], anywhere: true}}
}

// nxTargets reads the values of -t, --target and --targets.
func nxTargets(args []word) []call {
	var found []call
	add := func(w word, text string) {
		for _, name := range strings.Split(text, ",") {
			if nameForm.MatchString(name) {
				found = append(found, call{runner: nxRunner, name: word{name, w.from, w.to}, anywhere: true})
			}
		}
	}
	open := false
	for _, w := range args {
		flag, value, joined := strings.Cut(w.text, "=")
		switch {
		case flag == "-t" || flag == "--target" || flag == "--targets":
			if open = !joined; joined {
				add(w, value)
			}
		case strings.HasPrefix(w.text, "-"):
			open = false
		case open:
			add(w, w.text)
		}
	}
	return found
}

func wordSet(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// turboFile is every task of a repository that has a turbo.json.
type turboFile struct{ *manifest }

// readTurbo reads the tasks of every turbo.json ("pipeline" before version 2)
// and the scripts of every package: turbo refuses to run what none has.
func readTurbo(p *lint.Pass, dir string) (*manifest, bool) {
	f, ok := namedAny(p, dir, turboFiles)
	if !ok {
		return nil, false
	}
	all := lint.TreeParsed(p, func(p *lint.Pass) turboFile {
		m := &manifest{file: f, names: map[string]bool{}}
		for _, name := range turboFiles {
			for _, full := range everywhere(p, name) {
				m.addObjects(p, full, func(name string) string { return name[strings.LastIndexByte(name, '#')+1:] }, "tasks", "pipeline")
			}
		}
		m.addScripts(p)
		return turboFile{m}
	})
	return all.manifest, true
}

// nxFile is every target of a repository that has an nx.json.
type nxFile struct{ *manifest }

// readNx reads the targets of every project and the scripts of every package.
// Plugins infer targets from other tools' files, so with one of them not all
// are known.
func readNx(p *lint.Pass, dir string) (*manifest, bool) {
	f, ok := namedAny(p, dir, []string{"nx.json"})
	if !ok {
		return nil, false
	}
	all := lint.TreeParsed(p, func(p *lint.Pass) nxFile {
		m := &manifest{file: f, names: map[string]bool{}}
		same := func(name string) string { return name }
		for _, full := range everywhere(p, "nx.json") {
			root := m.addObjects(p, full, same, "targetDefaults")
			plugins := root.Get("plugins")
			m.open = m.open || root.Get("extends") != nil || plugins != nil && len(plugins.Elements) > 0
		}
		for _, name := range []string{"workspace.json", "angular.json"} {
			m.open = m.open || len(p.Ending(name)) > 0
		}
		for _, full := range everywhere(p, "project.json") {
			m.addObjects(p, full, same, "targets")
		}
		m.addScripts(p)
		return nxFile{m}
	})
	return all.manifest, true
}

func namedAny(p *lint.Pass, dir string, names []string) (*lint.File, bool) {
	for _, name := range names {
		if f, ok := p.Named(path.Join(dir, name)); ok {
			return f, true
		}
	}
	return nil, false
}

// parsedJSON is cached by file; nil where it cannot be read.
type parsedJSON struct{ root *lint.Node }

// addObjects adds the names of a JSON file's objects under these keys. What
// cannot be read may have any name.
func (m *manifest) addObjects(p *lint.Pass, name string, as func(string) string, keys ...string) *lint.Node {
	f, ok := p.Named(name)
	if !ok {
		return nil
	}
	root := lint.Parsed(f, func(f *lint.File) parsedJSON {
		src, err := f.Bytes()
		if err != nil {
			return parsedJSON{}
		}
		root, err := lint.ParseJSON(src)
		if err != nil {
			return parsedJSON{}
		}
		return parsedJSON{root}
	}).root
	if root == nil || root.Kind != lint.Object {
		m.open = true
		return nil
	}
	for _, key := range keys {
		if o := root.Get(key); o != nil {
			for _, member := range o.Members {
				m.names[as(member.Name)] = true
			}
		}
	}
	return root
}

// addScripts adds the scripts of every package, and the targets that a package
// gives nx.
func (m *manifest) addScripts(p *lint.Pass) {
	all := p.Ending("package.json")
	m.open = m.open || len(all) > maxManifests
	for _, full := range everywhere(p, "package.json") {
		pkg, ok := readPackageJSON(p, full)
		if !ok {
			continue
		}
		m.open = m.open || pkg.open && !specimen(full)
		for name := range pkg.names {
			m.names[name] = true
		}
		if targets := pkg.root.Get("nx").Get("targets"); targets != nil {
			for _, t := range targets.Members {
				m.names[t.Name] = true
			}
		}
	}
}
