package history

// The questions that are not a filter. The type of a question says what is asked.
type (
	allScans   struct{}
	allWatched struct{}
	filesOf    struct{ repositories string }
	serversOf  struct{ repositories string }
)

// atLength is what is asked for a page of a long list: nil, which is not
// remembered, where it is one of those that a download goes through once.
func atLength(filter any, limit int) any {
	if limit > DefaultLimit {
		return nil
	}
	return filter
}

// rowsOf counts the rows of an answer that is a list.
func rowsOf[E any](list []E) int { return len(list) }
