package github

import (
	"encoding/json"
	"fmt"
	"time"
)

// A long history is read in two stretches of time at once, each with a cursor
// of its own, in the same request as the pull requests: GitHub gives at most
// 100 commits of a history at a time, and a busy branch has more than two
// commits for each pull request.

// lane is one stretch of the default branch's history, newest first.
type lane struct {
	Since time.Time `json:"s,omitzero"`
	Until time.Time `json:"u,omitzero"`
	After string    `json:"a,omitempty"`
}

// lanes are the stretches that are left to read, at most two. Their JSON is
// the cursor that callers keep.
type lanes []lane

const (
	maxLanes      = 2
	maxCursorText = 2000
	// worthSplitting is the least span of time that is read in two stretches.
	worthSplitting = 90 * 24 * time.Hour
)

// parseHistory reads where a query's history goes on.
func parseHistory(q PageQuery) (lanes, error) {
	if !q.Commits {
		return nil, nil
	}
	if q.CommitsAfter == "" {
		return lanes{{Since: q.CommitsSince.UTC()}}, nil
	}
	var l lanes
	if len(q.CommitsAfter) > maxCursorText || json.Unmarshal([]byte(q.CommitsAfter), &l) != nil || len(l) > maxLanes {
		return nil, fmt.Errorf("the cursor of commits %q is not one of ours; begin the commits again", brief(q.CommitsAfter))
	}
	return l, nil
}

func (l lanes) text() string {
	if len(l) == 0 {
		return "[]"
	}
	text, err := json.Marshal(l)
	if err != nil {
		return "" // strings and years of four digits: it cannot fail
	}
	return string(text)
}

// variables adds the stretches to a query's variables.
func (l lanes) variables(vars map[string]any) {
	for i := range maxLanes {
		var at lane
		if i < len(l) {
			at = l[i]
		}
		vars[fmt.Sprintf("lane%d", i)] = i < len(l)
		vars[fmt.Sprintf("after%d", i)] = cursor(at.After)
		vars[fmt.Sprintf("since%d", i)] = timestamp(at.Since)
		vars[fmt.Sprintf("until%d", i)] = timestamp(at.Until)
	}
}

func timestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

// laneAnswer is one stretch in the answer to queryPage.
type laneAnswer struct {
	Target *struct {
		History *connection[commitNode] `json:"history"`
	} `json:"target"`
}

// addCommits adds what came of each stretch and works out what is left. An
// empty repository has no default branch and no commits.
func (p *Page) addCommits(l lanes, q PageQuery, got []*laneAnswer, faults []graphQLError) error {
	var left lanes
	for i, at := range l {
		if got[i] == nil || got[i].Target == nil || got[i].Target.History == nil {
			if len(faults) > 0 && p.Repository.DefaultBranch != "" {
				return missing(faults)
			}
			continue
		}
		history := got[i].Target.History
		for _, n := range nodes(history) {
			if n.OID != "" {
				p.Commits = append(p.Commits, n.value())
			}
		}
		next, more, err := history.PageInfo.after(at.After)
		if err != nil {
			return err
		}
		if more {
			left = append(left, lane{Since: at.Since, Until: at.Until, After: next})
		}
	}
	if q.Commits && q.CommitsAfter == "" && len(left) == 1 && len(p.Commits) > 0 {
		left = split(left[0], p.Repository.Created, p.Commits[0].Committed)
	}
	p.CommitsMore = len(left) > 0
	if q.Commits {
		p.CommitsNext = left.text()
	}
	return nil
}

// split cuts a history that goes on into two halves by time. Both begin anew,
// without a cursor: the order of a history is not that of its dates, so what
// came already says nothing of what is left. Commits of the first page and at
// the edge come twice, none is left out.
func split(rest lane, created, newest time.Time) lanes {
	begin := rest.Since
	if begin.IsZero() {
		begin = created
	}
	span := newest.Sub(begin)
	if span < worthSplitting {
		return lanes{rest}
	}
	middle := begin.Add(span / 2).Truncate(time.Second)
	return lanes{
		{Since: middle},
		{Since: rest.Since, Until: middle},
	}
}
