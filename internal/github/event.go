package github

import (
	"encoding/json"
	"strings"
	"time"
)

// event is the union of the parts that are read of all events.
type event struct {
	Action       string           `json:"action"`
	Repository   *eventRepository `json:"repository"`
	Organization *struct {
		Login string `json:"login"`
	} `json:"organization"`
	Installation *struct {
		ID      int64         `json:"id"`
		Account *eventAccount `json:"account"`
	} `json:"installation"`
	PullRequest *struct {
		Number int    `json:"number"`
		NodeID string `json:"node_id"`
	} `json:"pull_request"`
	Issue *struct {
		Number      int             `json:"number"`
		PullRequest json.RawMessage `json:"pull_request"`
	} `json:"issue"`
	Team *struct {
		ID     int64  `json:"id"`
		NodeID string `json:"node_id"`
		Slug   string `json:"slug"`
		Name   string `json:"name"`
		Parent *struct {
			Slug string `json:"slug"`
		} `json:"parent"`
	} `json:"team"`
	Member       *eventAccount     `json:"member"`
	Membership   *eventMembership  `json:"membership"`
	Repositories []eventRepository `json:"repositories"`
	Added        []eventRepository `json:"repositories_added"`
	Removed      []eventRepository `json:"repositories_removed"`
	Changes      json.RawMessage   `json:"changes"`
	Ref          string            `json:"ref"`
	After        string            `json:"after"`
}

type eventMembership struct {
	User *eventAccount `json:"user"`
}

type eventAccount struct {
	ID     int64  `json:"id"`
	NodeID string `json:"node_id"`
	Login  string `json:"login"`
	Type   string `json:"type"`
}

type eventRepository struct {
	ID            int64     `json:"id"`
	NodeID        string    `json:"node_id"`
	Name          string    `json:"name"`
	FullName      string    `json:"full_name"`
	DefaultBranch string    `json:"default_branch"`
	Private       bool      `json:"private"`
	Fork          bool      `json:"fork"`
	Archived      bool      `json:"archived"`
	CreatedAt     eventTime `json:"created_at"`
}

// eventTime is a time as events write it: a date, or seconds since 1970 (in
// push events).
type eventTime struct{ time.Time }

// UnmarshalJSON reads both forms; anything else is no time.
func (t *eventTime) UnmarshalJSON(text []byte) error {
	if at, ok := unixSeconds(string(text)); ok {
		t.Time = at
		return nil
	}
	var s string
	if json.Unmarshal(text, &s) == nil {
		if at, err := time.Parse(time.RFC3339, s); err == nil {
			t.Time = at.UTC()
		}
	}
	return nil
}

func (r *eventRepository) value() Repository {
	if r == nil {
		return Repository{}
	}
	return Repository{
		ID: r.NodeID, DatabaseID: r.ID, NameWithOwner: r.FullName, DefaultBranch: r.DefaultBranch,
		Archived: r.Archived, Private: r.Private, Fork: r.Fork, Created: r.CreatedAt.Time,
	}
}

func (a *eventAccount) value() Account {
	if a == nil {
		return Account{}
	}
	return Account{ID: a.ID, NodeID: a.NodeID, Login: plainLogin(a.Login), Type: a.Type}
}

func (e *event) into(w *Webhook) {
	w.Action = e.Action
	w.Repository = e.Repository.value()
	if e.Organization != nil {
		w.Organization = e.Organization.Login
	}
	if e.Installation != nil {
		w.Installation = e.Installation.ID
		if w.Organization == "" && e.Installation.Account != nil && e.Installation.Account.Type == "Organization" {
			w.Organization = e.Installation.Account.Login
		}
	}
	if e.PullRequest != nil && e.PullRequest.Number > 0 {
		w.PullRequests, w.PullRequestID = []int{e.PullRequest.Number}, e.PullRequest.NodeID
	}
	if e.Issue != nil && e.Issue.Number > 0 && len(e.Issue.PullRequest) > 0 && string(e.Issue.PullRequest) != "null" {
		w.PullRequests = []int{e.Issue.Number} // a comment on a pull request's conversation
	}
	if e.Team != nil {
		w.Team = Team{ID: e.Team.NodeID, DatabaseID: e.Team.ID, Slug: e.Team.Slug, Name: e.Team.Name}
		if e.Team.Parent != nil {
			w.Team.Parent = e.Team.Parent.Slug
		}
	}
	w.Member = e.Member.value()
	if w.Member.Ghost() && e.Membership != nil {
		w.Member = e.Membership.User.value()
	}
	w.Added, w.Removed = valuesOf(e.Added), valuesOf(e.Removed)
	if w.Event == "installation" {
		switch e.Action {
		case "created", "unsuspend":
			w.Added = valuesOf(e.Repositories)
		case "deleted", "suspend":
			w.Removed = valuesOf(e.Repositories)
		}
	}
	if branch, ok := strings.CutPrefix(e.Ref, "refs/heads/"); ok && w.Event == "push" {
		w.Branch, w.Head = branch, e.After
	}
	w.FormerName = e.formerName()
}

func valuesOf(all []eventRepository) []Repository {
	var out []Repository
	for i := range all {
		out = append(out, all[i].value())
	}
	return out
}

// formerName is what the repository was called before the event.
func (e *event) formerName() string {
	var changes struct {
		Repository struct {
			Name struct {
				From string `json:"from"`
			} `json:"name"`
		} `json:"repository"`
		Owner struct {
			From struct {
				User         *eventAccount `json:"user"`
				Organization *eventAccount `json:"organization"`
			} `json:"from"`
		} `json:"owner"`
	}
	if e.Repository == nil || len(e.Changes) == 0 || json.Unmarshal(e.Changes, &changes) != nil {
		return ""
	}
	owner, name := cutName(e.Repository.FullName)
	switch from := changes.Owner.From; {
	case e.Action == "renamed" && changes.Repository.Name.From != "":
		return owner + "/" + changes.Repository.Name.From
	case e.Action == "transferred" && from.User != nil && from.User.Login != "":
		return from.User.Login + "/" + name
	case e.Action == "transferred" && from.Organization != nil && from.Organization.Login != "":
		return from.Organization.Login + "/" + name
	}
	return ""
}
