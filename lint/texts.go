package lint

import (
	"context"
	"time"
)

// SeenText is an instruction file as it may be kept: with every secret starred,
// which may change its length by a few bytes.
type SeenText struct {
	Path string `json:"path"`
	// Link is the target of a symbolic link, which has no text.
	Link string `json:"link,omitempty"`
	Text string `json:"text,omitempty"`
}

// InstructionTexts are the instruction files of a repository's newest scan,
// with what they import.
type InstructionTexts struct {
	Repository string
	Commit     string // empty: not known
	At         time.Time
	Texts      []SeenText // in path order
}

// TextStore keeps the texts that say what an assistant reads.
type TextStore interface {
	// TextRepositories are the repositories whose texts are kept, by name.
	TextRepositories(ctx context.Context) ([]string, error)
	// InstructionTexts are those of one repository; the zero value where none
	// are kept.
	InstructionTexts(ctx context.Context, repository string) (InstructionTexts, error)
}
