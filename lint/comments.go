package lint

import (
	"bytes"
	"path"
	"strings"
)

// comment is one comment of a file in the file's own language.
type comment struct {
	at   Span   // with its marks
	text string // without them
}

// comments returns a file's comments in order, by its name: // and /* */ in
// JSON with comments, # in TOML, YAML and CODEOWNERS, <!-- --> in Markdown and
// in the rule files without an extension. A mark inside a string, a code fence
// or inline code is none. The scanners accept any input, so a broken file
// still has its comments.
func comments(f *File, src []byte) []comment {
	switch f.ext() {
	case ".json", ".jsonc", ".code-workspace":
		return jsonComments(src)
	case ".toml":
		return tomlComments(src)
	case ".yml", ".yaml":
		return hashComments(src)
	}
	if path.Base(f.Path) == "CODEOWNERS" {
		return hashComments(src)
	}
	return markdownComments(src)
}

func jsonComments(src []byte) []comment {
	var found []comment
	scanJSON(src, func(kind jsonToken, at Span) bool {
		switch kind {
		case jsonLineComment:
			found = append(found, comment{at, string(src[at.Start+2 : at.End])})
		case jsonBlockComment:
			text := bytes.TrimSuffix(src[at.Start+2:at.End], []byte("*/"))
			found = append(found, comment{at, string(text)})
		default:
		}
		return true
	})
	return found
}

func tomlComments(src []byte) []comment {
	var found []comment
	scanTOML(src, func(kind tomlToken, at Span) bool {
		if kind == tomlComment {
			found = append(found, comment{at, string(src[at.Start+1 : at.End])})
		}
		return true
	})
	return found
}

// hashComments finds # at the start of a line or after a space.
func hashComments(src []byte) []comment {
	var found []comment
	offset := 0
	for line := range bytes.Lines(src) {
		body := bytes.TrimRight(line, "\r\n")
		for i, c := range body {
			if c == '#' && (i == 0 || body[i-1] == ' ' || body[i-1] == '\t') {
				found = append(found, comment{Span{offset + i, offset + len(body)}, string(body[i+1:])})
				break
			}
		}
		offset += len(line)
	}
	return found
}

// markdownComments finds <!-- --> outside fences and inline code. Front matter
// is YAML, so its # comments count too.
func markdownComments(src []byte) []comment {
	var found []comment
	front := frontMatter(src)
	found = append(found, hashComments(src[:front])...)
	var fence string
	for offset := front; offset < len(src); {
		line, _, _ := bytes.Cut(src[offset:], []byte("\n"))
		if mark := fenceMark(line); mark != "" {
			fence = nextFence(fence, mark, line)
		} else if fence == "" {
			var end int
			found, end = lineComments(found, src, offset, offset+len(line))
			if end > offset+len(line) { // a comment of several lines
				rest, _, _ := bytes.Cut(src[end:], []byte("\n"))
				offset = end + len(rest) + 1
				continue
			}
		}
		offset += len(line) + 1
	}
	return found
}

// lineComments adds the comments that start in src[from:to] and returns where
// the last of them ends.
func lineComments(found []comment, src []byte, from, to int) ([]comment, int) {
	end := from
	for i := from; i < to; {
		if src[i] == '`' {
			i = skipInlineCode(src, i, to)
			continue
		}
		if !bytes.HasPrefix(src[i:], []byte("<!--")) {
			i++
			continue
		}
		size := bytes.Index(src[i+4:], []byte("-->"))
		if size < 0 {
			return found, len(src) // as on a page, it runs to the end of the file
		}
		end = i + 4 + size + 3
		found = append(found, comment{Span{i, end}, string(src[i+4 : end-3])})
		i = end
	}
	return found, end
}

// skipInlineCode returns the offset after the code span that starts at i, or
// after its marks where it is not closed on the line.
func skipInlineCode(src []byte, i, to int) int {
	marks := i
	for marks < to && src[marks] == '`' {
		marks++
	}
	if closing := bytes.Index(src[marks:to], src[i:marks]); closing >= 0 {
		return marks + closing + (marks - i)
	}
	return marks
}

// frontMatter returns the length of the YAML between --- lines at the start.
func frontMatter(src []byte) int {
	if !bytes.HasPrefix(src, []byte("---\n")) && !bytes.HasPrefix(src, []byte("---\r\n")) {
		return 0
	}
	if end := bytes.Index(src[3:], []byte("\n---")); end >= 0 {
		return 3 + end + 1
	}
	return 0
}

// fenceMark returns the run of ` or ~ that opens or closes a fence on this
// line, "" for none.
func fenceMark(line []byte) string {
	trimmed := strings.TrimLeft(string(line), " \t>")
	for _, c := range []string{"`", "~"} {
		if mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, c))]; len(mark) >= 3 {
			return mark
		}
	}
	return ""
}

func nextFence(open, mark string, line []byte) string {
	switch {
	case open == "":
		return mark
	case mark[0] == open[0] && len(mark) >= len(open) && bytes.HasSuffix(bytes.TrimSpace(line), []byte(mark)):
		return ""
	}
	return open
}
