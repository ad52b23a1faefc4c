package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"steelyard/internal/config"
	"steelyard/migrations"
	"steelyard/rules"
)

// databaseFlag is the flag of every command that touches the database.
type databaseFlag struct {
	DB string `name:"db" placeholder:"URL" help:"Database: sqlite:PATH or postgres://USER@HOST/NAME. Also $$STEELYARD_DATABASE or database in steelyard.yaml; sqlite:steelyard.db otherwise."`
}

func (d databaseFlag) setting() config.Flag {
	return config.Flag{Key: config.KeyDatabase, Name: "--db", Value: d.DB}
}

// again is what names the same database in a command that a person is told to
// run next: nothing where it comes from the settings, which they keep.
func (d databaseFlag) again() string {
	if d.DB == "" {
		return ""
	}
	return " --db " + shellWord(migrations.Redact(d.DB))
}

// settings reads the settings of the working directory, or of --config.
func (p *program) settings(flags ...config.Flag) (*config.Config, error) {
	if p.configFile != "" {
		return p.settingsFile(flags)
	}
	return p.load(os.DirFS("."), config.Sources{Flags: flags})
}

// treeSettings reads the settings that stand in a tree to lint, or --config.
func (p *program) treeSettings(tree fs.FS, dir string, flags ...config.Flag) (*config.Config, error) {
	if p.configFile != "" {
		return p.settingsFile(flags)
	}
	shown := filepath.Join(dir, config.FileName)
	return p.load(tree, config.Sources{Shown: shown, Flags: flags})
}

func (p *program) settingsFile(flags []config.Flag) (*config.Config, error) {
	dir, name := filepath.Split(filepath.Clean(p.configFile))
	if dir == "" {
		dir = "."
	}
	return p.load(os.DirFS(dir), config.Sources{
		Path: name, Shown: p.configFile, MustExist: true, Flags: flags,
	})
}

func (p *program) load(dir fs.FS, s config.Sources) (*config.Config, error) {
	names, err := ruleNames()
	if err != nil {
		return nil, err
	}
	s.Path = cmp.Or(s.Path, config.FileName)
	s.Shown = cmp.Or(s.Shown, s.Path)
	s.Dir, s.Path, s.Env, s.Rules = dir, through(dir, s.Path), p.env, names
	return config.Load(s)
}

// ruleNames lists the id and the name of every rule.
func ruleNames() ([]string, error) {
	pages, err := rules.All()
	if err != nil {
		return nil, fmt.Errorf("read the rules: %w", err)
	}
	var names []string
	for _, page := range pages {
		names = append(names, page.ID, page.Name)
	}
	return names, nil
}

// openMode says whether a command may make a database that is not there.
type openMode bool

const (
	toRead  openMode = false
	toWrite openMode = true
)

// withDatabase opens the database that the settings name, runs use on it and
// closes it.
func (p *program) withDatabase(ctx context.Context, c *config.Config, mode openMode, use func(*migrations.DB) error) error {
	db, err := p.open(ctx, c, mode)
	if err != nil {
		return err
	}
	return errors.Join(use(db), db.Close())
}

func (p *program) open(ctx context.Context, c *config.Config, mode openMode) (*migrations.DB, error) {
	db, err := migrations.Open(ctx, c.Database, migrations.Options{MustExist: true})
	if mode == toWrite && errors.Is(err, fs.ErrNotExist) {
		if db, err = migrations.Open(ctx, c.Database, migrations.Options{}); err == nil {
			p.say("made a new database: %s", shellWord(migrations.Redact(c.Database)))
		}
	}
	if err == nil {
		return db, nil
	}
	url := shellWord(migrations.Redact(c.Database))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &failure{err: err, hints: []string{
			fmt.Sprintf("the database comes from: %s", c.Origin(config.KeyDatabase)),
			fmt.Sprintf("make one from your data with \"steelyard import panel\" or \"steelyard import pull-requests\", from GitHub with \"steelyard ingest\", or from the bundled data with \"steelyard demo --db %s --no-serve\"", url),
		}}
	}
	return nil, withHint(err, "the database comes from: %s", c.Origin(config.KeyDatabase))
}

// shellWord quotes s where a shell would otherwise read it differently.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+=,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
