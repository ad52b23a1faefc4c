package registry

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"steelyard/lint/dependencies"
)

// actions asks GitHub about the repository of an action. GitHub answers 404
// for a private repository too, so a repository counts as missing only where
// its owner is missing as well.
func (r *Registry) actions(ctx context.Context, q dependencies.Query, a Address) result {
	owner, rest, ok := strings.Cut(q.Name, "/")
	name, _, _ := strings.Cut(rest, "/")
	if !ok || owner == "" || name == "" {
		return unknown("its name is not OWNER/REPOSITORY")
	}
	owner, name = url.PathEscape(owner), url.PathEscape(name)
	ans := r.github(ctx, a, "/repos/"+owner+"/"+name)
	if ans.failed != "" {
		return unknown(ans.failed)
	}
	if ans.absent() {
		own := githubOwn404(ans.text())
		who := r.github(ctx, a, "/users/"+owner)
		gone := who.absent() && githubOwn404(who.text())
		who.close()
		if own && !gone {
			return unknown("GitHub shows no such repository, but says the same of a private one; its owner exists")
		}
		return result{absent: true, own: own && gone, status: ans.status}
	}
	var repo struct {
		Created  time.Time `json:"created_at"`
		Archived bool      `json:"archived"`
		Disabled bool      `json:"disabled"`
		License  *struct {
			SPDX string `json:"spdx_id"`
		} `json:"license"`
		HTML string `json:"html_url"`
	}
	if why := decode(ans, &repo); why != "" {
		return unknown(why)
	}
	f := dependencies.Facts{Existence: dependencies.Exists, LicenceKnown: true, Repository: firstLine(repo.HTML)}
	f.First, f.AgeWhy = firstTime(repo.Created, nil, a, r.options.Now())
	if repo.Archived {
		f.Deprecated = "its repository is archived"
	}
	if repo.Disabled {
		f.Quarantined = "GitHub has disabled the repository"
	}
	if repo.License != nil {
		f.Licences = []string{repo.License.SPDX}
	}
	if q.Version != "" {
		f.Version = q.Version
		r.gitReference(ctx, a, owner+"/"+name, q.Version, &f)
	}
	return result{Facts: f}
}

func (r *Registry) github(ctx context.Context, a Address, path string) *answer {
	headers := map[string]string{"X-GitHub-Api-Version": "2022-11-28"}
	if r.options.GitHubToken != "" && a.Token {
		headers["Authorization"] = "Bearer " + r.options.GitHubToken
	}
	return r.client.send(ctx, request{url: a.URL + path, accept: "application/vnd.github+json", headers: headers})
}

func githubOwn404(body string) bool { return strings.Contains(body, `"Not Found"`) }

// gitReference asks whether a tag, branch or commit is there.
func (r *Registry) gitReference(ctx context.Context, a Address, repo, ref string, f *dependencies.Facts) {
	ans := r.github(ctx, a, "/repos/"+repo+"/commits/"+url.PathEscape(ref))
	defer ans.close()
	switch {
	case ans.failed == "" && !ans.absent():
		f.VersionExistence = dependencies.Exists
	case !a.Canonical && (ans.absent() || ans.status == http.StatusUnprocessableEntity):
		f.VersionWhy = fmt.Sprintf("%s has no tag, branch or commit %q, but does not speak for GitHub", a.title(dependencies.Actions), ref)
	case ans.absent() && githubOwn404(ans.text()), ans.status == http.StatusUnprocessableEntity:
		f.VersionExistence = dependencies.Missing
		f.VersionWhy = fmt.Sprintf("the repository has no tag, branch or commit %q", ref)
	case ans.failed != "":
		f.VersionWhy = ans.failed
	default:
		f.VersionWhy = fmt.Sprintf("it answered %d", ans.status)
	}
}
