package githubtest

import (
	"slices"
	"strings"
	"time"

	"steelyard/internal/github"
)

func (w *World) org(login string) *org {
	key := strings.ToLower(login)
	o := w.orgs[key]
	if o == nil {
		w.accountLocked(login, "Organization")
		o = &org{login: login, reports: map[string][]github.UserUsage{}}
		w.orgs[key] = o
	}
	return o
}

// Team makes a team with these members, or replaces its members.
func (w *World) Team(organization, slug string, logins ...string) github.Team {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, login := range logins {
		w.accountLocked(login, "User")
	}
	o := w.org(organization)
	if t := o.team(slug); t != nil {
		t.members = slices.Clone(logins)
		return t.Team
	}
	id := w.id()
	t := &team{Team: github.Team{ID: nodeID("T", id), DatabaseID: id, Slug: slug, Name: slug}, members: slices.Clone(logins)}
	o.teams = append(o.teams, t)
	return t.Team
}

// DeleteTeam deletes a team.
func (w *World) DeleteTeam(organization, slug string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	o := w.org(organization)
	o.teams = slices.DeleteFunc(o.teams, func(t *team) bool { return t.Slug == slug })
}

func (o *org) team(slug string) *team {
	for _, t := range o.teams {
		if t.Slug == slug {
			return t
		}
	}
	return nil
}

// Seats sets the Copilot seats of an organisation.
func (w *World) Seats(organization string, seats ...github.Seat) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.org(organization).seats = seats
}

// Report sets GitHub's own report of Copilot's use on a day.
func (w *World) Report(organization string, day time.Time, users ...github.UserUsage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.org(organization).reports[day.UTC().Format(time.DateOnly)] = users
}

// Files sets the files of a repository's default branch.
func (w *World) Files(name string, files map[string]File) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.repoLocked(name)
	r.files = files
	if len(r.history) == 0 {
		c := github.Commit{Message: "Begin", Authored: w.now()}
		completeCommit(&c, *w.accountLocked("ada", "User"), r.ID, "files")
		c.Parents = []string{}
		r.history = append(r.history, c)
	}
}
