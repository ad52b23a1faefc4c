package secrets

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
	"steelyard/lint/leaks"
)

// Secret is one literal secret of a document.
type Secret struct {
	At       lint.Span
	Value    string
	Kind     string // "API key", "GitHub personal access token"
	Where    string // `env "API_KEY"`
	Variable string // the environment variable to name instead, "" if not known
}

// Shown is how a message names the secret: its kind and, of a long one, its
// last four characters.
func (s Secret) Shown() string {
	if tail := lint.Tail(s.Value); tail != "" {
		return fmt.Sprintf("%s ending in %q", s.Kind, tail)
	}
	return s.Kind
}

// Finder looks for secrets in one file, within a bound on the work.
type Finder struct{ work int }

// maxWork bounds what a hostile file costs: bytes times expressions tried.
const maxWork = 200_000

// Exhausted reports whether the bound was met, so that not everything was
// looked at.
func (f *Finder) Exhausted() bool { return f.work > maxWork }

// InWords finds secrets in a command line: --api-key VALUE, --api-key=VALUE,
// --header "Name: VALUE", NAME=VALUE, and words that are secrets by their form.
func (f *Finder) InWords(words []launch.Text) []Secret {
	var found []Secret
	flag := "" // the one before, waiting for its value
	for _, w := range words {
		key, value, assigned := strings.Cut(w.Value, "=")
		header, content, colon := strings.Cut(w.Value, ":")
		plainName := !strings.ContainsAny(key, " :/?&")
		waiting := flag
		flag = ""
		switch {
		case isScript(w.Value, waiting):
			for _, c := range launch.Split(w) {
				found = append(found, f.InWords(c.Words)...)
			}
		case assigned && plainName && strings.HasPrefix(key, "-"):
			found = append(found, f.inHeaderOr(key, w.Cut(len(w.Value)-len(value), len(w.Value)))...)
		case strings.HasPrefix(w.Value, "-") && !strings.ContainsAny(w.Value, " "):
			flag = w.Value
		case colon && isHeaderFlag(waiting) && !strings.HasPrefix(content, "//"):
			at := len(w.Value) - len(strings.TrimLeft(content, " "))
			found = append(found, f.Named(`argument "`+header+`"`, header, "", w.Cut(at, len(w.Value)))...)
		case assigned && plainName && launch.IsAssignment(w.Value):
			found = append(found, f.Named(`argument "`+key+`"`, key, key, w.Cut(len(key)+1, len(w.Value)))...)
		case waiting != "":
			found = append(found, f.Named(`argument "`+waiting+`"`, waiting, "", w)...)
		default:
			found = append(found, f.Named("argument", "", "", w)...)
		}
	}
	return found
}

// isScript reports whether an argument is a shell's script: several words, and
// either no header or behind the flag that takes a script.
func isScript(value, flag string) bool {
	if !strings.ContainsAny(value, " \t\n") || strings.Contains(value, ":") && isHeaderFlag(flag) {
		return false
	}
	return !strings.Contains(value, ":") || strings.HasPrefix(flag, "-") && !strings.HasPrefix(flag, "--") && strings.HasSuffix(flag, "c")
}

func isHeaderFlag(flag string) bool {
	return flag == "-H" || strings.HasPrefix(flag, "--") && strings.Contains(flag, "header")
}

// inHeaderOr reads --header=Name:value as a header, any other --flag=value as
// a Named value.
func (f *Finder) inHeaderOr(flag string, value launch.Text) []Secret {
	name, content, colon := strings.Cut(value.Value, ":")
	if colon && isHeaderFlag(flag) {
		at := len(value.Value) - len(strings.TrimLeft(content, " "))
		return f.Named(`argument "`+name+`"`, name, "", value.Cut(at, len(value.Value)))
	}
	return f.Named(`argument "`+flag+`"`, flag, "", value)
}

// scheme matches what stands before a credential in a header.
var scheme = regexp.MustCompile(`(?i)\b(bearer|basic|token|apikey|bot)[ :]+"?([^\s"',;]+)`)

// Named finds the secret of one value, given where it stands and what its
// name is ("" for none). The first way to tell decides, so one secret is
// found once.
func (f *Finder) Named(where, key, variable string, value launch.Text) []Secret {
	const look = 20 // what a value costs that no expression is tried on
	if f.work += look; f.Exhausted() {
		return nil
	}
	one := func(kind string, from, to int) []Secret {
		return []Secret{{value.Sub(from, to), value.Value[from:to], kind, where, variable}}
	}
	if kind, from, to, ok := f.vendorIn(key, value.Value); ok {
		return one(kind, from, to)
	}
	if strings.Contains(value.Value, "://") {
		if kind, from, to, ok := inAddressText(value.Value); ok {
			return one(kind, from, to)
		}
		return nil
	}
	if m := scheme.FindStringSubmatchIndex(value.Value); m != nil {
		name, credential := value.Value[m[2]:m[3]], value.Value[m[4]:m[5]]
		if kind, ok := schemeSecret(name, credential); ok {
			return one(kind, m[4], m[5])
		}
		return nil
	}
	if m := passwordPart.FindStringSubmatchIndex(value.Value); m != nil {
		if password := value.Value[m[2]:m[3]]; len(password) >= 6 && !StandIn(password) {
			return one("password", m[2], m[3])
		}
		return nil
	}
	if kind, ok := KindByName(key); ok && looksGenerated(value.Value) {
		return one(kind, 0, len(value.Value))
	}
	return nil
}

// passwordPart matches the password of an ADO or libpq connection string.
var passwordPart = regexp.MustCompile(`(?i)(?:^|[; ])(?:password|pwd)\s*=\s*([^;\s]+)`)

// vendorIn looks for a known provider's secret in a value.
func (f *Finder) vendorIn(key, value string) (kind string, from, to int, ok bool) {
	if len(value) < 12 {
		return "", 0, 0, false
	}
	prefix := strings.TrimLeft(key, "-") + `="`
	m, ok := leaks.First(prefix+value+`"`, func(bytes int) bool {
		f.work += bytes
		return !f.Exhausted()
	})
	kind, from, to = m.Kind, m.From-len(prefix), m.To-len(prefix)
	if !ok || from < 0 || to > len(value) || StandIn(value[from:to]) || launch.IsReference(value) || harmlessJWT(value[from:to]) {
		return "", 0, 0, false
	}
	return kind, from, to, true
}

// harmlessJWT reports a JSON web token that is public on purpose: Supabase's
// anonymous role, the keys every local Supabase starts with, the sample that
// jwt.io shows, and one whose signature is too short to be any.
func harmlessJWT(token string) bool {
	const least = 32 // characters of a signature; HS256 has 43
	parts := strings.Split(token, ".")
	if len(parts) != 3 || !strings.HasPrefix(token, "eyJ") {
		return false
	}
	if len(parts[2]) < least {
		return true
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct{ Iss, Role, Sub string }
	if err != nil || json.Unmarshal(text, &claims) != nil {
		return false
	}
	return claims.Role == "anon" || claims.Iss == "supabase-demo" || claims.Sub == "1234567890"
}

// schemeSecret judges a credential behind Bearer, Basic and the like.
func schemeSecret(scheme, credential string) (kind string, ok bool) {
	if !strings.EqualFold(scheme, "basic") {
		return strings.ToLower(scheme) + " credential", looksGenerated(credential) && !harmlessJWT(credential)
	}
	text, err := base64.StdEncoding.DecodeString(credential)
	if err != nil {
		return "", false
	}
	user, password, colon := strings.Cut(string(text), ":")
	ok = colon && len(password) >= 4 && !StandIn(password) && !strings.EqualFold(password, user)
	return "basic credential", ok
}

// inAddressText finds the secret of an address: its password, or a query
// parameter that is Named like one.
func inAddressText(s string) (kind string, from, to int, ok bool) {
	start := strings.Index(s, "://") + len("://")
	end := start + strings.IndexAny(s[start:]+"/", "/?# \t\"'")
	if at := strings.LastIndexByte(s[start:end], '@'); at >= 0 {
		userinfo := s[start : start+at]
		user, password, colon := strings.Cut(userinfo, ":")
		if colon && addressPassword(user, password, s[start+at+1:end]) {
			return "password", start + len(user) + 1, start + at, true
		}
		if !colon && looksGenerated(user) {
			return "token", start, start + at, true
		}
	}
	query := strings.IndexByte(s[end:], '?')
	if query < 0 {
		return "", 0, 0, false
	}
	offset := end + query + 1
	for _, p := range strings.FieldsFunc(s[offset:], func(r rune) bool { return strings.ContainsRune("&;# \t\"'", r) }) {
		offset += strings.Index(s[offset:], p)
		name, value, _ := strings.Cut(p, "=")
		kind, secret := KindByName(name)
		if secret && looksGenerated(value) {
			return fmt.Sprintf("%s (parameter %q)", kind, name), offset + len(name) + 1, offset + len(p), true
		}
		offset += len(p)
	}
	return "", 0, 0, false
}

// addressPassword judges the password of an address. On a database on the same
// machine only one that looks generated counts; the usual defaults never do.
func addressPassword(user, password, host string) bool {
	if StandIn(password) || strings.EqualFold(password, user) || strings.HasPrefix(password, "<") {
		return false
	}
	name, _, _ := strings.Cut(host, ":")
	if !strings.Contains(name, ".") || strings.HasPrefix(name, "127.") || name == "host.docker.internal" || name == "0.0.0.0" {
		return looksGenerated(password)
	}
	return len(password) >= 6
}
