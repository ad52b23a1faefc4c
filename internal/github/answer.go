package github

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The shapes of GraphQL answers. Lists of GitHub may hold null, so their
// elements are pointers; nearly everything that names somebody may be null too.

type pageInfo struct {
	HasNextPage bool   `json:"hasNextPage"`
	EndCursor   string `json:"endCursor"`
}

// after is where a list goes on that was read from a cursor, and whether it
// does: from where we were, where nothing came. A list that says it goes on and
// does not get any further would be read for ever.
func (p pageInfo) after(cursor string) (next string, more bool, err error) {
	switch {
	case p.HasNextPage && (p.EndCursor == "" || p.EndCursor == cursor):
		return "", false, &AnswerError{Status: http.StatusOK, Reason: "a list that goes on without getting any further"}
	case p.EndCursor == "":
		return cursor, p.HasNextPage, nil
	}
	return p.EndCursor, p.HasNextPage, nil
}

// connection is one page of a list.
type connection[T any] struct {
	TotalCount int      `json:"totalCount"`
	PageInfo   pageInfo `json:"pageInfo"`
	Nodes      []*T     `json:"nodes"`
}

type repositoryNode struct {
	ID               string    `json:"id"`
	DatabaseID       int64     `json:"databaseId"`
	NameWithOwner    string    `json:"nameWithOwner"`
	IsArchived       bool      `json:"isArchived"`
	IsPrivate        bool      `json:"isPrivate"`
	IsFork           bool      `json:"isFork"`
	CreatedAt        time.Time `json:"createdAt"`
	DefaultBranchRef *struct {
		Name string `json:"name"`
	} `json:"defaultBranchRef"`
}

type actorNode struct {
	Typename   string `json:"__typename"`
	Login      string `json:"login"`
	ID         string `json:"id"`
	DatabaseID int64  `json:"databaseId"`
}

// commitTime is when a commit was made, as whoever made it says; what is no
// time is none.
type commitTime struct{ time.Time }

// UnmarshalJSON reads a time, or nothing.
func (t *commitTime) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &t.Time) != nil {
		t.Time = time.Time{}
	}
	return nil
}

type commitNode struct {
	OID           string     `json:"oid"`
	Message       string     `json:"message"`
	AuthoredDate  commitTime `json:"authoredDate"`
	CommittedDate commitTime `json:"committedDate"`
	Author        *struct {
		Name  string     `json:"name"`
		Email string     `json:"email"`
		User  *actorNode `json:"user"`
	} `json:"author"`
	Parents *connection[oidNode] `json:"parents"`
}

type oidNode struct {
	OID string `json:"oid"`
}

type pullCommitNode struct {
	Commit commitNode `json:"commit"`
}

type labelNode struct {
	Name string `json:"name"`
}

type reviewNode struct {
	ID             string     `json:"id"`
	FullDatabaseID bigInt     `json:"fullDatabaseId"`
	State          string     `json:"state"`
	SubmittedAt    *time.Time `json:"submittedAt"`
	Commit         *oidNode   `json:"commit"`
	Author         *actorNode `json:"author"`
}

type commentNode struct {
	CreatedAt time.Time  `json:"createdAt"`
	Author    *actorNode `json:"author"`
}

type threadNode struct {
	ID         string                  `json:"id"`
	Path       string                  `json:"path"`
	IsOutdated bool                    `json:"isOutdated"`
	IsResolved bool                    `json:"isResolved"`
	Comments   connection[commentNode] `json:"comments"`
}

type eventNode struct {
	Typename        string     `json:"__typename"`
	CreatedAt       time.Time  `json:"createdAt"`
	Actor           *actorNode `json:"actor"`
	BeforeCommit    *oidNode   `json:"beforeCommit"`
	AfterCommit     *oidNode   `json:"afterCommit"`
	Commit          *oidNode   `json:"commit"`
	PreviousRefName string     `json:"previousRefName"`
	CurrentRefName  string     `json:"currentRefName"`
}

type fileNode struct {
	Path      string `json:"path"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
}

type pullNode struct {
	ID                string      `json:"id"`
	FullDatabaseID    bigInt      `json:"fullDatabaseId"`
	Number            int         `json:"number"`
	Title             string      `json:"title"`
	Body              string      `json:"body"`
	State             string      `json:"state"`
	IsDraft           bool        `json:"isDraft"`
	CreatedAt         time.Time   `json:"createdAt"`
	UpdatedAt         time.Time   `json:"updatedAt"`
	ClosedAt          *time.Time  `json:"closedAt"`
	MergedAt          *time.Time  `json:"mergedAt"`
	Additions         int         `json:"additions"`
	Deletions         int         `json:"deletions"`
	ChangedFiles      int         `json:"changedFiles"`
	BaseRefName       string      `json:"baseRefName"`
	HeadRefName       string      `json:"headRefName"`
	HeadRefOID        string      `json:"headRefOid"`
	IsCrossRepository bool        `json:"isCrossRepository"`
	Author            *actorNode  `json:"author"`
	MergedBy          *actorNode  `json:"mergedBy"`
	MergeCommit       *commitNode `json:"mergeCommit"`
	Comments          struct {
		TotalCount int `json:"totalCount"`
	} `json:"comments"`
	pullLists
}

// usable reports whether a pull request has what it cannot be kept without: a
// number, an identity and a beginning.
func (n *pullNode) usable() bool {
	return n != nil && n.Number > 0 && n.ID != "" && !strings.ContainsRune(n.ID, 0) && !n.CreatedAt.IsZero()
}

// pullLists are the lists of a pull request, in whole or in part. A follow-up
// answer has the same names.
type pullLists struct {
	Labels    *connection[labelNode]      `json:"labels"`
	Assignees *connection[actorNode]      `json:"assignees"`
	Commits   *connection[pullCommitNode] `json:"commits"`
	Reviews   *connection[reviewNode]     `json:"reviews"`
	Threads   *connection[threadNode]     `json:"reviewThreads"`
	Events    *connection[eventNode]      `json:"timelineItems"`
	Files     *connection[fileNode]       `json:"files"`
}

// bigInt is GraphQL's BigInt: a string of digits, or a number, or null.
type bigInt int64

// UnmarshalJSON reads all three forms.
func (b *bigInt) UnmarshalJSON(text []byte) error {
	s := string(text)
	if s == "null" {
		return nil
	}
	if len(s) > 1 && s[0] == '"' {
		if err := json.Unmarshal(text, &s); err != nil {
			return err
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return err
	}
	*b = bigInt(n)
	return nil
}
