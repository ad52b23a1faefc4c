package githubtest

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"steelyard/internal/github"
)

// Invented lists what [World.FillTable] makes up, because a table from a git
// history does not have it. Everything else is the table's.
var Invented = []string{
	"title and body, except for what says which pull request or commit is reverted",
	"opened: 5 minutes after the first commit; where the table has none, 1 to 72 hours before the merge",
	"draft and ready for review",
	"reviews, review threads, their authors and times, and the comments of the conversation",
	"logins, account ids and mailboxes (the table has hashes)",
	"names of head branches, except revert-N",
	"hashes of commits inside a pull request, and hash digits beyond the twelfth; a revert of a known pull request names its merge",
	"messages of commits, except for what says what is reverted (also where a branch undoes a commit of its own); times of commits between the first and the last",
	"paths of files below the top folder, and how the changed lines spread over files",
	"labels, forks and assignees",
	"who pushed a direct revert",
}

// Row is a line of a table of pull requests; see the README beside the data.
type Row struct {
	Number, Commits, Files, Additions, Deletions, Targets int
	MergeSHA                                              string // 12 digits
	Squash, Bot, Revert, Reapply                          bool
	First, Last, Merged, Reverted                         time.Time
	Author, Merger, Dir, Form                             string
	RevertsPR, RevertedByPR                               int
	RevertsSHA                                            string
	InBranch                                              int
}

// ReadTable reads a table of pull requests (pr_<repository>.csv, unpacked).
func ReadTable(in io.Reader) ([]Row, error) {
	reader := csv.NewReader(in)
	header, err := reader.Read()
	if err != nil {
		return nil, fmt.Errorf("read the table's header: %w", err)
	}
	at := map[string]int{}
	for i, name := range header {
		at[name] = i
	}
	for _, name := range []string{"pr_number", "merge_sha", "merged_at", "author_hash"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("read the table: there is no column %q", name)
		}
	}
	var out []Row
	for {
		line, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the table: %w", err)
		}
		out = append(out, rowOf(func(name string) string {
			if i, ok := at[name]; ok {
				return line[i]
			}
			return ""
		}))
	}
}

func rowOf(cell func(string) string) Row {
	number := func(name string) int { n, _ := strconv.Atoi(cell(name)); return n }
	at := func(name string) time.Time { t, _ := time.Parse(time.RFC3339, cell(name)); return t }
	return Row{
		Number: number("pr_number"), Commits: max(number("n_commits"), 1), Files: number("files_changed"),
		Additions: number("additions"), Deletions: number("deletions"), Targets: number("n_targets"),
		MergeSHA: cell("merge_sha"), Squash: cell("merge_kind") != "merge", Bot: cell("author_is_bot") == "1",
		Revert: cell("is_revert") == "1", Reapply: cell("is_reapply") == "1", Form: cell("revert_form"),
		First: at("first_commit_at"), Last: at("last_commit_at"), Merged: at("merged_at"), Reverted: at("reverted_at"),
		Author: cell("author_hash"), Merger: cell("merger_hash"), Dir: cell("top_dir"),
		RevertsPR: number("reverts_pr"), RevertsSHA: cell("reverts_sha"), RevertedByPR: number("reverted_by_pr"), InBranch: number("in_branch_reverts"),
	}
}

// FillTable puts the pull requests of a table into a repository, with the
// default branch's history that they and the direct reverts make. What the
// table lacks ([Invented]) is drawn from the seed. It returns how many pull
// requests there are.
func (w *World) FillTable(name string, in io.Reader, seed uint64) (int, error) {
	rows, err := ReadTable(in)
	if err != nil {
		return 0, fmt.Errorf("fill %s: %w", name, err)
	}
	w.FillRows(name, rows, seed)
	return len(rows), nil
}

// FillRows is FillTable with the table read.
func (w *World) FillRows(name string, rows []Row, seed uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.repoLocked(name)
	f := &filler{w: w, repo: r, random: rand.New(rand.NewPCG(seed, 0x7ab1e)), titles: map[int]string{}, hashes: map[int]string{}}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Row) int { return a.Merged.Compare(b.Merged) })
	if len(rows) > 0 {
		r.Created = rows[0].Merged.AddDate(0, -1, 0)
	}
	for _, row := range rows {
		f.titles[row.Number], f.hashes[row.Number] = f.title(row), f.hash(row.MergeSHA)
	}
	var reached []arrival
	for _, row := range rows {
		v := f.pull(row)
		p := w.put(r, v)
		reached = append(reached, arrival{at: row.Merged, commits: p.Commits, merge: *p.MergeCommit, squash: row.Squash})
		if !row.Reverted.IsZero() && row.RevertedByPR == 0 {
			reached = append(reached, f.directRevert(row))
		}
	}
	slices.SortStableFunc(reached, func(a, b arrival) int { return a.at.Compare(b.at) })
	for _, a := range reached {
		if a.squash {
			a.commits = nil
		}
		r.reach(a.commits, a.merge, r.DefaultBranch)
	}
}

// arrival is what reaches the default branch at once.
type arrival struct {
	at      time.Time
	commits []github.Commit
	merge   github.Commit
	squash  bool
}

// filler makes up what a table lacks.
type filler struct {
	w      *World
	repo   *repo
	random *rand.Rand
	titles map[int]string
	hashes map[int]string
}

// hash lengthens the table's twelve digits to a whole hash.
func (f *filler) hash(short string) string {
	if short == "" {
		return ""
	}
	return (short + oid("rest of", short))[:40]
}

func (f *filler) person(hash string, bot bool) github.Account {
	if hash == "" {
		return *f.w.accountLocked("web-flow", "User")
	}
	if bot {
		return *f.w.accountLocked("bot-"+hash[:min(len(hash), 8)], "Bot")
	}
	return *f.w.accountLocked("u-"+hash[:min(len(hash), 8)], "User")
}

func (f *filler) title(row Row) string {
	return fmt.Sprintf("Change %s in %d files (%d)", orDefault(row.Dir, "the root"), row.Files, row.Number)
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// target is what a revert names: the title and the hash of what it undoes.
func (f *filler) target(row Row) (title, sha string) {
	title, sha = f.titles[row.RevertsPR], f.hash(row.RevertsSHA)
	if known := f.hashes[row.RevertsPR]; known != "" {
		sha = known
	}
	return orDefault(title, "an earlier commit"), sha
}

// text is what a pull request says: title, body, head branch, and the message
// that reaches the base.
func (f *filler) text(row Row) (title, body, head, message string) {
	title, head = f.titles[row.Number], fmt.Sprintf("change-%d", row.Number)
	message = title
	if !row.Revert {
		return title, "", head, message
	}
	undone, sha := f.target(row)
	verb := "Revert"
	if row.Reapply {
		verb = "Reapply"
	}
	switch row.Form {
	case "branch":
		title = fmt.Sprintf("%s %q", verb, undone)
		head = fmt.Sprintf("revert-%d-change-%d", row.RevertsPR, row.RevertsPR)
		if row.RevertsPR != 0 {
			body = fmt.Sprintf("Reverts %s#%d", f.repo.NameWithOwner, row.RevertsPR)
		}
	case "title_pr":
		title = fmt.Sprintf("revert: %s (#%d)", undone, row.RevertsPR)
		body = fmt.Sprintf("Reverts #%d", row.RevertsPR)
	case "title_text":
		title = fmt.Sprintf("%s %q", verb, undone)
	default:
		title = fmt.Sprintf("%s %q", verb, undone)
	}
	message = title
	if sha != "" && row.Form != "title_text" {
		message += fmt.Sprintf("\n\nThis reverts commit %s.", sha)
	}
	return title, body, head, message
}

func (f *filler) pull(row Row) github.PullRequest {
	author, merger := f.person(row.Author, row.Bot), f.person(orDefault(row.Merger, row.Author), false)
	title, body, head, message := f.text(row)
	first := row.First
	if first.IsZero() {
		first = row.Merged.Add(-time.Duration(1+f.random.IntN(72)) * time.Hour)
	}
	if first.After(row.Merged) {
		first = row.Merged.Add(-time.Hour)
	}
	opened := first.Add(5 * time.Minute)
	if opened.After(row.Merged) {
		opened = row.Merged
	}
	v := github.PullRequest{
		Number: row.Number, Title: title, Body: body, State: "MERGED", Head: head, Base: f.repo.DefaultBranch,
		Created: opened, Updated: row.Merged, Merged: row.Merged, Closed: row.Merged, Author: author, MergedBy: merger,
		Additions: row.Additions, Deletions: row.Deletions, ChangedFiles: max(row.Files, 1), CrossRepository: f.random.IntN(2) == 0,
		Commits: f.commits(row, author, first, message), Files: f.files(row),
	}
	merge := github.Commit{OID: f.hashes[row.Number], Message: message, Author: merger, Authored: row.Merged, Committed: row.Merged}
	if row.Squash {
		merge.Author, merge.Message = author, fmt.Sprintf("%s (#%d)%s", title, row.Number, strings.TrimPrefix(message, title))
	} else {
		owner, _, _ := strings.Cut(f.repo.NameWithOwner, "/")
		merge.Message = fmt.Sprintf("Merge pull request #%d from %s/%s\n\n%s", row.Number, owner, head, title)
	}
	completeCommit(&merge, merge.Author)
	v.MergeCommit = &merge
	f.converse(&v)
	v.Events = append(v.Events,
		github.Event{Kind: github.WasMerged, At: row.Merged, Actor: merger, To: merge.OID},
		github.Event{Kind: github.WasClosed, At: row.Merged, Actor: merger})
	return v
}

// commits spreads a pull request's commits evenly from the first to the last.
func (f *filler) commits(row Row, author github.Account, first time.Time, message string) []github.Commit {
	last := row.Last
	if last.Before(first) {
		last = first
	}
	n := min(row.Commits, 250) // more are not given for one pull request
	out := make([]github.Commit, n)
	for i := range out {
		at := first
		if n > 1 {
			at = first.Add(last.Sub(first) * time.Duration(i) / time.Duration(n-1)).Truncate(time.Second)
		}
		c := github.Commit{Message: fmt.Sprintf("Step %d of %d", i+1, row.Commits), Author: author, Authored: at, Committed: at}
		if i == n-1 {
			c.Message = message
		}
		if i == n-2 && i > 0 && row.InBranch > 0 && !row.Revert {
			c.Message = fmt.Sprintf("Revert %q\n\nThis reverts commit %s.", out[0].Message, out[0].OID)
		}
		completeCommit(&c, author, f.repo.ID, row.Number, i)
		out[i] = c
	}
	return out
}

// maxFiles bounds the files of one pull request, as GitHub does.
const maxFiles = 3000

func (f *filler) files(row Row) []github.File {
	n := min(max(row.Files, 1), maxFiles)
	out := make([]github.File, n)
	for i := range out {
		out[i].Path = fmt.Sprintf("%s/file%04d.txt", orDefault(row.Dir, "root"), i)
		out[i].Additions, out[i].Deletions = row.Additions/n, row.Deletions/n
	}
	out[0].Additions += row.Additions % n
	out[0].Deletions += row.Deletions % n
	return out
}

// converse makes up reviews and threads between opening and merging.
func (f *filler) converse(v *github.PullRequest) {
	span := v.Merged.Sub(v.Created)
	moment := func() time.Time {
		return v.Created.Add(time.Duration(f.random.Float64() * float64(span))).Truncate(time.Second)
	}
	for range f.random.IntN(3) {
		state := []string{"COMMENTED", "APPROVED", "APPROVED", "CHANGES_REQUESTED"}[f.random.IntN(4)]
		v.Reviews = append(v.Reviews, github.Review{Author: v.MergedBy, State: state, Submitted: moment()})
	}
	for i := range f.random.IntN(3) {
		t := github.Thread{Path: v.Files[0].Path, Outdated: f.random.IntN(2) == 0, Resolved: f.random.IntN(3) == 0}
		at := moment()
		for range 1 + f.random.IntN(2) {
			t.Comments = append(t.Comments, github.Comment{Author: v.MergedBy, Created: at.Add(time.Duration(i) * time.Second)})
		}
		v.Threads = append(v.Threads, t)
	}
	if f.random.IntN(10) == 0 && span > 2*time.Minute {
		v.Events = append(v.Events, github.Event{Kind: github.Ready, At: v.Created.Add(span / 4).Truncate(time.Second), Actor: v.Author})
	}
	slices.SortStableFunc(v.Reviews, func(a, b github.Review) int { return a.Submitted.Compare(b.Submitted) })
	slices.SortStableFunc(v.Threads, func(a, b github.Thread) int { return a.Comments[0].Created.Compare(b.Comments[0].Created) })
}

// directRevert is the commit by which somebody undid a pull request without
// another one.
func (f *filler) directRevert(row Row) arrival {
	who := f.person(row.Merger, false)
	c := github.Commit{
		Message: fmt.Sprintf("Revert %q\n\nThis reverts commit %s.", f.titles[row.Number], f.hashes[row.Number]),
		Author:  who, Authored: row.Reverted, Committed: row.Reverted,
	}
	completeCommit(&c, who, f.repo.ID, row.Number, "reverted")
	return arrival{at: row.Reverted, merge: c, squash: true}
}
