package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"steelyard/metrics"
	"steelyard/migrations"
)

// ForgottenPerson says what was stored of a person who was forgotten.
type ForgottenPerson struct {
	// Authored are pull requests that are a deleted account's now, Named those
	// in which the person stood otherwise: as a reviewer, for one.
	Authored, Named int
	Memberships     int
	Accounts        int
}

// errDry undoes a transaction that was only to say what it would do.
var errDry = errors.New("only looked")

// ForgetPerson makes a person a deleted account: pull requests stay, in their
// teams, and are nobody's; the account, its memberships and its place in what
// is kept of others' pull requests go. who is a login, a node id or a user
// id, or what an imported file has in the column of the author. What GitHub
// says of the person later is nobody's, too: a digest of the id is kept for
// that. dry undoes everything. An error wraps [metrics.ErrNotFound] where
// there is no such person.
func (s *Store) ForgetPerson(ctx context.Context, who string, dry bool) (ForgottenPerson, error) {
	var done ForgottenPerson
	err := s.update(ctx, migrations.Measurement, func(tx *sql.Tx, _ int64) (err error) {
		f := forgetting{db: s.db, tx: tx, now: s.clock()}
		done, err = f.person(ctx, who)
		return dryOr(err, dry)
	})
	if err != nil && !errors.Is(err, errDry) {
		return ForgottenPerson{}, fmt.Errorf("forget the person %q: %w", who, err)
	}
	return done, nil
}

func dryOr(err error, dry bool) error {
	if err == nil && dry {
		return errDry
	}
	return err
}

// forgetting is one transaction that removes.
type forgetting struct {
	db  *migrations.DB
	tx  *sql.Tx
	now time.Time
}

func (f *forgetting) person(ctx context.Context, who string) (done ForgottenPerson, err error) {
	found, err := f.accounts(ctx, who)
	if err != nil {
		return done, err
	}
	authors := []string{who}
	for _, a := range found {
		authors = append(authors, a.ID)
		n, err := f.records(ctx, a)
		if err != nil {
			return done, fmt.Errorf("clear the records: %w", err)
		}
		done.Named += n
	}
	if done.Authored, err = f.run(ctx, `UPDATE pull_requests SET author = '' WHERE `+among("author", 1, len(authors)), anys(authors)...); err != nil {
		return done, err
	}
	if _, err = f.run(ctx, `UPDATE github_pulls SET owner = '' WHERE `+among("owner", 1, len(authors)), anys(authors)...); err != nil {
		return done, err
	}
	if done.Memberships, err = f.run(ctx, `DELETE FROM team_members WHERE `+among("account", 1, len(authors)), anys(authors)...); err != nil {
		return done, err
	}
	for _, a := range found {
		if err := f.remember(ctx, a); err != nil {
			return done, err
		}
		n, err := f.run(ctx, `DELETE FROM github_accounts WHERE id = $1`, a.ID)
		if err != nil {
			return done, err
		}
		done.Accounts += n
	}
	if done == (ForgottenPerson{}) {
		return done, metrics.ErrNotFound
	}
	return done, nil
}

// accounts finds a person by login, node id or user id.
func (f *forgetting) accounts(ctx context.Context, who string) ([]metrics.Account, error) {
	number, err := strconv.ParseInt(who, 10, 64)
	if err != nil || number <= 0 {
		number = -1
	}
	var all []metrics.Account
	err = migrations.Each(ctx, f.tx, `SELECT id, number, login, type FROM github_accounts
		WHERE id = $1 OR LOWER(login) = LOWER($1) OR number = $2 ORDER BY id`, []any{who, number},
		func(scan func(...any) error) error {
			var a metrics.Account
			err := scan(&a.ID, &a.Number, &a.Login, &a.Type)
			all = append(all, a)
			return err
		})
	return all, err
}

// records takes an account out of what is kept of pull requests, and returns
// in how many it stood without being their owner.
func (f *forgetting) records(ctx context.Context, a metrics.Account) (named int, err error) {
	type changed struct{ id, record, from, to string }
	var all []changed
	which, args := `record LIKE $1`, []any{"%" + a.ID + "%"}
	if a.Number > 0 {
		which += ` OR record LIKE $2`
		args = append(args, fmt.Sprintf(`%%"with":[%%%d%%`, a.Number))
	}
	err = migrations.Each(ctx, f.tx, `SELECT id, owner, record FROM github_pulls WHERE `+which, args, func(scan func(...any) error) error {
		var id, owner, text string
		if err := scan(&id, &owner, &text); err != nil {
			return err
		}
		var r metrics.Record
		if err := fromJSON("the record of "+id, text, &r); err != nil {
			return err
		}
		if !withoutAccount(&r, func(x string) bool { return x == a.ID }, func(n int64) bool { return n == a.Number }) {
			return nil
		}
		if owner != a.ID {
			named++
		}
		head := r.Head
		r.Head = withoutLogin(head, func(login string) bool { return strings.EqualFold(login, a.Login) })
		now, err := json.Marshal(r)
		all = append(all, changed{id, string(now), head, r.Head})
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, c := range all {
		if _, err := f.run(ctx, `UPDATE github_pulls SET record = $1 WHERE id = $2`, clean(c.record), c.id); err != nil {
			return 0, err
		}
		if c.from == c.to {
			continue
		}
		_, err := f.run(ctx, `UPDATE github_changes SET facts = REPLACE(facts, $1, $2) WHERE id = $3`, headFact(c.from), headFact(c.to), c.id)
		if err != nil {
			return 0, err
		}
	}
	return named, nil
}

// run changes rows and says how many.
func (f *forgetting) run(ctx context.Context, statement string, args ...any) (int, error) {
	result, err := f.tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// remember keeps digests of what an account is called by.
func (f *forgetting) remember(ctx context.Context, a metrics.Account) error {
	digests := []string{digestOf(a.ID)}
	if a.Number > 0 {
		digests = append(digests, digestOf(strconv.FormatInt(a.Number, 10)))
	}
	for _, d := range digests {
		_, err := f.run(ctx, `INSERT INTO forgotten (digest, at) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING`, d, f.now.UnixMilli())
		if err != nil {
			return err
		}
	}
	return nil
}

func digestOf(id string) string {
	sum := sha256.Sum256([]byte("steelyard forgot " + id))
	return hex.EncodeToString(sum[:])
}

// withoutAccount makes an account in a record a deleted one, and reports
// whether it was there.
func withoutAccount(r *metrics.Record, is func(id string) bool, isNumber func(int64) bool) (changed bool) {
	ghost := func(id *string) {
		if *id != "" && is(*id) {
			*id, changed = "", true
		}
	}
	ghost(&r.Author)
	ghost(&r.MergedBy)
	before := len(r.Assignees) + len(r.CoAuthors)
	r.Assignees = slices.DeleteFunc(slices.Clone(r.Assignees), is)
	r.CoAuthors = slices.DeleteFunc(slices.Clone(r.CoAuthors), isNumber)
	changed = changed || len(r.Assignees)+len(r.CoAuthors) != before
	r.Commits, r.Reviews, r.Threads = slices.Clone(r.Commits), slices.Clone(r.Reviews), slices.Clone(r.Threads)
	for i := range r.Commits {
		ghost(&r.Commits[i].Author)
	}
	for i := range r.Reviews {
		ghost(&r.Reviews[i].Author)
	}
	for i := range r.Threads {
		r.Threads[i].Comments = slices.Clone(r.Threads[i].Comments)
		for k := range r.Threads[i].Comments {
			ghost(&r.Threads[i].Comments[k].Author)
		}
	}
	return changed
}

// withoutLogin takes logins out of the name of a branch: many people put their
// own before a slash.
func withoutLogin(head string, is func(login string) bool) string {
	parts := strings.Split(head, "/")
	for i, p := range parts[:len(parts)-1] {
		if is(p) {
			parts[i] = "-"
		}
	}
	return strings.Join(parts, "/")
}

// headFact is the branch as the facts of a change have it.
func headFact(head string) string {
	text, err := json.Marshal(head)
	if err != nil { // a text is always JSON
		return head
	}
	return `"head":` + string(text)
}

// forgottenAccounts tells the accounts that were forgotten.
type forgottenAccounts map[string]bool

func (f forgottenAccounts) has(id string) bool { return len(f) > 0 && id != "" && f[digestOf(id)] }

func (f forgottenAccounts) hasNumber(n int64) bool { return f.has(strconv.FormatInt(n, 10)) }

func forgottenIn(ctx context.Context, tx *sql.Tx) (forgottenAccounts, error) {
	digests, err := texts(ctx, tx, `SELECT digest FROM forgotten`)
	if err != nil || len(digests) == 0 {
		return nil, err
	}
	out := forgottenAccounts{}
	for _, d := range digests {
		out[d] = true
	}
	return out, nil
}

// withoutForgotten is a page in which whoever was forgotten is a deleted
// account.
func withoutForgotten(ctx context.Context, tx *sql.Tx, p metrics.SyncPage) (metrics.SyncPage, error) {
	gone, err := forgottenIn(ctx, tx)
	if err != nil || len(gone) == 0 {
		return p, err
	}
	logins := map[string]bool{}
	for _, a := range p.Accounts {
		if gone.has(a.ID) {
			logins[strings.ToLower(a.Login)] = true
		}
	}
	p.Accounts = gone.without(p.Accounts)
	p.Pulls = slices.Clone(p.Pulls)
	for i := range p.Pulls {
		pull := &p.Pulls[i]
		withoutAccount(&pull.Record, gone.has, gone.hasNumber)
		head := pull.Record.Head
		pull.Record.Head = withoutLogin(head, func(login string) bool { return logins[strings.ToLower(login)] })
		if pull.Landed != nil && head != pull.Record.Head {
			landed := *pull.Landed
			landed.Facts = strings.Replace(landed.Facts, headFact(head), headFact(pull.Record.Head), 1)
			pull.Landed = &landed
		}
		if gone.has(pull.Owner) {
			pull.Owner = ""
		}
		if gone.has(pull.Row.Author) {
			pull.Row.Author = ""
		}
	}
	return p, nil
}

func (f forgottenAccounts) without(all []metrics.Account) []metrics.Account {
	return slices.DeleteFunc(slices.Clone(all), func(a metrics.Account) bool { return f.has(a.ID) })
}

// lowered are texts in lower case.
func lowered(all []string) []string {
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = strings.ToLower(t)
	}
	return out
}
