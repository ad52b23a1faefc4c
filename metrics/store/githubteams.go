package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// teamsVersion is the counter that every change of memberships raises.
const teamsVersion migrations.Subject = "teams"

// placedVersion is the value of teamsVersion by which all stored pull requests
// were placed.
const placedVersion migrations.Subject = "placed"

// The kinds of sources of teams.
const (
	sourceList       = "list"
	sourceGitHub     = "github"
	sourceRepository = "repository"
)

// teamSource is a row of team_sources.
type teamSource struct {
	team, kind, name string
	readAt           sql.NullInt64
	problem          string
}

func (t teamSource) key() string { return t.kind + ":" + t.name }

// SaveTeamSources makes sources the ones by which pull requests are placed, and
// reports whether that changed anything. A person on a list who was never seen
// on GitHub is named in [metrics.Ingest].TeamProblems and found later.
func (s *Store) SaveTeamSources(ctx context.Context, sources []metrics.TeamSource) (changed bool, err error) {
	err = s.db.Update(ctx, migrations.Ingest, func(tx *sql.Tx, _ int64) error {
		changed, err = saveTeamSources(ctx, s.db, tx, sources)
		if err == nil && !changed {
			return errUnchanged
		}
		return err
	})
	if err != nil && !errors.Is(err, errUnchanged) {
		return false, fmt.Errorf("save the sources of teams: %w", err)
	}
	return changed, nil
}

func saveTeamSources(ctx context.Context, db *migrations.DB, tx *sql.Tx, sources []metrics.TeamSource) (bool, error) {
	old, err := teamSources(ctx, tx)
	if err != nil {
		return false, err
	}
	listed, err := membersOf(ctx, tx, `source LIKE 'list:%'`)
	if err != nil {
		return false, err
	}
	now, members, err := planSources(ctx, tx, sources, old, listed)
	if err != nil {
		return false, err
	}
	if slices.Equal(old, now) && slices.Equal(listed, members) {
		return false, nil
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM team_sources`); err != nil {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM team_members WHERE source LIKE 'list:%'`); err != nil {
		return false, err
	}
	var args []any
	for i, t := range now {
		args = append(args, i, t.team, t.kind, t.name, t.readAt, t.problem)
	}
	err = insertAll(ctx, db, tx, `INSERT INTO team_sources (ordinal, team, kind, name, read_at, problem)`, 6, ``, args)
	if err != nil {
		return false, err
	}
	return true, errors.Join(insertMembers(ctx, db, tx, members), raiseTeams(ctx, tx))
}

func raiseTeams(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `UPDATE revisions SET revision = revision + 1 WHERE subject = $1`, teamsVersion)
	return err
}

// planSources is what sources come to as rows; what is known of a team on
// GitHub, and of who is meant by a login, stays.
func planSources(ctx context.Context, tx *sql.Tx, sources []metrics.TeamSource, old []teamSource, listed []member) ([]teamSource, []member, error) {
	meant := map[string]string{}
	for _, m := range listed {
		meant[m.login] = m.account
	}
	known := map[string]teamSource{}
	for _, t := range old {
		known[t.key()] = t
	}
	var rows []teamSource
	var members []member
	for _, source := range sources {
		if err := migrations.CheckText("team", source.Team); err != nil {
			return nil, nil, err
		}
		if source.GitHub != "" {
			t := teamSource{team: source.Team, kind: sourceGitHub, name: strings.ToLower(source.GitHub)}
			t.readAt, t.problem = known[t.key()].readAt, known[t.key()].problem
			rows = append(rows, t)
		}
		for _, name := range source.Repositories {
			rows = append(rows, teamSource{team: source.Team, kind: sourceRepository, name: name})
		}
		if len(source.Members) > 0 {
			t := teamSource{team: source.Team, kind: sourceList, name: source.Team}
			found, missing, err := listMembers(ctx, tx, t.key(), source.Members, meant)
			if err != nil {
				return nil, nil, err
			}
			if len(missing) > 0 {
				t.problem = "not seen on GitHub yet: " + strings.Join(missing, ", ")
			}
			rows = append(rows, t)
			members = append(members, found...)
		}
	}
	slices.SortFunc(members, compareMembers)
	return rows, slices.Compact(members), nil
}

// listMembers finds the accounts of a list by login, once and for all: the
// account is who is meant, even if the login changes hands later.
func listMembers(ctx context.Context, tx *sql.Tx, source string, people []metrics.TeamMember, meant map[string]string) (found []member, missing []string, err error) {
	byLogin := map[string]string{}
	var logins []string
	for _, p := range people {
		login := strings.ToLower(p.Login)
		if meant[login] != "" {
			byLogin[login] = meant[login]
			continue
		}
		logins = append(logins, login)
	}
	for part := range slices.Chunk(logins, migrations.BatchRows) {
		err := migrations.Each(ctx, tx, `SELECT id, LOWER(login) FROM github_accounts WHERE type <> 'Bot' AND `+among("LOWER(login)", 1, len(part))+` ORDER BY id`, anys(part),
			func(scan func(...any) error) error {
				var id, login string
				if err := scan(&id, &login); err != nil {
					return err
				}
				byLogin[login] = id
				return nil
			})
		if err != nil {
			return nil, nil, err
		}
	}
	for _, p := range people {
		id := byLogin[strings.ToLower(p.Login)]
		if id == "" {
			missing = append(missing, p.Login)
			continue
		}
		found = append(found, member{source: source, account: id, login: strings.ToLower(p.Login), since: millisOrZero(p.From), until: migrations.Millis(p.To)})
	}
	return found, missing, nil
}

// millisOrZero is 0 for the zero time: since before anybody looked.
func millisOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// member is a row of team_members.
type member struct {
	source, account, login string
	since                  int64
	until                  sql.NullInt64
}

func compareMembers(a, b member) int {
	if c := strings.Compare(a.source, b.source); c != 0 {
		return c
	}
	if c := strings.Compare(a.account, b.account); c != 0 {
		return c
	}
	return int(min(max(a.since-b.since, -1), 1))
}

func membersOf(ctx context.Context, tx *sql.Tx, which string, args ...any) ([]member, error) {
	var all []member
	err := migrations.Each(ctx, tx, `SELECT source, account, login, since, until FROM team_members WHERE `+which+` ORDER BY source, account, since`, args,
		func(scan func(...any) error) error {
			var m member
			err := scan(&m.source, &m.account, &m.login, &m.since, &m.until)
			all = append(all, m)
			return err
		})
	return all, err
}

func insertMembers(ctx context.Context, db *migrations.DB, tx *sql.Tx, all []member) error {
	var args []any
	for _, m := range all {
		args = append(args, m.source, m.account, m.login, m.since, m.until)
	}
	return insertAll(ctx, db, tx, `INSERT INTO team_members (source, account, login, since, until)`, 5, ``, args)
}

func teamSources(ctx context.Context, tx *sql.Tx) ([]teamSource, error) {
	var all []teamSource
	err := migrations.Each(ctx, tx, `SELECT team, kind, name, read_at, problem FROM team_sources ORDER BY ordinal`, nil,
		func(scan func(...any) error) error {
			var t teamSource
			err := scan(&t.team, &t.kind, &t.name, &t.readAt, &t.problem)
			all = append(all, t)
			return err
		})
	return all, err
}

// SaveTeamMembers notes who is in a team on GitHub ("organisation/slug") at a
// moment, and reports whether that changed anything. Who was there the first
// time is taken to have been there always; who comes later, since then; who is
// there no more, until then.
func (s *Store) SaveTeamMembers(ctx context.Context, team string, members []metrics.Account, at time.Time) (changed bool, err error) {
	team = strings.ToLower(team)
	err = s.db.Update(ctx, migrations.Ingest, func(tx *sql.Tx, _ int64) error {
		gone, err := forgottenIn(ctx, tx)
		if err != nil {
			return err
		}
		members := gone.without(members)
		if err := saveAccounts(ctx, s.db, tx, members); err != nil {
			return err
		}
		var read bool
		err = tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM team_sources WHERE kind = $1 AND name = $2 AND read_at IS NOT NULL)`, sourceGitHub, team).Scan(&read)
		if err != nil {
			return err
		}
		changed, err = saveMembers(ctx, s.db, tx, sourceGitHub+":"+team, members, read, at)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE team_sources SET read_at = $1, problem = '' WHERE kind = $2 AND name = $3`, at.UnixMilli(), sourceGitHub, team)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("save the members of team %q: %w", team, err)
	}
	return changed, nil
}

// saveMembers is SaveTeamMembers for a source; read tells whether anybody has
// looked into it before, who may have found it empty.
func saveMembers(ctx context.Context, db *migrations.DB, tx *sql.Tx, source string, members []metrics.Account, read bool, at time.Time) (bool, error) {
	old, err := membersOf(ctx, tx, `source = $1`, source)
	if err != nil {
		return false, err
	}
	since := at.UnixMilli()
	if len(old) == 0 && !read {
		since = 0
	}
	now := map[string]bool{}
	for _, a := range members {
		now[a.ID] = true
	}
	delete(now, "")
	changed := false
	for _, m := range old {
		switch {
		case m.until.Valid: // over already
		case now[m.account]:
			delete(now, m.account)
		default:
			changed = true
			_, err := tx.ExecContext(ctx, `UPDATE team_members SET until = $1 WHERE source = $2 AND account = $3 AND since = $4`,
				at.UnixMilli(), source, m.account, m.since)
			if err != nil {
				return false, err
			}
		}
	}
	var come []member
	for _, account := range slices.Sorted(maps.Keys(now)) {
		come = append(come, member{source: source, account: account, since: since})
	}
	if len(come) == 0 && !changed {
		return false, nil
	}
	return true, errors.Join(insertMembers(ctx, db, tx, come), raiseTeams(ctx, tx))
}

// SaveTeamProblem notes why a team on GitHub could not be read.
func (s *Store) SaveTeamProblem(ctx context.Context, team, problem string) error {
	err := s.db.Update(ctx, migrations.Ingest, func(tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, `UPDATE team_sources SET problem = $1 WHERE kind = $2 AND name = $3`,
			clean(problem), sourceGitHub, strings.ToLower(team))
		return err
	})
	if err != nil {
		return fmt.Errorf("note why team %q could not be read: %w", team, err)
	}
	return nil
}
