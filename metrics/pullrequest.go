package metrics

import "time"

// PullRequest is one pull request as the measurement sees it. Zero times mean
// "not yet" or "not known". All times are UTC.
type PullRequest struct {
	// ID is the provider's stable id (GitHub's node id), or
	// "repository#number" where a file has none. Unique in the database.
	ID         string
	Repository string
	Number     int
	// Author is a stable id of the author, never shown; AuthorBot marks bots
	// that are set apart. An empty author is a deleted account.
	Author    string
	AuthorBot bool
	// SetApart says why it is nobody's own work and not measured, in a word or
	// two ("back-port", "import"); empty: it is measured.
	SetApart string
	// Team is the author's team when the pull request was opened; empty where
	// it could not be placed.
	Team string

	Opened      time.Time
	Ready       time.Time // last draft → ready; zero: it never was a draft
	FirstReview time.Time // first review by a person other than the author
	Merged      time.Time
	Closed      time.Time // closed, merged or not
	RevertedAt  time.Time

	// Base is the branch it was merged to, empty where unknown, and
	// MergeCommit the commit that the merge left there; deployments are found
	// by it.
	Base, MergeCommit string
	FirstCommit       time.Time // first commit authored
	Deployed          time.Time // end of the first deployment that holds its merge

	// Additions and Deletions are lines, −1 where unknown.
	Additions, Deletions int
	// ReviewRounds are reviews that asked for changes and were followed by a
	// push and another review; −1 where unknown.
	ReviewRounds int
	// ReviewerComments are review comments by people other than the author;
	// −1 where unknown.
	ReviewerComments int
	// BotThreads are review threads opened by an AI reviewer, and
	// BotThreadsActedOn those of them whose lines a later commit changed; −1
	// where unknown.
	BotThreads, BotThreadsActedOn int
	// Assisted is the strongest level of the assistants' signals seen (a level
	// of the rules' table); empty: no signal seen, or not looked for.
	Assisted string
	// Seen is up to when it is known to be as it stands; zero: up to the end
	// of its import's data.
	Seen time.Time
	// Lacks are the fields that the file it came from did not have. Their zero
	// values mean "not known", whatever they mean elsewhere.
	Lacks Fields
	// Line is the row's line in the file it came from, for messages.
	Line int
}

// Open reports whether the pull request is neither merged nor closed.
func (p PullRequest) Open() bool { return p.Merged.IsZero() && p.Closed.IsZero() }
