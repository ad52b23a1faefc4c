package gittree

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// ErrNoCommits is wrapped by the error about a repository in which nothing that
// is checked out has been committed yet.
var ErrNoCommits = errors.New("nothing is committed here yet")

// Head returns the full name of the commit that is checked out.
func (r *Repository) Head(ctx context.Context) (string, error) {
	name, err := r.Resolve(ctx, "HEAD")
	if errors.Is(err, ErrNoCommit) {
		return "", ErrNoCommits
	}
	return name, err
}

// Has reports whether a commit, named by its full name, is here.
func (r *Repository) Has(ctx context.Context, commit string) bool {
	_, err := r.Resolve(ctx, commit)
	return err == nil
}

// Parents returns the parents that a commit names, also those that a shallow
// clone does not have.
func (r *Repository) Parents(ctx context.Context, commit string) ([]string, error) {
	name, err := r.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	text, err := r.git(ctx, "cat-file", "commit", name)
	if err != nil {
		return nil, fmt.Errorf("read commit %.12s: %w", name, err)
	}
	var parents []string
	for line := range strings.Lines(text) {
		if line == "\n" {
			break // the message begins
		}
		if parent, ok := strings.CutPrefix(line, "parent "); ok {
			parents = append(parents, strings.TrimSpace(parent))
		}
	}
	return parents, nil
}

// ErrNothingCommon is wrapped by the error about two commits that have no
// history in common here, which a shallow clone may only not know.
var ErrNothingCommon = errors.New("no commit in common")

// MergeBase returns the last commit that a revision and the one that is checked
// out have in common.
func (r *Repository) MergeBase(ctx context.Context, rev string) (string, error) {
	head, err := r.Head(ctx)
	if err != nil {
		return "", err
	}
	return r.Common(ctx, rev, head)
}

// Common returns the last commit that two revisions have in common.
func (r *Repository) Common(ctx context.Context, a, b string) (string, error) {
	names := [2]string{}
	for i, rev := range [2]string{a, b} {
		name, err := r.Resolve(ctx, rev)
		if err != nil {
			return "", err
		}
		names[i] = name
	}
	out, err := r.git(ctx, "merge-base", names[0], names[1])
	if errors.Is(err, ErrNoRepository) || errors.Is(err, ErrNoGit) {
		return "", err
	}
	if err != nil {
		return "", fmt.Errorf("%.12s and %.12s have %w here", names[0], names[1], ErrNothingCommon)
	}
	return strings.TrimSpace(out), nil
}

// Shallow reports whether the repository lacks older history.
func (r *Repository) Shallow(ctx context.Context) bool {
	out, err := r.git(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && strings.TrimSpace(out) == "true"
}

// maxMessages bounds the commits whose messages are read, and their size.
const (
	maxMessages     = 250
	maxMessageBytes = 1 << 20
)

// Commit is what a commit says of itself.
type Commit struct {
	Name                    string
	AuthorName, AuthorEmail string
	Message                 string
}

// Commits returns the commits that head has and base has not, newest first, at
// most 250 of them. Only what is here is looked at: of a shallow clone that may
// be fewer than there are.
func (r *Repository) Commits(ctx context.Context, base, head string) ([]Commit, error) {
	for _, name := range []string{base, head} {
		if _, err := r.Resolve(ctx, name); err != nil {
			return nil, err
		}
	}
	out, err := r.git(ctx, "rev-list", fmt.Sprintf("--max-count=%d", maxMessages), "--no-merges", head, "^"+base)
	if err != nil {
		return nil, fmt.Errorf("list commits: %w", err)
	}
	var all []Commit
	for name := range strings.FieldsSeq(out) {
		text, err := r.git(ctx, "cat-file", "commit", name)
		if err != nil {
			return nil, fmt.Errorf("read commit %.12s: %w", name, err)
		}
		all = append(all, commitOf(name, text[:min(len(text), maxMessageBytes)]))
	}
	return all, nil
}

// commitOf reads a commit object. Source: git's manual, "git-cat-file", and
// Documentation/gitformat-signature.
func commitOf(name, text string) Commit {
	c := Commit{Name: name}
	head, message, _ := strings.Cut(text, "\n\n")
	c.Message = message
	for line := range strings.Lines(head) {
		author, ok := strings.CutPrefix(line, "author ")
		if !ok {
			continue
		}
		who, rest, _ := strings.Cut(author, "<")
		c.AuthorName = strings.TrimSpace(who)
		c.AuthorEmail, _, _ = strings.Cut(rest, ">")
		break
	}
	return c
}

// Folder is the folder that the repository was opened in, below its root; "" for
// the root itself.
func (r *Repository) Folder() string { return strings.TrimSuffix(r.prefix, "/") }

// Sparse are the files that a sparse checkout left out of the working tree, by
// their paths below the folder that the repository was opened in.
func (r *Repository) Sparse(ctx context.Context) (map[string]bool, error) {
	out, err := r.git(ctx, "ls-files", "-t", "-z")
	if err != nil {
		return nil, fmt.Errorf("list the files that are checked out: %w", err)
	}
	left := map[string]bool{}
	for entry := range strings.SplitSeq(out, "\x00") {
		if name, ok := strings.CutPrefix(entry, "S "); ok {
			left[name] = true
		}
	}
	return left, nil
}
