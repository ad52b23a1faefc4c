package metrics

import (
	"slices"
	"strings"
)

// Field is a column of a file of pull requests whose absence changes what can
// be measured. What a file does not say is unknown, never "did not happen".
type Field string

// The fields, by the names that files and flags give them.
const (
	FieldAuthor           Field = "author"
	FieldTeam             Field = "team"
	FieldReady            Field = "ready"
	FieldFirstReview      Field = "first_review"
	FieldMerged           Field = "merged"
	FieldClosed           Field = "closed"
	FieldRevertedAt       Field = "reverted_at"
	FieldAdditions        Field = "additions"
	FieldDeletions        Field = "deletions"
	FieldFirstCommit      Field = "first_commit"
	FieldDeployed         Field = "deployed"
	FieldReviewRounds     Field = "review_rounds"
	FieldReviewerComments Field = "reviewer_comments"
	FieldBotThreads       Field = "bot_threads"
	FieldAssisted         Field = "assisted"
)

// allFields is in the order in which fields are named to people; a field's
// place is its bit in [Fields].
var allFields = [...]Field{
	FieldAuthor, FieldTeam, FieldReady, FieldFirstReview, FieldMerged, FieldClosed, FieldRevertedAt, FieldAdditions, FieldDeletions,
	FieldFirstCommit, FieldDeployed, FieldReviewRounds, FieldReviewerComments, FieldBotThreads, FieldAssisted,
}

// LaterFields are the fields that imports from before the database knew them
// do not have, whatever their record says.
func LaterFields() Fields {
	return FieldSet(FieldFirstCommit, FieldDeployed, FieldReviewRounds, FieldReviewerComments, FieldBotThreads, FieldAssisted)
}

// Fields is a set of fields.
type Fields uint32

// The bits of the fields that are asked for once a pull request, by their
// places in allFields.
const (
	bitAuthor     Fields = 1 << 0
	bitRevertedAt Fields = 1 << 6
	bitDeployed   Fields = 1 << 10
	bitAssisted   Fields = 1 << 14
)

// FieldSet is the set of the given fields.
func FieldSet(fields ...Field) Fields {
	var out Fields
	for i, f := range allFields {
		if slices.Contains(fields, f) {
			out |= 1 << i
		}
	}
	return out
}

// Has reports whether f is in the set.
func (s Fields) Has(f Field) bool { return s&FieldSet(f) != 0 }

// List names the fields of the set.
func (s Fields) List() []Field {
	var out []Field
	for i, f := range allFields {
		if s&(1<<i) != 0 {
			out = append(out, f)
		}
	}
	return out
}

// Lacks is the set of fields that the file of an import of pull requests did
// not have. It is empty where the import is too old to know.
func (im Import) Lacks() Fields {
	if im.Fields == nil {
		return 0
	}
	var out Fields
	for i, f := range allFields {
		if !slices.Contains(im.Fields, string(f)) {
			out |= 1 << i
		}
	}
	return out
}

// columnWords names the fields of the set as columns: "a ready column",
// "additions and deletions columns".
func (s Fields) columnWords() string {
	var names []string
	for _, f := range s.List() {
		names = append(names, string(f))
	}
	if len(names) == 1 {
		article := "a "
		if strings.ContainsRune("aeiou", rune(names[0][0])) {
			article = "an "
		}
		return article + names[0] + " column"
	}
	return list(names) + " columns"
}
