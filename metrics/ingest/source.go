package ingest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
)

const bufferSize = 64 << 10

// source is a file's text: unpacked where the file is gzip, which its first
// bytes say and not its name. It remembers the digest of the bytes as read.
type source struct {
	*bufio.Reader
	digest hash.Hash
}

// openSource starts reading r. Reading stops with the context's error once the
// context is done.
func openSource(ctx context.Context, r io.Reader, file string, limits Limits) (*source, error) {
	digest := sha256.New()
	raw := bufio.NewReaderSize(io.TeeReader(&contextReader{ctx, r}, digest), bufferSize)
	magic, err := raw.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if problem, cure := notText(magic); problem != "" {
		return nil, &LineError{File: file, Line: 1, Problem: problem, Cure: cure}
	}
	if !bytes.HasPrefix(magic, []byte{0x1f, 0x8b}) {
		return &source{raw, digest}, nil
	}
	unzip, err := gzip.NewReader(raw)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w: copy or download the file again", file, err)
	}
	unzip.Multistream(false)
	text := &unpacked{r: &members{unzip, raw}, left: limits.Unpacked, limit: limits.Unpacked}
	return &source{bufio.NewReaderSize(text, bufferSize), digest}, nil
}

// sum is the hexadecimal SHA-256 of everything read so far.
func (s *source) sum() string { return hex.EncodeToString(s.digest.Sum(nil)) }

// notText recognises files that people take for CSV, by their first bytes.
func notText(magic []byte) (problem, cure string) {
	switch {
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")):
		return "the file is a zip archive or an Excel workbook, not CSV", "export the sheet as CSV (UTF-8)"
	case bytes.HasPrefix(magic, []byte{0xff, 0xfe}), bytes.HasPrefix(magic, []byte{0xfe, 0xff}):
		return "the file is UTF-16", "save it as UTF-8"
	case bytes.HasPrefix(magic, []byte("PAR1")):
		return "the file is Parquet, not CSV", "export it as CSV"
	}
	return "", ""
}

// contextReader stops reading when its context is done.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// errTrailing is met where the last part of a gzip file is followed by bytes
// that are none.
var errTrailing = errors.New("the gzip file is whole, and bytes that are not gzip follow it: remove what was appended, or compress the text again")

// members reads the parts of a gzip file one after another, as gzip does, and
// tells a file with something appended from one that is cut off.
type members struct {
	unzip *gzip.Reader
	raw   *bufio.Reader
}

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.unzip.Read(p)
		if n > 0 || !errors.Is(err, io.EOF) {
			if errors.Is(err, io.EOF) {
				err = nil // the next part, or the end, is looked for by the next read
			}
			return n, err
		}
		magic, err := m.raw.Peek(2)
		switch {
		case errors.Is(err, io.EOF) && len(magic) == 0:
			return 0, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return 0, err
		case !bytes.Equal(magic, []byte{0x1f, 0x8b}):
			return 0, errTrailing
		}
		if err := m.unzip.Reset(m.raw); err != nil {
			return 0, err
		}
		m.unzip.Multistream(false)
	}
}

// errUnpacked ends the reading of a compressed file that unpacks to too much.
var errUnpacked = errors.New("the gzip file unpacks to too much")

// unpacked bounds what a compressed file may unpack to.
type unpacked struct {
	r           io.Reader
	left, limit int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return u.pastTheEnd()
	}
	n, err := u.r.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	return n, err
}

// pastTheEnd tells a file that ends exactly at the limit from a longer one.
func (u *unpacked) pastTheEnd() (int, error) {
	var one [1]byte
	n, err := io.ReadFull(u.r, one[:])
	if n == 0 {
		return 0, err
	}
	return 0, fmt.Errorf("%w: more than %d bytes; split it, or raise the limit", errUnpacked, u.limit)
}
