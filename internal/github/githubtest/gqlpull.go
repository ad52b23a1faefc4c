package githubtest

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"

	"steelyard/internal/github"
)

// brokenPull is a pull request of which only the brief can be given: GitHub
// fails on the parts that cost.
type brokenPull struct {
	brief *object
	as    broken
}

// briefFields are what a broken pull request still gives.
var briefFields = []string{"id", "number", "state", "updatedAt"}

func (x *run) pullNode(v brokenPull, below []selection, path []any) any {
	into, order := map[string]*gathered{}, []string{}
	x.gather(v.brief, below, into, &order)
	for _, key := range order {
		if !slices.Contains(briefFields, into[key].name) {
			x.fail(v.as.err, path)
			return nil
		}
	}
	return x.object(v.brief, below, path)
}

func (w *World) brief(p *pull) *object {
	return &object{kind: "PullRequest", also: []string{"Node"}, field: w.pull(p).field}
}

// page is a connection: a part of a list with its page info.
func page(kind string, total, from int, args map[string]any, at func(int) any, cursor func(int) string) (any, error) {
	first := -1
	if v, ok := args["first"]; ok && v != nil {
		first = intOf(v)
		if first < 0 || first > 100 {
			return nil, &fieldError{"EXCESSIVE_PAGINATION", fmt.Sprintf("Requesting %d records on the connection exceeds the `first` limit of 100 records.", first)}
		}
	}
	return &object{kind: kind, field: func(name string, _ map[string]any) (any, error) {
		if first < 0 && name != "totalCount" && name != "filteredCount" {
			return nil, &fieldError{"MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last` value to properly paginate the connection."}
		}
		to := min(from+max(first, 0), total)
		switch name {
		case "totalCount", "filteredCount":
			return total, nil
		case "pageInfo":
			info := map[string]any{"hasNextPage": to < total, "endCursor": nil}
			if to > from {
				info["endCursor"] = cursor(to - 1)
			}
			return fields("PageInfo", nil, info), nil
		case "nodes":
			out := []any{}
			for i := from; i < to; i++ {
				out = append(out, at(i))
			}
			return out, nil
		}
		return nil, &unknownField{kind, name}
	}}, nil
}

// listed is a connection over a list that is counted through.
func listed[T any](kind string, all []T, args map[string]any, at func(T) any) (any, error) {
	from := 0
	if after := textOf(args["after"]); after != "" {
		text, err := base64.StdEncoding.DecodeString(after)
		n, err2 := strconv.Atoi(string(text))
		if err != nil || err2 != nil {
			return nil, &fieldError{"INVALID_CURSOR_ARGUMENTS", fmt.Sprintf("`%s` does not appear to be a valid cursor.", after)}
		}
		from = min(n, len(all))
	}
	return page(kind, len(all), from, args, func(i int) any { return at(all[i]) },
		func(i int) string { return base64.StdEncoding.EncodeToString([]byte(strconv.Itoa(i + 1))) })
}

// capped is a connection that counts more than it gives.
func capped[T any](kind string, total int, all []T, args map[string]any, at func(T) any) (any, error) {
	given, err := listed(kind, all, args, at)
	if err != nil {
		return nil, err
	}
	inner := given.(*object).field
	return &object{kind: kind, field: func(name string, args map[string]any) (any, error) {
		if name == "totalCount" {
			return total, nil
		}
		return inner(name, args)
	}}, nil
}

func (w *World) pull(p *pull) *object {
	plain := map[string]any{
		"id": p.ID, "fullDatabaseId": strconv.FormatInt(p.DatabaseID, 10), "number": p.Number, "title": p.Title, "body": p.Body,
		"state": p.State, "isDraft": p.Draft, "createdAt": p.Created, "updatedAt": p.Updated, "closedAt": p.Closed, "mergedAt": p.Merged,
		"additions": p.Additions, "deletions": p.Deletions, "changedFiles": p.ChangedFiles,
		"baseRefName": p.Base, "headRefName": p.Head, "headRefOid": p.HeadOID, "isCrossRepository": p.CrossRepository,
	}
	return &object{kind: "PullRequest", also: []string{"Node"}, field: func(name string, args map[string]any) (any, error) {
		if v, ok := plain[name]; ok {
			return v, nil
		}
		if p.broken == Overload {
			return nil, overloaded{}
		}
		return w.pullField(p, name, args)
	}}
}

func (w *World) pullField(p *pull, name string, args map[string]any) (any, error) {
	if p.broken == NullField && (name == "mergeCommit" || name == "files") {
		return nil, &fieldError{"INTERNAL", "Something broke while reading " + name}
	}
	switch name {
	case "author":
		return actor(p.Author), nil
	case "mergedBy":
		return actor(p.MergedBy), nil
	case "mergeCommit":
		if p.MergeCommit == nil {
			return nil, nil
		}
		return w.commit(*p.MergeCommit), nil
	case "comments":
		return page("IssueCommentConnection", p.Comments, 0, args, func(int) any { return nil }, strconv.Itoa)
	case "labels":
		return listed("LabelConnection", p.Labels, args, func(l string) any { return fields("Label", nil, map[string]any{"name": l}) })
	case "assignees":
		return listed("UserConnection", p.Assignees, args, func(a github.Account) any { return actor(a) })
	case "commits": // the count is whole, the list ends at 250
		return capped("PullRequestCommitConnection", len(p.Commits), p.Commits[:min(len(p.Commits), 250)], args, func(c github.Commit) any {
			return fields("PullRequestCommit", nil, map[string]any{"commit": w.commit(c)})
		})
	case "reviews":
		states, _ := args["states"].([]any)
		kept := slices.DeleteFunc(slices.Clone(p.Reviews), func(r github.Review) bool {
			return len(states) > 0 && !slices.Contains(states, any(r.State))
		})
		return listed("PullRequestReviewConnection", kept, args, func(r github.Review) any { return review(r) })
	case "reviewThreads":
		return listed("PullRequestReviewThreadConnection", p.Threads, args, func(t github.Thread) any { return w.thread(t) })
	case "timelineItems":
		kinds, _ := args["itemTypes"].([]any)
		kept := slices.DeleteFunc(slices.Clone(p.Events), func(e github.Event) bool {
			return len(kinds) > 0 && !slices.Contains(kinds, any(itemTypes[e.Kind]))
		})
		return listed("PullRequestTimelineItemsConnection", kept, args, func(e github.Event) any { return event(e) })
	case "files":
		return listed("PullRequestChangedFileConnection", p.Files, args, func(f github.File) any {
			return fields("PullRequestChangedFile", nil, map[string]any{"path": f.Path, "additions": f.Additions, "deletions": f.Deletions})
		})
	}
	return nil, &unknownField{"PullRequest", name}
}

// actor is an account as GraphQL gives it: null for a ghost, apps without the
// suffix "[bot]".
func actor(a github.Account) *object {
	if a.Ghost() {
		return nil
	}
	return fields(cmp.Or(a.Type, "User"), []string{"Actor", "Node"}, map[string]any{"login": a.Login, "id": a.NodeID, "databaseId": a.ID})
}

func (w *World) commit(c github.Commit) *object {
	author := map[string]any{"name": c.Name, "email": c.Email, "user": nil}
	if c.Author.Type == "User" { // GraphQL knows no account for commits of apps
		author["user"] = actor(c.Author)
	}
	return fields("Commit", []string{"Node", "GitObject"}, map[string]any{
		"oid": c.OID, "message": c.Message, "authoredDate": c.Authored, "committedDate": c.Committed,
		"author": fields("GitActor", nil, author),
	})
}

func (w *World) commitWithParents(c github.Commit) *object {
	plain := w.commit(c)
	return &object{kind: "Commit", also: plain.also, field: func(name string, args map[string]any) (any, error) {
		if name != "parents" {
			return plain.field(name, args)
		}
		return listed("CommitConnection", c.Parents, args, func(oid string) any { return oidObject(oid) })
	}}
}

func oidObject(oid string) *object {
	if oid == "" {
		return nil
	}
	return fields("Commit", []string{"Node", "GitObject"}, map[string]any{"oid": oid})
}

func review(r github.Review) *object {
	return fields("PullRequestReview", []string{"Node"}, map[string]any{
		"id": r.ID, "fullDatabaseId": strconv.FormatInt(r.DatabaseID, 10), "state": r.State,
		"submittedAt": r.Submitted, "createdAt": r.Submitted, "commit": oidObject(r.Commit), "author": actor(r.Author),
	})
}

func (w *World) thread(t github.Thread) *object {
	return &object{kind: "PullRequestReviewThread", also: []string{"Node"}, field: func(name string, args map[string]any) (any, error) {
		switch name {
		case "id":
			return t.ID, nil
		case "path":
			return t.Path, nil
		case "isOutdated":
			return t.Outdated, nil
		case "isResolved":
			return t.Resolved, nil
		case "comments":
			return listed("PullRequestReviewCommentConnection", t.Comments, args, func(c github.Comment) any {
				return fields("PullRequestReviewComment", []string{"Node"}, map[string]any{"createdAt": c.Created, "author": actor(c.Author)})
			})
		}
		return nil, &unknownField{"PullRequestReviewThread", name}
	}}
}

// itemTypes are the enum's names of the events.
var itemTypes = map[github.EventKind]string{
	github.Ready: "READY_FOR_REVIEW_EVENT", github.Drafted: "CONVERT_TO_DRAFT_EVENT", github.ForcePushed: "HEAD_REF_FORCE_PUSHED_EVENT",
	github.WasClosed: "CLOSED_EVENT", github.Reopened: "REOPENED_EVENT", github.WasMerged: "MERGED_EVENT", github.BaseChanged: "BASE_REF_CHANGED_EVENT",
}

func event(e github.Event) *object {
	values := map[string]any{"createdAt": e.At, "actor": actor(e.Actor)}
	kind := map[github.EventKind]string{
		github.Ready: "ReadyForReviewEvent", github.Drafted: "ConvertToDraftEvent", github.ForcePushed: "HeadRefForcePushedEvent",
		github.WasClosed: "ClosedEvent", github.Reopened: "ReopenedEvent", github.WasMerged: "MergedEvent", github.BaseChanged: "BaseRefChangedEvent",
	}[e.Kind]
	switch e.Kind {
	case github.ForcePushed:
		values["beforeCommit"], values["afterCommit"] = oidObject(e.From), oidObject(e.To)
	case github.WasMerged:
		values["commit"] = oidObject(e.To)
	case github.BaseChanged:
		values["previousRefName"], values["currentRefName"] = e.From, e.To
	}
	return fields(kind, []string{"Node"}, values)
}
