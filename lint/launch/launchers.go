package launch

import (
	"slices"
	"strings"
)

// launcher is a program that fetches a package and runs it.
type launcher struct {
	programs []string
	verbs    []string // first arguments that make it a launcher: npm exec
	// values are the flags that take the next argument, packages those whose
	// argument is the package, exacts those whose argument is its version.
	values, packages, exacts []string
	// local is set if an installed copy runs when no version is named.
	local bool
	// fault judges a package as it is written; "" means pinned.
	fault func(pkg string) string
	// kept are flags that keep the launcher from fetching anything.
	kept []string
	// inner is set if the words after the package are a command of their own.
	inner bool
	// script are the flags whose argument is a shell command.
	script []string
	from   Ecosystem
}

var (
	npmValues = []string{
		"--registry", "--cache", "--prefix", "--userconfig", "-w", "--workspace", "--loglevel", "--node-options", "-n", "--node-arg", "--script-shell", "--silent-exec",
	}
	npmPackages = []string{"-p", "--package"}
	uvValues    = []string{
		"--with", "-w", "--with-editable", "--with-requirements", "--python", "-p", "--index", "--index-url", "-i",
		"--default-index", "--extra-index-url", "--find-links", "-f", "--cache-dir", "--directory", "--project",
		"--env-file", "--constraints", "-c", "--overrides", "--build-constraints", "-b", "--refresh-package",
		"--upgrade-package", "-P", "--config-file", "--allow-insecure-host", "--keyring-provider", "--resolution",
		"--prerelease", "--exclude-newer", "--link-mode", "--color", "--index-strategy", "--python-platform", "--torch-backend",
	}
	dockerValues = []string{
		"-a", "--attach", "--add-host", "--annotation", "--blkio-weight", "--cap-add", "--cap-drop", "--cgroup-parent",
		"--cgroupns", "--cidfile", "-c", "--cpu-shares", "--cpus", "--cpuset-cpus", "--device", "--dns", "--domainname",
		"--entrypoint", "-e", "--env", "--env-file", "--expose", "--gpus", "--group-add", "-h", "--hostname", "--ip",
		"--ipc", "-l", "--label", "--label-file", "--link", "--log-driver", "--log-opt", "--mac-address", "-m",
		"--memory", "--memory-swap", "--mount", "--name", "--network", "--net", "--network-alias", "--pid",
		"--pids-limit", "--platform", "-p", "--publish", "--pull", "--restart", "--runtime", "--secret",
		"--security-opt", "--shm-size", "--stop-signal", "--stop-timeout", "--storage-opt", "--sysctl", "--tmpfs",
		"--ulimit", "-u", "--user", "--userns", "--uts", "-v", "--volume", "--volumes-from", "-w", "--workdir",
		"--arch", "--authfile", "--hooks-dir", "--os", "--pod", "--tz", "--umask",
	}
	denoValues = []string{
		"--config", "-c", "--import-map", "--lock", "--cert", "--location", "--seed", "--env-file", "--ext", "--v8-flags", "--conditions",
	}
	cargoValues = []string{
		"--git", "--root", "--path", "--registry", "--index", "--target", "--target-dir", "--profile", "-j", "--jobs",
		"--features", "-F", "--bin", "--example", "--config", "--branch", "--tag",
	}
)

// launchers are tried in this order; the first that matches reads the command.
var launchers = []launcher{
	{
		programs: []string{"npx"}, values: npmValues, packages: npmPackages, local: true, from: NPM, fault: npmFault,
		kept: []string{"--no-install", "--no", "--offline"}, script: []string{"-c", "--call"},
	},
	{
		programs: []string{"npm"}, verbs: []string{"exec", "x"}, values: npmValues, packages: npmPackages, local: true,
		from: NPM, fault: npmFault, kept: []string{"--no-install", "--no", "--offline"}, script: []string{"-c", "--call"},
	},
	{programs: []string{"bunx"}, values: npmValues, packages: npmPackages, local: true, from: NPM, fault: npmFault, kept: []string{"--no-install"}},
	{programs: []string{"bun"}, verbs: []string{"x"}, values: npmValues, packages: npmPackages, local: true, from: NPM, fault: npmFault, kept: []string{"--no-install"}},
	{programs: []string{"pnpm"}, verbs: []string{"dlx"}, values: npmValues, packages: []string{"--package"}, from: NPM, fault: npmFault},
	{programs: []string{"pnpx"}, values: npmValues, packages: []string{"--package"}, from: NPM, fault: npmFault},
	{programs: []string{"yarn"}, verbs: []string{"dlx"}, values: npmValues, packages: npmPackages, from: NPM, fault: npmFault},
	{programs: []string{"uvx"}, values: uvValues, packages: []string{"--from"}, from: PyPI, fault: pypiFault, kept: []string{"--offline"}},
	{programs: []string{"uv"}, verbs: []string{"tool", "run"}, values: uvValues, packages: []string{"--from"}, from: PyPI, fault: pypiFault, kept: []string{"--offline"}},
	{
		programs: []string{"pipx"}, verbs: []string{"run"}, from: PyPI, fault: pypiFault, packages: []string{"--spec"},
		values: []string{"--python", "--pip-args", "--index-url", "-i", "--with"}, kept: []string{"--path"},
	},
	{programs: []string{"docker", "podman", "nerdctl"}, verbs: []string{"run"}, values: dockerValues, from: Image, fault: imageFault, kept: []string{"--pull=never"}, inner: true},
	{programs: []string{"docker", "podman"}, verbs: []string{"container", "run"}, values: dockerValues, from: Image, fault: imageFault, kept: []string{"--pull=never"}, inner: true},
	{programs: []string{"dnx"}, values: []string{"--source", "--add-source", "--configfile", "--verbosity", "-v", "--framework"}, exacts: []string{"--version"}, from: NuGet, fault: nugetFault},
	{programs: []string{"dotnet"}, verbs: []string{"dnx"}, values: []string{"--source", "--add-source", "--configfile", "--verbosity", "-v"}, exacts: []string{"--version"}, from: NuGet, fault: nugetFault},
	{programs: []string{"dotnet"}, verbs: []string{"tool", "exec"}, values: []string{"--source", "--add-source", "--configfile", "--verbosity", "-v"}, exacts: []string{"--version"}, from: NuGet, fault: nugetFault},
	{programs: []string{"go"}, verbs: []string{"run"}, values: []string{"-C", "-p", "-mod", "-modfile", "-tags", "-exec", "-ldflags", "-gcflags"}, from: Go, fault: goFault},
	{programs: []string{"deno"}, verbs: []string{"run"}, values: denoValues, from: Deno, fault: denoFault, kept: []string{"--cached-only"}},
	{programs: []string{"deno"}, verbs: []string{"x"}, values: denoValues, from: Deno, fault: denoFault, kept: []string{"--cached-only"}},
	{programs: []string{"deno"}, values: denoValues, from: Deno, fault: denoFault, kept: []string{"--cached-only"}},
	{programs: []string{"cargo"}, verbs: []string{"install"}, values: cargoValues, exacts: []string{"--version", "--vers", "--rev"}, from: Cargo, fault: cargoFault, kept: []string{"--path"}},
	{programs: []string{"cargo"}, verbs: []string{"binstall"}, values: cargoValues, exacts: []string{"--version"}, from: Cargo, fault: cargoFault},
	{
		programs: []string{"pip", "pip3"}, verbs: []string{"install"}, from: PyPI, fault: pypiFault,
		values: []string{"-i", "--index-url", "--extra-index-url", "-t", "--target"}, kept: []string{"-e", "-r", "--requirement", "--editable"},
	},
}

// matches reports whether a command is this launcher's, and returns the
// arguments after its verbs.
func (l launcher) matches(program string, args []Text) ([]Text, bool) {
	if !slices.Contains(l.programs, program) || len(args) < len(l.verbs) {
		return nil, false
	}
	for i, verb := range l.verbs {
		if args[i].Value != verb {
			return nil, false
		}
	}
	return args[len(l.verbs):], true
}

// read finds the packages among a launcher's arguments: those that a flag
// names, else the first argument that is no flag. What follows is the server's
// own.
func (l launcher) read(name string, args []Text, depth int) []Fetch {
	var found []Fetch
	version := ""
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i].Value, "-") {
			if len(found) == 0 {
				found = append(found, l.fetch(name, args[i]))
			}
			if l.inner {
				found = append(found, fetchesOf(Commands(args[i+1:]), depth)...)
			}
			version = l.versionBehind(args[i+1:], version)
			break
		}
		flag, value, inline := flagValue(args, i)
		if slices.Contains(l.kept, flag) || slices.Contains(l.kept, flag+"="+value.Value) {
			return nil
		}
		takes := true
		switch {
		case slices.Contains(l.script, flag):
			return append(found, fetchesOf(CommandsOfLine(value), depth)...)
		case slices.Contains(l.packages, flag) && value.Node != nil:
			found = append(found, l.fetch(name, value))
		case slices.Contains(l.exacts, flag):
			version = value.Value
		default:
			takes = slices.Contains(l.values, flag)
		}
		if takes && !inline {
			i++
		}
	}
	if version != "" && len(found) > 0 {
		found[0].Fault = l.fault("package@" + version)
	}
	return found
}

// versionBehind returns the version a flag names behind the package, where dnx
// and cargo accept it too, else the one known so far.
func (l launcher) versionBehind(args []Text, known string) string {
	for i := range args {
		if args[i].Value == "--" {
			break
		}
		if flag, value, _ := flagValue(args, i); slices.Contains(l.exacts, flag) {
			return value.Value
		}
	}
	return known
}

// flagValue splits --flag=value, or takes the next argument as the value.
func flagValue(args []Text, i int) (flag string, value Text, inline bool) {
	word := args[i].Value
	if eq := strings.IndexByte(word, '='); eq >= 0 {
		return word[:eq], args[i].Cut(eq+1, len(word)), true
	}
	if i+1 < len(args) {
		value = args[i+1]
	}
	return word, value, false
}

func (l launcher) fetch(name string, pkg Text) Fetch {
	f := Fetch{Launcher: name, Package: pkg, Ecosystem: l.from}
	switch {
	case IsPath(pkg.Value) || pkg.Value == "":
	case IsReference(pkg.Value):
	default:
		f.Fault = l.fault(pkg.Value)
	}
	if l.local && !strings.Contains(strings.TrimPrefix(pkg.Value, "@"), "@") {
		f.Local = pkg.Value
	}
	return f
}
