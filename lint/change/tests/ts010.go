package tests

import (
	"bytes"
	"path"
	"strings"

	"steelyard/lint"
)

// manySnapshots is how many rewritten snapshots are more than a reader reads.
const manySnapshots = 10

// snapshots is TS010: expected output rewritten in bulk together with the code
// that it holds to account.
func snapshots(c *change) {
	code := false
	count, files := 0, 0
	var first *pair
	var related []lint.Related
	for _, p := range c.files {
		if !isSnapshot(p.Path) {
			code = code || !p.test && languageOf(p.Path) != other
			continue
		}
		if p.Old == nil || p.New == nil || bytes.Equal(p.Old, p.New) {
			continue
		}
		n := rewrites(p.Old, p.New)
		if n == 0 {
			continue
		}
		count, files = count+n, files+1
		if first == nil {
			first = p
		}
		if len(related) < 20 {
			related = append(related, lint.Related{Path: p.oldPath(), Line: 1, Column: 1, Message: "the snapshots before"})
		}
	}
	if code && count >= manySnapshots {
		c.report("TS010", first.Path, 1, related, "%d snapshots in %d files are rewritten together with the code", count, files)
	}
}

func isSnapshot(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, ".snap") || strings.HasSuffix(base, ".ambr") || strings.HasSuffix(base, ".golden") || strings.Contains(base, ".approved.") || strings.Contains(base, ".verified.")
}

// rewrites counts the entries of a snapshot file that are there in both
// versions with different text. A file with one entry counts once.
func rewrites(old, new []byte) int {
	before, after := entries(old), entries(new)
	n := 0
	for name, text := range before {
		if now, ok := after[name]; ok && now != text {
			n++
		}
	}
	return n
}

// entries cuts a snapshot file at "exports[`name`] = " and "# name: ".
func entries(content []byte) map[string]string {
	parts, name := map[string]*strings.Builder{}, ""
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "exports[`") || strings.HasPrefix(line, "# name: ") {
			var rest string
			name, rest, _ = strings.Cut(strings.TrimSpace(line), "] = ")
			line = rest
		}
		if b := parts[name]; b != nil {
			b.WriteString(line)
		} else {
			parts[name] = &strings.Builder{}
			parts[name].WriteString(line)
		}
	}
	whole := map[string]string{}
	for name, b := range parts {
		whole[name] = b.String()
	}
	return whole
}
