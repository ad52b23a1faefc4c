package dependencies

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/github/go-spdx/v2/spdxexp"

	"steelyard/rules"
)

// LicencePolicy says which licences need no question. Its zero value allows
// the permissive class.
type LicencePolicy struct {
	// Allow lists SPDX identifiers and names of classes ("permissive", "weak
	// copyleft").
	Allow []string
}

// allowed resolves the classes of the allow list.
func (p LicencePolicy) allowed(classes []rules.LicenceClass) []string {
	list := p.Allow
	if len(list) == 0 {
		list = []string{"permissive"}
	}
	var ids []string
	for _, a := range list {
		i := slices.IndexFunc(classes, func(c rules.LicenceClass) bool { return c.Class == a })
		if i >= 0 {
			ids = append(ids, classes[i].IDs...)
		} else {
			ids = append(ids, a)
		}
	}
	return slices.DeleteFunc(ids, func(id string) bool {
		ok, _ := spdxexp.ValidateLicenses([]string{id})
		return !ok
	})
}

// Validate names the first entry that is neither a class nor an identifier.
func (p LicencePolicy) Validate() error {
	data, err := rules.DependencyData()
	if err != nil {
		return err
	}
	for _, a := range p.Allow {
		if slices.ContainsFunc(data.Licences, func(c rules.LicenceClass) bool { return c.Class == a }) {
			continue
		}
		if ok, _ := spdxexp.ValidateLicenses([]string{a}); !ok {
			return fmt.Errorf("%q is neither an SPDX identifier nor a class of licences", a)
		}
	}
	return nil
}

// licence judges the licence fields of a package: every one of them must be
// allowed.
func (p Policy) licence(f Facts) []Evidence {
	if !f.LicenceKnown {
		return []Evidence{{"", OK, "its licence is not known here: " + f.Asked + " did not say"}}
	}
	data, err := rules.DependencyData()
	if err != nil {
		return []Evidence{{ruleUnverified, Unverified, "the licence could not be judged: " + err.Error()}}
	}
	stated := slices.DeleteFunc(slices.Clone(f.Licences), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(stated) == 0 {
		return []Evidence{{ruleNoLicence, Legal, "it states no licence: without one nobody but its author may use it"}}
	}
	allow := p.Licences.allowed(data.Licences)
	var all []Evidence
	for _, s := range stated {
		all = append(all, judgeLicence(s, allow, data.Licences))
	}
	return all
}

func judgeLicence(stated string, allow []string, classes []rules.LicenceClass) Evidence {
	expression, ok := NormaliseLicence(stated)
	if !ok {
		if isNoLicence(stated) {
			return Evidence{ruleNoLicence, Legal, fmt.Sprintf("its licence field says %q: nobody but its author may use it without asking", clip(stated))}
		}
		return Evidence{ruleNoLicence, Legal, fmt.Sprintf("no SPDX expression can be made of its licence %q: somebody has to read it", clip(stated))}
	}
	fine, err := spdxexp.Satisfies(withoutExceptions(expression, classes), allow)
	if err == nil && fine {
		return Evidence{"", OK, "licence " + expression}
	}
	class := worstClass(expression, allow, classes)
	if class.Class == "" {
		return Evidence{ruleLicence, Legal, fmt.Sprintf("licence %s is not on the allow list, and of no class that is known here", expression)}
	}
	return Evidence{ruleLicence, Legal, fmt.Sprintf("licence %s is %s: %s", expression, class.Class, class.Means)}
}

// worstClass is the class that asks for most among the licences of an
// expression that are not allowed.
func worstClass(expression string, allow []string, classes []rules.LicenceClass) rules.LicenceClass {
	var worst rules.LicenceClass
	ids, err := spdxexp.ExtractLicenses(expression)
	if err != nil {
		return worst
	}
	best := -1
	for _, id := range ids {
		if fine, err := spdxexp.Satisfies(id, allow); err == nil && fine {
			continue
		}
		id, _, _ = strings.Cut(id, " WITH ")
		for i, c := range classes {
			if i > best && slices.ContainsFunc(c.IDs, func(known string) bool { return strings.EqualFold(known, id) }) {
				worst, best = c, i
			}
		}
	}
	return worst
}

var withException = regexp.MustCompile(`(?i)([A-Za-z0-9.+-]+)\s+WITH\s+([A-Za-z0-9.-]+)`)

// withoutExceptions counts a permissive licence with an exception as the
// licence: an exception only gives more.
func withoutExceptions(expression string, classes []rules.LicenceClass) string {
	return withException.ReplaceAllStringFunc(expression, func(s string) string {
		m := withException.FindStringSubmatch(s)
		if len(classes) > 0 && slices.ContainsFunc(classes[0].IDs, func(id string) bool { return strings.EqualFold(id, m[1]) }) {
			return m[1]
		}
		return s
	})
}

func isNoLicence(s string) bool {
	switch strings.ToUpper(strings.TrimSpace(s)) {
	case "UNLICENSED", "NONE", "NOASSERTION", "PROPRIETARY", "ALL RIGHTS RESERVED", "COMMERCIAL", "PRIVATE", "LICENSE :: OTHER/PROPRIETARY LICENSE":
		return true
	}
	return false
}

// maxLicence bounds the field that is looked at: some hold a whole text.
const maxLicence = 2000

var (
	slashed   = regexp.MustCompile(`\s*/\s*`)
	spaces    = regexp.MustCompile(`\s+`)
	conjuncts = regexp.MustCompile(`(?i)\b(and|or|with)\b`)
)

// NormaliseLicence turns a licence field into an SPDX expression: the usual
// names and the older ways to write a choice are understood. It is false where
// that would be guessing.
func NormaliseLicence(stated string) (string, bool) {
	s := strings.TrimSpace(stated)
	if len(s) > maxLicence {
		s = s[:maxLicence]
	}
	if first, _, more := strings.Cut(s, "\n"); more {
		s = strings.TrimSpace(first) // a whole text: its title says which
	}
	s = spaces.ReplaceAllString(s, " ")
	if known, ok := licenceNames()[licenceKey(s)]; ok {
		return known, true
	}
	for _, form := range []string{s, conjuncts.ReplaceAllStringFunc(s, strings.ToUpper), slashed.ReplaceAllString(s, " OR ")} {
		if expression, ok := spdx(form); ok {
			return expression, true
		}
		if expression, ok := spdx(namedParts(form)); ok {
			return expression, true
		}
	}
	return "", false
}

// spdx reports whether s is an expression that names licences only.
func spdx(s string) (string, bool) {
	if s == "" || len(s) > maxLicence || strings.Count(s, "(") > 20 {
		return "", false
	}
	ids, err := spdxexp.ExtractLicenses(s)
	if err != nil || len(ids) == 0 {
		return "", false
	}
	return s, true
}

var operators = regexp.MustCompile(`(\s+(?:AND|OR)\s+|[()])`)

// namedParts replaces the usual names between the operators of an expression.
func namedParts(s string) string {
	var b strings.Builder
	last := 0
	part := func(p string) {
		if known, ok := licenceNames()[licenceKey(p)]; ok {
			p = known
		}
		b.WriteString(p)
	}
	for _, at := range operators.FindAllStringIndex(s, -1) {
		part(s[last:at[0]])
		b.WriteString(s[at[0]:at[1]])
		last = at[1]
	}
	part(s[last:])
	return b.String()
}

func licenceKey(s string) string {
	s = strings.ToLower(strings.Trim(strings.TrimSpace(s), `"'.`))
	s = strings.TrimPrefix(s, "license :: osi approved :: ")
	s = strings.TrimPrefix(s, "license :: ")
	s = strings.TrimPrefix(s, "the ")
	s = strings.NewReplacer(",", "", "licence", "license", "version ", "", "(", "", ")", "").Replace(s)
	return spaces.ReplaceAllString(s, " ")
}

func clip(s string) string {
	const most = 80
	s = spaces.ReplaceAllString(strings.TrimSpace(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
