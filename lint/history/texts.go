package history

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"steelyard/lint"
	"steelyard/migrations"
)

var _ lint.TextStore = (*History)(nil)

// maxTextBytes bounds the texts of one repository when they are read.
const maxTextBytes = 32 << 20

// saveTexts keeps a scan's instruction files in place of those of the scan
// before. A scan that saw none leaves none.
func saveTexts(ctx context.Context, tx *sql.Tx, s lint.Scan) error {
	if len(s.Inventory.Texts) == 0 {
		_, err := tx.ExecContext(ctx, `DELETE FROM instruction_texts WHERE repository = $1`, s.Repository)
		return err
	}
	packed, err := packTexts(s.Inventory.Texts)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO instruction_texts (repository, git_commit, at, texts) VALUES ($1, $2, $3, $4)
		ON CONFLICT (repository) DO UPDATE SET git_commit = excluded.git_commit, at = excluded.at, texts = excluded.texts`,
		s.Repository, s.Commit, s.At.UnixMilli(), packed)
	if err != nil {
		return fmt.Errorf("keep the instructions: %w", err)
	}
	return nil
}

// TextRepositories are the repositories whose instruction files are kept, by
// name.
func (h *History) TextRepositories(ctx context.Context) ([]string, error) {
	names := []string{}
	err := h.db.View(ctx, func(tx *sql.Tx) error {
		return migrations.Each(ctx, tx, `SELECT repository FROM instruction_texts ORDER BY repository`, nil, func(scan func(...any) error) error {
			var name string
			err := scan(&name)
			names = append(names, name)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("name the repositories with instructions: %w", err)
	}
	return names, nil
}

// InstructionTexts are the instruction files of a repository's newest scan, the
// zero value where none are kept.
func (h *History) InstructionTexts(ctx context.Context, repository string) (lint.InstructionTexts, error) {
	var out lint.InstructionTexts
	err := h.db.View(ctx, func(tx *sql.Tx) error {
		var at sql.NullInt64
		var packed []byte
		err := tx.QueryRowContext(ctx, `SELECT repository, git_commit, at, texts FROM instruction_texts WHERE repository = $1`, repository).
			Scan(&out.Repository, &out.Commit, &at, &packed)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		out.At = migrations.Time(at)
		out.Texts, err = unpackTexts(packed)
		return err
	})
	if err != nil {
		return lint.InstructionTexts{}, fmt.Errorf("read the instructions of %q: %w", repository, err)
	}
	return out, nil
}

func packTexts(texts []lint.SeenText) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	err := json.NewEncoder(z).Encode(texts)
	if err = errors.Join(err, z.Close()); err != nil {
		return nil, fmt.Errorf("pack the instructions: %w", err)
	}
	return b.Bytes(), nil
}

// unpackTexts is the reverse of packTexts, within a bound.
func unpackTexts(packed []byte) ([]lint.SeenText, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack the instructions: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(z, maxTextBytes+1))
	if err == nil && len(text) > maxTextBytes {
		err = fmt.Errorf("they are longer than %d bytes", maxTextBytes)
	}
	var texts []lint.SeenText
	if err == nil {
		err = json.Unmarshal(text, &texts)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack the instructions: %w", err)
	}
	return texts, nil
}
