package lint

import (
	"bytes"
	"encoding/binary"
	"io"
)

// maxIndexBytes bounds the git index; one of a million files is about 100 MB.
const maxIndexBytes = 256 << 20

// maxIndexPath bounds a path of the index. Version 4 writes a path as a change
// of the one before, so that a small index could spell out ever longer ones.
const maxIndexPath = 4096

// tracked yields the paths of the git index of a working tree. Git
// ignores only what it does not track, so a governed file that was added
// despite an ignore file is still everybody's. Without a readable index, as in
// a tree made of a commit or in a linked worktree, there are none.
//
// Source: gitformat-index(5), versions 2 to 4 with SHA-1 names. Entries that
// do not make sense end the list.
func (t *tree) tracked(yield func(path []byte)) {
	const index = ".git/index"
	if !t.regular(index) { // opening a pipe would wait for a writer
		return
	}
	file, err := t.fsys.Open(index)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(file, maxIndexBytes))
	if err != nil {
		return
	}
	readIndex(data, yield)
}

func readIndex(data []byte, yield func(path []byte)) {
	const header, fixed = 12, 62 // up to and with the flags
	if len(data) < header || string(data[:4]) != "DIRC" {
		return
	}
	version := binary.BigEndian.Uint32(data[4:])
	count := binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return
	}
	var before []byte
	pos := header
	for ; count > 0 && pos+fixed < len(data); count-- {
		start := pos
		flags := binary.BigEndian.Uint16(data[pos+60:])
		pos += fixed
		if version >= 3 && flags&0x4000 != 0 {
			pos += 2
		}
		var path []byte
		if version == 4 {
			strip, size := indexVarint(data[min(pos, len(data)):])
			if size == 0 || strip > len(before) {
				return
			}
			pos += size
			path = append(path, before[:len(before)-strip]...)
		}
		if pos > len(data) {
			return
		}
		end := bytes.IndexByte(data[pos:], 0)
		if end < 0 || len(path)+end > maxIndexPath {
			return
		}
		path = append(path, data[pos:pos+end]...)
		pos += end + 1
		if version < 4 {
			pos = start + (pos-1-start+8)/8*8 // padded with 1 to 8 zeros
		}
		before = path
		yield(path)
	}
}

// indexVarint reads git's offset encoding; size is 0 where it does not end.
func indexVarint(b []byte) (value, size int) {
	for i, c := range b {
		if i > 4 {
			return 0, 0
		}
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}
