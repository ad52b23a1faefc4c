package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"steelyard/internal/actions"
	"steelyard/internal/config"
	"steelyard/internal/gittree"
	"steelyard/internal/treediff"
	"steelyard/lint"
)

// span is what a check looks at: a change and what it starts from.
type span struct {
	compared
	// baseName and headName say what they are, for people.
	baseName, headName string
	// takesCommands says that the change takes away a file that says which
	// commands there are.
	takesCommands bool
	// above is the CODEOWNERS of the repository around a folder.
	above ownersAbove
	// given is what was found out about the change, for the rules.
	given []any
}

// openSpan decides what is compared, by the flags, else by what the CI system
// says, else by what the clone knows.
func (c *checkCommand) openSpan(ctx context.Context, run *actions.Run) (*span, error) {
	s := &span{compared: compared{dir: ".", system: systemOf(run)}}
	if err := s.choose(ctx, c, run); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *span) choose(ctx context.Context, c *checkCommand, run *actions.Run) error {
	repository, err := gittree.Open(ctx, ".")
	if err == nil {
		s.repository = repository
		if folder := repository.Folder(); folder != "" {
			s.say("only the folder %s is looked at, with the %s that stands in it", folder, config.FileName)
		}
	} else if !isFolder(c.Base) || c.Head != "" && !isFolder(c.Head) {
		return noRepository(err)
	}
	if link := linkInRepository("."); link != "" && run != nil {
		return linkedFolder(link)
	}
	base, head := c.Base, c.Head
	if run != nil && run.Kind != "" && base == "" {
		at := origin{repository, run, s}
		if base, head, err = at.ends(ctx, head); err != nil {
			return err
		}
		if err := s.openHead(ctx, head); err != nil {
			return err
		}
		s.baseCommitted, s.baseName = true, run.BaseBranch
		s.base, s.baseCommit, err = s.tree(ctx, base)
		return err
	}
	if err := s.openHead(ctx, head); err != nil {
		return fmt.Errorf("--head: %w", err)
	}
	return s.openBase(ctx, base)
}

func noRepository(err error) error {
	if errors.Is(err, gittree.ErrNoRepository) {
		return withHint(errors.New("there is no git repository here"), "run it in the repository, or name two folders: --base DIR --head DIR")
	}
	return err
}

// openHead opens the change: a commit, a folder or the working directory.
func (s *span) openHead(ctx context.Context, head string) (err error) {
	if head == "" || isFolder(head) {
		if head != "" {
			s.dir = head
		}
		s.headName = "the working directory"
		if head != "" {
			s.headName = head
		}
		s.head, err = openTree(s.dir)
		return err
	}
	s.headCommitted, s.headName = true, head
	if s.head, s.headCommit, err = s.tree(ctx, head); errors.Is(err, gittree.ErrNoCommit) {
		return missing(ctx, s.repository, s.system, headEnd, head, err)
	}
	return err
}

// openBase opens what the change starts from. A revision means the last commit
// that it has in common with the head.
func (s *span) openBase(ctx context.Context, base string) (err error) {
	if isFolder(base) {
		s.baseName, s.baseDir = base, base
		s.base, err = openTree(base)
		return err
	}
	rev := base
	if base == "" {
		if rev, err = s.repository.Target(ctx); err != nil {
			return err
		}
		if rev == "" {
			return s.noTarget(ctx)
		}
		base = strings.TrimPrefix(strings.TrimPrefix(rev, "refs/remotes/"), "refs/heads/")
	}
	s.baseCommitted, s.baseName = true, base
	head := s.headCommit
	if head == "" {
		if head, err = s.repository.Head(ctx); err != nil {
			return missing(ctx, s.repository, s.system, baseEnd, base, err)
		}
	}
	common, err := s.repository.Common(ctx, rev, head)
	if err != nil {
		return fmt.Errorf("--base: %w", missing(ctx, s.repository, s.system, baseEnd, base, err))
	}
	s.base, s.baseCommit, err = s.tree(ctx, common)
	return err
}

// noTarget is the error where nobody said what the change starts from and the
// clone does not know it. The commit that is checked out would leave only what
// is not committed yet, and a change that is committed would pass unseen.
func (s *span) noTarget(ctx context.Context) error {
	if _, err := s.repository.Head(ctx); err != nil {
		return missing(ctx, s.repository, s.system, baseEnd, "", err)
	}
	return &failure{
		err: errors.New("what the change starts from is not known: this clone knows no default branch of origin"),
		hints: []string{
			"name it, such as --base origin/main; --base HEAD looks at what is not committed yet",
			"git remote set-head origin --auto lets the clone know it from now on",
		},
	}
}

func (s *span) tree(ctx context.Context, rev string) (fs.FS, string, error) {
	if s.repository == nil {
		return nil, "", fmt.Errorf("%s is neither a folder, nor a revision: there is no git repository here", shellWord(rev))
	}
	commit, err := s.repository.Resolve(ctx, rev)
	if err != nil {
		return nil, "", err
	}
	tree, err := s.repository.Tree(ctx, commit)
	if err != nil {
		return nil, "", err
	}
	s.closers = append(s.closers, tree.Close)
	return tree, commit, nil
}

// changes lists what the two sides have differently.
func (s *span) changes(ctx context.Context) ([]treediff.Change, error) {
	base, err := side(ctx, s.base, s.baseCommitted)
	if err != nil {
		return nil, err
	}
	head, err := side(ctx, s.head, s.headCommitted)
	if err != nil {
		return nil, err
	}
	if !s.headCommitted {
		if base.Paths, err = s.checkedOut(ctx, base.Paths); err != nil {
			return nil, err
		}
		// A walk leaves out what is ignored or vendored: that is no deletion.
		listed := map[string]bool{}
		for _, name := range head.Paths {
			listed[name] = true
		}
		for _, name := range base.Paths {
			if info, err := fs.Lstat(s.head, name); err == nil && !listed[name] && !info.IsDir() {
				head.Paths = append(head.Paths, name)
			}
		}
	}
	return treediff.Compare(ctx, base, head)
}

// listed is a tree that knows its files by name and identity.
type listed interface {
	fs.FS
	Paths() []string
	ID(name string) (string, bool)
}

func side(ctx context.Context, tree fs.FS, committed bool) (treediff.Tree, error) {
	if t, ok := tree.(listed); ok {
		return treediff.Tree{FS: tree, Paths: t.Paths(), ID: t.ID}, nil
	}
	found := treediff.Tree{FS: tree}
	err := lint.Inspect(ctx, tree, lint.Config{Committed: committed}, func(pass *lint.Pass) error {
		pass.EachPath(func(name string) bool {
			found.Paths = append(found.Paths, name)
			return true
		})
		return nil
	})
	return found, err
}

// gone reports whether the head has no file of that name.
func (s *span) gone(name string) bool {
	_, err := fs.Lstat(s.head, name)
	return errors.Is(err, fs.ErrNotExist)
}
