package syncing

import (
	"context"
	"slices"

	"steelyard/metrics"
)

// deriveVersion numbers the rules in derive.go: raise it where what they make
// of a record becomes another thing.
const deriveVersion = 1

// rulesVersion is that of everything by which a record is read: the rules here,
// and the table that tells assistants, AI reviewers and bots.
func (s *Syncer) rulesVersion() int64 {
	return int64(s.o.Matcher.Version())<<8 | deriveVersion
}

// againSize is how many records are read anew in one transaction.
const againSize = 500

// again reads the stored records of a repository anew, without GitHub, where
// they were read by other rules. What was read from texts stays as it was:
// texts are not kept.
func (r *run) again(ctx context.Context) error {
	version := r.rulesVersion()
	if r.repo.ID == "" || r.repo.State.Derived == version {
		return nil
	}
	after := 0
	for {
		records, err := r.o.Store.Records(ctx, r.repo.ID, after, againSize)
		if err != nil {
			return err
		}
		if len(records) > 0 {
			after = records[len(records)-1].Number
		}
		last := len(records) < againSize
		if err := r.readAgain(ctx, records, last, version); err != nil {
			return err
		}
		if last {
			return nil
		}
	}
}

func (r *run) readAgain(ctx context.Context, records []metrics.Record, last bool, version int64) error {
	ids, numbers := namedIn(records)
	known, err := r.o.Store.Accounts(ctx, ids, numbers)
	if err != nil {
		return err
	}
	d := newDeriver(r.o.Matcher, known)
	p := metrics.SyncPage{Repository: r.repo, At: r.now(), Again: true}
	for _, record := range records {
		row, owner, apart := d.derive(record)
		p.Pulls = append(p.Pulls, metrics.SyncedPull{Record: record, Row: row, Owner: owner, SetApart: apart})
	}
	if last {
		p.Advance = func(st *metrics.SyncState) { st.Derived = version }
	}
	changed := r.changed
	err = r.store(ctx, p)
	r.changed = changed // nothing came from GitHub
	return err
}

// namedIn are the accounts that records name, by id and by number.
func namedIn(records []metrics.Record) (ids []string, numbers []int64) {
	for _, r := range records {
		ids = append(ids, r.Author, r.MergedBy)
		ids = append(ids, r.Assignees...)
		for _, c := range r.Commits {
			ids = append(ids, c.Author)
		}
		for _, v := range r.Reviews {
			ids = append(ids, v.Author)
		}
		for _, t := range r.Threads {
			for _, c := range t.Comments {
				ids = append(ids, c.Author)
			}
		}
		numbers = append(numbers, r.CoAuthors...)
	}
	slices.Sort(ids)
	slices.Sort(numbers)
	return slices.Compact(ids), slices.Compact(numbers)
}
