package github

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	// perFollow is how many lists one follow-up query continues.
	perFollow = 20
	// maxRounds bounds how often the lists of a page are continued: 100
	// elements a round.
	maxRounds = 50
)

// part is a list of a pull request that did not fit.
type part struct {
	kind  string // field name in pullLists, or "comments" of a thread
	node  string // node id of the pull request or thread
	after string
	pull  int // index in the page
	// thread is the node id of the thread whose comments go on.
	thread string
}

// parts are the lists that can go on, with the query that continues them.
var parts = map[string]string{
	"labels":        `... on PullRequest { labels(first: 100, after: $after%d) { ...LabelList } }`,
	"assignees":     `... on PullRequest { assignees(first: 100, after: $after%d) { ...AssigneeList } }`,
	"commits":       `... on PullRequest { commits(first: 100, after: $after%d) { ...CommitList } }`,
	"reviews":       `... on PullRequest { reviews(first: 100, after: $after%d, states: [APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED]) { ...ReviewList } }`,
	"reviewThreads": `... on PullRequest { reviewThreads(first: 50, after: $after%d) { ...ThreadList } }`,
	"timelineItems": `... on PullRequest { timelineItems(first: 100, after: $after%d, itemTypes: ` + eventTypes + `) { ...EventList } }`,
	"files":         `... on PullRequest { files(first: 100, after: $after%d) { ...FileList } }`,
	"comments":      `... on PullRequestReviewThread { comments(first: 100, after: $after%d) { ...CommentList } }`,
}

// usedBy are the fragments that the continuation of each list needs.
var usedBy = map[string][]string{
	"labels": {"LabelList"}, "assignees": {"AssigneeList"},
	"commits": {"CommitList", "CommitFields"}, "reviews": {"ReviewList", "Who"},
	"reviewThreads": {"ThreadList", "CommentList", "Who"}, "timelineItems": {"EventList", "Who"},
	"files": {"FileList"}, "comments": {"CommentList", "Who"},
}

// follow adds the lists of whole to their pull requests and reads on where
// they did not fit, many lists in one request. A list that cannot be read on
// makes its pull request incomplete and no more.
func (c *Client) follow(ctx context.Context, pulls []PullRequest, whole []*pullNode) error {
	var open []part
	for i, n := range whole {
		pulls[i].gather(n.pullLists)
		open = append(open, unfinished(i, n.ID, n.pullLists)...)
	}
	for round := 0; len(open) > 0 && round < maxRounds; round++ {
		batch := open[:min(perFollow, len(open))]
		open = open[len(batch):]
		more, err := c.continueParts(ctx, pulls, batch)
		if err != nil {
			if final(err) {
				return err
			}
			for _, p := range batch {
				pulls[p.pull].incomplete(p, c.exchange.redact(brief(err.Error())))
			}
		}
		open = slices.Concat(more, open)
	}
	for _, p := range open {
		pulls[p.pull].incomplete(p, "longer than is read")
	}
	for i := range pulls {
		if commits := whole[i].Commits; commits != nil {
			pulls[i].noteCaps(commits.TotalCount)
		}
		pulls[i].arrange()
	}
	return nil
}

func (p *PullRequest) incomplete(of part, reason string) {
	p.Incomplete = append(p.Incomplete, fmt.Sprintf("%s, not to the end: %s", of.kind, reason))
}

// unfinished lists which lists of a pull request go on.
func unfinished(pull int, node string, l pullLists) []part {
	var out []part
	add := func(kind string, info *pageInfo) {
		if info != nil && info.HasNextPage && info.EndCursor != "" {
			out = append(out, part{kind: kind, node: node, after: info.EndCursor, pull: pull})
		}
	}
	add("labels", l.Labels.info())
	add("assignees", l.Assignees.info())
	add("commits", l.Commits.info())
	add("reviews", l.Reviews.info())
	add("reviewThreads", l.Threads.info())
	add("timelineItems", l.Events.info())
	add("files", l.Files.info())
	for _, t := range nodes(l.Threads) {
		if info := t.Comments.PageInfo; info.HasNextPage && info.EndCursor != "" {
			out = append(out, part{kind: "comments", node: t.ID, after: info.EndCursor, pull: pull, thread: t.ID})
		}
	}
	return out
}

func (c *connection[T]) info() *pageInfo {
	if c == nil {
		return nil
	}
	return &c.PageInfo
}

// continueParts reads one more piece of each list and returns what is still
// left of them.
func (c *Client) continueParts(ctx context.Context, pulls []PullRequest, batch []part) ([]part, error) {
	text, vars := continuation(batch)
	got := map[string]json.RawMessage{}
	faults, err := c.query(ctx, "More", text, vars, &got)
	if err != nil {
		return nil, err
	}
	var more []part
	for i, p := range batch {
		alias := fmt.Sprintf("p%d", i)
		var piece struct {
			pullLists
			Comments *connection[commentNode] `json:"comments"`
		}
		raw, ok := got[alias]
		if !ok || string(raw) == "null" || json.Unmarshal(raw, &piece) != nil {
			reason := "GitHub gives nothing"
			for _, f := range faults {
				if f.in(alias) {
					reason = brief(f.Message)
				}
			}
			pulls[p.pull].incomplete(p, reason)
			continue
		}
		if p.thread != "" {
			more = append(more, pulls[p.pull].gatherComments(p, piece.Comments)...)
			continue
		}
		pulls[p.pull].gather(piece.pullLists)
		more = append(more, unfinished(p.pull, p.node, piece.pullLists)...)
	}
	return more, nil
}

func (p *PullRequest) gatherComments(of part, l *connection[commentNode]) []part {
	for i := range p.Threads {
		if p.Threads[i].ID != of.thread {
			continue
		}
		for _, n := range nodes(l) {
			p.Threads[i].Comments = append(p.Threads[i].Comments, Comment{Author: n.Author.value(), Created: n.CreatedAt.UTC()})
		}
	}
	if info := l.info(); info != nil && info.HasNextPage && info.EndCursor != "" {
		of.after = info.EndCursor
		return []part{of}
	}
	return nil
}

// continuation builds the query for a batch of lists. Its text holds only
// pieces of our own; ids and cursors go as variables.
func continuation(batch []part) (string, map[string]any) {
	var head, body strings.Builder
	vars := map[string]any{}
	needed := map[string]bool{}
	for i, p := range batch {
		fmt.Fprintf(&head, ", $id%d: ID!, $after%d: String", i, i)
		fmt.Fprintf(&body, "\n  p%d: node(id: $id%d) { "+parts[p.kind]+" }", i, i, i)
		vars[fmt.Sprintf("id%d", i)], vars[fmt.Sprintf("after%d", i)] = p.node, p.after
		for _, name := range usedBy[p.kind] {
			needed[name] = true
		}
	}
	text := "query More(" + strings.TrimPrefix(head.String(), ", ") + ") {\n  rateLimit { cost nodeCount }" + body.String() + "\n}"
	for _, fragment := range strings.Split(fragmentLists+fragmentCommit+fragmentWho, "\nfragment ") {
		name, _, _ := strings.Cut(fragment, " ")
		if needed[name] {
			text += "\nfragment " + fragment
		}
	}
	return text, vars
}
