package githubtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"steelyard/internal/github"
)

// shapes writes the world's values in the shapes of REST, with every field
// that GitHub's description requires.
type shapes struct {
	world *World
	host  string // address of this server
}

// each lists the shapes of values; never nil.
func each[T any](all []T, shape func(T) any) []any {
	out := make([]any, 0, len(all))
	for _, v := range all {
		out = append(out, shape(v))
	}
	return out
}

// lazy is a list of which only one page is ever shaped.
type lazy struct {
	n  int
	at func(int) any
}

func later[T any](all []T, shape func(T) any) *lazy {
	return &lazy{len(all), func(i int) any { return shape(all[i]) }}
}

func whole(all []any) *lazy { return later(all, func(v any) any { return v }) }

func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (j shapes) url(r *repo, path string) string {
	return strings.TrimSuffix(j.host+"/repos/"+r.NameWithOwner+"/"+path, "/")
}

func html(r *repo, path string) string { return "https://github.com/" + r.NameWithOwner + "/" + path }

// userLinks are the addresses that every user has.
var userLinks = []string{
	"followers", "following", "gists", "starred", "subscriptions", "organizations", "repos", "events", "received_events",
}

func (j shapes) userOrNull(a github.Account) any {
	if a.Ghost() {
		return nil
	}
	return j.user(a)
}

// user is a simple user. REST marks apps in their logins.
func (j shapes) user(a github.Account) map[string]any {
	login := a.Login
	if a.Bot() {
		login += "[bot]"
	}
	m := map[string]any{
		"login": login, "id": a.ID, "node_id": a.NodeID, "type": cmp.Or(a.Type, "User"), "site_admin": false, "gravatar_id": "",
		"avatar_url": fmt.Sprintf("https://avatars.githubusercontent.com/u/%d?v=4", a.ID),
		"url":        j.host + "/users/" + login, "html_url": "https://github.com/" + login, "user_view_type": "public",
	}
	for _, link := range userLinks {
		m[link+"_url"] = j.host + "/users/" + login + "/" + link
	}
	return m
}

// repositoryLinks are the addresses that every repository has.
var repositoryLinks = []string{
	"archive", "assignees", "blobs", "branches", "collaborators", "comments", "commits", "compare", "contents", "contributors",
	"deployments", "downloads", "events", "forks", "git_commits", "git_refs", "git_tags", "hooks", "issue_comment", "issue_events",
	"issues", "keys", "labels", "languages", "merges", "milestones", "notifications", "pulls", "releases", "stargazers", "statuses",
	"subscribers", "subscription", "tags", "teams", "trees",
}

func (j shapes) repository(r *repo, whole bool) map[string]any {
	owner, name, _ := strings.Cut(r.NameWithOwner, "/")
	m := map[string]any{
		"id": r.DatabaseID, "node_id": r.ID, "name": name, "full_name": r.NameWithOwner, "private": r.Private, "fork": r.Fork,
		"owner": j.user(*j.world.accountLocked(owner, "Organization")), "html_url": "https://github.com/" + r.NameWithOwner,
		"description": nil, "url": j.url(r, ""), "default_branch": r.DefaultBranch, "archived": r.Archived, "disabled": false,
		"created_at": stamp(r.Created), "updated_at": stamp(r.Created), "pushed_at": stamp(r.Created), "visibility": "public",
		"has_issues": true, "has_projects": true, "has_downloads": true, "has_wiki": true, "has_pages": false, "has_discussions": false,
		"homepage": nil, "language": nil, "license": nil, "mirror_url": nil, "size": len(r.files), "forks": 0, "forks_count": 0,
		"open_issues": 0, "open_issues_count": 0, "stargazers_count": 0, "watchers": 0, "watchers_count": 0, "is_template": false,
		"topics": []string{}, "web_commit_signoff_required": false, "allow_forking": true,
		"git_url": "git://github.com/" + r.NameWithOwner + ".git", "ssh_url": "git@github.com:" + r.NameWithOwner + ".git",
		"clone_url": "https://github.com/" + r.NameWithOwner + ".git", "svn_url": "https://github.com/" + r.NameWithOwner,
		"permissions": map[string]bool{"admin": false, "maintain": false, "push": false, "triage": false, "pull": true},
	}
	for _, link := range repositoryLinks {
		m[link+"_url"] = j.url(r, link)
	}
	if whole {
		m["network_count"], m["subscribers_count"] = 0, 0
	}
	return m
}

func (j shapes) branchEnd(r *repo, ref, sha string, account github.Account, at any) map[string]any {
	owner, _, _ := strings.Cut(r.NameWithOwner, "/")
	return map[string]any{"label": owner + ":" + ref, "ref": ref, "sha": sha, "user": j.userOrNull(account), "repo": at}
}

// pull is a pull request as in a list, or whole as alone.
func (j shapes) pull(p *pull, whole bool) map[string]any {
	r := p.repo
	number := itoa(p.Number)
	owner, _, _ := strings.Cut(r.NameWithOwner, "/")
	base := j.branchEnd(r, p.Base, oid("base", r.ID, p.Number), *j.world.accountLocked(owner, "Organization"), j.repository(r, false))
	var headRepo any
	switch {
	case p.nullHead:
	case p.CrossRepository:
		headRepo = j.fork(p)
	default:
		headRepo = j.repository(r, false)
	}
	state, mergeSHA := "open", any(nil)
	if p.State != "OPEN" {
		state = "closed"
	}
	if p.MergeCommit != nil {
		mergeSHA = p.MergeCommit.OID
	}
	m := map[string]any{
		"id": p.DatabaseID, "node_id": p.ID, "number": p.Number, "state": state, "locked": false, "title": p.Title, "body": orNull(p.Body),
		"user": j.userOrNull(p.Author), "draft": p.Draft, "author_association": "CONTRIBUTOR", "auto_merge": nil, "active_lock_reason": nil,
		"created_at": stamp(p.Created), "updated_at": stamp(p.Updated), "closed_at": stamp(p.Closed), "merged_at": stamp(p.Merged),
		"merge_commit_sha": mergeSHA, "milestone": nil, "assignee": nil, "requested_reviewers": []any{}, "requested_teams": []any{},
		"assignees": each(p.Assignees, func(a github.Account) any { return j.user(a) }),
		"labels":    each(p.Labels, func(l string) any { return j.label(r, l) }),
		"head":      j.branchEnd(r, p.Head, p.HeadOID, p.Author, headRepo), "base": base,
		"url": j.url(r, "pulls/"+number), "html_url": html(r, "pull/"+number), "diff_url": html(r, "pull/"+number+".diff"), "patch_url": html(r, "pull/"+number+".patch"),
		"issue_url": j.url(r, "issues/"+number), "commits_url": j.url(r, "pulls/"+number+"/commits"), "review_comments_url": j.url(r, "pulls/"+number+"/comments"),
		"review_comment_url": j.url(r, "pulls/comments{/number}"), "comments_url": j.url(r, "issues/"+number+"/comments"), "statuses_url": j.url(r, "statuses/"+p.HeadOID),
		"_links": j.links(r, number, p.HeadOID),
	}
	if len(p.Assignees) > 0 {
		m["assignee"] = j.user(p.Assignees[0])
	}
	if whole {
		j.alone(m, p)
	}
	return m
}

// alone adds what only a pull request read by itself has.
func (j shapes) alone(m map[string]any, p *pull) {
	comments := 0
	for _, t := range p.Threads {
		comments += len(t.Comments)
	}
	for k, v := range map[string]any{
		"merged": !p.Merged.IsZero(), "merged_by": j.userOrNull(p.MergedBy), "mergeable": nil, "mergeable_state": "unknown", "rebaseable": nil,
		"maintainer_can_modify": false, "comments": p.Comments, "review_comments": comments, "commits": len(p.Commits),
		"additions": p.Additions, "deletions": p.Deletions, "changed_files": p.ChangedFiles,
	} {
		m[k] = v
	}
}

// fork is the repository of a pull request that comes from a fork.
func (j shapes) fork(p *pull) map[string]any {
	_, name, _ := strings.Cut(p.repo.NameWithOwner, "/")
	id := p.DatabaseID + 1<<40
	return j.repository(&repo{Repository: github.Repository{
		ID: nodeID("R", id), DatabaseID: id, NameWithOwner: cmp.Or(p.Author.Login, "someone") + "/" + name,
		DefaultBranch: p.repo.DefaultBranch, Fork: true, Created: p.Created,
	}}, false)
}

func (j shapes) links(r *repo, number, head string) map[string]any {
	link := func(s string) map[string]any { return map[string]any{"href": s} }
	return map[string]any{
		"self": link(j.url(r, "pulls/"+number)), "html": link(html(r, "pull/"+number)), "issue": link(j.url(r, "issues/"+number)),
		"comments": link(j.url(r, "issues/"+number+"/comments")), "review_comments": link(j.url(r, "pulls/"+number+"/comments")),
		"review_comment": link(j.url(r, "pulls/comments{/number}")), "commits": link(j.url(r, "pulls/"+number+"/commits")), "statuses": link(j.url(r, "statuses/"+head)),
	}
}

func (j shapes) label(r *repo, name string) any {
	return map[string]any{
		"id": int64(len(name)) + 1, "node_id": "LA_" + name, "url": j.url(r, "labels/"+name), "name": name,
		"description": "", "color": "ededed", "default": false,
	}
}

func (j shapes) commit(r *repo, c github.Commit) any {
	person := map[string]any{"name": c.Name, "email": c.Email, "date": stamp(c.Authored)}
	committer := map[string]any{"name": c.Name, "email": c.Email, "date": stamp(c.Committed)}
	return map[string]any{
		"sha": c.OID, "node_id": "C_" + c.OID, "url": j.url(r, "commits/"+c.OID), "html_url": html(r, "commit/"+c.OID), "comments_url": j.url(r, "commits/"+c.OID+"/comments"),
		"commit": map[string]any{
			"url": j.url(r, "git/commits/"+c.OID), "author": person, "committer": committer, "message": c.Message, "comment_count": 0,
			"tree": map[string]any{"sha": oid("tree", c.OID), "url": j.url(r, "git/trees/"+c.OID)},
			"verification": map[string]any{
				"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil,
			},
		},
		"author": j.userOrNull(c.Author), "committer": j.userOrNull(c.Author),
		"parents": each(c.Parents, func(sha string) any {
			return map[string]any{"sha": sha, "url": j.url(r, "commits/"+sha), "html_url": html(r, "commit/"+sha)}
		}),
	}
}

func (j shapes) file(p *pull, f github.File) any {
	sha := oid("file", p.ID, f.Path)
	return map[string]any{
		"sha": sha, "filename": f.Path, "status": "modified", "additions": f.Additions, "deletions": f.Deletions, "changes": f.Additions + f.Deletions,
		"blob_url": html(p.repo, "blob/"+p.HeadOID+"/"+f.Path), "raw_url": html(p.repo, "raw/"+p.HeadOID+"/"+f.Path), "contents_url": j.url(p.repo, "contents/"+f.Path+"?ref="+p.HeadOID),
	}
}

func (j shapes) review(p *pull, r github.Review) any {
	self := j.url(p.repo, fmt.Sprintf("pulls/%d", p.Number))
	return map[string]any{
		"id": r.DatabaseID, "node_id": r.ID, "user": j.userOrNull(r.Author), "body": "", "state": r.State, "commit_id": orNull(r.Commit),
		"submitted_at": stamp(r.Submitted), "html_url": html(p.repo, fmt.Sprintf("pull/%d#pullrequestreview-%d", p.Number, r.DatabaseID)),
		"pull_request_url": self, "author_association": "MEMBER",
		"_links": map[string]any{"html": map[string]any{"href": html(p.repo, "pull")}, "pull_request": map[string]any{"href": self}},
	}
}

// comments are the comments of all threads, oldest first, as REST lists them:
// answers name the comment that began their thread.
func (j shapes) comments(p *pull) []any {
	type placed struct {
		at    time.Time
		shape map[string]any
	}
	var all []placed
	for i, t := range p.Threads {
		root := p.DatabaseID<<16 + int64(i)<<8
		for k, c := range t.Comments {
			id := root + int64(k)
			self := j.url(p.repo, fmt.Sprintf("pulls/comments/%d", id))
			m := map[string]any{
				"id": id, "node_id": nodeID("PRRC", id), "url": self, "pull_request_review_id": p.DatabaseID, "diff_hunk": "@@ -1 +1 @@",
				"path": t.Path, "position": 1, "original_position": 1, "line": 1, "original_line": 1, "side": "RIGHT", "subject_type": "line",
				"commit_id": p.HeadOID, "original_commit_id": p.HeadOID, "user": j.userOrNull(c.Author), "body": "A remark",
				"created_at": stamp(c.Created), "updated_at": stamp(c.Created), "html_url": html(p.repo, fmt.Sprintf("pull/%d#discussion_r%d", p.Number, id)),
				"pull_request_url": j.url(p.repo, fmt.Sprintf("pulls/%d", p.Number)), "author_association": "MEMBER",
				"_links": map[string]any{
					"self": map[string]any{"href": self}, "html": map[string]any{"href": html(p.repo, "pull")},
					"pull_request": map[string]any{"href": j.url(p.repo, fmt.Sprintf("pulls/%d", p.Number))},
				},
			}
			if k > 0 {
				m["in_reply_to_id"] = root
			}
			if t.Outdated {
				m["position"], m["line"] = nil, nil
			}
			all = append(all, placed{c.Created, m})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return a.at.Compare(b.at) })
	return each(all, func(p placed) any { return p.shape })
}

// timeline is what happened, oldest first, in REST's words: commits, reviews
// and state changes.
func (j shapes) timeline(p *pull) []any {
	out := each(p.Commits[:min(len(p.Commits), 250)], func(c github.Commit) any { return j.committed(p, c) })
	for i, e := range p.Events {
		id := p.DatabaseID<<8 + int64(i)
		m := map[string]any{
			"id": id, "node_id": nodeID("EV", id), "url": j.url(p.repo, fmt.Sprintf("issues/events/%d", id)), "actor": j.userOrNull(e.Actor),
			"event": string(e.Kind), "commit_id": nil, "commit_url": nil, "created_at": stamp(e.At), "performed_via_github_app": nil,
		}
		if e.To != "" && e.Kind != github.BaseChanged {
			m["commit_id"], m["commit_url"] = e.To, j.url(p.repo, "commits/"+e.To)
		}
		out = append(out, m)
	}
	for _, r := range p.Reviews {
		m := j.review(p, r).(map[string]any)
		m["event"], m["state"] = "reviewed", strings.ToLower(r.State)
		out = append(out, m)
	}
	return out
}

// committed is a commit as the timeline has it.
func (j shapes) committed(p *pull, c github.Commit) any {
	return map[string]any{
		"event": "committed", "sha": c.OID, "node_id": "C_" + c.OID, "url": j.url(p.repo, "git/commits/"+c.OID), "html_url": html(p.repo, "commit/"+c.OID),
		"author":    map[string]any{"name": c.Name, "email": c.Email, "date": stamp(c.Authored)},
		"committer": map[string]any{"name": c.Name, "email": c.Email, "date": stamp(c.Committed)},
		"message":   c.Message, "tree": map[string]any{"sha": oid("tree", c.OID), "url": j.url(p.repo, "git/trees/"+c.OID)},
		"parents": []any{}, "verification": map[string]any{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil},
	}
}
