package mcpconfig

import (
	"fmt"
	"strings"
	"unicode"

	"steelyard/lint"
	"steelyard/lint/launch"
	"steelyard/rules"
)

// deceptiveAddress reports addresses that lead elsewhere than they seem to.
var deceptiveAddress = lint.Rule{ID: "MC005", Check: checkDeceptiveAddress}

func checkDeceptiveAddress(p *lint.Pass) {
	table, err := rules.KnownServers()
	if err != nil {
		return // the table's own test holds it to nil
	}
	var known []string
	for _, row := range table {
		known = append(known, row.Hosts...)
	}
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, a := range s.reaches {
				if fault := a.deceives(known); fault != "" {
					p.Reportf(c.File, a.text.At(), "the address of server %q %s", s.Name.Value, fault)
				}
			}
		}
	}
}

// deceives says how an address misleads whoever reads it, "" if it does not.
func (a address) deceives(known []string) string {
	host := a.text.Value[a.hostAt[0]:a.hostAt[1]]
	rest := a.text.Value[a.hostAt[1]:]
	switch {
	case launch.IsReference(host) || strings.ContainsAny(host, "<>"):
		return ""
	case strings.Contains(a.text.Value[:a.hostAt[1]], `\`):
		return fmt.Sprintf("holds a backslash before its end, so programs disagree whether it leads to %q", host)
	case a.user != "" && !launch.IsReference(a.user) && looksLikeHost(a.user):
		return fmt.Sprintf("leads to %q; what stands before the @ only looks like its host", host)
	case strings.Contains(host, "%"):
		return fmt.Sprintf("hides characters of its host %q behind %%", host)
	case strings.Contains(rest, "#@") || strings.Contains(rest, "?@") || strings.HasPrefix(strings.TrimLeft(rest, "0123456789:"), `\`):
		return fmt.Sprintf("leads to %q; what stands behind the @ is no host", host)
	case strings.HasSuffix(host, "."):
		return fmt.Sprintf("ends its host %q with a dot, which rules about that host may not match", host)
	case oddNumber(a.host):
		return fmt.Sprintf("hides the number of a machine in another notation: %q", host)
	case strings.HasPrefix(a.host, "xn--") || strings.Contains(a.host, ".xn--"):
		return fmt.Sprintf("has the host %q, which is shown in other letters than these", host)
	case mixesScripts(host):
		return fmt.Sprintf("has the host %q, which mixes letters of several scripts", host)
	}
	if like := imitates(a.host, known); like != "" {
		return fmt.Sprintf("has the host %q, which looks like %q and is not", host, like)
	}
	return ""
}

// looksLikeHost reports whether a user name could be taken for a host.
func looksLikeHost(user string) bool {
	name, _, _ := strings.Cut(user, ":")
	return strings.Contains(name, ".")
}

// mixesScripts reports whether a part of a name holds Latin letters beside
// Cyrillic, Greek, Armenian or Cherokee ones, or Cyrillic ones that all look
// Latin.
func mixesScripts(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		latin, other, alike := false, false, true
		for _, r := range label {
			switch {
			case unicode.Is(unicode.Latin, r):
				latin = true
			case unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee):
				other = true
				alike = alike && strings.ContainsRune("асеорхуіјѕԁԛԝһӏοανρτυικ", unicode.ToLower(r))
			}
		}
		if other && (latin || alike) {
			return true
		}
	}
	return false
}

// imitates returns the known host that a host could be taken for, "" for none.
func imitates(host string, known []string) string {
	for _, k := range known {
		if host == k || strings.HasSuffix(host, "."+site(k)) || site(host) == site(k) {
			return ""
		}
	}
	const least = 12 // of shorter names too many are a word of their own
	for _, k := range known {
		switch {
		case strings.HasPrefix(host, k+".") || strings.HasPrefix(host, k+"-"):
			return k
		case skeleton(site(host)) == skeleton(site(k)):
			return k
		case len(site(k)) >= least && ending(host) == ending(k) && oneAway(site(host), site(k)):
			return k
		}
	}
	return ""
}

// site is the last two parts of a name.
func site(host string) string {
	parts := strings.Split(host, ".")
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}

func ending(host string) string { return host[strings.LastIndexByte(host, '.')+1:] }

// skeleton replaces characters by the one they look like.
func skeleton(s string) string {
	return strings.NewReplacer("rn", "m", "vv", "w", "cl", "d", "0", "o", "1", "l", "i", "l", "5", "s", "3", "e", "-", "").Replace(s)
}

// oneAway reports whether one letter too many, too few, other or swapped with
// its neighbour makes one name of the other.
func oneAway(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) != len(b) {
		return a[i:] == b[i+1:]
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
