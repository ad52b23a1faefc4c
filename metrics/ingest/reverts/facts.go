package reverts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Facts is what the search needs of one change, without its texts: what it can
// be called by, and what it says it undoes. Facts can be kept as JSON, which
// leaves out the fields that a caller has of its own (ID, Number, Merged,
// Commit), so that a history can be searched again without its texts.
type Facts struct {
	ID     string    `json:"-"`
	Number int       `json:"-"`
	Merged time.Time `json:"-"`
	Commit string    `json:"-"`

	Base string `json:"base,omitempty"`
	// Head is the head branch; cut as evidence is, which it is compared with.
	Head string `json:"head,omitempty"`
	// Title is the key of its own title, Subject that of the first line of its
	// message where it is another.
	Title   string       `json:"title,omitempty"`
	Subject string       `json:"subject,omitempty"`
	Commits []FactCommit `json:"commits,omitempty"`
	// Authored is when a direct commit was written, in seconds since 1970.
	Authored int64 `json:"authored,omitempty"`
	// Named is the pull request that the message of a direct commit says it
	// merges or squashes, 0 where it says none.
	Named int `json:"named,omitempty"`
	// Speaks is set where its texts speak of a revert and not its branch alone,
	// Quoted is the title that it says it undoes. Both are known only where
	// there are candidates.
	Speaks     bool        `json:"speaks,omitempty"`
	Quoted     string      `json:"quoted,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`
	// Internal counts what undoes a part of the change itself.
	Internal int `json:"internal,omitempty"`
}

// FactCommit is a commit inside a pull request: its hash, the key of its title,
// when it was written, and whether it merges.
type FactCommit struct {
	Hash     string `json:"oid"`
	Title    string `json:"title,omitempty"`
	Authored int64  `json:"authored,omitempty"`
	Merge    bool   `json:"merge,omitempty"`
}

// Read takes the facts from the texts of a change.
func Read(c Change) Facts {
	f := Facts{
		ID: c.ID, Number: c.Number, Merged: c.Merged, Commit: c.Commit, Base: c.Base,
		Head:     cut(headOf(c)),
		Title:    titleKey(c.Title),
		Subject:  titleKey(subject(withoutMergeSubject(c.Message))),
		Authored: seconds(c.Authored),
	}
	if f.Subject == f.Title {
		f.Subject = ""
	}
	if c.Number == 0 {
		f.Named = numberOf(c.Message)
	}
	for _, own := range c.Commits {
		f.Commits = append(f.Commits, FactCommit{
			Hash: own.Hash, Title: titleKey(subject(own.Message)),
			Authored: seconds(own.Authored), Merge: strings.HasPrefix(own.Message, "Merge "),
		})
	}
	found, entries := read(c)
	undone := undoneInside(found, entries, c)
	for _, candidate := range found {
		if undone[candidate.entry] {
			f.Internal++
			continue
		}
		candidate.own = namesOwnEntry(candidate, entries)
		candidate.Title = cutTitle(candidate.Title)
		f.Candidates = append(f.Candidates, candidate)
	}
	if len(f.Candidates) > 0 {
		f.Speaks, f.Quoted = speaksOfRevert(c), quotedTitle(c)
	}
	return f
}

// seconds are those since 1970, 0 for the zero time.
func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// namesOwnEntry reports whether a candidate in a commit of the change has the
// title of another commit of it.
func namesOwnEntry(c Candidate, entries []entry) bool {
	if !c.inner || c.Title == "" {
		return false
	}
	key := titleKey(c.Title)
	for i, e := range entries {
		if i != c.entry && titleKey(e.title) == key {
			return true
		}
	}
	return false
}

func speaksOfRevert(c Change) bool {
	for _, text := range []string{c.Title, c.Body, withoutMergeSubject(c.Message)} {
		if anyMention.MatchString(text[:min(len(text), maxText)]) {
			return true
		}
	}
	return false
}

// quotedTitle is the title that a change says it undoes.
func quotedTitle(c Change) string {
	for _, title := range []string{c.Title, subject(withoutMergeSubject(c.Message))} {
		for _, f := range fromTitle(title[:min(len(title), 2*maxTitle)]) {
			return cutTitle(f.Title)
		}
	}
	return ""
}

// titles are what a change can be called by: its own title, its message's first
// line, its commits'. Each once.
func (f Facts) titles() []string {
	all := make([]string, 0, 2+len(f.Commits))
	all = append(all, f.Title, f.Subject)
	for _, own := range f.Commits {
		all = append(all, own.Title)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if all[0] == "" {
		all = all[1:]
	}
	return all
}

// called reports whether key is the change's own title, not a commit's.
func (f Facts) called(key string) bool {
	return key == f.Title || (f.Subject != "" && key == f.Subject)
}

// size is how many commits it brought, without merges.
func (f Facts) size() int {
	n := 0
	for _, own := range f.Commits {
		if !own.Merge {
			n++
		}
	}
	return n
}

// keptCandidate is a candidate as it is kept.
type keptCandidate struct {
	Form       Form   `json:"form"`
	Number     int    `json:"number,omitempty"`
	Repository string `json:"repository,omitempty"`
	Commit     string `json:"commit,omitempty"`
	Title      string `json:"title,omitempty"`
	Partial    bool   `json:"partial,omitempty"`
	Evidence   string `json:"evidence,omitempty"`
	Inner      bool   `json:"inner,omitempty"`
	Bare       bool   `json:"bare,omitempty"`
	Quoted     bool   `json:"quoted,omitempty"`
	Own        bool   `json:"own,omitempty"`
}

// MarshalJSON keeps what the search needs of a candidate.
func (c Candidate) MarshalJSON() ([]byte, error) {
	return json.Marshal(keptCandidate{
		c.Form, c.Number, c.Repository, c.Commit, c.Title, c.Partial, c.Evidence, c.inner, c.bare, c.quoted, c.own,
	})
}

// UnmarshalJSON is the reverse of MarshalJSON.
func (c *Candidate) UnmarshalJSON(text []byte) error {
	var k keptCandidate
	if err := json.Unmarshal(text, &k); err != nil {
		return fmt.Errorf("read a candidate of a revert: %w", err)
	}
	*c = Candidate{
		Form: k.Form, Number: k.Number, Repository: k.Repository, Commit: k.Commit, Title: k.Title, Partial: k.Partial,
		Evidence: k.Evidence, inner: k.Inner, bare: k.Bare, quoted: k.Quoted, own: k.Own,
	}
	return nil
}
