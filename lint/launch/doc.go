// Package launch reads the commands that start servers and hooks: which
// packages they fetch, from where, and whether those are pinned. It runs
// nothing and asks no registry.
package launch

// Ecosystem is where a package comes from.
type Ecosystem string

// The ecosystems. Web is a download that runs as it is.
const (
	NPM   Ecosystem = "npm"
	PyPI  Ecosystem = "pypi"
	Image Ecosystem = "image"
	NuGet Ecosystem = "nuget"
	Go    Ecosystem = "go"
	Deno  Ecosystem = "deno"
	Cargo Ecosystem = "cargo"
	Web   Ecosystem = "web"
)
