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
	// Team is the author's team when the pull request was opened; empty where
	// it could not be placed.
	Team string

	Opened      time.Time
	Ready       time.Time // last draft → ready; zero: it never was a draft
	FirstReview time.Time // first review by a person other than the author
	Merged      time.Time
	Closed      time.Time // closed, merged or not
	RevertedAt  time.Time

	// Additions and Deletions are lines, −1 where unknown.
	Additions, Deletions int
	// Lacks are the fields that the file it came from did not have. Their zero
	// values mean "not known", whatever they mean elsewhere.
	Lacks Fields
	// Line is the row's line in the file it came from, for messages.
	Line int
}

// Open reports whether the pull request is neither merged nor closed.
func (p PullRequest) Open() bool { return p.Merged.IsZero() && p.Closed.IsZero() }
