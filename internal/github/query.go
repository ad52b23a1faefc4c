package github

// How much of each list the first answer holds. Nearly all pull requests fit;
// the rest is read with follow-up queries. A page of 60 costs about 12 points
// and 30,000 of the 500,000 nodes that GitHub allows.
const (
	fragmentWho = `
fragment Who on Actor { __typename login ... on Node { id }
  ... on User { databaseId } ... on Bot { databaseId } ... on Mannequin { databaseId } ... on Organization { databaseId } }`

	fragmentCommit = `
fragment CommitFields on Commit { oid message authoredDate committedDate
  author { name email user { __typename login id databaseId } } }`

	fragmentLists = `
fragment LabelList on LabelConnection { totalCount pageInfo { hasNextPage endCursor } nodes { name } }
fragment AssigneeList on UserConnection { totalCount pageInfo { hasNextPage endCursor } nodes { __typename login id databaseId } }
fragment CommitList on PullRequestCommitConnection { totalCount pageInfo { hasNextPage endCursor } nodes { commit { ...CommitFields } } }
fragment ReviewList on PullRequestReviewConnection { totalCount pageInfo { hasNextPage endCursor }
  nodes { id fullDatabaseId state submittedAt commit { oid } author { ...Who } } }
fragment CommentList on PullRequestReviewCommentConnection { totalCount pageInfo { hasNextPage endCursor } nodes { createdAt author { ...Who } } }
fragment ThreadList on PullRequestReviewThreadConnection { totalCount pageInfo { hasNextPage endCursor }
  nodes { id path isOutdated isResolved comments(first: 20) { ...CommentList } } }
fragment EventList on PullRequestTimelineItemsConnection { totalCount: filteredCount pageInfo { hasNextPage endCursor }
  nodes { __typename
    ... on ReadyForReviewEvent { createdAt actor { ...Who } }
    ... on ConvertToDraftEvent { createdAt actor { ...Who } }
    ... on HeadRefForcePushedEvent { createdAt actor { ...Who } beforeCommit { oid } afterCommit { oid } }
    ... on ClosedEvent { createdAt actor { ...Who } }
    ... on ReopenedEvent { createdAt actor { ...Who } }
    ... on MergedEvent { createdAt actor { ...Who } commit { oid } }
    ... on BaseRefChangedEvent { createdAt actor { ...Who } previousRefName currentRefName } } }
fragment FileList on PullRequestChangedFileConnection { totalCount pageInfo { hasNextPage endCursor } nodes { path additions deletions } }`

	fragmentPull = `
fragment Pull on PullRequest {
  id fullDatabaseId number title body state isDraft createdAt updatedAt closedAt mergedAt
  additions deletions changedFiles baseRefName headRefName headRefOid isCrossRepository
  author { ...Who } mergedBy { ...Who }
  mergeCommit { ...CommitFields }
  comments { totalCount }
  labels(first: 20) { ...LabelList }
  assignees(first: 10) { ...AssigneeList }
  commits(first: 50) { ...CommitList }
  reviews(first: 30, states: [APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED]) { ...ReviewList }
  reviewThreads(first: 10) { ...ThreadList }
  timelineItems(first: 40, itemTypes: ` + eventTypes + `) { ...EventList }
  files(first: 100) { ...FileList }
}`

	eventTypes = `[READY_FOR_REVIEW_EVENT, CONVERT_TO_DRAFT_EVENT, HEAD_REF_FORCE_PUSHED_EVENT, CLOSED_EVENT, REOPENED_EVENT, MERGED_EVENT, BASE_REF_CHANGED_EVENT]`

	fragmentHistory = `
fragment History on CommitHistoryConnection { pageInfo { hasNextPage endCursor }
  nodes { ...CommitFields parents(first: 2) { nodes { oid } } } }`

	fragmentRepository = `
fragment Repo on Repository { id databaseId nameWithOwner isArchived isPrivate isFork createdAt defaultBranchRef { name } }`
)

// queryPage reads a page of pull requests and up to two stretches of the
// default branch's history.
const queryPage = `query Page($owner: String!, $name: String!,
  $pulls: Boolean!, $first: Int!, $after: String, $order: IssueOrder!, $states: [PullRequestState!],
  $lane0: Boolean!, $after0: String, $since0: GitTimestamp, $until0: GitTimestamp,
  $lane1: Boolean!, $after1: String, $since1: GitTimestamp, $until1: GitTimestamp, $commits: Int!) {
  rateLimit { cost nodeCount }
  repository(owner: $owner, name: $name) {
    ...Repo
    pullRequests(first: $first, after: $after, orderBy: $order, states: $states) @include(if: $pulls) {
      totalCount pageInfo { hasNextPage endCursor } nodes { ...Pull }
    }
    lane0: defaultBranchRef @include(if: $lane0) { target { ... on Commit { history(first: $commits, after: $after0, since: $since0, until: $until0) { ...History } } } }
    lane1: defaultBranchRef @include(if: $lane1) { target { ... on Commit { history(first: $commits, after: $after1, since: $since1, until: $until1) { ...History } } } }
  }
}` + fragmentRepository + fragmentPull + fragmentLists + fragmentCommit + fragmentHistory + fragmentWho

// queryOne reads one pull request.
const queryOne = `query One($owner: String!, $name: String!, $number: Int!) {
  rateLimit { cost nodeCount }
  repository(owner: $owner, name: $name) { id pullRequest(number: $number) { ...Pull } }
}` + fragmentPull + fragmentLists + fragmentCommit + fragmentWho

// queryBriefs reads only what names pull requests and tells their age.
const queryBriefs = `query Briefs($owner: String!, $name: String!, $first: Int!, $after: String, $order: IssueOrder!, $states: [PullRequestState!]) {
  rateLimit { cost nodeCount }
  repository(owner: $owner, name: $name) {
    ...Repo
    pullRequests(first: $first, after: $after, orderBy: $order, states: $states) {
      totalCount pageInfo { hasNextPage endCursor } nodes { id number state updatedAt }
    }
  }
}` + fragmentRepository

// queryTotals counts pull requests by state.
const queryTotals = `query Totals($owner: String!, $name: String!) {
  rateLimit { cost nodeCount }
  repository(owner: $owner, name: $name) {
    ...Repo
    open: pullRequests(states: [OPEN]) { totalCount }
    closed: pullRequests(states: [CLOSED]) { totalCount }
    merged: pullRequests(states: [MERGED]) { totalCount }
  }
}` + fragmentRepository
