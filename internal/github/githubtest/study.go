package githubtest

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"steelyard/internal/github"
)

// Study says what world to build for a pilot whose effect is known. What is
// zero takes the value in parentheses.
type Study struct {
	Organization string // "acme"
	// Repository is the one that all teams share; empty gives each team its
	// own, of the team's name.
	Repository string
	Teams      []StudyTeam
	Begin      time.Time // a Monday at midnight; required
	Weeks      int       // 39
	// Start is when the treated teams begin; their pull requests opened from
	// then on take Effect times as long from opening to merging.
	Start  time.Time
	Effect float64 // 1, or 0, is no effect
	// Spread is the standard deviation of the log of durations inside a team
	// and week (0.8). Shock is that of a team's weeks, correlated over weeks
	// by Autocorrelation (0.1, 0.4).
	Spread, Shock, Autocorrelation float64
	// Abandoned and Reverted are shares of pull requests (0.05, 0.0075;
	// negative is none). RevertedEffect multiplies the latter for treated pull
	// requests (1).
	Abandoned, Reverted, RevertedEffect float64
	// Assisted is the share of treated pull requests with a trailer of an
	// assistant (0.6).
	Assisted float64
	// Reviewer, if set, is an app that comments on every pull request a minute
	// after it is opened.
	Reviewer string
	Seed     uint64
}

// StudyTeam is a team of a [Study].
type StudyTeam struct {
	Slug    string
	People  int           // 6
	PerWeek float64       // pull requests of a person in a week (2)
	Median  time.Duration // from opening to merging, without the pilot (18 h)
	Treated bool
}

// Built is what was built, and the truth about it.
type Built struct {
	Repositories []string // names, sorted, without doubles
	Treated      []string // slugs
	Comparison   []string
	End          time.Time
	// LogEffect is the true effect on the mean log of durations.
	LogEffect float64
	// PullRequests and Reverts count what there is; Open what was not merged
	// or closed at the end.
	PullRequests, Reverts, Open int
}

// Build makes teams, their members and their pull requests. The same study
// builds the same world.
func (w *World) Build(s Study) Built {
	s = s.withDefaults()
	b := &builder{w: w, Study: s, random: rand.New(rand.NewPCG(s.Seed, 0x57d7)), end: s.Begin.AddDate(0, 0, 7*s.Weeks)}
	out := Built{End: b.end, LogEffect: math.Log(s.Effect)}
	var planned []planned
	for _, t := range s.Teams {
		t = t.withDefaults()
		var people []string
		for i := range t.People {
			people = append(people, fmt.Sprintf("%s-%d", t.Slug, i+1))
		}
		w.Team(s.Organization, t.Slug, people...)
		if t.Treated {
			out.Treated = append(out.Treated, t.Slug)
		} else {
			out.Comparison = append(out.Comparison, t.Slug)
		}
		out.Repositories = append(out.Repositories, b.repository(t))
		planned = append(planned, b.team(t, people)...)
	}
	slices.Sort(out.Repositories)
	out.Repositories = slices.Compact(out.Repositories)
	b.put(planned, &out)
	return out
}

func (s Study) withDefaults() Study {
	s.Organization = cmp.Or(s.Organization, "acme")
	s.Weeks = cmp.Or(s.Weeks, 39)
	s.Effect = cmp.Or(s.Effect, 1)
	s.Spread = cmp.Or(s.Spread, 0.8)
	s.Shock = cmp.Or(s.Shock, 0.1)
	s.Autocorrelation = cmp.Or(s.Autocorrelation, 0.4)
	s.Abandoned = cmp.Or(s.Abandoned, 0.05)
	s.Reverted = cmp.Or(s.Reverted, 0.0075)
	s.RevertedEffect = cmp.Or(s.RevertedEffect, 1)
	s.Assisted = cmp.Or(s.Assisted, 0.6)
	return s
}

func (t StudyTeam) withDefaults() StudyTeam {
	t.People = cmp.Or(t.People, 6)
	t.PerWeek = cmp.Or(t.PerWeek, 2)
	t.Median = cmp.Or(t.Median, 18*time.Hour)
	return t
}

// builder draws a world.
type builder struct {
	Study
	w      *World
	random *rand.Rand
	end    time.Time
}

// planned is a pull request that is going to be.
type planned struct {
	team     StudyTeam
	author   string
	reviewer string
	opened   time.Time
	takes    time.Duration
	treated  bool
}

func (b *builder) repository(t StudyTeam) string {
	return b.Organization + "/" + cmp.Or(b.Repository, t.Slug)
}

// team plans a team's pull requests, week by week.
func (b *builder) team(t StudyTeam, people []string) []planned {
	var out []planned
	shock := b.random.NormFloat64() * b.Shock
	for week := range b.Weeks {
		shock = b.Autocorrelation*shock + math.Sqrt(1-b.Autocorrelation*b.Autocorrelation)*b.Shock*b.random.NormFloat64()
		monday := b.Begin.AddDate(0, 0, 7*week)
		for i, author := range people {
			for range b.poisson(t.PerWeek) {
				opened := monday.Add(time.Duration(b.random.IntN(5))*24*time.Hour + 8*time.Hour + time.Duration(b.random.IntN(9*3600))*time.Second)
				treated := t.Treated && !b.Start.IsZero() && !opened.Before(b.Start)
				log := math.Log(t.Median.Hours()) + shock + b.Spread*b.random.NormFloat64()
				if treated {
					log += math.Log(b.Effect)
				}
				takes := max(time.Duration(math.Exp(log)*float64(time.Hour)).Truncate(time.Second), time.Minute)
				reviewer := people[(i+1+b.random.IntN(max(len(people)-1, 1)))%len(people)]
				out = append(out, planned{team: t, author: author, reviewer: reviewer, opened: opened, takes: takes, treated: treated})
			}
		}
	}
	return out
}

// poisson draws a count (Knuth's method; the means here are small).
func (b *builder) poisson(mean float64) int {
	limit, n := math.Exp(-mean), 0
	for p := b.random.Float64(); p > limit; p *= b.random.Float64() {
		n++
	}
	return n
}

// put makes the pull requests in the order in which they were opened, and the
// reverts of some of them.
func (b *builder) put(all []planned, out *Built) {
	slices.SortStableFunc(all, func(x, y planned) int { return x.opened.Compare(y.opened) })
	type revert struct {
		of   github.PullRequest
		plan planned
	}
	var reverts []revert
	merges := map[string][]github.PullRequest{}
	keep := func(p planned, v github.PullRequest) {
		name := b.repository(p.team)
		merges[name] = append(merges[name], v)
		out.PullRequests++
		if v.State == "OPEN" {
			out.Open++
		}
	}
	next := map[string]int{}
	number := func(p planned) int {
		next[b.repository(p.team)]++
		return next[b.repository(p.team)]
	}
	for _, p := range all {
		v := b.pull(p, number(p))
		keep(p, v)
		share := b.Reverted
		if p.treated {
			share *= b.RevertedEffect
		}
		if v.State == "MERGED" && b.random.Float64() < share {
			at := v.Merged.Add(time.Duration(1+b.random.IntN(20*24*3600)) * time.Second)
			reverts = append(reverts, revert{v, planned{team: p.team, author: p.reviewer, reviewer: p.author, opened: at, takes: 30 * time.Minute}})
		}
	}
	for _, r := range reverts {
		if done := r.plan.opened.Add(r.plan.takes); done.After(b.end) {
			continue
		}
		v := b.revert(r.of, r.plan, number(r.plan))
		keep(r.plan, v)
		out.Reverts++
	}
	for name, pulls := range merges {
		b.w.merged(name, pulls, b.Begin)
	}
}

// merged puts pull requests into a repository and what was merged into its
// history, in the order of merging.
func (w *World) merged(name string, pulls []github.PullRequest, begin time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.repoLocked(name)
	r.Created = begin.AddDate(0, -1, 0)
	var reached []arrival
	for _, v := range pulls {
		p := w.put(r, v)
		if p.MergeCommit != nil {
			reached = append(reached, arrival{at: p.Merged, commits: p.Commits, merge: *p.MergeCommit})
		}
	}
	slices.SortStableFunc(reached, func(a, b arrival) int { return a.at.Compare(b.at) })
	for _, a := range reached {
		r.reach(a.commits, a.merge, r.DefaultBranch)
	}
}

// pull draws one pull request as it stands at the end.
func (b *builder) pull(p planned, number int) github.PullRequest {
	author, reviewer := b.w.Person(p.author), b.w.Person(p.reviewer)
	v := github.PullRequest{
		Number: number, Title: fmt.Sprintf("Work of %s, part %d", p.team.Slug, number), State: "OPEN", Base: "main", Head: fmt.Sprintf("%s/part-%d", p.author, number),
		Created: p.opened, Updated: p.opened, Author: author,
		Files: []github.File{{Path: fmt.Sprintf("%s/part%d.go", p.team.Slug, number), Additions: 5 + b.random.IntN(200), Deletions: b.random.IntN(60)}},
	}
	message := v.Title
	if p.treated && b.random.Float64() < b.Assisted {
		message += "\n\nCo-Authored-By: Claude <noreply@anthropic.com>"
	}
	started := p.opened.Add(-time.Duration(1+b.random.IntN(48*3600)) * time.Second)
	v.Commits = []github.Commit{{Message: message, Author: author, Authored: started, Committed: started}}
	if b.Reviewer != "" {
		b.remark(&v, p)
	}
	reviewed := p.opened.Add(time.Duration(float64(p.takes) * (0.2 + 0.6*b.random.Float64()))).Truncate(time.Second)
	done := p.opened.Add(p.takes)
	if !reviewed.After(b.end) {
		v.Reviews = append(v.Reviews, github.Review{Author: reviewer, State: "APPROVED", Submitted: reviewed})
		v.Updated = reviewed
	}
	abandoned := b.random.Float64() < b.Abandoned
	switch {
	case done.After(b.end): // still open when the data end
	case abandoned:
		v.State, v.Closed, v.Updated = "CLOSED", done, done
		v.Events = append(v.Events, github.Event{Kind: github.WasClosed, At: done, Actor: author})
	default:
		b.merge(&v, done, reviewer)
	}
	return v
}

// remark is what an AI reviewer says, a minute after opening.
func (b *builder) remark(v *github.PullRequest, p planned) {
	bot, at := b.w.Bot(b.Reviewer), p.opened.Add(time.Minute)
	v.Reviews = append(v.Reviews, github.Review{Author: bot, State: "COMMENTED", Submitted: at})
	v.Threads = append(v.Threads, github.Thread{
		Path: v.Files[0].Path, Outdated: b.random.IntN(3) == 0, Comments: []github.Comment{{Author: bot, Created: at}},
	})
}

func (b *builder) merge(v *github.PullRequest, at time.Time, by github.Account) {
	merge := github.Commit{
		Message: fmt.Sprintf("Merge pull request #%d from %s/%s\n\n%s", v.Number, b.Organization, v.Head, v.Title),
		Author:  by, Authored: at, Committed: at,
	}
	completeCommit(&merge, by, v.Head, v.Number, "merge")
	v.State, v.Merged, v.Closed, v.Updated, v.MergedBy, v.MergeCommit = "MERGED", at, at, at, by, &merge
	v.Events = append(v.Events,
		github.Event{Kind: github.WasMerged, At: at, Actor: by, To: merge.OID},
		github.Event{Kind: github.WasClosed, At: at, Actor: by})
}

// revert is the pull request that undoes another, as GitHub's button makes it.
func (b *builder) revert(of github.PullRequest, p planned, number int) github.PullRequest {
	author, reviewer := b.w.Person(p.author), b.w.Person(p.reviewer)
	v := github.PullRequest{
		Number: number, Title: fmt.Sprintf("Revert %q", of.Title), Body: fmt.Sprintf("Reverts %s#%d", b.repository(p.team), of.Number),
		Base: "main", Head: fmt.Sprintf("revert-%d-%s", of.Number, of.Head), Created: p.opened, Author: author,
		Files: []github.File{{Path: of.Files[0].Path, Additions: of.Files[0].Deletions, Deletions: of.Files[0].Additions}},
		Commits: []github.Commit{{
			Message: fmt.Sprintf("Revert %q\n\nThis reverts commit %s.", of.Title, of.MergeCommit.OID),
			Author:  author, Authored: p.opened, Committed: p.opened,
		}},
	}
	b.merge(&v, p.opened.Add(p.takes), reviewer)
	return v
}
