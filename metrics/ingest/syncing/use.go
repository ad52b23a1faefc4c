package syncing

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"steelyard/internal/github"
	"steelyard/metrics"
)

const (
	day = 24 * time.Hour
	// useBack is for how long GitHub keeps its reports of use.
	useBack = 365
	// useLate is for how many days a report may still change.
	useLate = 4
	// useGap is how many days in a row without a report say that there are no
	// older ones: more than the holidays at the end of a year.
	useGap = 14
	// useBatch is how many days are written at once.
	useBatch = 30
)

// Use reads what GitHub says of the use of Copilot in an organisation: seats as
// they are today, and the reports of days that are not known yet. It keeps sums
// by team and nobody's name. What these credentials may not read is noted and
// no error.
func (s *Syncer) Use(ctx context.Context, org string) error {
	if err := s.Teams(ctx, org); err != nil {
		return err
	}
	u := &use{Syncer: s, org: org, at: s.now(), accounts: map[int64]string{}}
	if err := u.seats(ctx); err != nil {
		return err
	}
	return u.reports(ctx)
}

// use is one reading of an organisation's figures.
type use struct {
	*Syncer
	org    string
	at     time.Time
	placer *placer
	// accounts are node ids by number; empty: nobody known.
	accounts map[int64]string
}

// refused reports whether GitHub gives something not to these credentials, or
// not in a form that can be used.
func refused(err error) bool {
	return errors.Is(err, github.ErrNotFound) || errors.Is(err, github.ErrForbidden) || errors.Is(err, github.ErrGone) || isAnswer(err)
}

func (u *use) seats(ctx context.Context) error {
	seats, err := u.o.GitHub.CopilotSeats(ctx, u.org)
	if err != nil && !refused(err) {
		return err
	}
	if err := u.known(ctx, seats); err != nil {
		return err
	}
	if err != nil {
		return u.o.Store.SaveUseSource(ctx, u.org, metrics.UseSeats, err.Error(), u.at)
	}
	type group struct {
		team string
		last time.Time
	}
	counts, seen := map[group]int{}, map[int64]bool{}
	for _, seat := range seats {
		id := seat.Account.ID
		if id != 0 && seen[id] {
			continue
		}
		seen[id] = true
		counts[group{u.team(seat.Account.NodeID, u.at), dayOf(seat.LastActivity)}]++
	}
	d := metrics.SeatDay{Organisation: u.org, Day: dayOf(u.at)}
	for g, n := range counts {
		d.Seats = append(d.Seats, metrics.SeatCount{Team: g.team, LastActive: g.last, Seats: n})
	}
	if err := u.o.Store.SaveSeats(ctx, d); err != nil {
		return err
	}
	return u.o.Store.SaveUseSource(ctx, u.org, metrics.UseSeats, "", u.at)
}

// dayOf is the midnight before a time, in UTC; zero stays zero.
func dayOf(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(day)
}

// known learns who the holders of seats are. Those whom a list of a team's
// people names by login are kept, so that the list finds them although they
// never opened a pull request.
func (u *use) known(ctx context.Context, seats []github.Seat) error {
	listed := map[string]bool{}
	for _, t := range u.o.Teams {
		for _, m := range t.Members {
			listed[strings.ToLower(m.Login)] = true
		}
	}
	keep := accounts{}
	for _, seat := range seats {
		if seat.Account.NodeID == "" {
			continue
		}
		u.accounts[seat.Account.ID] = seat.Account.NodeID
		if listed[strings.ToLower(seat.Account.Login)] {
			keep.add(seat.Account)
		}
	}
	if len(keep) > 0 {
		if err := u.o.Store.SaveListedAccounts(ctx, keep.list()); err != nil {
			return err
		}
	}
	var err error
	u.placer, err = u.place(ctx)
	return err
}

// team is the one team that an account was in; empty: none, or several.
func (u *use) team(account string, at time.Time) string {
	for _, members := range []map[string][]metrics.Membership{u.placer.lists, u.placer.github} {
		if teams := teamsAt(members[account], at); account != "" && len(teams) > 0 {
			team, _ := one(teams, "")
			return team
		}
	}
	return ""
}

// reports reads the days that are not known, newest first, until none are left
// or GitHub has none.
func (u *use) reports(ctx context.Context) error {
	stored, err := u.o.Store.ReportedDays(ctx, u.org)
	if err != nil {
		return err
	}
	today := dayOf(u.at)
	var batch []metrics.UseDay
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		err := u.o.Store.SaveUse(ctx, batch)
		batch = nil
		return err
	}
	problem, missing, found := "", 0, len(stored) > 0
	for back := 1; back <= useBack && missing < useGap; back++ {
		d := today.AddDate(0, 0, -back)
		if back > useLate && slices.ContainsFunc(stored, d.Equal) {
			missing = 0
			continue
		}
		report, err := u.o.GitHub.CopilotReport(ctx, u.org, d)
		switch {
		case err == nil:
			missing, found = 0, true
		case errors.Is(err, github.ErrNotFound):
			missing++
			if problem == "" {
				problem = err.Error()
			}
			continue
		case refused(err):
			return errors.Join(flush(), u.o.Store.SaveUseSource(ctx, u.org, metrics.UseReports, err.Error(), u.at))
		default:
			return errors.Join(err, flush())
		}
		active, err := u.active(ctx, report)
		if err != nil {
			return err
		}
		if batch = append(batch, metrics.UseDay{Organisation: u.org, Day: d, Active: active}); len(batch) == useBatch {
			if err := flush(); err != nil {
				return err
			}
		}
		if u.o.Progress != nil {
			u.o.Progress(u.spent(Progress{Repository: u.org, Phase: PhaseUse, Done: back}, 0))
		}
	}
	if found {
		problem = "" // days without a report are nothing to be said
	}
	return errors.Join(flush(), u.o.Store.SaveUseSource(ctx, u.org, metrics.UseReports, problem, u.at))
}

// active counts by team who used it on the day of a report.
func (u *use) active(ctx context.Context, r github.UsageReport) (map[string]int, error) {
	var strangers []int64
	for _, p := range r.Users {
		if _, known := u.accounts[p.ID]; !known {
			strangers = append(strangers, p.ID)
		}
	}
	if len(strangers) > 0 {
		found, err := u.o.Store.Accounts(ctx, nil, strangers)
		if err != nil {
			return nil, err
		}
		for _, n := range strangers {
			u.accounts[n] = ""
		}
		for id, a := range found {
			u.accounts[a.Number] = id
		}
	}
	noon := r.Day.Add(day / 2)
	counts, seen := map[string]int{}, map[int64]bool{}
	for _, p := range r.Users {
		used := p.Interactions+p.Generations+p.Acceptances+p.LinesAdded > 0 || p.Agent || p.Chat
		if !used || seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		counts[u.team(u.accounts[p.ID], noon)]++
	}
	return counts, nil
}
