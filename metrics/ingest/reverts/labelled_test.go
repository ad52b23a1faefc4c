package reverts_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"steelyard/metrics/ingest/reverts"
)

var update = flag.Bool("update", false, "with STEELYARD_HISTORIES, write testdata/facts_*.csv anew")

// labelled is a line of revert_messages.jsonl: a real message, and what a
// person who looked at the history says of it.
type labelled struct {
	Repo, SHA, Subject, Body string
	Label                    struct {
		IsRevert  bool   `json:"is_revert"`
		TargetSHA string `json:"target_sha"`
		TargetPR  int    `json:"target_pr"`
		Form      string
	}
}

func (l labelled) message() string { return l.Subject + "\n\n" + l.Body }

func readLabelled(t testing.TB, repo string) []labelled {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dataDir(t), "revert_messages.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []labelled
	for line := range bytes.Lines(text) {
		var l labelled
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		if l.Repo == repo {
			all = append(all, l)
		}
	}
	return all
}

// world is a history without messages: what each change is called, and which
// change brought a commit.
type world struct {
	changes []reverts.Change
	home    map[string]int // commit, 12 digits → change
}

func worldOf(units []unit) world {
	w := world{home: map[string]int{}}
	for i, u := range units {
		c := u.change
		if c.Title == "" {
			c.Title, _, _ = strings.Cut(c.Message, "\n")
		}
		c.Message = ""
		c.Commits = nil
		for _, own := range u.commits {
			w.home[own.hash[:12]] = i
			first, _, _ := strings.Cut(own.message, "\n")
			c.Commits = append(c.Commits, reverts.Commit{Hash: own.hash, Message: first})
		}
		w.home[c.Commit[:12]] = i
		w.changes = append(w.changes, c)
	}
	return w
}

// with is the history in which the change that holds l says what l says, and
// nothing else speaks.
func (w world) with(l labelled, at int) reverts.History {
	h := reverts.History{Names: []string{l.Repo}, Changes: slices.Clone(w.changes)}
	for i := range h.Changes {
		c := &h.Changes[i]
		if i != at {
			c.Commits = slices.Clone(c.Commits)
			continue
		}
		own := []reverts.Commit{}
		for _, k := range c.Commits {
			if k.Hash[:12] != l.SHA[:12] {
				own = append(own, reverts.Commit{Hash: k.Hash, Message: quiet(k.Message)})
			}
		}
		c.Title, c.Message, c.Commit, c.Commits = "", l.message(), l.SHA, own
	}
	return h
}

var speaks = regexp.MustCompile(`(?i)revert|re-?appl`)

func quiet(title string) string {
	if speaks.MatchString(title) {
		return ""
	}
	return title
}

// tally counts messages: right, wrong, missed.
type tally struct{ right, wrong, missed, silent int }

func (s *tally) add(t *testing.T, repo string, w world) {
	for _, l := range readLabelled(t, repo) {
		at, ok := w.home[l.SHA[:12]]
		if !ok {
			t.Errorf("the history does not hold %s", l.SHA)
			continue
		}
		r, err := reverts.Find(w.with(l, at))
		if err != nil {
			t.Fatal(err)
		}
		id := w.changes[at].ID
		right, wrong := w.judge(l, r, id)
		switch {
		case l.Label.IsRevert && right:
			s.right++
		case l.Label.IsRevert && !wrong:
			s.missed++
			t.Logf("missed: %.12s %s (%s), %v", l.SHA, l.Subject, l.Label.Form, reasonsOf(r, id))
		case l.Label.IsRevert:
			s.wrong, s.missed = s.wrong+1, s.missed+1
			t.Logf("another target: %.12s %s (%s), %v", l.SHA, l.Subject, l.Label.Form, r.Links)
		case wrong:
			s.wrong++
			t.Logf("no revert: %.12s %s (%s), %v", l.SHA, l.Subject, l.Label.Form, r.Links)
		default:
			s.silent++
		}
	}
}

func reasonsOf(r reverts.Result, id string) []reverts.Reason {
	all := []reverts.Reason{}
	for _, u := range r.Unresolved {
		if u.Change == id {
			all = append(all, u.Reason)
		}
	}
	return all
}

// judge says whether a link of the message names the labelled target, and
// whether there is a link at all that does not. A label without a target, or
// whose commit was rewritten before it reached the branch, asks for the quoted
// title.
func (w world) judge(l labelled, r reverts.Result, id string) (right, other bool) {
	for _, link := range r.Links {
		if link.Change != id {
			continue
		}
		i := slices.IndexFunc(w.changes, func(c reverts.Change) bool { return c.ID == link.Target })
		target := w.changes[i]
		home, known := 0, false
		if l.Label.TargetSHA != "" && len(l.Label.TargetSHA) >= 12 {
			home, known = w.home[l.Label.TargetSHA[:12]]
		}
		switch {
		case !l.Label.IsRevert:
			other = true
		case l.Label.TargetPR > 0 && l.Label.TargetPR == target.Number, known && home == i:
			right = true
		case l.Label.TargetPR == 0 && !known && w.named(l, target):
			right = true
		default:
			other = true
		}
	}
	return right, other
}

func (w world) named(l labelled, target reverts.Change) bool {
	titles := []string{target.Title}
	for _, own := range target.Commits {
		titles = append(titles, own.Message)
	}
	return slices.ContainsFunc(titles, func(title string) bool {
		key := reverts.TitleKey(title)
		return key != "" && strings.Contains(l.message(), `"`+key)
	})
}

// check holds the bars: precision .95, recall .90.
func (s *tally) check(t *testing.T) {
	precision := float64(s.right) / float64(s.right+s.wrong)
	recall := float64(s.right) / float64(s.right+s.missed)
	t.Logf("%d labelled messages: %d right, %d wrong, %d missed, %d rightly silent; precision %.3f, recall %.3f",
		s.right+s.missed+s.silent, s.right, s.wrong, s.missed, s.silent, precision, recall)
	if precision < .95 || recall < .90 {
		t.Errorf("precision %.3f, recall %.3f; want at least .95 and .90", precision, recall)
	}
}

// TestLabelled resolves the labelled messages against the tables of pull
// requests, joined with what the tables lack: direct commits, commits inside
// pull requests, titles. testdata/facts_<repository>.csv holds of those what
// anything in the messages could meet in the whole public history (hashes of
// titles, no titles), written by TestFullHistories -update.
func TestLabelled(t *testing.T) {
	var all tally
	for _, repo := range histories {
		t.Run(short(repo), func(t *testing.T) { all.add(t, repo, readFacts(t, repo)) })
	}
	all.check(t)
}

// writeFacts writes a line for every commit that a message could mean: the
// change that brought it, and a hash of its title.
func writeFacts(t *testing.T, repo string, units []unit) {
	messages := readLabelled(t, repo)
	wanted := map[string]bool{}
	var text strings.Builder
	for _, l := range messages {
		text.WriteString(l.SHA + " " + l.message() + "\n")
		for _, c := range reverts.Candidates(reverts.Change{Message: l.message()}) {
			wanted[reverts.TitleKey(c.Title)] = true
		}
	}
	delete(wanted, "")
	hexes := regexp.MustCompile(`[0-9a-f]{7,40}`).FindAllString(text.String(), -1)
	numbers := map[string]bool{}
	for _, n := range regexp.MustCompile(`\d+`).FindAllString(text.String(), -1) {
		numbers[n] = true
	}
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	out.Write([]string{"change", "number", "merged", "commit", "title_sha256"})
	for _, u := range units {
		rows := append([]commit{{hash: u.change.Commit, message: u.change.Title}}, u.commits...)
		if u.change.Title == "" {
			rows[0].message = u.change.Message
		}
		for i, c := range rows {
			first, _, _ := strings.Cut(c.message, "\n")
			met := i == 0 && u.change.Number > 0 && numbers[strconv.Itoa(u.change.Number)]
			met = met || wanted[reverts.TitleKey(first)]
			met = met || slices.ContainsFunc(hexes, func(h string) bool { return strings.HasPrefix(c.hash, h) })
			if met {
				out.Write([]string{u.change.ID[:12], strconv.Itoa(u.change.Number), u.change.Merged.Format(time.RFC3339), c.hash, titleHash(first)})
			}
		}
	}
	out.Flush()
	if err := os.WriteFile(filepath.Join("testdata", "facts_"+short(repo)+".csv"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func titleHash(title string) string {
	sum := sha256.Sum256([]byte(reverts.TitleKey(title)))
	return fmt.Sprintf("%x", sum[:8])
}

// readFacts joins the table of pull requests with the facts. A title is known
// where a message quotes it; any other is some other title.
func readFacts(t *testing.T, repo string) world {
	titles := map[string]string{}
	for _, l := range readLabelled(t, repo) {
		for _, c := range reverts.Candidates(reverts.Change{Message: l.message()}) {
			titles[titleHash(c.Title)] = reverts.TitleKey(c.Title)
		}
	}
	at := map[string]int{}
	w := world{home: map[string]int{}}
	for _, p := range readPulls(t, short(repo)) {
		at[p.commit] = len(w.changes)
		w.home[p.commit] = len(w.changes)
		w.changes = append(w.changes, reverts.Change{ID: p.commit, Number: p.number, Merged: p.merged, Commit: p.commit})
	}
	f, err := os.Open(filepath.Join("testdata", "facts_"+short(repo)+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		i, ok := at[row[0]]
		if !ok {
			i = len(w.changes)
			at[row[0]] = i
			merged, err := time.Parse(time.RFC3339, row[2])
			if err != nil {
				t.Fatal(err)
			}
			number, _ := strconv.Atoi(row[1])
			w.changes = append(w.changes, reverts.Change{ID: row[0], Number: number, Merged: merged})
		}
		title, ok := titles[row[4]]
		if !ok {
			title = "another title, " + row[4]
		}
		w.home[row[3][:12]] = i
		if strings.HasPrefix(row[3], row[0]) {
			w.changes[i].Title, w.changes[i].Commit = title, row[3]
		} else {
			w.changes[i].Commits = append(w.changes[i].Commits, reverts.Commit{Hash: row[3], Message: title})
		}
	}
	return w
}
