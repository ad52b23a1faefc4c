package main

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"steelyard/docs"
	"steelyard/internal/blobfs"
	"steelyard/lint"
	"steelyard/lint/instructions"
	"steelyard/mcp"
	"steelyard/metrics"
	"steelyard/rules"
)

// instructionReader answers what assistants read: of repositories from the texts
// that scans kept, and of one folder, where it is given, from the folder as it
// is now.
type instructionReader struct {
	texts lint.TextStore
	now   func() time.Time
	// name is what the folder is called, "" where there is none; open reads it
	// anew each time.
	name string
	open func() (fs.FS, lint.Config, error)
}

var _ mcp.InstructionReader = (*instructionReader)(nil)

// newInstructionReader reads the folder dir as well, where it is not empty.
func newInstructionReader(p *program, texts lint.TextStore, dir string) (*instructionReader, error) {
	r := &instructionReader{texts: texts, now: p.now}
	if dir == "" {
		return r, nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of --tree: %w", err)
	}
	r.name = filepath.Base(abs)
	r.open = func() (fs.FS, lint.Config, error) {
		tree, settings, err := p.openLinted(abs)
		if err != nil {
			return nil, lint.Config{}, err
		}
		cfg := lintConfig(settings, p)
		cfg.Committed = !inWorkingTree(abs)
		return tree, cfg, nil
	}
	if _, _, err := r.open(); err != nil {
		return nil, fmt.Errorf("open the folder of --tree: %w", err)
	}
	return r, nil
}

// Repositories are those of the scans and the folder.
func (r *instructionReader) Repositories(ctx context.Context) ([]string, error) {
	names, err := r.texts.TextRepositories(ctx)
	if err != nil {
		return nil, err
	}
	if r.open != nil && !slices.Contains(names, r.name) {
		names = append(names, r.name)
		slices.Sort(names)
	}
	return names, nil
}

// Effective says what a surface reads when it works on file. The folder wins
// where a scan has its name.
func (r *instructionReader) Effective(ctx context.Context, repository, surface, file string) (mcp.Instructions, error) {
	file = path.Clean(filepath.ToSlash(file))
	if !fs.ValidPath(file) || file == "." {
		return mcp.Instructions{}, fmt.Errorf("read %q: %w", file, mcp.ErrNoFile)
	}
	s, err := surfaceNamed(surface)
	if err != nil {
		return mcp.Instructions{}, err
	}
	out := mcp.Instructions{Repository: repository, Title: s.Title}
	var tree fs.FS
	var cfg lint.Config
	if r.open != nil && repository == r.name {
		tree, cfg, err = r.open()
	} else {
		var kept lint.InstructionTexts
		kept, err = r.texts.InstructionTexts(ctx, repository)
		out.Commit, out.At = kept.Commit, kept.At
		tree, cfg = treeOf(kept.Texts), lint.Config{Today: r.now(), Committed: true}
	}
	if err != nil {
		return mcp.Instructions{}, err
	}
	reading, err := readingOf(ctx, tree, cfg, s, file)
	if err != nil {
		return mcp.Instructions{}, err
	}
	fillInstructions(&out, reading)
	return out, nil
}

func readingOf(ctx context.Context, tree fs.FS, cfg lint.Config, s rules.Surface, file string) (reading instructions.Reading, err error) {
	err = lint.Inspect(ctx, tree, cfg, func(pass *lint.Pass) (err error) {
		reading, err = instructions.Effective(pass, s, file)
		return err
	})
	return reading, err
}

// treeOf is a tree of the texts that a scan kept.
func treeOf(texts []lint.SeenText) fs.FS {
	files := make([]blobfs.File, len(texts))
	content := make(map[string]string, len(texts))
	for i, t := range texts {
		files[i] = blobfs.File{Path: t.Path, Size: int64(len(t.Text)), ID: t.Path}
		content[t.Path] = t.Text
		if t.Link != "" {
			files[i].Mode, files[i].Size = fs.ModeSymlink, int64(len(t.Link))
			content[t.Path] = t.Link
		}
	}
	return blobfs.New(files, func(f blobfs.File) ([]byte, error) { return []byte(content[f.ID]), nil })
}

func fillInstructions(out *mcp.Instructions, r instructions.Reading) {
	out.Bytes = r.Bytes
	for _, t := range r.Texts {
		out.Texts = append(out.Texts, mcp.InstructionText{Path: t.Path, Because: t.Because, Bytes: t.Bytes, Read: t.Read})
	}
	for _, l := range r.Left {
		out.Left = append(out.Left, mcp.InstructionText{Path: l.Path, Because: l.Because})
	}
	for _, c := range r.Conflicts {
		out.Conflicts = append(out.Conflicts, mcp.InstructionConflict{
			Topic: c.Topic, Follows: c.Follows, First: mcp.InstructionOrder(c.First), Then: mcp.InstructionOrder(c.Then),
		})
	}
}

// withSources adds to the options of an MCP server what it reads beside reports
// and findings.
func (r room) withSources(p *program, o mcp.Options, tree string) (mcp.Options, error) {
	reader, err := newInstructionReader(p, r.findings, tree)
	if err != nil {
		return o, err
	}
	o.Instructions, o.Inventory, o.Decisions = reader, r.findings, r.findings
	o.Methods = methodNotes
	o.Pulls, _ = r.reports.(metrics.PilotPulls)
	o.GitHub = strings.TrimSuffix(strings.TrimSuffix(r.github, "/"), "/api/v3")
	return o, nil
}

// methodNotes are the manual's notes on methods.
func methodNotes() ([]mcp.Method, error) {
	pages, err := docs.Pages()
	if err != nil {
		return nil, err
	}
	var notes []mcp.Method
	for _, page := range pages {
		if name, ok := strings.CutPrefix(page.Name, "methods/"); ok {
			notes = append(notes, mcp.Method{Name: name, Title: page.Title, Text: page.Text})
		}
	}
	return notes, nil
}
