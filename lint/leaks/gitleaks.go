// Package leaks knows what the secrets of some two hundred providers look like,
// by the rules that gitleaks carries. Texts in, places out.
package leaks

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/zricethezav/gitleaks/v8/config"
)

// vendorRule is one of gitleaks' rules: the form of one provider's secrets.
type vendorRule struct {
	id       string
	kind     string // "GitHub personal access token", see kindOf
	keywords []string
	run      int // the least run without a space that a match has
	entropy  float64
	group    int
	allowed  []string
	compile  func() *regexp.Regexp
}

// gitleaksFile is the part of gitleaks' configuration that is used here.
type gitleaksFile struct {
	Rules []struct {
		ID          string
		Description string
		Regex       string
		Entropy     float64
		SecretGroup int
		Keywords    []string
		Allowlists  []struct {
			Regexes   []string
			Stopwords []string
		}
	}
}

// vendorRules reads the rules that gitleaks carries in its own package. Its
// detector is not used: it scans whole files, links archive readers, and
// compiles two hundred expressions for a handful of short strings. Here an
// expression is compiled when one of its rule's keywords is met.
var vendorRules = sync.OnceValues(readRules)

// ruleSet is all rules with what finds their keywords.
type ruleSet struct {
	rules    []vendorRule
	keywords *words // a rule's index is whose they are
}

func readRules() (*ruleSet, error) {
	var file gitleaksFile
	if _, err := toml.Decode(config.DefaultConfig, &file); err != nil {
		return nil, fmt.Errorf("read gitleaks rules: %w", err)
	}
	var list []vendorRule
	var keywords []string
	var owners []int
	for _, r := range file.Rules {
		// The generic rule guesses from names; package secrets does that better.
		if r.Regex == "" || len(r.Keywords) == 0 || r.ID == "generic-api-key" || strings.HasPrefix(r.ID, "curl-") {
			continue
		}
		v := vendorRule{id: r.ID, kind: kindOf(r.ID), run: leastRun(r.Regex), entropy: r.Entropy, group: r.SecretGroup}
		for _, k := range r.Keywords {
			v.keywords = append(v.keywords, strings.ToLower(k))
			keywords, owners = append(keywords, strings.ToLower(k)), append(owners, len(list))
		}
		for _, a := range r.Allowlists {
			v.allowed = append(v.allowed, a.Regexes...)
		}
		v.compile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(r.Regex) })
		list = append(list, v)
	}
	return &ruleSet{list, newWords(keywords, owners)}, nil
}

// Match is a provider's secret in a text.
type Match struct {
	From, To int
	Kind     string // "GitHub personal access token"
}

// First finds a provider's secret in a line such as `KEY="value"`, by the first
// rule that matches. spend is told how many bytes an expression is about to be
// tried on and may end the search.
func First(line string, spend func(bytes int) bool) (Match, bool) {
	var found Match
	ok := false
	each(line, spend, func(m Match) bool {
		found, ok = m, true
		return false
	})
	return found, ok
}

// All finds every provider's secret in a text. The matches may overlap. spend is
// as for [First].
func All(text string, spend func(bytes int) bool) []Match {
	var found []Match
	each(text, spend, func(m Match) bool {
		found = append(found, m)
		return true
	})
	return found
}

func each(text string, spend func(bytes int) bool, yield func(Match) bool) {
	set, err := vendorRules()
	if err != nil { // the package's test holds it to nil
		return
	}
	for _, i := range set.mayMatch(text) {
		r := &set.rules[i]
		if !spend(len(text)) {
			return
		}
		for _, m := range r.compile().FindAllStringSubmatchIndex(text, -1) {
			from, to := r.secret(m)
			value := text[from:to]
			if r.entropy != 0 && Entropy(value) <= r.entropy || r.allows(value) {
				continue
			}
			if !yield(Match{from, to, r.kind}) {
				return
			}
		}
	}
}

// mayMatch are the rules that a keyword stands for in text, in their order, but
// for those whose secrets are longer than anything there.
func (s *ruleSet) mayMatch(text string) []int {
	var found []int
	longest := longestRun(text)
	s.keywords.in(strings.ToLower(text), func(rule int) {
		if s.rules[rule].run > longest {
			return
		}
		if at, there := slices.BinarySearch(found, rule); !there {
			found = slices.Insert(found, at, rule)
		}
	})
	return found
}

// secret picks the group that holds the secret: the one the rule names, else
// the first that took part.
func (r *vendorRule) secret(m []int) (from, to int) {
	if r.group > 0 && 2*r.group+1 < len(m) && m[2*r.group] >= 0 {
		return m[2*r.group], m[2*r.group+1]
	}
	for g := 2; g+1 < len(m); g += 2 {
		if m[g] >= 0 && m[g] < m[g+1] {
			return m[g], m[g+1]
		}
	}
	return m[0], m[1]
}

func (r *vendorRule) allows(value string) bool {
	for _, expr := range r.allowed {
		if re, err := regexp.Compile(expr); err == nil && re.MatchString(value) {
			return true
		}
	}
	return false
}

// Entropy is Shannon's, in bits a character.
func Entropy(s string) float64 {
	counts := map[rune]int{}
	total := 0
	for _, r := range s {
		counts[r]++
		total++
	}
	bits := 0.0
	for _, n := range counts {
		p := float64(n) / float64(total)
		bits -= p * math.Log2(p)
	}
	return bits
}
