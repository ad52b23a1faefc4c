package dependencies

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Judgement is what is to be done about a dependency.
type Judgement string

// The judgements. Unverified is never read as "fine" and never as "bad".
const (
	OK         Judgement = "ok"
	Ask        Judgement = "ask"
	Legal      Judgement = "legal"
	Block      Judgement = "block"
	Unverified Judgement = "unverified"
)

// Judgements returns all of them, worst first.
func Judgements() []Judgement { return []Judgement{Block, Ask, Legal, Unverified, OK} }

// Evidence is one reason, in words.
type Evidence struct {
	// Rule is the rule that it breaks, "" for what speaks for the package.
	Rule string
	// Judgement is what this reason alone leads to.
	Judgement Judgement
	Text      string
}

// Thresholds are the numbers of the policy. The defaults were measured on real
// additions.
type Thresholds struct {
	Young          time.Duration // first published less than this ago: ask
	LookalikeAge   time.Duration // a look-alike younger than this: ask
	LookalikeUse   int64         // a look-alike with fewer downloads a month: ask
	FewDownloads   int64         // fewer than this a month …
	FewDownloadAge time.Duration // … and younger than this: ask
}

const day = 24 * time.Hour

// DefaultThresholds returns the measured defaults: 30 days; 90 days or 1,000
// downloads for a look-alike; 500 downloads within 180 days.
func DefaultThresholds() Thresholds {
	return Thresholds{
		Young: 30 * day, LookalikeAge: 90 * day, LookalikeUse: 1000,
		FewDownloads: 500, FewDownloadAge: 180 * day,
	}
}

// Policy is what a team decides.
type Policy struct {
	Thresholds Thresholds
	Licences   LicencePolicy
	Decisions  []Decision
	// Today is the day of the run.
	Today time.Time
}

// judge turns the facts of one entry into evidence, the worst first.
func (p Policy) judge(e Entry, f Facts, names *Names) []Evidence {
	var all []Evidence
	add := func(rule string, j Judgement, format string, args ...any) {
		all = append(all, Evidence{rule, j, fmt.Sprintf(format, args...)})
	}
	all = append(all, existence(e, f, names)...)
	if f.Existence == Exists {
		if f.Placeholder != "" {
			add(rulePlaceholder, Block, "%s holds the name so that nobody can take it: %s; it is a placeholder, not a package", f.Asked, f.Placeholder)
		}
		if f.Quarantined != "" {
			add(ruleQuarantined, Block, "%s has quarantined it: %s", f.Asked, f.Quarantined)
		}
		if f.Placeholder == "" && f.Quarantined == "" {
			all = append(all, p.age(e, f, names)...)
			all = append(all, p.upkeep(f)...)
			all = append(all, p.licence(f)...)
		}
	}
	if len(f.Malicious) > 0 {
		add(ruleMalicious, Block, "advisory %s calls this version malicious", strings.Join(f.Malicious, ", "))
	}
	if f.Unscreened {
		add("", OK, "whether an advisory calls it malicious is not known: OSV could not be asked")
	}
	for _, n := range f.Notes {
		add("", OK, "%s", n)
	}
	sortEvidence(all)
	return all
}

func sortEvidence(all []Evidence) {
	order := Judgements()
	slices.SortStableFunc(all, func(a, b Evidence) int {
		return slices.Index(order, a.Judgement) - slices.Index(order, b.Judgement)
	})
}

// existence judges whether the name and the version are there.
func existence(e Entry, f Facts, names *Names) []Evidence {
	what := fmt.Sprintf("%q", e.Asked())
	switch f.Existence {
	case Missing:
		text := fmt.Sprintf("%s has no %s %s: %s", f.Asked, noun(e.Ecosystem), what, f.Why)
		if other := names.Distribution(e.Ecosystem, e.Asked()); other != "" {
			text += fmt.Sprintf("; %q is the name to import, the package is %q", e.Asked(), other)
		}
		if names.Invented(e.Ecosystem, e.Asked()) {
			text += "; language models are known to invent this name"
		}
		if like := names.Like(e.Ecosystem, e.Asked()); like.Target != "" {
			text += fmt.Sprintf("; %q was perhaps meant", like.Target)
		}
		if e.Elsewhere {
			return []Evidence{{ruleUnverified, Unverified, text + "; it may live in a place of your own, which was not asked"}}
		}
		return []Evidence{{ruleMissing, Block, text}}
	case Unknown:
		return []Evidence{{ruleUnverified, Unverified, fmt.Sprintf("whether %s exists could not be verified: %s", what, f.Why)}}
	}
	switch {
	case f.VersionExistence == Missing && e.Elsewhere:
		return []Evidence{{ruleUnverified, Unverified, fmt.Sprintf("%s has no version %q of %s; it may live in a place of your own, which was not asked", f.Asked, e.Version, what)}}
	case f.VersionExistence == Missing:
		return []Evidence{{ruleNoVersion, Block, fmt.Sprintf("%s has no version %q of %s: %s", f.Asked, e.Version, what, f.VersionWhy)}}
	case f.VersionExistence == Unknown && f.VersionWhy != "":
		return []Evidence{{ruleUnverified, Unverified, fmt.Sprintf("version %q could not be verified: %s", e.Version, f.VersionWhy)}}
	}
	return nil
}

// noun is what an ecosystem calls its packages.
func noun(e Ecosystem) string {
	switch e {
	case Go:
		return "module"
	case Cargo:
		return "crate"
	case RubyGems:
		return "gem"
	case Actions:
		return "repository"
	case Docker:
		return "image"
	}
	return "package"
}

// age judges how long the name has been there and how much it is used.
func (p Policy) age(e Entry, f Facts, names *Names) []Evidence {
	var all []Evidence
	add := func(rule string, j Judgement, format string, args ...any) {
		all = append(all, Evidence{rule, j, fmt.Sprintf(format, args...)})
	}
	known := !f.First.IsZero()
	old := p.Today.Sub(f.First)
	few := f.Downloads != nil && *f.Downloads < p.Thresholds.FewDownloads
	switch {
	case !known:
		add(ruleUnverified, Unverified, "its age is not known: %s", f.AgeWhy)
	case old < p.Thresholds.Young:
		add(ruleYoung, Ask, "first published %s, on %s", ago(old), f.First.UTC().Format(time.DateOnly))
	default:
		add("", OK, "first published %s, on %s", ago(old), f.First.UTC().Format(time.DateOnly))
	}
	if known && few && old < p.Thresholds.FewDownloadAge {
		add(ruleUnused, Ask, "%s a month, and first published %s", downloads(*f.Downloads), ago(old))
	} else if f.Downloads != nil {
		add("", OK, "%s a month", downloads(*f.Downloads))
	}
	fresh := known && old < p.Thresholds.LookalikeAge
	rare := f.Downloads != nil && *f.Downloads < p.Thresholds.LookalikeUse
	unsure := !known && f.Downloads == nil
	if like := names.LikeUsed(e.Ecosystem, e.Asked(), f.Downloads); like.Target != "" {
		switch {
		case fresh || rare:
			add(ruleLookalike, Ask, "%s", like.Describe(e.Asked()))
		case unsure:
			add(ruleUnverified, Unverified, "%s, and neither age nor use is known", like.Describe(e.Asked()))
		}
	}
	if names.Invented(e.Ecosystem, e.Asked()) && (fresh || rare || known && old < p.Thresholds.FewDownloadAge) {
		add(ruleInvented, Ask, "language models are known to invent this name, and somebody registered it since")
	}
	return all
}

// upkeep judges what the publisher and the package itself say.
func (p Policy) upkeep(f Facts) []Evidence {
	var all []Evidence
	if f.Deprecated != "" {
		all = append(all, Evidence{ruleDeprecated, Ask, "deprecated: " + f.Deprecated})
	}
	if f.Yanked != "" {
		all = append(all, Evidence{ruleYanked, Ask, fmt.Sprintf("version %s was withdrawn: %s", f.Version, f.Yanked)})
	}
	if f.InstallScript != "" {
		all = append(all, Evidence{ruleInstallScript, Ask, fmt.Sprintf("runs code when it is installed (%s)", f.InstallScript)})
	}
	return all
}

// ago is a length of time before today as people say it.
func ago(d time.Duration) string {
	days := int(d / day)
	switch {
	case d < 0:
		return "in the future"
	case days < 1:
		return "today"
	case days == 1:
		return "yesterday"
	case days < 60:
		return fmt.Sprintf("%d days ago", days)
	case days < 730:
		return fmt.Sprintf("%d months ago", days*12/365)
	}
	return fmt.Sprintf("%d years ago", (days+1)*100/36525) // an anniversary counts
}

func downloads(n int64) string {
	switch {
	case n == 1:
		return "1 download"
	case n < 10_000:
		return fmt.Sprintf("%d downloads", n)
	case n < 1_000_000:
		return fmt.Sprintf("%d thousand downloads", n/1000)
	}
	return fmt.Sprintf("%d million downloads", n/1_000_000)
}
