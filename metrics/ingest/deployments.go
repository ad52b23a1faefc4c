package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"steelyard/metrics"
)

// DeploymentSpec says how a file becomes deployments.
type DeploymentSpec struct {
	// Columns names the file's column by field (see [DeploymentFields]), as in
	// [PullRequestSpec].
	Columns map[string]string
	// Repository is the repository of all rows, where the file has no column
	// for it.
	Repository string
	// Production are the names of environments that are production, whatever
	// their case. Where none is given, those are whose name says so: see
	// [ProductionName].
	Production []string
	Drop       []Filter
	Limits     Limits
}

// DeploymentFields are the columns that [ImportDeployments] reads. Required
// are finished_at, a repository, and sha or commits.
func DeploymentFields() []Field {
	return []Field{
		{"id", "the provider's id; rows with the same one are one deployment, whose commits add up; empty: repository, environment, time and sha", []string{"deployment_id", "cicd_deployment_id"}},
		{"repository", "owner/name, as the pull requests have it", []string{"repo", "repo_url", "repository_name", "full_name", "repository.full_name"}},
		{"environment", "only production counts; no such column: every row does", []string{"env", "environment_name", "stage"}},
		{"finished_at", "time it ended", []string{"finished", "finished_date", "completed_at", "deployed_at", "ended_at"}},
		{"result", "only success counts; no such column: every row does", []string{"status", "state", "conclusion", "outcome"}},
		{"sha", "the commit deployed: it holds what was merged to its branch since the deployment before", []string{"commit", "commit_sha", "revision", "head_sha"}},
		{"commits", "the commits that came with it, separated by spaces; then nothing is concluded from sha", []string{"commit_shas", "shas"}},
	}
}

// maxCommits bounds the commits of one row. A deployment of more takes several
// rows with one id.
const maxCommits = 1500

// ImportDeployments reads a CSV file, plain or gzip, into the store, all or
// nothing, and dates the pull requests that the deployments hold. What failed,
// and what went to another environment, is left out and counted.
func ImportDeployments(ctx context.Context, s metrics.DeploymentStore, r io.Reader, file string, spec DeploymentSpec, now time.Time) (metrics.Linked, error) {
	t, err := openFields(ctx, r, file, fieldSpec{
		what: "deployments", one: "a deployment", fields: DeploymentFields(),
		columns: spec.Columns, drop: spec.Drop, limits: spec.Limits,
	})
	if err != nil {
		return metrics.Linked{}, err
	}
	t.latest = now.Add(ahead)
	d := &deploymentReader{fieldTable: t, spec: spec, at: map[string]deploymentKey{}}
	if err := d.findColumns(); err != nil {
		return metrics.Linked{}, err
	}
	first, err := d.next()
	if errors.Is(err, io.EOF) {
		return metrics.Linked{}, d.nothingLeft()
	}
	if err != nil {
		return metrics.Linked{}, err
	}
	done, err := s.ImportDeployments(ctx, rowsOf(first, d.next), func() (metrics.Import, error) {
		return metrics.Import{
			File: filepath.Base(file), SHA256: d.source.sum(), Rows: len(d.at), LeftOut: d.leftOut(),
			Fields: d.fieldsRead, Notes: d.notes(), At: now.UTC(),
		}, nil
	})
	if err != nil {
		return metrics.Linked{}, importError(file, err)
	}
	return done, nil
}

// deploymentReader turns records into deployments. Column numbers are −1 where
// the file has none.
type deploymentReader struct {
	*fieldTable
	spec DeploymentSpec
	// at are the deployments read, by id.
	at                    map[string]deploymentKey
	failed, elsewhere     int
	environments          []string // those left out, the first few
	id, repository        int
	environment, finished int
	result, sha, commits  int
	commitless            int
}

// deploymentKey is what rows of one deployment must agree on.
type deploymentKey struct {
	repository, environment, sha string
	finished                     int64
	line                         int
}

func (d *deploymentReader) findColumns() error {
	at := map[string]*int{
		"id": &d.id, "repository": &d.repository, "environment": &d.environment, "finished_at": &d.finished,
		"result": &d.result, "sha": &d.sha, "commits": &d.commits,
	}
	var given []string
	if d.spec.Repository != "" {
		given = append(given, "repository")
	}
	if err := d.find(at, given...); err != nil {
		return err
	}
	switch {
	case d.finished < 0:
		return d.missing("finished_at", "the time the deployment ended")
	case d.repository < 0 && d.spec.Repository == "":
		return d.missing("repository", "the repository that was deployed")
	case d.sha < 0 && d.commits < 0:
		return d.missing("sha", "the commit deployed; or commits")
	}
	return nil
}

func (d *deploymentReader) next() (metrics.Deployment, error) {
	for {
		if err := d.nextRow(); err != nil {
			return metrics.Deployment{}, err
		}
		row, ok, err := d.deployment()
		if err != nil || ok {
			return row, err
		}
	}
}

// deployment reads a row; ok is false where it does not count.
func (d *deploymentReader) deployment() (row metrics.Deployment, ok bool, err error) {
	f := fieldReader{t: d.fieldTable}
	row = metrics.Deployment{
		ID: f.text(d.id), Repository: f.name(d.repository), Environment: f.name(d.environment),
		Finished: f.time(d.finished), SHA: strings.ToLower(f.text(d.sha)), Line: d.start,
	}
	succeeded := f.result(d.result)
	row.Commits = f.commits(d.commits)
	if f.err != nil {
		return row, false, f.err
	}
	switch {
	case !succeeded:
		d.failed++
		return row, false, nil
	case d.environment >= 0 && !d.production(row.Environment):
		d.elsewhere++
		if len(d.environments) < 5 && row.Environment != "" && !slices.Contains(d.environments, row.Environment) {
			d.environments = append(d.environments, row.Environment)
		}
		return row, false, nil
	case row.SHA == "" && len(row.Commits) == 0:
		d.commitless++
		return row, false, nil
	}
	if row.Repository == "" {
		row.Repository = d.spec.Repository
	}
	return row, true, d.identify(&row)
}

// identify gives a deployment its id and holds rows of one id together.
func (d *deploymentReader) identify(row *metrics.Deployment) error {
	switch {
	case row.Repository == "":
		return d.badField(max(d.repository, 0), flaw{"is missing", "name the repository of every deployment"})
	case row.Finished.IsZero():
		return d.badField(d.finished, flaw{"is missing", "give every deployment that succeeded the time it ended"})
	}
	key := deploymentKey{row.Repository, row.Environment, row.SHA, row.Finished.UnixMilli(), row.Line}
	if row.ID == "" {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", key.repository, key.environment, key.sha, key.finished))
		row.ID = "made:" + hex.EncodeToString(sum[:16])
	} else {
		row.ID = row.Repository + ":" + row.ID
	}
	if first, again := d.at[row.ID]; again {
		key.line = first.line
		if key != first {
			return d.badField(max(d.id, 0), flaw{
				fmt.Sprintf("is the deployment of line %d with another repository, environment, time or sha", first.line),
				"give every deployment an id of its own",
			})
		}
	}
	d.at[row.ID] = key
	return nil
}

// production reports whether an environment is production.
func (d *deploymentReader) production(name string) bool {
	if len(d.spec.Production) == 0 {
		return ProductionName(name)
	}
	return slices.ContainsFunc(d.spec.Production, func(p string) bool { return strings.EqualFold(p, name) })
}

// ProductionName reports whether the name of an environment says that it is
// production: one of its words is prod, prd, production or live, and none says
// that it is before or beside it ("pre-prod", "prod_test").
func ProductionName(name string) bool {
	found := false
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && r < 0x80 }) {
		switch word {
		case "prod", "prd", "production", "live":
			found = true
		case "pre", "non", "not", "test", "testing", "stage", "staging", "dev", "development", "qa", "uat", "preview", "sandbox", "shadow", "like":
			return false
		}
	}
	return found
}

// result reads whether a deployment succeeded; no such column means that it
// did.
func (f *fieldReader) result(col int) bool {
	v, ok := f.value(col)
	if !ok {
		return col < 0
	}
	for _, yes := range []string{"success", "succeeded", "successful", "passed", "ok", "completed", "done", "active", "inactive"} {
		if bytes.EqualFold(v, []byte(yes)) {
			return true
		}
	}
	for _, no := range []string{"", "failure", "failed", "error", "abort", "aborted", "cancelled", "canceled", "skipped", "timed_out", "rejected", "pending", "queued", "in_progress", "running", "waiting", "manual", "action_required", "neutral", "stale"} {
		if bytes.EqualFold(v, []byte(no)) {
			return false
		}
	}
	f.fail(col, &flaw{"is no result of a deployment", "write success or failure, or leave the column out with result="})
	return false
}

// commits reads hashes separated by spaces, commas or semicolons.
func (f *fieldReader) commits(col int) []string {
	v, ok := f.value(col)
	if !ok || len(v) == 0 {
		return nil
	}
	all := bytes.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\t' || r == '\n' })
	if len(all) > maxCommits {
		f.fail(col, &flaw{fmt.Sprintf("lists more than %d commits", maxCommits), "spread them over several rows with the same id"})
		return nil
	}
	out := make([]string, 0, len(all))
	for _, c := range all {
		if bad := checkName(c); bad != nil {
			f.fail(col, bad)
			return nil
		}
		out = append(out, strings.ToLower(string(c)))
	}
	return out
}

// leftOut counts what was passed over, by reason.
func (d *deploymentReader) leftOut() []metrics.LeftOut {
	out := d.filters.leftOut()
	add := func(n int, reason string) {
		if n > 0 {
			out = append(out, metrics.LeftOut{Count: n, What: "rows", Reason: reason})
		}
	}
	add(d.failed, "the deployment did not succeed")
	where := "the environment is not production"
	if len(d.environments) > 0 {
		where += " (" + strings.Join(d.environments, ", ") + ")"
	}
	add(d.elsewhere, where)
	add(d.commitless, "the deployment names no commit")
	return out
}

func (d *deploymentReader) notes() []string {
	if d.environment < 0 {
		return []string{"The file does not say which environment was deployed to: every row counts as production (column environment)."}
	}
	return nil
}

// nothingLeft is the answer to a file none of whose rows counts.
func (d *deploymentReader) nothingLeft() error {
	var why []string
	for _, l := range d.leftOut() {
		why = append(why, fmt.Sprintf("%d because %s", l.Count, l.Reason))
	}
	return &LineError{
		File: d.file, Line: d.line,
		Problem: "nothing is left to import: " + strings.Join(why, ", "),
		Cure:    "name the environments that are production with --production, or map the column result",
	}
}
