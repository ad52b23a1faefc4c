package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"steelyard/lint"
	"steelyard/metrics"
)

// listPerPage is how many servers or dependencies one page lists.
const listPerPage = 50

// serverRow is one MCP server with every entry that names it.
type serverRow struct {
	Subject  string // "" for an entry that does not say what it is
	Name     string
	Kind     string
	Commands []string // distinct, at most three
	Entries  []lint.StoredServer
	Repos    []string
	Hosts    []string
	Versions []string
	Unpinned int // entries that move
	Secrets  string
	Since    time.Time
	// Approved counts the entries that their repository's settings approve of.
	Approved int
	Decision *lint.Decision // the newest recorded one that holds, nil for none
	Over     bool           // the newest is past its end
}

// Approval is where a server stands, in words.
func (r serverRow) Approval() string {
	switch {
	case r.Approved == len(r.Entries):
		return "approved"
	case r.Decision != nil && r.Decision.Verdict == lint.Refused:
		return "refused, and still configured"
	case r.Decision != nil && r.Approved > 0:
		return fmt.Sprintf("approved in %d of %s", r.Approved, some(len(r.Entries), "entry"))
	case r.Decision != nil:
		return "allowed here, not committed yet"
	case r.Over:
		return "the decision is over"
	case r.Approved > 0:
		return fmt.Sprintf("approved in %d of %s", r.Approved, some(len(r.Entries), "entry"))
	}
	return "waiting"
}

// Waits reports whether a server needs a person.
func (r serverRow) Waits() bool {
	return r.Approved < len(r.Entries) && (r.Decision == nil || r.Decision.Verdict == lint.Refused)
}

// serverQuery is the state of the page, all of it in its address.
type serverQuery struct {
	Repository, Approval, Pin, Secrets string
	Page                               int
}

func readServerQuery(c echo.Context) (serverQuery, error) {
	q := serverQuery{Repository: c.QueryParam("repository"), Page: pageParam(c, "page")}
	err := choose(c, filter{"approval", approvalChoices(), &q.Approval}, filter{"pin", pinChoices(), &q.Pin}, filter{"secrets", secretChoices(), &q.Secrets})
	return q, err
}

func approvalChoices() []namedChoice {
	return []namedChoice{{"", "all"}, {"waiting", "waits for a person"}, {"decided", "decided"}}
}

func pinChoices() []namedChoice {
	return []namedChoice{{"", "all"}, {"moves", "moves"}, {"fixed", "does not move"}}
}

func secretChoices() []namedChoice {
	return []namedChoice{{"", "all"}, {"literal", "written out"}, {"reference", "by reference"}, {"none", "none"}}
}

func (q serverQuery) on(address string) string {
	return pageAddress(address, q.Page, map[string]string{"repository": q.Repository, "approval": q.Approval, "pin": q.Pin, "secrets": q.Secrets})
}

func (q serverQuery) holds(r serverRow) bool {
	return (q.Repository == "" || slices.Contains(r.Repos, q.Repository)) &&
		(q.Approval == "" || (q.Approval == "waiting") == r.Waits()) &&
		(q.Pin == "" || (q.Pin == "moves") == (r.Unpinned > 0)) &&
		(q.Secrets == "" || q.Secrets == r.Secrets)
}

// serversView is the page of servers.
type serversView struct {
	Bold, Rest string
	Query      serverQuery
	Rows       []serverRow
	Pages      pages
	Known      bool // something was scanned
	MayDecide  bool
}

func (d *dashboard) servers(c echo.Context) error {
	q, err := readServerQuery(c)
	if err != nil {
		return err
	}
	v := serversView{Query: q, MayDecide: d.Decisions != nil}
	if d.Servers == nil {
		return d.render(c, http.StatusOK, serversPage(d.shell("Servers", "/servers"), v))
	}
	all, err := d.serverRows(c.Request().Context())
	if err != nil {
		return err
	}
	waiting, moving := 0, 0
	for _, r := range all {
		if r.Waits() {
			waiting++
		}
		if r.Unpinned > 0 {
			moving++
		}
	}
	v.Known = len(all) > 0
	v.Bold = capital(some(len(all), "MCP server")) + " in use:"
	v.Rest = fmt.Sprintf("%s for a person, %s in a version that moves.", waitWords(waiting), count(moving)+pick(moving, " runs", " run"))
	shown := slices.DeleteFunc(slices.Clone(all), func(r serverRow) bool { return !v.Query.holds(r) })
	v.Pages = pagesOf(v.Query.Page, listPerPage, len(shown), func(n int) string {
		q := v.Query
		q.Page = n
		return q.on("/servers")
	})
	if v.Query.Page > 1 && v.Pages.From == 0 {
		return echo.ErrNotFound // the list is not that long
	}
	if v.Pages.From > 0 {
		v.Rows = shown[v.Pages.From-1 : v.Pages.To]
	}
	return d.render(c, http.StatusOK, serversPage(d.shell("Servers", "/servers"), v))
}

// waitWords is "one waits", "three wait".
func waitWords(n int) string { return count(n) + pick(n, " waits", " wait") }

// serverRows are all servers: those that need a person first, then those in most
// repositories.
func (d *dashboard) serverRows(ctx context.Context) ([]serverRow, error) {
	entries, err := d.Servers.Servers(ctx, "")
	if err != nil {
		return nil, fmt.Errorf("read servers: %w", err)
	}
	decided, err := d.newestDecisions(ctx, lint.AboutServer)
	if err != nil {
		return nil, err
	}
	var rows []serverRow
	at := map[string]int{}
	for _, e := range entries {
		key := e.Subject()
		if key == "" {
			key = "\x00" + e.Command + "\x00" + e.Name
		}
		i, ok := at[key]
		if !ok {
			i = len(rows)
			at[key] = i
			rows = append(rows, serverRow{Subject: e.Subject(), Name: e.Target, Kind: e.Kind, Since: e.Since, Secrets: e.Secrets})
			if e.Target == "" {
				rows[i].Name = e.Name
			}
		}
		rows[i].add(e)
	}
	for i := range rows {
		if dec, ok := decided[rows[i].Subject]; ok && rows[i].Subject != "" {
			rows[i].Over = dec.Over(d.today())
			if !rows[i].Over {
				rows[i].Decision = &dec
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b serverRow) int {
		if a.Waits() != b.Waits() {
			return b2i(b.Waits()) - b2i(a.Waits())
		}
		if n := len(b.Repos) - len(a.Repos); n != 0 {
			return n
		}
		return strings.Compare(a.Name, b.Name)
	})
	return rows, nil
}

func (r *serverRow) add(e lint.StoredServer) {
	r.Entries = append(r.Entries, e)
	note := func(list *[]string, s string) {
		if s != "" && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	note(&r.Repos, e.Repository)
	note(&r.Hosts, e.Host)
	note(&r.Versions, e.Version)
	if len(r.Commands) < 3 {
		note(&r.Commands, e.Command)
	}
	if !e.Pinned {
		r.Unpinned++
	}
	if e.Approval != nil {
		r.Approved++
	}
	if e.Since.Before(r.Since) {
		r.Since = e.Since
	}
	worst := []string{"literal", "reference", "none", ""}
	if slices.Index(worst, e.Secrets) < slices.Index(worst, r.Secrets) {
		r.Secrets = e.Secrets
	}
}

// newestDecisions are the newest decisions of a kind by subject, without those
// that were taken back.
func (d *dashboard) newestDecisions(ctx context.Context, kind lint.DecisionKind) (map[string]lint.Decision, error) {
	out := map[string]lint.Decision{}
	if d.Decisions == nil {
		return out, nil
	}
	const step = 500
	for from := 0; ; from += step {
		page, err := d.Decisions.Decisions(ctx, lint.DecisionFilter{Kind: kind, Newest: true, Limit: step, Offset: from})
		if err != nil {
			return nil, fmt.Errorf("read decisions: %w", err)
		}
		for _, dec := range page.Decisions {
			if dec.Verdict != lint.Withdrawn {
				out[dec.Subject] = dec
			}
		}
		if from+step >= page.Total {
			return out, nil
		}
	}
}

// pinWords says whether a server's version is fixed.
func (r serverRow) pinWords() string {
	switch {
	case r.Kind == "host":
		return "remote"
	case r.Kind == "program":
		return "a program that is there"
	case r.Unpinned == 0 && len(r.Versions) > 0:
		return "pinned: " + list(r.Versions)
	case r.Unpinned == 0:
		return "pinned"
	case r.Unpinned < len(r.Entries):
		return fmt.Sprintf("moves in %d of %s", r.Unpinned, some(len(r.Entries), "entry"))
	}
	return "moves"
}

// secretWords says what a server's entries hold of secrets.
func secretWords(s string) string {
	switch s {
	case "literal":
		return "written out"
	case "reference":
		return "by reference"
	case "none":
		return "none"
	}
	return "not known"
}

// serversFile serves the table as a file, filtered like the page.
func (d *dashboard) serversFile(ext string) echo.HandlerFunc {
	return func(c echo.Context) error {
		if d.Servers == nil {
			return echo.ErrNotFound
		}
		q, err := readServerQuery(c)
		if err != nil {
			return err
		}
		rows, err := d.serverRows(c.Request().Context())
		if err != nil {
			return err
		}
		t := metrics.Table{
			ID: "servers", Title: "MCP servers in use", Caption: "Read from configurations; no server was started.",
			Columns: []metrics.Column{
				{Name: "server", Title: "Server"},
				{Name: "kind", Title: "Kind"},
				{Name: "command", Title: "Command"},
				{Name: "repositories", Title: "Repositories"},
				{Name: "hosts", Title: "Read by"},
				{Name: "entries", Title: "Entries", Numeric: true},
				{Name: "versions", Title: "Versions"},
				{Name: "unpinned", Title: "Not pinned", Numeric: true},
				{Name: "approval", Title: "Approval"},
				{Name: "secrets", Title: "Secrets"},
				{Name: "since", Title: "First seen"},
			},
		}
		for _, r := range rows {
			if !q.holds(r) {
				continue
			}
			t.Rows = append(t.Rows, []metrics.Cell{
				wordCell(r.Name), wordCell(r.Kind), wordCell(strings.Join(r.Commands, " | ")), wordCell(strings.Join(r.Repos, " ")), wordCell(strings.Join(r.Hosts, " ")),
				countCell(len(r.Entries)), wordCell(strings.Join(r.Versions, " ")), countCell(r.Unpinned), wordCell(r.Approval()), wordCell(secretWords(r.Secrets)), wordCell(machine(r.Since)),
			})
		}
		return sendTable(c, "servers", ext, t)
	}
}
