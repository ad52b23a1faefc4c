package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"steelyard/migrations"
)

type backupCommand struct {
	databaseFlag
	File  string `arg:"" name:"FILE" help:"Where to write; - is standard output."`
	Force bool   `help:"Replace a file that is there."`
}

// Help shows how it is used.
func (c *backupCommand) Help() string {
	return `The backup holds everything that is stored as it stands at one moment, while others read and write: nobody waits. Either engine restores it, so it is also the way from SQLite to PostgreSQL. It is written beside its place, read back and checked, and only then put there; a failure leaves an older file as it was. It holds what people did, so only its owner may read it. docs/operations.md says how often, and how to copy continuously.

    steelyard backup /backup/steelyard-$(date +%F).backup
    steelyard backup - --db postgres://steelyard@db.example/steelyard | gpg --encrypt -r ops > steelyard.gpg`
}

func (c *backupCommand) Run(ctx context.Context, p *program) error {
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	if c.File != "-" && !c.Force {
		if _, err := os.Lstat(c.File); !errors.Is(err, fs.ErrNotExist) {
			return withHint(fmt.Errorf("backup: %s exists already", c.File), "name another file, or add --force to replace it")
		}
	}
	return p.withDatabase(ctx, settings, toRead, func(db *migrations.DB) error {
		if c.File == "-" {
			_, err := db.Backup(ctx, p.stdout, p.now())
			return err
		}
		made, err := c.write(ctx, p, db)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "wrote %s: %s in %s, schema version %d (sha256 %.12s)\n",
			c.File, counted(int(made.Rows), "rows"), counted(len(made.Tables), "tables"), made.Schema, made.SHA256)
		return err
	})
}

// write fills a file beside the named one, reads it back, and renames it.
func (c *backupCommand) write(ctx context.Context, p *program, db *migrations.DB) (migrations.Backup, error) {
	dir := filepath.Dir(c.File)
	f, err := os.CreateTemp(dir, "."+filepath.Base(c.File)+".*") // for its owner alone
	if errors.Is(err, fs.ErrNotExist) {
		return migrations.Backup{}, withHint(fmt.Errorf("backup: the folder %s does not exist", dir), "make it first: mkdir -p %s", shellWord(dir))
	}
	if err != nil {
		return migrations.Backup{}, fmt.Errorf("backup: make a file in %s: %w", dir, err)
	}
	made, err := fillBackup(ctx, f, db, p)
	if err == nil {
		err = os.Rename(f.Name(), c.File)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // best effort: the error below matters
		return migrations.Backup{}, fmt.Errorf("backup %s: %w", c.File, err)
	}
	return made, syncFolder(dir)
}

func fillBackup(ctx context.Context, f *os.File, db *migrations.DB, p *program) (migrations.Backup, error) {
	made, err := db.Backup(ctx, f, p.now())
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	var read migrations.Backup
	if err == nil {
		read, err = migrations.CheckBackup(ctx, f)
	}
	if err == nil && read.SHA256 != made.SHA256 {
		err = errors.New("what was written reads back differently: check the disk")
	}
	return made, errors.Join(err, f.Close())
}

// syncFolder makes a rename in a folder last. Where folders cannot be synced,
// the file is there all the same.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	_ = d.Sync()
	return d.Close()
}
