package syncing

import (
	"regexp"
	"strings"

	"steelyard/internal/github"
)

// How a back-port shows: by the branch that the common back-porting bots make,
// by a label, by a title that begins with the release or with the word, or by
// the line that they and "git cherry-pick -x" leave in the description.
var (
	backportBranch = regexp.MustCompile(`(?i)^(?:[\w.-]+/)?(?:back-?port|cherry-?pick)(?:s|ed|ing)?[-_/]`)
	backportTitle  = regexp.MustCompile(`(?i)^\W{0,3}(?:back-?port(?:ed|ing|s)?|cherry-?pick(?:ed|ing|s)?)\b|[\[(](?:auto(?:mated)?[- ])?(?:back-?port|cherry-?pick)\b[^\])]{0,60}[\])]`)
	releaseTitle   = regexp.MustCompile(`(?i)^\[(?:v?\d+(?:[.-](?:\d+|x|stable)){1,3}|release[-/ ]v?\d[\w.-]*)\]`)
	releaseBase    = regexp.MustCompile(`(?i)^(?:v?\d+(?:[.-](?:\d+|x|stable))*(?:-stable)?|(?:release|rel|stable|maint(?:enance)?|branch|support|hotfix)[-_/].+)$`)
	backportBody   = regexp.MustCompile(`(?im)^\s*(?:this is an automated |automated )?(?:manual )?(?:back-?port|cherry-?pick)(?:ed|ing|s)?\s+(?:of|from|pr|pull request)\b.{0,80}#\d+|^\(cherry picked from commit [0-9a-f]{7,40}\)`)
)

// maxRead bounds what is read of one description by a rule.
const maxRead = 64 << 10

// backportMark names the mark by which a pull request is a back-port; empty
// where it is none. What only a title's release or a description says counts
// where the base is a release's branch too.
func backportMark(p github.PullRequest, defaultBranch string) string {
	for _, label := range p.Labels {
		l := strings.ToLower(strings.TrimSpace(label))
		if l == "backport" || l == "cherry-pick" || l == "cherrypick" {
			return "label"
		}
	}
	elsewhere := p.Base != defaultBranch && (defaultBranch != "" || releaseBase.MatchString(p.Base))
	switch {
	case backportBranch.MatchString(p.Head):
		return "branch"
	case elsewhere && backportTitle.MatchString(p.Title):
		return "title"
	case elsewhere && releaseBase.MatchString(p.Base) && releaseTitle.MatchString(p.Title):
		return "title"
	case elsewhere && backportBody.MatchString(p.Body[:min(len(p.Body), maxRead)]):
		return "body"
	}
	return ""
}
