package attribution

import "steelyard/rules"

// Account is who did something, as GitHub says it.
type Account struct {
	// Login is as REST ("devin-ai-integration[bot]") or as GraphQL writes it
	// ("devin-ai-integration"). Empty: a deleted account, or none.
	Login string
	// ID is the numeric id (REST id, GraphQL databaseId), 0 where unknown. It
	// decides wherever the table has one too.
	ID int64
	// Bot is set where GitHub says that the account's type is Bot.
	Bot bool
}

// PullRequest is what is read of a pull request. Whatever is not known stays
// empty.
type PullRequest struct {
	Author Account
	Head   string // head branch
	Body   string
	Labels []string
	// Message is the message of the merge or squash commit.
	Message string
	Commits []Commit
}

// Commit is a commit on the pull request's branch. Author is the account that
// GitHub found for the author's address, empty where it found none.
type Commit struct {
	Author      Account
	AuthorName  string
	AuthorEmail string
	Message     string
}

// Kind says where a signal was seen.
type Kind string

// The kinds, the strongest first.
const (
	KindAuthor       Kind = "author"        // who opened the pull request
	KindCommitAuthor Kind = "commit_author" // account, mailbox or name of a commit
	KindBranch       Kind = "branch"
	KindCoAuthor     Kind = "co_author" // trailer Co-authored-by
	KindTrailer      Kind = "trailer"   // any other trailer
	KindFooter       Kind = "footer"
	KindLink         Kind = "link"
	KindDisclosure   Kind = "disclosure" // the answer to the template's question
	KindLabel        Kind = "label"
)

// Signal is one mark of an assistant, counted over the pull request.
type Signal struct {
	// Tool is the id of the tool in the table; empty where a label names none.
	Tool  string
	Kind  Kind
	Level rules.Level
	// Evidence is the row of the table that was met: a login, a mailbox, a
	// prefix. It never holds a person's name or mailbox.
	Evidence string
	// Count is how many commits, trailers or lines show it.
	Count int
}
