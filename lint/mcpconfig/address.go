package mcpconfig

import (
	"net/netip"
	"strconv"
	"strings"
	"sync"

	"steelyard/lint/launch"
	"steelyard/rules"
)

// address is the address of a remote server, taken apart as a client takes it
// apart, with the parts as they are written.
type address struct {
	text   launch.Text
	scheme string // lower case
	user   string // before the @, with its password
	host   string // lower case, without port, brackets kept off
	path   string
	query  string
	hostAt [2]int // in text
}

// addresses returns the remote servers that an entry names: in its own keys,
// and as the argument of a bridge.
func (s Server) addresses() []address {
	var all []address
	for _, u := range s.URLs {
		if a, ok := parseAddress(u); ok {
			all = append(all, a)
		}
	}
	if len(all) > 0 || !s.bridges() {
		return all
	}
	for _, w := range s.line() {
		if a, ok := parseAddress(w); ok {
			all = append(all, a)
		}
	}
	return all
}

// bridges reports whether the command connects to a remote server.
func (s Server) bridges() bool {
	known := knownBridges()
	for _, f := range s.fetches {
		if known[f.Name()] {
			return true
		}
	}
	for _, c := range s.runs {
		if len(c.Words) > 0 && known[launch.Program(c.Words[0].Value)] {
			return true
		}
	}
	return false
}

// knownBridges are the packages, which are programs as well once they are
// installed, that connect to a remote server.
var knownBridges = sync.OnceValue(func() map[string]bool {
	bridges := map[string]bool{}
	table, err := rules.KnownServers()
	if err != nil {
		return bridges // the table's own test holds it to nil
	}
	for _, row := range table {
		for _, name := range row.Packages {
			bridges[name] = bridges[name] || row.Bridge
		}
	}
	return bridges
})

// parseAddress takes an address apart; ok is false for a text that is none.
// Unlike net/url it keeps what a deceptive address says.
func parseAddress(t launch.Text) (address, bool) {
	scheme, _, ok := strings.Cut(t.Value, "://")
	lower := strings.ToLower(scheme)
	if !ok || lower != "http" && lower != "https" && lower != "ws" && lower != "wss" {
		return address{}, false
	}
	start := len(scheme) + len("://")
	end := start + endOfAuthority(t.Value[start:])
	a := address{text: t, scheme: lower}
	if at := strings.LastIndexByte(t.Value[start:end], '@'); at >= 0 {
		a.user = t.Value[start : start+at]
		start += at + 1
	}
	host, to := t.Value[start:end], end
	if strings.HasPrefix(host, "[") {
		if i := strings.IndexByte(host, ']'); i > 0 {
			host, to = host[1:i], start+i+1
		}
	} else if i := strings.LastIndexByte(host, ':'); i >= 0 && !launch.IsReference(host) {
		host, to = host[:i], start+i
	}
	a.host, a.hostAt = strings.ToLower(host), [2]int{start, to}
	a.path, a.query, _ = strings.Cut(t.Value[end:], "?")
	a.path, _, _ = strings.Cut(a.path, "#")
	return a, true
}

// endOfAuthority is where the host ends: at a slash, a query or a fragment, but
// not inside a reference.
func endOfAuthority(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		case '/', '?', '#', ' ':
			if depth <= 0 {
				return i
			}
		}
	}
	return len(s)
}

// ip reads the host as an address of the network in the one form that is not
// deceptive.
func (a address) ip() (netip.Addr, bool) {
	ip, err := netip.ParseAddr(a.host)
	return ip, err == nil
}

// local reports whether the host is the machine itself.
func (a address) local() bool {
	if ip, ok := a.ip(); ok {
		return ip.IsLoopback()
	}
	return a.host == "localhost" || strings.HasSuffix(a.host, ".localhost")
}

// innerSuffixes are names that no public server has.
var innerSuffixes = []string{
	".local", ".internal", ".lan", ".home", ".home.arpa", ".localdomain", ".test", ".example", ".invalid", ".intranet", ".corp",
	".svc", ".cluster.local", ".ts.net", ".docker.internal",
}

// inner reports whether the host can only be one of the own network: a name
// without a dot, a name under an inner suffix, a private address.
func (a address) inner() bool {
	if ip, ok := a.ip(); ok {
		return ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsLoopback() || ip.IsUnspecified()
	}
	for _, suffix := range innerSuffixes {
		if strings.HasSuffix(a.host, suffix) {
			return true
		}
	}
	return !strings.Contains(a.host, ".")
}

// oddNumber reports whether a host without letters beyond hexadecimal ones is a
// network address in another form than four decimal parts.
func oddNumber(host string) bool {
	parts := strings.Split(host, ".")
	if host == "" || len(parts) > 4 {
		return false
	}
	odd := len(parts) < 4
	for _, p := range parts {
		n, err := strconv.ParseUint(p, 0, 64)
		if err != nil {
			if n, err = strconv.ParseUint(p, 10, 64); err != nil {
				return false
			}
		}
		if len(p) > 1 && p[0] == '0' || n > 255 {
			odd = true
		}
	}
	return odd
}
