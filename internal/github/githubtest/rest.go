package githubtest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"steelyard/internal/github"
)

// serveREST answers what package github asks of REST.
func (w *World) serveREST(out http.ResponseWriter, r *http.Request) {
	prefix := ""
	path := r.URL.Path
	if rest, ok := strings.CutPrefix(path, "/api/v3"); ok {
		prefix, path = "/api/v3", rest
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case r.Method == http.MethodPost && len(parts) == 4 && parts[0] == "app" && parts[3] == "access_tokens":
		w.serveToken(out, r, parts[2])
	case (r.Method == http.MethodPost || r.Method == http.MethodPatch) && len(parts) == 6 && parts[0] == "repos" && parts[3] == "issues":
		w.serveComment(out, r, parts[1]+"/"+parts[2], parts[4], parts[5])
	case path == "/user":
		w.serveViewer(out, r)
	case r.Method != http.MethodGet:
		text(out, http.StatusMethodNotAllowed, `{"message":"Method not allowed"}`)
	case len(parts) >= 3 && parts[0] == "repos":
		w.serveNamed(out, r, prefix, parts[1]+"/"+parts[2], parts[3:])
	case len(parts) >= 2 && parts[0] == "repositories":
		w.serveNumbered(out, r, parts[1], parts[2:])
	case len(parts) >= 3 && (parts[0] == "orgs" || parts[0] == "users"):
		w.serveOwner(out, r, parts[0], parts[1], parts[2:])
	case path == "/app/installations":
		w.serveInstallations(out, r)
	case path == "/installation/repositories":
		w.serveInstalled(out, r)
	default:
		w.serveOther(out, r, parts)
	}
}

// serveOther answers the few addresses outside the API: report files.
func (w *World) serveOther(out http.ResponseWriter, r *http.Request, parts []string) {
	if len(parts) == 3 && parts[0] == "report-files" {
		w.mu.Lock()
		lines := reportLines(w.org(parts[1]).reports[parts[2]])
		w.mu.Unlock()
		w.giveBytes(out, r, http.StatusOK, "application/x-ndjson", lines)
		return
	}
	notFound(out)
}

// serveNamed answers below /repos/OWNER/NAME; a former name is redirected to
// the repository's number, as GitHub does.
func (w *World) serveNamed(out http.ResponseWriter, r *http.Request, prefix, name string, rest []string) {
	w.mu.Lock()
	found := w.byName[strings.ToLower(name)]
	gone := found == nil || found.deleted
	var moved bool
	var id int64
	if !gone {
		moved, id = !strings.EqualFold(found.NameWithOwner, name), found.DatabaseID
	}
	w.mu.Unlock()
	switch {
	case gone:
		notFound(out)
	case moved:
		to := url.URL{Scheme: "http", Host: r.Host, Path: prefix + "/" + strings.Join(append([]string{"repositories", strconv.FormatInt(id, 10)}, rest...), "/"), RawQuery: r.URL.RawQuery}
		out.Header().Set("Location", to.String())
		text(out, http.StatusMovedPermanently, fmt.Sprintf(`{"message":"Moved Permanently","url":%q,"documentation_url":"https://docs.github.com/rest"}`, to.String()))
	default:
		w.serveRepo(out, r, found, rest)
	}
}

func (w *World) serveNumbered(out http.ResponseWriter, r *http.Request, number string, rest []string) {
	w.mu.Lock()
	at := slices.IndexFunc(w.repos, func(x *repo) bool { return strconv.FormatInt(x.DatabaseID, 10) == number && !x.deleted })
	var found *repo
	if at >= 0 {
		found = w.repos[at]
	}
	w.mu.Unlock()
	if found == nil {
		notFound(out)
		return
	}
	w.serveRepo(out, r, found, rest)
}

// serveRepo answers below one repository.
func (w *World) serveRepo(out http.ResponseWriter, r *http.Request, at *repo, rest []string) {
	w.mu.Lock()
	status, body, list := w.restValue(r, at, rest)
	w.mu.Unlock()
	switch {
	case list != nil:
		w.giveList(out, r, list, nil)
	case body == nil:
		text(out, status, fmt.Sprintf(`{"message":%q,"documentation_url":"https://docs.github.com/rest"}`, http.StatusText(status)))
	default:
		if sha, ok := body.(string); ok {
			w.giveBytes(out, r, status, "application/vnd.github.v3.sha", []byte(sha))
			return
		}
		w.give(out, r, status, body)
	}
}

// restValue finds what is asked for: one value, or a list to page through.
func (w *World) restValue(r *http.Request, at *repo, rest []string) (status int, body any, list *lazy) {
	j := shapes{world: w, host: "http://" + r.Host}
	q := r.URL.Query()
	section := strings.Join(rest[:min(len(rest), 2)], "/")
	if status, body, ok := at.gate.gateValue(rest); ok {
		return status, body, nil
	}
	switch {
	case len(rest) == 0:
		return http.StatusOK, j.repository(at, true), nil
	case len(rest) == 1 && rest[0] == "pulls":
		return http.StatusOK, nil, later(listedPulls(at, q), func(p *pull) any { return j.pull(p, false) })
	case len(rest) == 1 && rest[0] == "commits":
		return w.restCommits(j, at, q)
	case len(rest) == 2 && rest[0] == "commits":
		return w.restCommit(j, at, rest[1], r.Header.Get("Accept"))
	case section == "git/trees" && len(rest) == 3:
		return http.StatusOK, j.tree(at, rest[2]), nil
	case section == "git/blobs" && len(rest) == 3:
		return j.blob(at, rest[2])
	case section == "git/ref" && len(rest) > 3 && rest[2] == "heads":
		return j.branchRef(at, strings.Join(rest[3:], "/"))
	case len(rest) >= 2 && (rest[0] == "pulls" || rest[0] == "issues"):
		n, err := strconv.Atoi(rest[1])
		p := at.find(n)
		if err != nil || p == nil {
			return http.StatusNotFound, nil, nil
		}
		if p.broken == Unreadable {
			return http.StatusInternalServerError, nil, nil
		}
		return j.pullPart(p, strings.Join(append([]string{rest[0]}, rest[2:]...), "/"))
	}
	return http.StatusNotFound, nil, nil
}

// pullPart is a pull request or one of its lists.
func (j shapes) pullPart(p *pull, part string) (status int, body any, list *lazy) {
	switch part {
	case "pulls":
		return http.StatusOK, j.pull(p, true), nil
	case "pulls/commits":
		commits := p.Commits[:min(len(p.Commits), 250)]
		return http.StatusOK, nil, later(commits, func(c github.Commit) any { return j.commit(p.repo, c) })
	case "pulls/reviews":
		return http.StatusOK, nil, later(p.Reviews, func(r github.Review) any { return j.review(p, r) })
	case "pulls/comments":
		return http.StatusOK, nil, whole(j.comments(p))
	case "pulls/files":
		return http.StatusOK, nil, later(p.Files, func(f github.File) any { return j.file(p, f) })
	case "issues/comments":
		return http.StatusOK, nil, later(p.remarks, func(c Comment) any { return j.remark(p, c) })
	case "issues/timeline":
		return http.StatusOK, nil, whole(j.timeline(p))
	}
	return http.StatusNotFound, nil, nil
}

// listedPulls filters and orders a list of pull requests as GitHub does.
func listedPulls(at *repo, q url.Values) []*pull {
	all := slices.Clone(at.sorted(q.Get("sort") == "updated"))
	state := q.Get("state")
	all = slices.DeleteFunc(all, func(p *pull) bool {
		open := p.State == "OPEN"
		return (state == "" || state == "open") && !open || state == "closed" && open
	})
	if direction := q.Get("direction"); direction == "desc" || direction == "" && q.Get("sort") != "updated" {
		slices.Reverse(all)
	}
	return all
}

func (w *World) restCommits(j shapes, at *repo, q url.Values) (status int, body any, list *lazy) {
	if len(at.history) == 0 {
		return http.StatusConflict, nil, nil
	}
	since := timeOf(q.Get("since"))
	var kept []github.Commit
	for _, c := range slices.Backward(at.history) {
		if since.IsZero() || !c.Committed.Before(since) {
			kept = append(kept, c)
		}
	}
	return http.StatusOK, nil, later(kept, func(c github.Commit) any { return j.commit(at, c) })
}

// restCommit is one commit by hash or branch; with the media type for it, only
// its hash.
func (w *World) restCommit(j shapes, at *repo, rev, accept string) (status int, body any, list *lazy) {
	if (rev == at.DefaultBranch || rev == "HEAD") && len(at.history) > 0 {
		rev = at.tip()
	}
	i := slices.IndexFunc(at.history, func(c github.Commit) bool { return c.OID == rev })
	switch {
	case i >= 0 && strings.Contains(accept, "sha"):
		return http.StatusOK, rev, nil
	case i >= 0:
		return http.StatusOK, j.commit(at, at.history[i]), nil
	}
	for _, p := range at.pulls { // merged to another branch
		if p.MergeCommit != nil && p.MergeCommit.OID == rev {
			return http.StatusOK, j.commit(at, *p.MergeCommit), nil
		}
	}
	return http.StatusUnprocessableEntity, nil, nil
}

// giveList sends a page of a list with its Link header; wrap, if set, puts it
// into an object.
func (w *World) giveList(out http.ResponseWriter, r *http.Request, all *lazy, wrap func([]any) any) {
	q := r.URL.Query()
	size, number := atoi(q.Get("per_page"), 30), max(atoi(q.Get("page"), 1), 1)
	size = min(max(size, 1), 100)
	last := max((all.n+size-1)/size, 1)
	part := []any{}
	w.mu.Lock()
	for i := (number - 1) * size; i < min(number*size, all.n); i++ {
		part = append(part, all.at(i))
	}
	w.mu.Unlock()
	link := func(page int, rel string) string {
		q.Set("page", itoa(page))
		u := url.URL{Scheme: "http", Host: r.Host, Path: r.URL.Path, RawQuery: q.Encode()}
		return fmt.Sprintf(`<%s>; rel="%s"`, u.String(), rel)
	}
	var links []string
	if number > 1 {
		links = append(links, link(number-1, "prev"), link(1, "first"))
	}
	if number < last {
		links = append(links, link(number+1, "next"), link(last, "last"))
	}
	if len(links) > 0 {
		out.Header().Set("Link", strings.Join(links, ", "))
	}
	if wrap != nil {
		w.give(out, r, http.StatusOK, wrap(part))
		return
	}
	w.give(out, r, http.StatusOK, part)
}

func atoi(s string, otherwise int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return otherwise
	}
	return n
}

func (w *World) serveToken(out http.ResponseWriter, r *http.Request, installation string) {
	id, err := strconv.ParseInt(installation, 10, 64)
	w.mu.Lock()
	known := false
	for _, o := range w.orgs {
		known = known || o.installs == id && id != 0
	}
	w.mu.Unlock()
	if err != nil || !known {
		notFound(out)
		return
	}
	token, expires := w.grant(id)
	w.give(out, r, http.StatusCreated, map[string]any{
		"token": token, "expires_at": expires.Format(time.RFC3339),
		"permissions": map[string]string{"contents": "read", "metadata": "read", "pull_requests": "read"}, "repository_selection": "all",
	})
}

// fileHash is the hash of a file of the tree.
func fileHash(text string) string { return oid("blob", text) }

func (j shapes) tree(at *repo, sha string) any {
	var paths []string
	for path := range at.files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	entries := []any{}
	for _, path := range paths {
		f := at.files[path]
		mode := f.Mode
		if mode == "" {
			mode = "100644"
		}
		hash := fileHash(f.Text)
		entries = append(entries, map[string]any{
			"path": path, "mode": mode, "type": "blob", "sha": hash, "size": len(f.Text), "url": j.url(at, "git/blobs/"+hash),
		})
	}
	return map[string]any{"sha": sha, "url": j.url(at, "git/trees/"+sha), "tree": entries, "truncated": false}
}

// branchRef is a branch: the default one, or one that a pull request goes into.
func (j shapes) branchRef(at *repo, name string) (status int, body any, list *lazy) {
	if name != at.DefaultBranch && !slices.ContainsFunc(at.pulls, func(p *pull) bool { return p.Base == name }) {
		return http.StatusNotFound, nil, nil
	}
	full := "refs/heads/" + name
	return http.StatusOK, map[string]any{
		"ref": full, "node_id": "REF_" + full, "url": j.url(at, "git/"+full),
		"object": map[string]any{"type": "commit", "sha": at.tip(), "url": j.url(at, "git/commits/"+at.tip())},
	}, nil
}

func (j shapes) blob(at *repo, sha string) (status int, body any, list *lazy) {
	for _, f := range at.files {
		if fileHash(f.Text) == sha {
			return http.StatusOK, map[string]any{
				"sha": sha, "node_id": "B_" + sha, "size": len(f.Text), "url": j.url(at, "git/blobs/"+sha),
				"encoding": "base64", "content": base64.StdEncoding.EncodeToString([]byte(f.Text)) + "\n",
			}, nil
		}
	}
	return http.StatusNotFound, nil, nil
}
