package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

const (
	standardSize = 60
	newestSize   = 10 // an incremental run mostly finds nothing new
	maxSize      = 100
	historySize  = 100
	// regrowAfter is how many good pages a halved size needs to double again.
	regrowAfter = 10
)

// pageSize is what a repository's pages could bear last.
type pageSize struct{ size, good int }

// Page reads one page of pull requests and, if asked, of default-branch
// commits, in one GraphQL request and the follow-ups that its long pull
// requests need. A page that is too heavy for the server is asked for again
// with half as many; a pull request that cannot be read at all is in Skipped.
func (c *Client) Page(ctx context.Context, ref RepositoryRef, q PageQuery) (Page, error) {
	ctx = withOwner(ctx, ref.Owner)
	history, err := parseHistory(q)
	if err != nil {
		return Page{}, fmt.Errorf("read pull requests of %s: %w", ref, err)
	}
	wanted := wantedSize(q)
	size := c.bearable(ref, wanted)
	for halvings := 0; ; halvings++ {
		page, err := c.page(ctx, ref, q, history, size)
		var heavy *heavyError
		switch {
		case err == nil:
			c.bore(ref, size, wanted)
			return page, nil
		case !errors.As(err, &heavy):
			return Page{}, fmt.Errorf("read pull requests of %s: %w", ref, err)
		case size == 1 && q.Size >= 0:
			page, err := c.pageOfOne(ctx, ref, q)
			if err != nil {
				return Page{}, fmt.Errorf("read pull requests of %s: %w", ref, err)
			}
			return page, nil
		case size == 1:
			return Page{}, fmt.Errorf("read commits of %s: %w", ref, heavy.err)
		}
		size = max(size/2, 1)
		c.exchange.notify(Notice{Kind: HalvedPage, Size: size, Reason: c.exchange.redact(heavy.Error())})
		if err := c.exchange.backoff(ctx, halvings, 0, heavy.Error()); err != nil {
			return Page{}, fmt.Errorf("read pull requests of %s: %w", ref, err)
		}
	}
}

func wantedSize(q PageQuery) int {
	switch {
	case q.Size == 0 && q.Newest:
		return newestSize
	case q.Size <= 0:
		return standardSize
	}
	return min(q.Size, maxSize)
}

// bearable is the size to ask with: as wanted, or what the repository's pages
// could bear last.
func (c *Client) bearable(ref RepositoryRef, wanted int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.sizes[ref]; s != nil {
		return min(s.size, wanted)
	}
	return wanted
}

// bore notes that a page of this size came, and lets a halved size grow again.
func (c *Client) bore(ref RepositoryRef, size, wanted int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if size >= wanted {
		delete(c.sizes, ref)
		return
	}
	s := c.sizes[ref]
	if s == nil || s.size != size {
		c.sizes[ref] = &pageSize{size: size}
		return
	}
	if s.good++; s.good >= regrowAfter {
		c.sizes[ref] = &pageSize{size: size * 2}
	}
}

// pageAnswer is the answer to queryPage.
type pageAnswer struct {
	Repository *struct {
		repositoryNode
		PullRequests *struct {
			TotalCount int               `json:"totalCount"`
			PageInfo   pageInfo          `json:"pageInfo"`
			Nodes      []json.RawMessage `json:"nodes"`
		} `json:"pullRequests"`
		Lane0 *laneAnswer `json:"lane0"`
		Lane1 *laneAnswer `json:"lane1"`
	} `json:"repository"`
}

func (c *Client) page(ctx context.Context, ref RepositoryRef, q PageQuery, history lanes, size int) (Page, error) {
	vars := map[string]any{
		"owner": ref.Owner, "name": ref.Name,
		"pulls": q.Size >= 0, "first": size, "after": cursor(q.After), "order": order(q), "states": states(q),
		"commits": max(historySize*size/wantedSize(q), 1),
	}
	history.variables(vars)
	var got pageAnswer
	faults, err := c.query(mayShrink(ctx), "Page", queryPage, vars, &got)
	if err != nil {
		return Page{}, err
	}
	if got.Repository == nil {
		return Page{}, missing(faults)
	}
	page := Page{Repository: got.Repository.value()}
	if err := page.addCommits(history, q, []*laneAnswer{got.Repository.Lane0, got.Repository.Lane1}, faults); err != nil {
		return Page{}, err
	}
	pulls := got.Repository.PullRequests
	switch {
	case pulls == nil && q.Size < 0:
		return page, nil
	case pulls == nil || pulls.Nodes == nil:
		return Page{}, withheld("pull requests", faults)
	}
	page.Total = pulls.TotalCount
	if page.Next, page.More, err = pulls.PageInfo.after(q.After); err != nil {
		return Page{}, err
	}
	if err := c.fill(ctx, ref, q, size, &page, pulls.Nodes, faults); err != nil {
		return Page{}, err
	}
	return page, nil
}

// fill reads the page's pull requests from their nodes: the broken ones are
// fetched alone, long lists are read to their end.
func (c *Client) fill(ctx context.Context, ref RepositoryRef, q PageQuery, size int, page *Page, raw []json.RawMessage, faults []graphQLError) error {
	var whole []*pullNode
	for i, text := range raw {
		var n *pullNode
		if err := json.Unmarshal(text, &n); err != nil || !n.usable() {
			continue
		}
		whole = append(whole, n)
		p := n.value()
		p.Repository = page.Repository.ID
		for _, f := range faults {
			if f.in("repository", "pullRequests", "nodes", i) {
				p.Incomplete = append(p.Incomplete, f.where(4))
			}
		}
		page.PullRequests = append(page.PullRequests, p)
	}
	if err := c.follow(ctx, page.PullRequests, whole); err != nil {
		return err
	}
	if len(whole) == len(raw) {
		return nil
	}
	return c.fillBroken(ctx, ref, q, size, page)
}

// fillBroken finds out which pull requests of a page came as null, and reads
// each of them alone.
func (c *Client) fillBroken(ctx context.Context, ref RepositoryRef, q PageQuery, size int, page *Page) error {
	names, err := c.briefs(ctx, ref, q, size)
	if err != nil {
		return err
	}
	for _, b := range names.Briefs {
		have := slices.ContainsFunc(page.PullRequests, func(p PullRequest) bool { return p.Number == b.Number })
		if have {
			continue
		}
		if err := c.addAlone(ctx, ref, page, b.Number); err != nil {
			return err
		}
	}
	return nil
}

// pageOfOne is the page of a single pull request that the server could not
// give as a page: it asks for its number alone and then for it by number.
func (c *Client) pageOfOne(ctx context.Context, ref RepositoryRef, q PageQuery) (Page, error) {
	names, err := c.briefs(ctx, ref, q, 1)
	if err != nil {
		return Page{}, err
	}
	page := Page{
		Repository: names.repository, Total: names.Total, More: names.More, Next: names.Next,
		CommitsNext: q.CommitsAfter, CommitsMore: q.Commits,
	}
	for _, b := range names.Briefs {
		if err := c.addAlone(ctx, ref, &page, b.Number); err != nil {
			return Page{}, err
		}
	}
	return page, nil
}

// addAlone reads one pull request by its number, by GraphQL and else by REST,
// and adds it to the page, or else to what was skipped.
func (c *Client) addAlone(ctx context.Context, ref RepositoryRef, page *Page, number int) error {
	p, err := c.one(ctx, ref, number)
	if err != nil && !final(err) {
		p, err = c.oneREST(ctx, ref, number)
	}
	switch {
	case err == nil:
		page.PullRequests = append(page.PullRequests, p)
	case final(err):
		return err
	default:
		s := Skipped{Number: number, Reason: c.exchange.redact(brief(err.Error()))}
		page.Skipped = append(page.Skipped, s)
		c.exchange.notify(Notice{Kind: SkippedItem, Reason: fmt.Sprintf("%s#%d: %s", ref, number, s.Reason)})
	}
	return nil
}

// where says in words which part of a pull request an error is about.
func (e graphQLError) where(depth int) string {
	for _, part := range e.Path[min(depth, len(e.Path)):] {
		if name, ok := part.(string); ok {
			return fmt.Sprintf("%s: %s", name, brief(e.Message))
		}
	}
	return brief(e.Message)
}

func order(q PageQuery) map[string]string {
	if q.Newest {
		return map[string]string{"field": "UPDATED_AT", "direction": "DESC"}
	}
	return map[string]string{"field": "UPDATED_AT", "direction": "ASC"}
}

func states(q PageQuery) []string {
	if q.OpenOnly {
		return []string{"OPEN"}
	}
	return []string{"OPEN", "CLOSED", "MERGED"}
}

// cursor is a cursor as a GraphQL value: null for the first page.
func cursor(s string) any {
	if s == "" {
		return nil
	}
	return s
}
