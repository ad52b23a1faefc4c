// Package jobs does long work so that nothing is lost: backfills, updates,
// reconciliation, scans. It is the only package that knows the queue (River),
// which is the same on SQLite and PostgreSQL.
//
// # Tasks
//
// A piece of work is a [Task]: a kind, a subject (a repository, an
// organisation, a folder) and sometimes an item in it. There is one row for
// each in the table tasks, and it is the truth about it: whether it waits,
// runs or ended, how far it is, and what went wrong. Asking for a task that
// waits already changes nothing; asking for one that runs makes it run once
// more afterwards. What reads through one repository runs one after another.
//
// # Dying and taking over
//
// The process that runs a task says every few seconds that it lives. A task
// whose process has fallen silent is given to another one ([Queue.Run] looks for
// such tasks), and a process that finds its task given away stops working on
// it. River's own rescue, by time alone, stands behind that. The work itself
// must therefore resume where it was and may be repeated; see package syncing.
//
// Long work is cut into slices, after which it goes to the end of the queue, so
// that a large backfill does not keep everything else waiting.
package jobs
