package gittree

import (
	"context"
	"errors"
	"strings"
)

// remotes is where a clone keeps the branches of what it was made from.
const remotes = "refs/remotes/"

// Target returns the full name of the branch that work in this clone is meant
// for ("refs/remotes/origin/main"), "" where the clone does not know it: the
// default branch of origin, else the upstream of the branch that is checked
// out, unless that is the same branch on the server, else origin's main or
// master where it has one of the two. How the user names the first branch of a
// new repository says nothing about this one, so it is not asked.
func (r *Repository) Target(ctx context.Context) (string, error) {
	for _, find := range []func(context.Context) (string, error){r.defaultOfOrigin, r.upstream, r.usualOfOrigin} {
		name, err := find(ctx)
		if name != "" || err != nil {
			return name, err
		}
	}
	return "", nil
}

// refOf returns the full name of the ref that a revision means, "" where there
// is none that leads to a commit.
func (r *Repository) refOf(ctx context.Context, rev string) (string, error) {
	out, err := r.git(ctx, "rev-parse", "--symbolic-full-name", rev)
	if errors.Is(err, ErrNoRepository) || errors.Is(err, ErrNoGit) || ctx.Err() != nil {
		return "", errors.Join(err, ctx.Err())
	}
	name := strings.TrimSpace(out)
	if err != nil || !strings.HasPrefix(name, "refs/") || !r.Has(ctx, name) {
		return "", nil //nolint:nilerr // there is no such ref
	}
	return name, nil
}

func (r *Repository) defaultOfOrigin(ctx context.Context) (string, error) {
	return r.refOf(ctx, remotes+"origin/HEAD")
}

// upstream is what the branch that is checked out follows. A branch that was
// pushed follows itself, which holds all of it but what is not pushed yet.
func (r *Repository) upstream(ctx context.Context) (string, error) {
	branch, err := r.refOf(ctx, "HEAD")
	own, ok := strings.CutPrefix(branch, "refs/heads/")
	if !ok {
		return "", err
	}
	name, err := r.refOf(ctx, "@{upstream}")
	if below, ok := strings.CutPrefix(name, remotes); ok {
		if _, followed, _ := strings.Cut(below, "/"); followed == own {
			return "", nil
		}
	}
	return name, err
}

func (r *Repository) usualOfOrigin(ctx context.Context) (string, error) {
	found := ""
	for _, branch := range []string{"main", "master"} {
		name, err := r.refOf(ctx, remotes+"origin/"+branch)
		if err != nil {
			return "", err
		}
		if name != "" && found != "" {
			return "", nil // either may be meant
		}
		if name != "" {
			found = name
		}
	}
	return found, nil
}
