package reverts

import "time"

// Change is what reached a branch at once: a merged pull request, or a commit
// pushed directly (Number 0). Texts may be empty where they are not known.
type Change struct {
	// ID is the caller's name of the change, unique in a history.
	ID string
	// Number is the pull request's number; 0 for a direct commit.
	Number int
	// Base is the branch it was merged into. Only changes of one base undo each
	// other.
	Base string
	// Merged is when it reached its base: the merge, or the commit's date.
	Merged time.Time
	// Title and Body are the pull request's own; Head is its branch.
	Title, Body, Head string
	// Commit is the hash of the merge, squash or direct commit, whole or at
	// least 7 digits; Message its message.
	Commit, Message string
	// Authored is when a direct commit was written; zero where unknown.
	Authored time.Time
	// Commits are the pull request's own commits, as they were on its branch.
	Commits []Commit
}

// Commit is one commit inside a pull request.
type Commit struct {
	Hash    string
	Message string
	// Authored is when it was written; zero where unknown. A rebase keeps it.
	Authored time.Time
}

// Form says where and how a revert is written.
type Form string

// The forms, the most telling first.
const (
	FormBranch  Form = "head_branch"   // head branch revert-12-…, as GitHub's button names it
	FormNumber  Form = "body_number"   // Reverts owner/name#12
	FormTrailer Form = "trailer"       // This reverts commit …
	FormTitle   Form = "title"         // Revert "…", with or without a prefix
	FormReapply Form = "reapply"       // Reapply "…"
	FormProse   Form = "prose"         // revert … #12, reverts … 1a2b3c4
	FormNamed   Form = "branch_number" // another branch with revert and a number in it
)

// Confidence says how far a link can be trusted.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"   // number or commit, in a form that tools write
	Medium Confidence = "medium" // one exact title, prose, or inside a longer change
	Low    Confidence = "low"    // several changes of that title, or a branch's name alone
)

// Candidate is a place in a text that looks like a revert.
type Candidate struct {
	Form Form
	// What it names; zero where it does not say. Title is as written between
	// the quotes. Repository is set where a number is written owner/name#12.
	Number     int
	Repository string
	Commit     string
	Title      string
	// Partial is set where the text says that only a part is undone.
	Partial bool
	// Evidence is the text it was read from, cut to 200 characters.
	Evidence string

	inner  bool // in a commit inside the change, not what the change is about
	bare   bool // Title is what followed the verb, without quotes
	quoted bool // Number stands in the title of what is undone: the title must agree
	own    bool // another commit of the same change has its title
	entry  int  // the entry it was read from
}
