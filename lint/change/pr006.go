package change

import (
	"slices"

	"steelyard/lint"
)

// workflows are the files that say what CI runs, and with which rights.
var workflows = []string{
	".github/workflows/**", ".github/actions/**", "action.yml", "action.yaml", "**/action.yml", "**/action.yaml",
	".gitlab-ci.yml", ".gitlab/ci/**", ".circleci/**", "azure-pipelines*.yml", ".azure-pipelines/**", "Jenkinsfile", "**/Jenkinsfile",
	".buildkite/**", "bitbucket-pipelines.yml", ".drone.yml", ".travis.yml", "cloudbuild.yaml", ".woodpecker/**",
}

// checkWorkflows reports an agent's change to what CI runs, until a person who
// did not ask for it has approved it.
func checkWorkflows(p *lint.Pass, c *Change) {
	if c.Agent == "" {
		return
	}
	paths := c.matches(workflows)
	if len(paths) == 0 {
		return
	}
	approvers := c.approvers()
	others := slices.DeleteFunc(slices.Clone(approvers), func(a Account) bool { return holds(c.AskedBy, a) })
	if len(others) > 0 && (len(approvers) > 1 || len(c.surelyAskedBy()) > 0) {
		return // of two, one did not ask, whoever did
	}
	p.ReportFile(file(p, paths[0]), related(paths[1:]),
		"%s changes what CI runs: %s%s%s", c.Agent, paths[0], more(paths), c.sofar())
}
