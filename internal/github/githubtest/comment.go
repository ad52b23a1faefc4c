package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"steelyard/internal/github"
)

// Comment is a comment in the conversation of a pull request.
type Comment struct {
	ID     int64
	Author github.Account
	Body   string
	At     time.Time
}

// Viewer sets whom every token speaks for. An app is not told by REST who it is,
// as an installation's token is not.
func (w *World) Viewer(a github.Account) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.viewer = &a
}

// ReadOnly sets whether every comment is refused, as with a fork's token.
func (w *World) ReadOnly(on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.readOnly = on
}

// Remark adds a comment to the conversation of a pull request.
func (w *World) Remark(name string, number int, author github.Account, body string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.mustPull(name, number)
	p.remarks = append(p.remarks, Comment{ID: w.id(), Author: author, Body: body, At: w.now()})
}

// Remarks returns the comments of a pull request's conversation, oldest first.
func (w *World) Remarks(name string, number int) []Comment {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.mustPull(name, number).remarks)
}

// serveComment begins a comment (POST issues/NUMBER/comments) or changes one
// (PATCH issues/comments/ID).
func (w *World) serveComment(out http.ResponseWriter, r *http.Request, name, first, second string) {
	var sent struct{ Body string }
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || sent.Body == "" {
		text(out, http.StatusUnprocessableEntity, `{"message":"Validation Failed"}`)
		return
	}
	w.mu.Lock()
	status, shape := w.comment(r, name, first, second, sent.Body)
	w.mu.Unlock()
	switch status {
	case http.StatusForbidden:
		text(out, status, `{"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest"}`)
	case http.StatusNotFound:
		notFound(out)
	default:
		w.give(out, r, status, shape)
	}
}

func (w *World) comment(r *http.Request, name, first, second, body string) (status int, shape any) {
	at := w.byName[strings.ToLower(name)]
	if at == nil || at.deleted {
		return http.StatusNotFound, nil
	}
	if w.readOnly || w.viewer == nil {
		return http.StatusForbidden, nil
	}
	j := shapes{world: w, host: "http://" + r.Host}
	if r.Method == http.MethodPost && second == "comments" {
		number, err := strconv.Atoi(first)
		p := at.find(number)
		if err != nil || p == nil {
			return http.StatusNotFound, nil
		}
		c := Comment{ID: w.id(), Author: *w.viewer, Body: body, At: w.now()}
		p.remarks = append(p.remarks, c)
		return http.StatusCreated, j.remark(p, c)
	}
	for _, p := range at.pulls {
		for i := range p.remarks {
			if first == "comments" && strconv.FormatInt(p.remarks[i].ID, 10) == second {
				p.remarks[i].Body = body
				return http.StatusOK, j.remark(p, p.remarks[i])
			}
		}
	}
	return http.StatusNotFound, nil
}

func (j shapes) remark(p *pull, c Comment) any {
	return map[string]any{
		"id": c.ID, "node_id": nodeID("IC", c.ID), "body": c.Body, "user": j.userOrNull(c.Author),
		"created_at": stamp(c.At), "updated_at": stamp(c.At), "author_association": "NONE",
		"url":       j.url(p.repo, fmt.Sprintf("issues/comments/%d", c.ID)),
		"html_url":  html(p.repo, fmt.Sprintf("pull/%d#issuecomment-%d", p.Number, c.ID)),
		"issue_url": j.url(p.repo, fmt.Sprintf("issues/%d", p.Number)),
	}
}

// serveViewer answers who a person's token is of.
func (w *World) serveViewer(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	who := w.viewer
	w.mu.Unlock()
	if who == nil || who.Bot() {
		text(out, http.StatusForbidden, `{"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest"}`)
		return
	}
	w.give(out, r, http.StatusOK, shapes{world: w, host: "http://" + r.Host}.user(*who))
}

// viewerObject is who asks, in GraphQL.
func (w *World) viewerObject() (any, error) {
	if w.viewer == nil {
		return nil, &fieldError{"FORBIDDEN", "Resource not accessible by integration"}
	}
	login := w.viewer.Login
	if w.viewer.Bot() {
		login += "[bot]"
	}
	return fields("User", []string{"Node", "Actor"}, map[string]any{"login": login, "databaseId": w.viewer.ID, "id": w.viewer.NodeID}), nil
}
