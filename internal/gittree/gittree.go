// Package gittree reads the files of a commit through the git program, as a file
// tree, without checking anything out and without running anything that the
// repository brings.
//
// The git program is used and not a library, because it knows every form in
// which repositories are kept (packs, alternates, linked worktrees, partial
// clones, SHA-256), and a library for that would be the largest dependency of
// this program. Only commands that read objects are run (rev-parse, merge-base,
// ls-tree, cat-file, rev-list): they use no hook, filter, text conversion, pager or
// monitor. What a repository's own configuration could still start is switched
// off, and no transport is allowed, so that nothing is fetched.
package gittree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ErrNoRepository is wrapped by the error of a folder outside of any repository.
var ErrNoRepository = errors.New("not in a git repository")

// ErrPartial is wrapped by the error about files that a partial clone left out.
var ErrPartial = errors.New("the clone is a partial one and lacks some of the files")

// ErrNoGit is wrapped by the error where there is no git program.
var ErrNoGit = errors.New("there is no git program")

// errBare says that a folder is a repository without a working tree.
var errBare = errors.New("this folder is a git repository of its own, inside of another: take HEAD, objects and refs out of it, or name the repository's own folder")

// Repository is a git repository as seen from one of its folders.
type Repository struct {
	dir    string
	bare   bool   // it may be one without a working tree
	prefix string // of dir below the root, with a slash at its end; "" for the root
}

// Open finds the repository that a folder lies in. Files of a repository can make
// one of its folders look like another, which would have the history and the
// settings that they say: such a folder is refused.
func Open(ctx context.Context, dir string) (*Repository, error) {
	r := &Repository{dir: dir}
	prefix, err := r.git(ctx, "rev-parse", "--show-prefix")
	if errors.Is(err, errBare) && !within(dir) {
		r.bare = true // on a server, say
		prefix, err = r.git(ctx, "rev-parse", "--show-prefix")
	}
	if err != nil {
		return nil, err
	}
	r.prefix = strings.TrimSuffix(prefix, "\n")
	return r, nil
}

// ErrNoCommit is wrapped by the error about a revision that means no commit here.
var ErrNoCommit = errors.New("no commit")

// within reports whether a folder lies in the working tree of a repository.
func within(dir string) bool {
	dir, err := filepath.Abs(dir)
	for above := filepath.Dir(dir); err == nil && above != dir; above = filepath.Dir(dir) {
		dir = above
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
	}
	return err != nil
}

// Resolve returns the full name of the commit that a revision means.
func (r *Repository) Resolve(ctx context.Context, rev string) (string, error) {
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, " \t\n\x00") {
		return "", fmt.Errorf("%q is not the name of a revision", rev)
	}
	out, err := r.git(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if errors.Is(err, ErrNoRepository) || errors.Is(err, ErrNoGit) {
		return "", err
	}
	if err != nil {
		return "", fmt.Errorf("there is %w %q here", ErrNoCommit, rev)
	}
	return strings.TrimSpace(out), nil
}

// git runs a command that only reads, and returns what it writes.
func (r *Repository) git(ctx context.Context, args ...string) (string, error) {
	cmd := r.command(ctx, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", reason(args[0], err, errs.String())
	}
	return out.String(), nil
}

// reason turns a failed run into an error that says what to do.
func reason(command string, err error, said string) error {
	said = strings.TrimSpace(said)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("%w: install git, or leave out what needs it", ErrNoGit)
	case strings.Contains(said, "not a git repository"):
		return ErrNoRepository
	case strings.Contains(said, "safe.bareRepository"):
		return errBare
	case strings.Contains(said, "lazy fetching disabled"), strings.Contains(said, "could not fetch"):
		return ErrPartial
	case strings.Contains(said, "dubious ownership"):
		return errors.New("git does not trust this repository, which belongs to somebody else: run git config --global --add safe.directory with its path if you do")
	case said == "":
		return fmt.Errorf("git %s: %w", command, err)
	}
	first, _, _ := strings.Cut(said, "\n")
	return fmt.Errorf("git %s: %s", command, strings.TrimPrefix(first, "fatal: "))
}

// command makes a git command that cannot start another program.
func (r *Repository) command(ctx context.Context, args ...string) *exec.Cmd {
	safe := []string{
		"-C", r.dir, "--no-pager", "--no-replace-objects", "--no-optional-locks",
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.pager=cat",
		"-c", "protocol.allow=never", "-c", "core.sshCommand=false", "-c", "core.askPass=", "-c", "credential.helper=",
	}
	if !r.bare {
		safe = append(safe, "-c", "safe.bareRepository=explicit")
	}
	cmd := exec.CommandContext(ctx, "git", append(safe, args...)...)
	cmd.Env = environment()
	return cmd
}

// environment is the process's own without what points git elsewhere: a hook
// has variables that name another index or folder.
func environment() []string {
	env := []string{"GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C"}
	for _, one := range os.Environ() {
		name, _, _ := strings.Cut(one, "=")
		keep := name == "GIT_CONFIG_GLOBAL" || name == "GIT_CONFIG_NOSYSTEM" || name == "GIT_CEILING_DIRECTORIES"
		if keep || !strings.HasPrefix(name, "GIT_") && name != "LC_ALL" {
			env = append(env, one)
		}
	}
	return env
}
