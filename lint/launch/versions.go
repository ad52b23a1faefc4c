package launch

import (
	"fmt"
	"regexp"
	"strings"
)

// The faults of a package that is not pinned, as they end a message.
const (
	noVersion = "without an exact version"
	noCommit  = "without a commit"
	noDigest  = "without a digest"
)

var (
	semver    = regexp.MustCompile(`^[v=]?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	pep440    = regexp.MustCompile(`^v?(\d+!)?\d+(\.\d+)*([-._]?(a|b|c|rc|alpha|beta|pre|preview|post|rev|r|dev)[-._]?\d*)*(\+[a-z0-9.]+)?$`)
	nuget     = regexp.MustCompile(`^\[?\d+(\.\d+){1,3}(-[0-9A-Za-z.-]+)?\]?$`)
	ranged    = regexp.MustCompile(`^[\^~<>=!*\[(]|[ ,|*]|^x$|^\d+(\.(\d+|x))?(\.x)?$|\.x$`)
	commitRef = regexp.MustCompile(`^[0-9a-f]{40}$|^[0-9a-f]{64}$`)
	shortSHA  = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
	inAddress = regexp.MustCompile(`[@/_-]v?\d+\.\d+\.\d+`)
)

// exactFault judges a version by itself.
func exactFault(version string) string {
	switch {
	case IsReference(version) || semver.MatchString(version) || commitRef.MatchString(version):
		return ""
	case version == "" || version == "*":
		return noVersion
	}
	return movingFault(version)
}

// movingFault says in which way a version that is not exact moves.
func movingFault(version string) string {
	if ranged.MatchString(version) {
		return fmt.Sprintf("%s: %q is a version range", noVersion, version)
	}
	return fmt.Sprintf("%s: %q is a floating tag", noVersion, version)
}

// npmFault judges [@scope/]name[@version], a git address or a tarball's, as
// npm-package-arg reads them.
func npmFault(pkg string) string {
	if git, ok := gitAddress(pkg); ok {
		return gitFault(git)
	}
	if strings.HasPrefix(pkg, "http://") || strings.HasPrefix(pkg, "https://") {
		return addressFault(pkg)
	}
	at := strings.LastIndexByte(pkg, '@')
	if at <= 0 {
		if !strings.HasPrefix(pkg, "@") && strings.Count(pkg, "/") == 1 { // owner/repository on GitHub
			return gitFault(pkg)
		}
		return noVersion
	}
	if version, alias := strings.CutPrefix(pkg[at+1:], "npm:"); alias {
		return npmFault(version)
	}
	if i := strings.Index(pkg, "@npm:"); i > 0 {
		return npmFault(pkg[i+len("@npm:"):])
	}
	return exactFault(pkg[at+1:])
}

// pypiFault judges a requirement: name==1.2.3, name@1.2.3 (uv's short form),
// name[extra]>=1, name @ git+https://….
func pypiFault(pkg string) string {
	if git, ok := gitAddress(pkg); ok {
		return gitFault(git)
	}
	if strings.Contains(pkg, "://") {
		return addressFault(pkg)
	}
	requirement, _, _ := strings.Cut(pkg, ";")
	at := strings.IndexAny(requirement, "@=<>!~")
	if at < 0 {
		return noVersion
	}
	version := strings.TrimSpace(requirement[at:])
	exact := strings.TrimSpace(strings.TrimLeft(version, "@="))
	switch {
	case (strings.HasPrefix(version, "==") || strings.HasPrefix(version, "@")) && (pep440.MatchString(exact) || IsReference(exact)):
		return ""
	case strings.HasPrefix(version, "@"):
		return exactOrMoving(exact)
	}
	return fmt.Sprintf("%s: %q is a version range", noVersion, version)
}

func exactOrMoving(version string) string {
	if version == "" {
		return noVersion
	}
	return movingFault(version)
}

// imageFault judges an image reference. A name without registry or owner is
// one built on the machine, unless it is one of the official base images.
func imageFault(image string) string {
	if strings.Contains(image, "@sha256:") {
		return ""
	}
	name, tag := image, ""
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		name, tag = image[:i], image[i+1:]
	}
	host, _, deep := strings.Cut(name, "/")
	if !deep && !baseImages[name] || strings.HasPrefix(host, "localhost") || IsReference(tag) {
		return ""
	}
	if tag == "" {
		return noDigest
	}
	return fmt.Sprintf("%s: the tag %q can be moved", noDigest, tag)
}

// baseImages are the official images that servers are run in.
var baseImages = map[string]bool{
	"node": true, "python": true, "alpine": true, "debian": true, "ubuntu": true, "golang": true, "rust": true,
	"ruby": true, "php": true, "openjdk": true, "eclipse-temurin": true, "amazoncorretto": true, "busybox": true,
}

// nugetFault judges Package[@version].
func nugetFault(pkg string) string {
	_, version, ok := strings.Cut(pkg, "@")
	if !ok {
		return noVersion
	}
	if nuget.MatchString(version) {
		return ""
	}
	return exactFault(version)
}

// goFault judges a go run argument. Without @ the module comes from go.mod,
// which go.sum pins.
func goFault(pkg string) string {
	_, version, ok := strings.Cut(pkg, "@")
	if !ok || shortSHA.MatchString(version) {
		return ""
	}
	return exactFault(version)
}

// denoFault judges npm:, jsr: and https: specifiers; anything else is a file.
func denoFault(spec string) string {
	if pkg, ok := strings.CutPrefix(spec, "npm:"); ok {
		return npmFault(withoutPath(pkg))
	}
	if pkg, ok := strings.CutPrefix(spec, "jsr:"); ok {
		return npmFault(withoutPath(pkg))
	}
	if strings.HasPrefix(spec, "https://") || strings.HasPrefix(spec, "http://") {
		return addressFault(spec)
	}
	return ""
}

// withoutPath cuts the file off [@scope/]name@version/file.
func withoutPath(pkg string) string {
	pkg = strings.TrimPrefix(pkg, "/")
	parts := strings.SplitN(pkg, "/", 3)
	keep := 1
	if strings.HasPrefix(pkg, "@") {
		keep = 2
	}
	return strings.Join(parts[:min(keep, len(parts))], "/")
}

func cargoFault(pkg string) string {
	_, version, ok := strings.Cut(pkg, "@")
	if !ok {
		return noVersion
	}
	return exactFault(version)
}

// addressFault judges a plain download: its path must hold a version.
func addressFault(address string) string {
	if inAddress.MatchString(address) || strings.Contains(address, "#sha256=") {
		return ""
	}
	return noVersion
}

// gitAddress cuts a git address out of a package; ok is false for others.
func gitAddress(pkg string) (address string, ok bool) {
	if i := strings.Index(pkg, "git+"); i >= 0 && (i == 0 || strings.Contains(pkg[:i], "@")) {
		return pkg[i+len("git+"):], true
	}
	for _, prefix := range []string{"github:", "gitlab:", "bitbucket:", "git://", "git@", "ssh://"} {
		if strings.HasPrefix(pkg, prefix) {
			return pkg, true
		}
	}
	return "", false
}

// gitFault wants a full commit after # (npm) or after @ in the path (Python).
func gitFault(address string) string {
	ref := ""
	repository, fragment, _ := strings.Cut(address, "#")
	if !strings.Contains(fragment, "=") {
		ref = fragment
	}
	slash := strings.LastIndexByte(repository, '/')
	if at := strings.LastIndexByte(repository, '@'); ref == "" && at > slash {
		ref = repository[at+1:]
	} else if ref == "" && at > len("https://") && strings.Count(repository[:at], "/") >= 4 {
		ref = repository[at+1:] // a branch with slashes
	}
	switch {
	case commitRef.MatchString(ref) || IsReference(ref):
		return ""
	case ref == "":
		return noCommit
	}
	return fmt.Sprintf("%s: %q can be moved", noCommit, ref)
}

// FaultOfNPM says why a package of npm is not pinned, "" if it is.
func FaultOfNPM(pkg string) string { return npmFault(pkg) }
