package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// sources is what is known of a pull request by where it came from.
type sources struct {
	imports map[int64]origin
	// deployed are the repositories that deployments are known of.
	deployed map[string]bool
}

// syncedFile begins the name of the standing import of a repository that is read
// from GitHub.
const syncedFile = "github:"

// origin is what an import says of its rows.
type origin struct {
	lacks metrics.Fields
	until time.Time // up to when they are known; zero: not said
}

func readSources(ctx context.Context, tx *sql.Tx) (*sources, error) {
	out := &sources{imports: map[int64]origin{}}
	err := migrations.Each(ctx, tx, `SELECT id, file, details FROM imports WHERE pilot IS NULL AND kind IS NULL`, nil,
		func(scan func(...any) error) error {
			var id int64
			var file string
			var text sql.NullString
			if err := scan(&id, &file, &text); err != nil {
				return err
			}
			var imp metrics.Import
			if err := readDetails(text, &imp); err != nil {
				return err
			}
			lacks := imp.Lacks()
			if !text.Valid { // older than the fields that came with the details, and after
				lacks = metrics.LaterFields()
			}
			if strings.HasPrefix(file, syncedFile) { // GitHub says nothing of deployments
				lacks |= deployedField
			}
			if lacks != 0 || !imp.Until.IsZero() {
				out.imports[id] = origin{lacks, imp.Until}
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	out.deployed, err = deployedRepositories(ctx, tx)
	return out, err
}

// complete fills in what a pull request of that import does not say itself.
func (s *sources) complete(p *metrics.PullRequest, imported int64) {
	s.imports[imported].complete(p, s.deployed[p.Repository])
}

// complete fills in what a pull request does not say itself. deployed is
// whether deployments of its repository are known.
func (o origin) complete(p *metrics.PullRequest, deployed bool) {
	p.Lacks = o.lacks
	if deployed {
		p.Lacks &^= deployedField
	}
	if p.Seen.IsZero() {
		p.Seen = o.until
	}
}

// deployedField is the set of the one field that deployments fill in.
var deployedField = metrics.FieldSet(metrics.FieldDeployed)
