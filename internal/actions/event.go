package actions

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds on an event. GitHub's own are lower: a webhook's payload has at most
// 25 MB, a body 65,536 characters (docs.github.com, "Webhook events and
// payloads").
const (
	maxEvent = 32 << 20
	maxBody  = 256 << 10
	maxList  = 500
)

// event is the part of an event file that is read.
type event struct {
	Pull       *eventPull      `json:"pull_request"`
	MergeGroup *eventGroup     `json:"merge_group"`
	Repository eventRepository `json:"repository"`
	Ref        string          `json:"ref"`
	Before     string          `json:"before"`
	After      string          `json:"after"`
}

type eventRepository struct {
	FullName string `json:"full_name"`
	Default  string `json:"default_branch"`
}

type eventPull struct {
	Number    int            `json:"number"`
	Body      string         `json:"body"`
	User      eventAccount   `json:"user"`
	Assignees []eventAccount `json:"assignees"`
	Requested []eventAccount `json:"requested_reviewers"`
	Teams     []struct {
		Slug string `json:"slug"`
	} `json:"requested_teams"`
	Labels []struct {
		Name string `json:"name"`
	} `json:"labels"`
	Base eventEnd `json:"base"`
	Head eventEnd `json:"head"`
}

type eventEnd struct {
	Ref  string           `json:"ref"`
	SHA  string           `json:"sha"`
	Repo *eventRepository `json:"repo"` // null for a fork that was deleted
}

type eventAccount struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Type  string `json:"type"`
}

type eventGroup struct {
	BaseSHA string `json:"base_sha"`
	HeadSHA string `json:"head_sha"`
	BaseRef string `json:"base_ref"`
	HeadRef string `json:"head_ref"`
}

// event fills in what the event file says.
func (r *Run) event(text []byte) error {
	if len(text) > maxEvent {
		return fmt.Errorf("it is larger than %d MB, and GitHub writes at most 25", maxEvent>>20)
	}
	var e event
	if err := json.Unmarshal(text, &e); err != nil {
		return inWords(err)
	}
	r.Default = branch(e.Repository.Default)
	if r.Repository == "" {
		r.Repository = repository(e.Repository.FullName)
	}
	switch r.Kind {
	case PullRequest, PullRequestTarget, Review:
		if e.Pull == nil || e.Pull.Number <= 0 {
			return fmt.Errorf("it has no pull_request with a number, as an event %s has", r.Kind)
		}
		r.pull(e)
	case MergeGroup:
		if e.MergeGroup == nil {
			return errors.New("it has no merge_group, as an event merge_group has")
		}
		g := e.MergeGroup
		r.BaseCommit, r.HeadCommit = hash(g.BaseSHA), hash(g.HeadSHA)
		r.BaseBranch, r.HeadBranch = branch(g.BaseRef), branch(g.HeadRef)
		if m := queued.FindStringSubmatch(g.HeadRef); m != nil {
			r.Number = number(m[1])
		}
	case Push:
		r.BaseCommit, r.HeadCommit = hash(e.Before), hash(e.After)
		r.BaseBranch, r.HeadBranch = branch(e.Ref), branch(e.Ref)
	default: // started by hand: the branch that is checked out, as it differs from the default one
		r.BaseBranch, r.HeadBranch = r.Default, branch(e.Ref)
	}
	return nil
}

func (r *Run) pull(e event) {
	p := e.Pull
	r.Number = p.Number
	r.BaseCommit, r.HeadCommit = hash(p.Base.SHA), hash(p.Head.SHA)
	r.BaseBranch, r.HeadBranch = branch(p.Base.Ref), branch(p.Head.Ref)
	r.Fork = p.Head.Repo == nil || p.Base.Repo != nil && !strings.EqualFold(p.Head.Repo.FullName, p.Base.Repo.FullName)
	r.Pull = &Pull{
		Body: clipTo(p.Body, maxBody), Author: Account(p.User),
		Assignees: accounts(p.Assignees), Requested: accounts(p.Requested),
	}
	for _, t := range p.Teams[:min(len(p.Teams), maxList)] {
		r.Pull.RequestedTeams = append(r.Pull.RequestedTeams, t.Slug)
	}
	for _, l := range p.Labels[:min(len(p.Labels), maxList)] {
		r.Pull.Labels = append(r.Pull.Labels, l.Name)
	}
}

func accounts(list []eventAccount) []Account {
	var all []Account
	for _, a := range list[:min(len(list), maxList)] {
		all = append(all, Account(a))
	}
	return all
}

var (
	// repositoryForm is a repository's full name. Source: GitHub's own checks
	// of names.
	repositoryForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}/[A-Za-z0-9._-]{1,100}$`)

	hashForm = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	// queued is the branch of a merge queue: gh-readonly-queue/main/pr-7-SHA.
	queued = regexp.MustCompile(`/pr-([0-9]{1,9})-[0-9a-f]{40,64}$`)
)

// hash is a full commit name, empty for anything else and for the name of
// zeros, which says that there is none.
func hash(s string) string {
	if !hashForm.MatchString(s) || strings.Trim(s, "0") == "" {
		return ""
	}
	return s
}

// repository is a full name "owner/name", empty for anything else: addresses
// are made of it.
func repository(s string) string {
	if !repositoryForm.MatchString(s) {
		return ""
	}
	return s
}

// branch is a branch's name without refs/heads/; empty where it could be
// mistaken for a flag or is no name that git allows.
func branch(ref string) string {
	name := strings.TrimPrefix(ref, "refs/heads/")
	if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "refs/") || len(name) > 255 ||
		strings.ContainsAny(name, " ~^:?*[\\\x7f") || strings.Contains(name, "..") || strings.Contains(name, "@{") ||
		strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == utf8.RuneError }) {
		return ""
	}
	return name
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// clipTo bounds a text at a character's end.
func clipTo(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

func clip(s string) string { return clipTo(s, 60) }
