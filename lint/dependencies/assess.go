package dependencies

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Verdict is an entry with its judgement and the reasons for it.
type Verdict struct {
	Entry
	Judgement Judgement
	Evidence  []Evidence
	// Facts are what the registry said, nil where it was not asked.
	Facts *Facts
	// Decision is the person's decision that answered it, nil for none.
	Decision *Decision
}

// Unchecked is an entry that was not asked about, and why.
type Unchecked struct {
	Entry
	Reason string
}

// Assessment is the answer about one change.
type Assessment struct {
	Added, Changed, Transitive []Verdict
	// Lockfile are lockfile entries with an unusual host or without a
	// checksum that no list above holds.
	Lockfile []Verdict
	// Unchecked are entries beyond the cap, and transitive ones where they
	// were not asked for.
	Unchecked []Unchecked
	Unread    []Unread
	// Expired are decisions past their end.
	Expired []Decision
	Files   int
}

// Options says how far an assessment goes.
type Options struct {
	// Transitive asks about what only lockfiles or indirect entries name too.
	Transitive bool
	// Cap bounds the names that are asked about; 0 means DefaultCap.
	Cap int
}

// DefaultCap is the number of names that one run asks about. The median commit
// adds one name, the 95th percentile sixteen.
const DefaultCap = 300

// Assess asks a registry about each entry of a change and judges it. It does
// not fail: what could not be found out is unverified.
func Assess(ctx context.Context, c Change, reg Registry, names *Names, p Policy, o Options) *Assessment {
	if o.Cap == 0 {
		o.Cap = DefaultCap
	}
	if p.Thresholds == (Thresholds{}) {
		p.Thresholds = DefaultThresholds()
	}
	a := &Assessment{Unread: c.Unread, Files: c.Files}
	for _, d := range p.Decisions {
		if d.expired(p.Today) {
			a.Expired = append(a.Expired, d)
		}
	}
	r := &assessing{policy: p, names: names, options: o, locked: lockedEvidence(c.Locked), asked: map[Query]int{}}
	groups := []struct {
		entries []Entry
		changed bool
		out     *[]Verdict
	}{{c.Added, false, &a.Added}, {c.Changed, true, &a.Changed}, {c.Transitive, false, &a.Transitive}}
	for _, g := range groups {
		for _, e := range g.entries {
			r.want(e)
		}
	}
	r.facts = reg.Lookup(ctx, r.queries)
	for _, g := range groups {
		for _, e := range g.entries {
			*g.out = append(*g.out, r.verdict(e, g.changed))
		}
	}
	a.Unchecked = r.unchecked
	a.Lockfile = r.lockfile(c.Locked)
	return a
}

// assessing is one run of Assess.
type assessing struct {
	policy    Policy
	names     *Names
	options   Options
	locked    map[string][]Evidence // by lockKeyOf
	used      map[string]bool
	queries   []Query
	facts     []Facts
	asked     map[Query]int
	unchecked []Unchecked
}

func query(e Entry) Query {
	return Query{Ecosystem: e.Ecosystem, Name: e.Asked(), Version: e.Version}
}

// want notes an entry to ask about, within the cap.
func (r *assessing) want(e Entry) {
	if e.Source != FromRegistry {
		return
	}
	q := query(e)
	if _, known := r.asked[q]; known {
		return
	}
	switch {
	case !e.Direct && !r.options.Transitive:
		r.unchecked = append(r.unchecked, Unchecked{e, "only another dependency needs it; --transitive asks about these too"})
	case len(r.queries) >= r.options.Cap:
		r.unchecked = append(r.unchecked, Unchecked{e, fmt.Sprintf("more than %d names are new; the rest was not asked about", r.options.Cap)})
	default:
		r.asked[q] = len(r.queries)
		r.queries = append(r.queries, q)
	}
}

// verdict judges one entry.
func (r *assessing) verdict(e Entry, changed bool) Verdict {
	var all []Evidence
	var facts *Facts
	switch e.Source {
	case FromRegistry:
		i, asked := r.asked[query(e)]
		switch {
		case asked && i < len(r.facts):
			facts = &r.facts[i]
			all = r.policy.judge(e, *facts, r.names)
			if e.FirstPrivate {
				all = append(all, Evidence{ruleSource, Ask, "it may come from a registry that the repository did not name before and that was not asked" + at(e)})
			}
		default:
			all = []Evidence{{"", Unverified, "it was not asked about: only another dependency needs it"}}
			if e.Direct || r.options.Transitive {
				all = []Evidence{{ruleUnverified, Unverified, fmt.Sprintf("it was not asked about: more than %d names are new, see --cap", r.options.Cap)}}
			}
		}
	default:
		all = source(e, changed)
	}
	if changed && e.Source == FromRegistry {
		all = append(all, Evidence{"", OK, fmt.Sprintf("the base had it %s", from(e.Was, e))})
	}
	all = append(all, r.takeLocked(e)...)
	sortEvidence(all)
	all, decision := r.policy.decide(e, all)
	return Verdict{Entry: e, Judgement: all[0].Judgement, Evidence: all, Facts: facts, Decision: decision}
}

// source judges what is not asked about.
func source(e Entry, changed bool) []Evidence {
	was := ""
	if changed {
		was = "; the base had it " + from(e.Was, e)
	}
	switch e.Source {
	case FromGit:
		return []Evidence{{ruleSource, Ask, fmt.Sprintf("it comes from a git repository (%s), which no registry vouches for%s", clip(spec(e)), was)}}
	case FromURL:
		return []Evidence{{ruleSource, Ask, fmt.Sprintf("it comes from an address (%s), which no registry vouches for%s", clip(spec(e)), was)}}
	case FromPrivate:
		if e.FirstPrivate {
			return []Evidence{{ruleSource, Ask, "it comes from a registry of the repository's own, which it did not name before and which was not asked" + at(e) + was}}
		}
		return []Evidence{{"", OK, "it comes from a registry that the repository names for itself, which was not asked" + at(e) + was}}
	}
	if changed {
		return []Evidence{{ruleSource, Ask, "it comes from a path" + was}}
	}
	return []Evidence{{"", OK, "it is local: there is nothing to ask"}}
}

// at says which registry of the repository's own is meant.
func at(e Entry) string {
	if e.Registry == "" {
		return ""
	}
	return fmt.Sprintf(" (%s)", clip(e.Registry))
}

func spec(e Entry) string { return cmp.Or(withoutSecrets(e.Spec), e.Name) }

func from(was []Source, e Entry) string {
	var words []string
	for _, s := range was {
		words = append(words, map[Source]string{
			FromRegistry: "from the registry", FromPrivate: "from a private registry", FromGit: "from git", FromURL: "from an address", FromLocal: "from a path",
		}[s])
	}
	text := strings.Join(words, " and ")
	if e.ResolvedName != "" {
		text += fmt.Sprintf(" under another name; it stands for %q now", e.ResolvedName)
	}
	return text
}

func lockKeyOf(d Dependency) string {
	return string(d.Ecosystem) + ":" + d.Ecosystem.Canonical(d.Asked())
}

// lockedEvidence is what lockfiles give away, by package.
func lockedEvidence(list []LockedEntry) map[string][]Evidence {
	out := map[string][]Evidence{}
	for _, l := range list {
		out[lockKeyOf(l.Dependency)] = append(out[lockKeyOf(l.Dependency)], l.evidence())
	}
	return out
}

func (l LockedEntry) evidence() Evidence {
	if l.Host == "" {
		return Evidence{ruleNoIntegrity, Ask, fmt.Sprintf("%s:%d holds it without a checksum", l.Path, l.Line)}
	}
	return Evidence{ruleLockedHost, Ask, fmt.Sprintf("%s:%d downloads it from %s, the others come from %s", l.Path, l.Line, l.Host, strings.Join(l.Usual, ", "))}
}

func (r *assessing) takeLocked(e Entry) []Evidence {
	key := lockKeyOf(e.Dependency)
	if len(r.locked[key]) > 0 {
		if r.used == nil {
			r.used = map[string]bool{}
		}
		r.used[key] = true
	}
	return r.locked[key]
}

// lockfile judges the lockfile entries of names that are not new themselves.
func (r *assessing) lockfile(list []LockedEntry) []Verdict {
	var out []Verdict
	for _, l := range list {
		if r.used[lockKeyOf(l.Dependency)] {
			continue
		}
		e := Entry{Dependency: l.Dependency}
		all, decision := r.policy.decide(e, []Evidence{l.evidence()})
		out = append(out, Verdict{Entry: e, Judgement: all[0].Judgement, Evidence: all, Decision: decision})
	}
	return out
}

// Verdicts returns all verdicts: added, changed, transitive, lockfile.
func (a *Assessment) Verdicts() []Verdict {
	return slices.Concat(a.Added, a.Changed, a.Transitive, a.Lockfile)
}

// Fails reports whether a verdict has one of these judgements. Entries that
// nobody asked about because they are transitive do not count.
func (a *Assessment) Fails(on []Judgement) bool {
	return slices.ContainsFunc(a.Verdicts(), func(v Verdict) bool {
		return slices.ContainsFunc(v.Evidence, func(e Evidence) bool {
			counted := e.Judgement != Unverified || e.Rule != ""
			return counted && slices.Contains(on, e.Judgement)
		})
	}) || slices.Contains(on, Unverified) && len(a.Unread) > 0
}

// Count returns how many verdicts have each judgement.
func (a *Assessment) Count() map[Judgement]int {
	n := map[Judgement]int{}
	for _, v := range a.Verdicts() {
		if v.Judgement == Unverified && !v.counted() {
			continue
		}
		n[v.Judgement]++
	}
	return n
}

// counted is false for what was left out on purpose.
func (v Verdict) counted() bool {
	return slices.ContainsFunc(v.Evidence, func(e Evidence) bool { return e.Judgement == v.Judgement && (e.Rule != "" || e.Judgement == OK) })
}

// Check judges one package by name, as if a manifest had named it.
func Check(ctx context.Context, q Query, reg Registry, names *Names, p Policy) Verdict {
	d := Dependency{Ecosystem: q.Ecosystem, Name: q.Name, Version: q.Version, Spec: q.Version, Direct: true, Source: FromRegistry}
	a := Assess(ctx, Change{Added: []Entry{{Dependency: d}}}, reg, names, p, Options{})
	return a.Added[0]
}

// Day is the day that a policy judges on.
func (p Policy) Day() string { return p.Today.UTC().Format(time.DateOnly) }
