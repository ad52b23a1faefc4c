package syncing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"steelyard/internal/github"
	"steelyard/metrics"
	"steelyard/metrics/ingest/attribution"
)

// GitHub is what is asked of GitHub. It is satisfied by [*github.Client].
type GitHub interface {
	Budget() github.Budget
	Repository(ctx context.Context, ref github.RepositoryRef) (github.Repository, error)
	Page(ctx context.Context, ref github.RepositoryRef, q github.PageQuery) (github.Page, error)
	PageREST(ctx context.Context, ref github.RepositoryRef, q github.PageQuery) (github.Page, error)
	PullRequest(ctx context.Context, ref github.RepositoryRef, number int) (github.PullRequest, error)
	PullRequestREST(ctx context.Context, ref github.RepositoryRef, number int) (github.PullRequest, error)
	Briefs(ctx context.Context, ref github.RepositoryRef, after string) (github.BriefPage, error)
	Totals(ctx context.Context, ref github.RepositoryRef) (github.Totals, error)
	TeamMembers(ctx context.Context, org, slug string) ([]github.Account, error)
	CopilotSeats(ctx context.Context, org string) ([]github.Seat, error)
	CopilotReport(ctx context.Context, org string, day time.Time) (github.UsageReport, error)
}

// Store is what is asked of the database. It is satisfied by the domain's
// store.
type Store interface {
	Synced(ctx context.Context, id string) (metrics.SyncedRepository, error)
	SyncedByName(ctx context.Context, name string) (metrics.SyncedRepository, error)
	RepositoryNames(ctx context.Context, id string) ([]string, error)
	SavePage(ctx context.Context, p metrics.SyncPage) (metrics.SyncCounts, error)
	SaveProblem(ctx context.Context, id, problem string, at time.Time) error
	MarkGone(ctx context.Context, id string, at time.Time) error
	StoredPulls(ctx context.Context, repository string) (map[string]metrics.StoredPull, error)
	Records(ctx context.Context, repository string, after, limit int) ([]metrics.Record, error)
	Accounts(ctx context.Context, ids []string, numbers []int64) (map[string]metrics.Account, error)

	History(ctx context.Context, repository string) ([]metrics.Landed, int64, error)
	SaveReverts(ctx context.Context, repository string, f metrics.RevertFindings) error

	SaveTeamSources(ctx context.Context, sources []metrics.TeamSource) (bool, error)
	SaveTeamMembers(ctx context.Context, team string, members []metrics.Account, at time.Time) (bool, error)
	SaveTeamProblem(ctx context.Context, team, problem string) error
	GitHubTeams(ctx context.Context) ([]string, error)
	Teams(ctx context.Context) (metrics.Teams, error)
	PlaceAll(ctx context.Context, version int64, place func(metrics.PlaceQuery) (team, unplaced string)) (int, error)

	SaveListedAccounts(ctx context.Context, all []metrics.Account) error
	SaveSeats(ctx context.Context, d metrics.SeatDay) error
	SaveUse(ctx context.Context, days []metrics.UseDay) error
	SaveUseSource(ctx context.Context, org string, part metrics.UsePart, problem string, at time.Time) error
	ReportedDays(ctx context.Context, org string) ([]time.Time, error)
}

// Options says what a [Syncer] works with.
type Options struct {
	GitHub GitHub
	Store  Store
	Clock  func() time.Time
	// Matcher tells assistants, AI reviewers and bots by the table of signals.
	Matcher *attribution.Matcher
	// Teams are the sources of teams in the configuration. Nil leaves those in
	// the database; an empty list removes them.
	Teams []metrics.TeamSource
	// Progress, if set, hears how far a run is, from the goroutine that runs it.
	Progress func(Progress)
}

// Progress is how far a run is.
type Progress struct {
	Repository string // owner/name, or an organisation
	Phase      string
	Done       int // pull requests that are stored
	Total      int // pull requests that GitHub counts; 0: not known
	Requests   int // sent by this client
	Points     int // spent of the hourly budgets by this client
	Wait       time.Duration
	Skipped    int    // what this run could not read
	Note       string // something a person should know
}

// The phases of a run.
const (
	PhaseBackfill  = "backfill"
	PhaseUpdate    = "update"
	PhaseRefetch   = "refetch"
	PhaseReconcile = "reconcile"
	PhaseReverts   = "reverts"
	PhaseTeams     = "teams"
	PhaseUse       = "use"
	PhaseDone      = "done"
)

// Syncer keeps repositories current. It is safe for concurrent use.
type Syncer struct {
	o Options
	// rest is set once GraphQL turned out to be blocked.
	rest atomic.Bool
}

// New returns a syncer. All but Teams and Progress must be set.
func New(o Options) *Syncer {
	return &Syncer{o: o}
}

// run is one run over one repository.
type run struct {
	*Syncer
	ref     github.RepositoryRef
	phase   string
	began   time.Time
	repo    metrics.SyncedRepository
	placer  *placer
	skipped int
	changed int // pull requests and commits that were new or different
}

// started is when the run began by GitHub's clock, as far as ours runs ahead of
// it: what is updated until ours is right again must not count as seen.
func (r *run) started() time.Time {
	return r.began.Add(-max(r.o.GitHub.Budget().Ahead, 0)).Truncate(time.Second)
}

// now is the clock to the second, as GitHub's own times are.
func (s *Syncer) now() time.Time { return s.o.Clock().UTC().Truncate(time.Second) }

// within runs f and notes in the database how it ended.
func (s *Syncer) within(ctx context.Context, ref github.RepositoryRef, phase string, f func(ctx context.Context, r *run) error) error {
	r := &run{Syncer: s, ref: ref, phase: phase, began: s.now()}
	stored, err := s.o.Store.SyncedByName(ctx, ref.String())
	switch {
	case err == nil:
		r.repo = stored
	case !errors.Is(err, metrics.ErrNotFound):
		return err
	}
	if err := r.follow(ctx); err != nil {
		return err
	}
	if r.placer, err = s.place(ctx); err != nil {
		return err
	}
	if err := r.again(ctx); err != nil {
		return err
	}
	err = f(ctx, r)
	if gone := r.gone(err); gone {
		err = r.markGone(ctx)
	}
	if err == nil {
		return r.end(ctx, "")
	}
	err = fmt.Errorf("%s of %s: %w", phase, ref, err)
	return errors.Join(err, r.end(ctx, err.Error()))
}

// follow finds out who is meant by a name that a stored repository had once and
// has no longer: the same under its present name, or another that got the name
// since.
func (r *run) follow(ctx context.Context) error {
	if r.repo.ID == "" || strings.EqualFold(r.repo.Name, r.ref.String()) {
		return nil
	}
	g, err := r.o.GitHub.Repository(ctx, r.ref)
	switch {
	case errors.Is(err, github.ErrNotFound), errors.Is(err, github.ErrGone):
		owner, name, _ := strings.Cut(r.repo.Name, "/")
		r.ref = github.RepositoryRef{Owner: owner, Name: name}
	case err != nil:
		return fmt.Errorf("%s of %s: %w", r.phase, r.ref, err)
	case g.ID == r.repo.ID:
		r.ref = g.Ref()
	default:
		r.repo = metrics.SyncedRepository{}
	}
	return nil
}

// gone reports whether a stored repository is no longer there for us.
func (r *run) gone(err error) bool {
	return r.repo.ID != "" && (errors.Is(err, github.ErrNotFound) || errors.Is(err, github.ErrGone))
}

func (r *run) markGone(ctx context.Context) error {
	r.tell(Progress{Note: fmt.Sprintf("%s is no longer on GitHub, or no longer shown to us; what was read of it is kept.", r.repo.Name)})
	return r.o.Store.MarkGone(ctx, r.repo.ID, r.began)
}

// end notes how the run ended: what went wrong, or nothing. A run that was
// cancelled has no problem.
func (r *run) end(ctx context.Context, problem string) error {
	quiet := problem == "" && r.phase == PhaseRefetch && r.repo.State.Problem == ""
	if r.repo.ID == "" || quiet {
		return nil
	}
	select {
	case <-ctx.Done():
		return nil
	default:
	}
	return r.o.Store.SaveProblem(ctx, r.repo.ID, problem, r.now())
}

// tell fills in what is the same for every report of a run.
func (r *run) tell(p Progress) {
	if r.o.Progress == nil {
		return
	}
	p.Repository = r.ref.String()
	if p.Phase == "" {
		p.Phase = r.phase
	}
	if p.Done == 0 && p.Total == 0 {
		p.Done, p.Total = r.repo.State.Listed, r.repo.State.Total
	}
	r.o.Progress(r.spent(p, r.skipped))
}

func (s *Syncer) spent(p Progress, skipped int) Progress {
	b := s.o.GitHub.Budget()
	p.Requests, p.Points, p.Wait, p.Skipped = b.Requests, b.GraphQL.Spent+b.REST.Spent, b.Waited, skipped
	return p
}

// page asks for a page by GraphQL, or by REST where GraphQL is blocked.
func (r *run) page(ctx context.Context, q github.PageQuery) (github.Page, error) {
	if !r.rest.Load() {
		page, err := r.o.GitHub.Page(ctx, r.ref, q)
		if !errors.Is(err, github.ErrNoGraphQL) {
			return page, err
		}
		r.rest.Store(true)
		r.tell(Progress{Note: "GraphQL cannot be used here; pull requests are read through REST, which takes more requests."})
		if q.After != "" || q.CommitsAfter != "" {
			return github.Page{}, errOtherCursor
		}
	}
	return r.o.GitHub.PageREST(ctx, r.ref, q)
}

// errOtherCursor asks to begin again: a cursor of GraphQL means nothing to REST.
var errOtherCursor = errors.New("the cursor is the other interface's")

// whole asks for one pull request.
func (r *run) whole(ctx context.Context, number int) (github.PullRequest, error) {
	if !r.rest.Load() {
		p, err := r.o.GitHub.PullRequest(ctx, r.ref, number)
		if !errors.Is(err, github.ErrNoGraphQL) {
			return p, err
		}
		r.rest.Store(true)
	}
	return r.o.GitHub.PullRequestREST(ctx, r.ref, number)
}

// repository is a repository as the domain has it.
func repository(g github.Repository) metrics.SyncedRepository {
	return metrics.SyncedRepository{
		ID: g.ID, Number: g.DatabaseID, Name: g.NameWithOwner, DefaultBranch: g.DefaultBranch, Archived: g.Archived, Private: g.Private,
	}
}

// save writes what a page brought.
func (r *run) save(ctx context.Context, g github.Repository, pulls []github.PullRequest, commits []github.Commit, skipped []github.Skipped, advance func(*metrics.SyncState)) error {
	p := metrics.SyncPage{Repository: repository(g), At: r.now(), Advance: advance}
	all := accounts{}
	records := make([]metrics.Record, len(pulls))
	for i, pull := range pulls {
		records[i] = recordOf(pull, g.DefaultBranch, r.o.Matcher, all)
	}
	p.Accounts = all.list()
	d, err := r.deriver(ctx, records, all)
	if err != nil {
		return err
	}
	for i, record := range records {
		landed, err := landedOf(pulls[i])
		if err != nil {
			return err
		}
		row, owner, apart := d.derive(record)
		p.Pulls = append(p.Pulls, metrics.SyncedPull{Record: record, Row: row, Owner: owner, SetApart: apart, Landed: landed})
		for _, what := range pulls[i].Incomplete {
			p.Missing = append(p.Missing, metrics.Missing{Number: pulls[i].Number, What: what, At: p.At})
		}
	}
	for _, c := range commits {
		landed, err := landedCommit(c)
		if err != nil {
			return err
		}
		p.Commits = append(p.Commits, landed)
	}
	for _, sk := range skipped {
		p.Missing = append(p.Missing, metrics.Missing{Number: sk.Number, What: sk.Reason, At: p.At})
	}
	r.skipped += len(skipped)
	return r.store(ctx, p)
}

// store writes a page, placed by the memberships as they are. What this run saw
// stored must still be: where it is not, somebody had it forgotten.
func (r *run) store(ctx context.Context, p metrics.SyncPage) error {
	p.Stored = r.repo.ID != "" && r.repo.ID == p.Repository.ID
	for range maxStale {
		p.Teams, p.Place = r.placer.teams.Version, r.placer.place
		counts, err := r.o.Store.SavePage(ctx, p)
		if !errors.Is(err, metrics.ErrStaleTeams) {
			if err == nil {
				r.changed += counts.New + counts.Changed + counts.Commits
				r.repo, err = r.o.Store.Synced(ctx, p.Repository.ID)
			}
			return err
		}
		if r.placer, err = r.place(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("save what was read of %s: %w again and again; try again later", p.Repository.Name, metrics.ErrStaleTeams)
}

// deriver knows the accounts of a page, and those that only a number names
// where an assistant's pull request may need them.
func (r *run) deriver(ctx context.Context, records []metrics.Record, all accounts) (*deriver, error) {
	d := newDeriver(r.o.Matcher, all)
	var numbers []int64
	for _, record := range records {
		if _, machine := d.role(record.Author); !machine {
			continue
		}
		for _, n := range record.CoAuthors {
			if d.numbers[n] == "" {
				numbers = append(numbers, n)
			}
		}
	}
	if len(numbers) == 0 {
		return d, nil
	}
	found, err := r.o.Store.Accounts(ctx, nil, numbers)
	if err != nil {
		return nil, err
	}
	for id, a := range all {
		found[id] = a
	}
	return newDeriver(r.o.Matcher, found), nil
}
