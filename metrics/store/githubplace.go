package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// GitHubTeams names the teams on GitHub that pull requests are placed by, as
// "organisation/slug" in lower case.
func (s *Store) GitHubTeams(ctx context.Context) ([]string, error) {
	var all []string
	err := s.db.View(ctx, func(tx *sql.Tx) (err error) {
		all, err = texts(ctx, tx, `SELECT name FROM team_sources WHERE kind = $1 ORDER BY ordinal`, sourceGitHub)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list teams: %w", err)
	}
	return all, nil
}

// Teams reads everything by which pull requests are placed.
func (s *Store) Teams(ctx context.Context) (metrics.Teams, error) {
	var t metrics.Teams
	err := s.db.View(ctx, func(tx *sql.Tx) (err error) {
		t, err = teams(ctx, tx)
		return err
	})
	if err != nil {
		return metrics.Teams{}, fmt.Errorf("read teams: %w", err)
	}
	return t, nil
}

func teams(ctx context.Context, tx *sql.Tx) (metrics.Teams, error) {
	t := metrics.Teams{Repositories: map[string][]string{}}
	version, err := migrations.RevisionIn(ctx, tx, teamsVersion)
	if err != nil {
		return t, err
	}
	t.Version = version
	if t.Placed, err = migrations.RevisionIn(ctx, tx, placedVersion); err != nil {
		return t, err
	}
	sources, err := teamSources(ctx, tx)
	if err != nil {
		return t, err
	}
	t.Configured = len(sources) > 0
	bySource := map[string][]string{}
	for _, source := range sources {
		if source.kind != sourceRepository {
			bySource[source.key()] = append(bySource[source.key()], source.team)
			continue
		}
		ids, err := texts(ctx, tx, `SELECT id FROM github_repositories WHERE LOWER(name) = LOWER($1) AND gone_at IS NULL
			UNION SELECT repository FROM github_repository_names WHERE LOWER(name) = LOWER($1) ORDER BY 1`, source.name)
		if err != nil {
			return t, err
		}
		for _, id := range ids {
			t.Repositories[id] = append(t.Repositories[id], source.team)
		}
	}
	members, err := membersOf(ctx, tx, `1 = 1`)
	if err != nil {
		return t, err
	}
	for _, m := range members {
		for _, team := range bySource[m.source] {
			ms := metrics.Membership{Team: team, Account: m.account, Until: migrations.Time(m.until)}
			if m.since != 0 {
				ms.Since = time.UnixMilli(m.since).UTC()
			}
			if strings.HasPrefix(m.source, sourceList+":") {
				t.Lists = append(t.Lists, ms)
			} else {
				t.GitHub = append(t.GitHub, ms)
			}
		}
	}
	return t, nil
}

// PlaceAll places every pull request anew, and returns how many changed their
// team. version is that of the memberships that place works by; an error that
// wraps [metrics.ErrStaleTeams] says that they have changed.
func (s *Store) PlaceAll(ctx context.Context, version int64, place func(metrics.PlaceQuery) (team, unplaced string)) (moved int, err error) {
	err = s.update(ctx, migrations.Measurement, func(tx *sql.Tx, _ int64) error {
		now, err := migrations.RevisionIn(ctx, tx, teamsVersion)
		if err != nil {
			return err
		}
		if now != version {
			return metrics.ErrStaleTeams
		}
		moves, reasons, err := placements(ctx, tx, place)
		if err != nil {
			return err
		}
		for _, ids := range moves {
			moved += len(ids)
		}
		if err := setColumn(ctx, tx, `UPDATE pull_requests SET team = $1 WHERE `, moves); err != nil {
			return err
		}
		if err := setColumn(ctx, tx, `UPDATE github_pulls SET unplaced = $1 WHERE `, reasons); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE revisions SET revision = $1 WHERE subject = $2`, version, placedVersion)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("place pull requests in teams: %w", err)
	}
	return moved, nil
}

// placements are the ids whose team, and whose reason for having none, is
// another now, by what it is now.
func placements(ctx context.Context, tx *sql.Tx, place func(metrics.PlaceQuery) (team, unplaced string)) (moves, reasons map[string][]string, err error) {
	moves, reasons = map[string][]string{}, map[string][]string{}
	err = migrations.Each(ctx, tx, `SELECT g.id, g.repository, g.owner, g.set_apart, g.opened, g.unplaced, p.team
		FROM github_pulls g LEFT JOIN pull_requests p ON p.id = g.id`, nil, func(scan func(...any) error) error {
		var q metrics.PlaceQuery
		var opened sql.NullInt64
		var reason string
		var team sql.NullString
		if err := scan(&q.Pull, &q.Repository, &q.Owner, &q.SetApart, &opened, &reason, &team); err != nil {
			return err
		}
		q.Opened = migrations.Time(opened)
		to, why := place(q)
		if to == "" && q.Owner == "" && q.SetApart == "" && team.String != "" {
			to, why = team.String, "" // whoever it was, the team was right
		}
		if team.Valid && to != team.String {
			moves[to] = append(moves[to], q.Pull)
		}
		if why != reason {
			reasons[why] = append(reasons[why], q.Pull)
		}
		return nil
	})
	return moves, reasons, err
}

func setColumn(ctx context.Context, tx *sql.Tx, statement string, values map[string][]string) error {
	for _, value := range slices.Sorted(maps.Keys(values)) {
		for part := range slices.Chunk(values[value], migrations.BatchRows) {
			if _, err := tx.ExecContext(ctx, statement+among("id", 2, len(part)), append([]any{value}, anys(part)...)...); err != nil {
				return err
			}
		}
	}
	return nil
}
