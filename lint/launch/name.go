package launch

import (
	"slices"
	"strings"
)

// Name is the package without its version, in lower case: what stays the same
// when the pin is raised. "@acme/server", "ghcr.io/acme/server".
func (f Fetch) Name() string {
	pkg := strings.ToLower(f.Package.Value)
	if address, ok := gitAddress(pkg); ok {
		address, _, _ = strings.Cut(address, "#")
		if at := strings.LastIndexByte(address, '@'); at > strings.LastIndexByte(address, '/') && at > 0 {
			address = address[:at]
		}
		return strings.TrimSuffix(address, ".git")
	}
	switch f.Ecosystem {
	case NPM:
		if at := strings.LastIndexByte(pkg, '@'); at > 0 {
			pkg = pkg[:at]
		}
	case PyPI:
		if i := strings.IndexAny(pkg, "@=<>!~[; "); i > 0 {
			pkg = pkg[:i]
		}
		pkg = strings.NewReplacer("_", "-", ".", "-").Replace(pkg)
	case Image:
		pkg, _, _ = strings.Cut(pkg, "@")
		if i := strings.LastIndexByte(pkg, ':'); i > strings.LastIndexByte(pkg, '/') {
			pkg = pkg[:i]
		}
		pkg = strings.TrimPrefix(strings.TrimPrefix(pkg, "docker.io/"), "library/")
	case Deno:
		if i := strings.LastIndexByte(pkg, '@'); i > strings.IndexByte(pkg, ':')+1 {
			pkg = pkg[:i]
		}
	default:
		pkg, _, _ = strings.Cut(pkg, "@")
	}
	return pkg
}

// Version is what stands behind the name, "" for nothing.
func (f Fetch) Version() string {
	pkg := f.Package.Value
	if i := strings.LastIndex(pkg, "@"); i > 0 && !strings.ContainsAny(pkg[i:], "/") {
		return pkg[i+1:]
	}
	if i := strings.Index(pkg, "=="); i > 0 {
		return pkg[i+2:]
	}
	if i := strings.LastIndexByte(pkg, ':'); f.Ecosystem == Image && i > strings.LastIndexByte(pkg, '/') {
		return pkg[i+1:]
	}
	return ""
}

// ScriptOf returns the script that a command hands to a shell, and whether it
// is one: sh -c, pwsh -Command, npx -c. What stands behind cmd's /c is no
// script where it is one plain command: Windows needs it to start npx at all.
func ScriptOf(words []Text) (script Text, ok bool) {
	if len(words) < 3 {
		return Text{}, false
	}
	program, args := Program(words[0].Value), words[1:]
	if w, wraps := wrappers[program]; wraps {
		return ScriptOf(w.unwrap(args))
	}
	flags := shells[program]
	if program == "npx" || program == "npm" {
		flags = []string{"-c", "--call"}
	}
	for i := 0; i < len(args)-1; i++ {
		lower := strings.ToLower(args[i].Value)
		if program != "cmd" && !strings.HasPrefix(lower, "-") {
			break // a script in a file, or a package: the rest is its own
		}
		if program == "npx" && slices.Contains(npmPackages, lower) || lower == "-o" || lower == "-executionpolicy" {
			i++
			continue
		}
		posix := len(flags) > 0 && flags[0] == "c" && strings.HasPrefix(lower, "-") && !strings.HasPrefix(lower, "--") && strings.HasSuffix(lower, "c")
		if !posix && !slices.Contains(flags, lower) {
			continue
		}
		script := args[i+1]
		if program == "cmd" {
			for _, word := range args[i+1:] {
				if strings.ContainsAny(word.Value, "&|") {
					return word, true
				}
			}
			return Text{}, false
		}
		return script, strings.ContainsAny(script.Value, " \t")
	}
	return Text{}, false
}
