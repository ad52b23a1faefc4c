package githubtest

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"steelyard/internal/github"
)

// root is the query object.
func (w *World) root(points, nodes int) *object {
	return &object{kind: "Query", field: func(name string, args map[string]any) (any, error) {
		switch name {
		case "rateLimit":
			return w.rateLimit(points, nodes), nil
		case "viewer":
			return w.viewerObject()
		case "repository":
			full := textOf(args["owner"]) + "/" + textOf(args["name"])
			r := w.byName[strings.ToLower(full)]
			if r == nil || r.deleted {
				return nil, &fieldError{"NOT_FOUND", fmt.Sprintf("Could not resolve to a Repository with the name '%s'.", full)}
			}
			return w.repository(r), nil
		case "node":
			n, ok := w.nodes[textOf(args["id"])]
			switch {
			case !ok || n.pull.repo.deleted:
				return nil, &fieldError{"NOT_FOUND", fmt.Sprintf("Could not resolve to a node with the global id of '%s'", textOf(args["id"]))}
			case n.thread >= 0:
				return w.thread(n.pull.Threads[n.thread]), nil
			}
			return w.pull(n.pull), nil
		}
		return nil, &unknownField{"Query", name}
	}}
}

func (w *World) rateLimit(points, nodes int) *object {
	a := w.limits[true]
	return fields("RateLimit", nil, map[string]any{
		"cost": points, "nodeCount": nodes, "limit": a.limit, "remaining": max(a.limit-a.used, 0), "used": a.used, "resetAt": a.reset,
	})
}

// fields is an object of plain values.
func fields(kind string, also []string, values map[string]any) *object {
	return &object{kind: kind, also: also, field: func(name string, _ map[string]any) (any, error) {
		v, ok := values[name]
		if !ok {
			return nil, &unknownField{kind, name}
		}
		return v, nil
	}}
}

func (w *World) repository(r *repo) *object {
	return &object{kind: "Repository", also: []string{"Node"}, field: func(name string, args map[string]any) (any, error) {
		switch name {
		case "id":
			return r.ID, nil
		case "databaseId":
			return r.DatabaseID, nil
		case "nameWithOwner":
			return r.NameWithOwner, nil
		case "isArchived":
			return r.Archived, nil
		case "isPrivate":
			return r.Private, nil
		case "isFork":
			return r.Fork, nil
		case "createdAt":
			return r.Created, nil
		case "defaultBranchRef":
			return w.branch(r), nil
		case "pullRequests":
			return w.pullPage(r, args)
		case "pullRequest":
			p := r.find(intOf(args["number"]))
			if p == nil || p.broken == Unreadable || p.broken == NoGraphQL {
				return nil, notThere(p, intOf(args["number"]))
			}
			if p.broken == Overload {
				return nil, overloaded{}
			}
			return w.pull(p), nil
		}
		return nil, &unknownField{"Repository", name}
	}}
}

// notThere is the error for a pull request that is not given.
func notThere(p *pull, number int) error {
	if p != nil {
		return &fieldError{"INTERNAL", "Something broke while reading this pull request"}
	}
	return &fieldError{"NOT_FOUND", fmt.Sprintf("Could not resolve to a PullRequest with the number of %d.", number)}
}

// branch is the default branch, null in an empty repository.
func (w *World) branch(r *repo) any {
	if len(r.history) == 0 {
		return nil
	}
	return fields("Ref", []string{"Node"}, map[string]any{"name": r.DefaultBranch, "target": w.tip(r)})
}

// tip is the commit at the end of the default branch, with its history.
func (w *World) tip(r *repo) *object {
	last := w.commit(r.history[len(r.history)-1])
	return &object{kind: "Commit", also: []string{"Node", "GitObject"}, field: func(name string, args map[string]any) (any, error) {
		if name == "history" {
			return w.historyPage(r, args)
		}
		return last.field(name, args)
	}}
}

// historyPage is a stretch of the history, newest first, behind a cursor of
// GitHub's form: the tip's hash and an offset.
func (w *World) historyPage(r *repo, args map[string]any) (any, error) {
	all := r.stretch(timeOf(args["since"]), timeOf(args["until"]))
	from := 0
	if after := textOf(args["after"]); after != "" {
		tip, offset, _ := strings.Cut(after, " ")
		n, err := strconv.Atoi(offset)
		if err != nil {
			return nil, &fieldError{"INVALID_CURSOR_ARGUMENTS", fmt.Sprintf("`%s` does not appear to be a valid cursor.", after)}
		}
		// The cursor counts from the tip that it was given at.
		if at := slices.IndexFunc(all, func(c *github.Commit) bool { return c.OID == tip }); at >= 0 {
			n += at
		}
		from = n + 1
	}
	tip := ""
	if len(all) > 0 {
		tip = all[0].OID
	}
	return page("CommitHistoryConnection", len(all), from, args, func(i int) any { return w.commitWithParents(*all[i]) },
		func(i int) string { return tip + " " + strconv.Itoa(i) })
}

// stretch is the history between two times, newest first. A few are
// kept as long as the history does not grow.
func (r *repo) stretch(since, until time.Time) []*github.Commit {
	key := [3]int64{since.UnixMilli(), until.UnixMilli(), int64(len(r.history))}
	if kept, ok := r.stretches[key]; ok {
		return kept
	}
	var all []*github.Commit
	for i := len(r.history) - 1; i >= 0; i-- {
		c := &r.history[i]
		if (since.IsZero() || !c.Committed.Before(since)) && (until.IsZero() || !c.Committed.After(until)) {
			all = append(all, c)
		}
	}
	if len(r.stretches) > 4 || r.stretches == nil {
		r.stretches = map[[3]int64][]*github.Commit{}
	}
	r.stretches[key] = all
	return all
}

func timeOf(v any) time.Time {
	t, err := time.Parse(time.RFC3339, textOf(v))
	if err != nil {
		return time.Time{}
	}
	return t
}

// pullPage is a page of pull requests in an order; its cursors are keys of the
// order, as GitHub's are, so that a row that moves away takes none with it.
func (w *World) pullPage(r *repo, args map[string]any) (any, error) {
	states, _ := args["states"].([]any)
	order, _ := args["orderBy"].(map[string]any)
	byUpdate, down := textOf(order["field"]) == "UPDATED_AT", textOf(order["direction"]) == "DESC"
	all := slices.DeleteFunc(slices.Clone(r.sorted(byUpdate)), func(p *pull) bool {
		return len(states) > 0 && !slices.Contains(states, any(p.State))
	})
	if down {
		slices.Reverse(all)
	}
	key := func(p *pull) (int64, int) {
		if byUpdate {
			return p.Updated.UnixMilli(), p.Number
		}
		return 0, p.Number
	}
	from := 0
	if after := textOf(args["after"]); after != "" {
		at, number, err := decodeCursor(after)
		if err != nil {
			return nil, err
		}
		from, _ = slices.BinarySearchFunc(all, 0, func(p *pull, _ int) int {
			t, n := key(p)
			c := cmp.Or(cmp.Compare(t, at), cmp.Compare(n, number))
			if down {
				c = -c
			}
			if c <= 0 {
				return -1
			}
			return 1
		})
	}
	return page("PullRequestConnection", len(all), from, args,
		func(i int) any { return w.pullOrBroken(all[i]) },
		func(i int) string { return encodeCursor(key(all[i])) })
}

// pullOrBroken is a pull request, or what comes in the place of a broken one.
func (w *World) pullOrBroken(p *pull) any {
	switch p.broken {
	case NullNode, NoGraphQL, Unreadable:
		return brokenPull{w.brief(p), broken{&fieldError{"INTERNAL", "Something broke while reading this pull request"}}}
	}
	return w.pull(p)
}

// sorted is the pull requests by last update or by number, ascending.
func (r *repo) sorted(byUpdate bool) []*pull {
	if !byUpdate {
		return r.pulls
	}
	if r.updated == nil {
		r.updated = slices.Clone(r.pulls)
		slices.SortStableFunc(r.updated, func(a, b *pull) int {
			return cmp.Or(a.Updated.Compare(b.Updated), a.Number-b.Number)
		})
	}
	return r.updated
}

func encodeCursor(t int64, number int) string {
	return base64.StdEncoding.EncodeToString([]byte(fmt.Sprintf("cursor:v2:%d:%d", t, number)))
}

func decodeCursor(s string) (t int64, number int, err error) {
	text, err := base64.StdEncoding.DecodeString(s)
	if err == nil {
		_, err = fmt.Sscanf(string(text), "cursor:v2:%d:%d", &t, &number)
	}
	if err != nil {
		return 0, 0, &fieldError{"INVALID_CURSOR_ARGUMENTS", fmt.Sprintf("`%s` does not appear to be a valid cursor.", s)}
	}
	return t, number, nil
}
