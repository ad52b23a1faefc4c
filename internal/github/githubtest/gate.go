package githubtest

import (
	"net/http"
	"strings"

	"steelyard/internal/github"
)

// gate is what stands between a pull request and a branch.
type gate struct {
	errors   []github.OwnersError
	requires *bool
}

// OwnersErrors says what GitHub finds wrong in a repository's CODEOWNERS.
func (w *World) OwnersErrors(name string, errors ...github.OwnersError) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.repoLocked(name).gate.errors = errors
}

// RequireOwners says whether a ruleset of the repository requires the review of
// code owners. Before it is called, neither rulesets nor protection say
// anything, as for a reader who does not administer the repository.
func (w *World) RequireOwners(name string, required bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.repoLocked(name).gate.requires = &required
}

// gateValue answers below a repository: codeowners/errors, rules/branches/B,
// branches/B/protection. ok is false for any other address.
func (g gate) gateValue(rest []string) (status int, body any, ok bool) {
	switch section := strings.Join(rest[:min(len(rest), 2)], "/"); {
	case section == "codeowners/errors" && len(rest) == 2:
		list := []map[string]any{}
		for _, e := range g.errors {
			list = append(list, map[string]any{"line": e.Line, "column": 1, "kind": e.Kind, "source": e.Source, "suggestion": nil, "message": e.Message, "path": e.Path})
		}
		return http.StatusOK, map[string]any{"errors": list}, true
	case section == "rules/branches":
		list := []map[string]any{}
		if g.requires != nil && *g.requires {
			list = append(list, map[string]any{
				"type": "pull_request", "ruleset_source_type": "Repository", "ruleset_source": "r", "ruleset_id": 1,
				"parameters": map[string]any{"require_code_owner_review": true, "required_approving_review_count": 1},
			})
		}
		return http.StatusOK, list, true
	case len(rest) >= 3 && rest[0] == "branches" && rest[len(rest)-1] == "protection":
		if g.requires != nil {
			return http.StatusNotFound, map[string]any{"message": "Branch not protected"}, true
		}
		return http.StatusNotFound, map[string]any{"message": "Not Found"}, true
	}
	return 0, nil, false
}
