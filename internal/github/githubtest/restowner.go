package githubtest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"steelyard/internal/github"
)

// serveOwner answers below /orgs/NAME and /users/NAME.
func (w *World) serveOwner(out http.ResponseWriter, r *http.Request, kind, name string, rest []string) {
	w.mu.Lock()
	o, known := w.orgs[strings.ToLower(name)]
	j := shapes{world: w, host: "http://" + r.Host}
	list, wrap, body := w.ownerValue(j, r, kind, name, o, known, rest)
	w.mu.Unlock()
	switch {
	case body != nil:
		w.give(out, r, http.StatusOK, body)
	case list != nil:
		w.giveList(out, r, list, wrap)
	default:
		notFound(out)
	}
}

func (w *World) ownerValue(j shapes, r *http.Request, kind, name string, o *org, known bool, rest []string) (list *lazy, wrap func([]any) any, body any) {
	switch path := strings.Join(rest, "/"); {
	case path == "repos" && (kind == "orgs") == known:
		return j.reposOf(func(x *repo) bool {
			owner, _, _ := strings.Cut(x.NameWithOwner, "/")
			return strings.EqualFold(owner, name)
		}), nil, nil
	case !known:
		return nil, nil, nil
	case path == "installation" && o.installs != 0 && kind == "orgs":
		return nil, nil, j.installation(o)
	case path == "teams":
		return later(o.teams, func(t *team) any { return j.team(o, t) }), nil, nil
	case len(rest) == 3 && rest[0] == "teams" && rest[2] == "members":
		t := o.team(rest[1])
		if t == nil {
			return nil, nil, nil
		}
		return later(t.members, func(login string) any { return j.user(*w.accountLocked(login, "User")) }), nil, nil
	case path == "copilot/billing/seats":
		all := later(o.seats, func(s github.Seat) any { return j.seat(o, s) })
		return all, func(page []any) any { return map[string]any{"total_seats": all.n, "seats": page} }, nil
	case path == "copilot/metrics/reports/users-1-day":
		day := r.URL.Query().Get("day")
		if _, there := o.reports[day]; !there {
			return nil, nil, nil
		}
		return nil, nil, map[string]any{"report_day": day, "download_links": []string{j.host + "/report-files/" + name + "/" + day}}
	}
	return nil, nil, nil
}

func (j shapes) reposOf(keep func(*repo) bool) *lazy {
	kept := slices.DeleteFunc(slices.Clone(j.world.repos), func(r *repo) bool { return r.deleted || !keep(r) })
	slices.SortFunc(kept, func(a, b *repo) int { return strings.Compare(a.NameWithOwner, b.NameWithOwner) })
	return later(kept, func(r *repo) any { return j.repository(r, false) })
}

// serveInstallations lists the App's installations.
func (w *World) serveInstallations(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	j := shapes{world: w, host: "http://" + r.Host}
	list := []any{}
	for _, o := range w.orgs {
		if o.installs != 0 {
			list = append(list, j.installation(o))
		}
	}
	w.mu.Unlock()
	slices.SortFunc(list, func(a, b any) int {
		return int(a.(map[string]any)["id"].(int64) - b.(map[string]any)["id"].(int64))
	})
	w.giveList(out, r, whole(list), nil)
}

// serveInstalled lists the repositories of the installation whose token asks.
func (w *World) serveInstalled(out http.ResponseWriter, r *http.Request) {
	id := w.installationFor(r)
	w.mu.Lock()
	j := shapes{world: w, host: "http://" + r.Host}
	list := j.reposOf(func(x *repo) bool {
		owner, _, _ := strings.Cut(x.NameWithOwner, "/")
		o := w.orgs[strings.ToLower(owner)]
		return o != nil && o.installs == id
	})
	w.mu.Unlock()
	w.giveList(out, r, list, func(page []any) any {
		return map[string]any{"total_count": list.n, "repository_selection": "all", "repositories": page}
	})
}

func (j shapes) installation(o *org) map[string]any {
	return map[string]any{
		"id": o.installs, "account": j.user(*j.world.accountLocked(o.login, "Organization")), "repository_selection": "all",
		"target_type": "Organization", "app_slug": "steelyard",
	}
}

// reportLines is a report file: one JSON object for each person.
func reportLines(users []github.UserUsage) []byte {
	var out []byte
	for _, u := range users {
		line, err := json.Marshal(map[string]any{
			"user_id": u.ID, "user_login": u.Login, "user_initiated_interaction_count": u.Interactions,
			"code_generation_activity_count": u.Generations, "code_acceptance_activity_count": u.Acceptances,
			"loc_added_sum": u.LinesAdded, "used_agent": u.Agent, "used_chat": u.Chat,
		})
		if err == nil {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}

func (j shapes) team(o *org, t *team) any {
	m := map[string]any{
		"id": t.DatabaseID, "node_id": t.ID, "name": t.Name, "slug": t.Slug, "description": nil, "permission": "pull",
		"privacy": "closed", "notification_setting": "notifications_enabled", "parent": nil, "type": "organization",
		"organization_id":  j.world.accountLocked(o.login, "Organization").ID,
		"url":              j.host + "/organizations/1/team/" + itoa(int(t.DatabaseID)),
		"html_url":         "https://github.com/orgs/" + o.login + "/teams/" + t.Slug,
		"members_url":      j.host + "/organizations/1/team/" + itoa(int(t.DatabaseID)) + "/members{/member}",
		"repositories_url": j.host + "/organizations/1/team/" + itoa(int(t.DatabaseID)) + "/repos",
	}
	if t.Parent != "" {
		if parent := o.team(t.Parent); parent != nil {
			m["parent"] = j.team(o, parent)
		}
	}
	return m
}

func (j shapes) seat(o *org, s github.Seat) any {
	m := map[string]any{
		"created_at": stamp(s.Created), "updated_at": stamp(s.Created), "pending_cancellation_date": nil,
		"last_activity_at": stamp(s.LastActivity), "last_activity_editor": nil, "plan_type": "business",
		"assignee": j.userOrNull(s.Account), "assigning_team": nil,
	}
	if s.LastEditor != "" {
		m["last_activity_editor"] = s.LastEditor
	}
	if !s.Cancels.IsZero() {
		m["pending_cancellation_date"] = s.Cancels.Format(time.DateOnly)
	}
	if t := o.team(s.Team); t != nil {
		m["assigning_team"] = j.team(o, t)
	}
	return m
}
