package github

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
)

// maxBlob bounds one file; GitHub gives blobs up to 100 MB.
const maxBlob = 16 << 20

// Tree lists all files of a repository at a revision: a branch, a tag or a
// commit. GitHub cuts the list of very large repositories, which Truncated
// says.
func (c *Client) Tree(ctx context.Context, ref RepositoryRef, rev string) (Tree, error) {
	ctx = withOwner(ctx, ref.Owner)
	sha, _, err := c.rest.Repositories.GetCommitSHA1(ctx, ref.Owner, ref.Name, rev, "")
	if err != nil {
		return Tree{}, fmt.Errorf("find revision %q of %s: %w", rev, ref, clean(err))
	}
	got, _, err := c.rest.Git.GetTree(ctx, ref.Owner, ref.Name, sha, true)
	if err != nil {
		return Tree{}, fmt.Errorf("list files of %s at %s: %w", ref, rev, clean(err))
	}
	t := Tree{Commit: sha, Truncated: got.GetTruncated()}
	for _, e := range got.Entries {
		if e == nil {
			continue
		}
		t.Entries = append(t.Entries, TreeEntry{
			Path: e.GetPath(), Type: e.GetType(), Mode: e.GetMode(), SHA: e.GetSHA(), Size: int64(e.GetSize()),
		})
	}
	return t, nil
}

// Blob reads one file by the hash that [Client.Tree] gave, up to 16 MiB.
func (c *Client) Blob(ctx context.Context, ref RepositoryRef, sha string) ([]byte, error) {
	ctx = withOwner(ctx, ref.Owner)
	got, _, err := c.rest.Git.GetBlob(ctx, ref.Owner, ref.Name, sha)
	if err != nil {
		return nil, fmt.Errorf("read file %s of %s: %w", sha, ref, clean(err))
	}
	if got.GetSize() > maxBlob {
		return nil, fmt.Errorf("read file %s of %s: %d bytes, over %d MiB", sha, ref, got.GetSize(), maxBlob>>20)
	}
	if got.GetEncoding() != "base64" {
		return []byte(got.GetContent()), nil
	}
	text, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(got.GetContent(), "\n", ""))
	if err != nil {
		return nil, fmt.Errorf("read file %s of %s: %w", sha, ref, &AnswerError{Reason: "its content is not base64", Err: err})
	}
	return text, nil
}
