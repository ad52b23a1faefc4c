package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"steelyard/lint/leaks"
	"steelyard/rules"
)

// Span is a range of byte offsets in a file; End is exclusive.
type Span struct{ Start, End int }

// File is one governed file, or one that a governed file names. It is read
// when a rule first asks for it, and once.
type File struct {
	// Path is slash-separated and relative to the tree's root.
	Path string
	// Link is the target of a symbolic link as it is written, "" for a regular
	// file. A link has no content of its own and is never followed.
	Link string

	rows   []rules.Governed
	linked bool // a link outside of test data leads to it
	tree   fs.FS
	limits Limits

	read  bool
	data  []byte
	err   error
	lines []int // offset of each line's start
	masks []mask
	hide  *strings.Replacer // of the masks, made when the first message asks
	shown map[int]string    // source lines with the masks applied
	cache map[any]any

	leakWork int // see maxLeakWork
	// unchecked holds the families, by the letters of their IDs, that could not
	// look at the file.
	unchecked map[string]bool
}

// mask is a secret in a file: where it stands and what it says.
type mask struct {
	at    Span
	value string
}

// Is reports whether the file is of this kind.
func (f *File) Is(kind rules.Kind) bool {
	return slices.ContainsFunc(f.rows, func(g rules.Governed) bool { return g.Kind == kind })
}

// Host names the program that reads the file as a file of this kind, "" if
// none is known. Of several rows of the table the last one decides.
func (f *File) Host(kind rules.Kind) string {
	for _, g := range slices.Backward(f.rows) {
		if g.Kind == kind && g.Host != "" {
			return g.Host
		}
	}
	return ""
}

// Shared reports whether the file mostly holds other things, so that it needs
// no owner of its own.
func (f *File) Shared() bool {
	return !slices.ContainsFunc(f.rows, func(g rules.Governed) bool { return !g.Shared })
}

// Unchecked notes that a family of rules ("MC") could not look at the whole
// file, so that no suppression of them here is called unused.
func (f *File) Unchecked(family string) {
	if f.unchecked == nil {
		f.unchecked = map[string]bool{}
	}
	f.unchecked[family] = true
}

// ErrTooLarge is wrapped by the error of a file over one of the [Limits].
var ErrTooLarge = errors.New("over the limit")

// Bytes returns the file's content. It fails where the file cannot be read, is
// a link, is over a limit or is not UTF-8 text. The caller must not change it.
func (f *File) Bytes() ([]byte, error) {
	if !f.read {
		f.read = true
		f.data, f.err = f.load()
	}
	return f.data, f.err
}

func (f *File) load() ([]byte, error) {
	if f.Link != "" {
		return nil, fmt.Errorf("is a link to %q", f.Link)
	}
	file, err := f.tree.Open(f.Path)
	if err != nil {
		return nil, fmt.Errorf("open file: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(file, f.limits.FileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read file: %w", err)
	}
	if int64(len(data)) > f.limits.FileBytes {
		return nil, fmt.Errorf("file of more than %d bytes: %w", f.limits.FileBytes, ErrTooLarge)
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, errors.New("not UTF-8 text")
	}
	longest := 0
	for line := range bytes.Lines(data) {
		longest = max(longest, len(line))
	}
	if longest > f.limits.LineBytes {
		return nil, fmt.Errorf("line of more than %d bytes: %w", f.limits.LineBytes, ErrTooLarge)
	}
	return data, nil
}

// Position returns the 1-based line and byte column of an offset. It is 1, 1
// for a file that cannot be read.
func (f *File) Position(offset int) (line, column int) {
	data, err := f.Bytes()
	if err != nil || offset <= 0 {
		return 1, 1
	}
	if f.lines == nil {
		f.lines = []int{0}
		for i, c := range data {
			if c == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	}
	offset = min(offset, len(data))
	line = sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
	return line, offset - f.lines[line-1] + 1
}

// Mask marks a secret, so that no message and no source line shows it,
// whichever rule reports there. Value is what the source text at the span
// means, escapes resolved.
func (f *File) Mask(at Span, value string) {
	f.masks = append(f.masks, mask{at, value})
}

// Tail is what may be shown of a secret: its last four characters, or "" for
// one so short that they would give too much away.
func Tail(secret string) string {
	const shown, least = 4, 16
	if r := []rune(secret); len(r) >= least {
		return string(r[len(r)-shown:])
	}
	return ""
}

// masked returns secret with everything but its tail starred, byte for byte so
// that columns stay where they are.
func masked(secret string) string {
	tail := Tail(secret)
	return strings.Repeat("*", len(secret)-len(tail)) + tail
}

// maskText hides every secret of the file in a message.
func (f *File) maskText(s string) string {
	const least = 4 // shorter values would star innocent words
	if len(f.masks) == 0 {
		return s
	}
	if f.hide == nil {
		var pairs []string
		known := map[string]bool{}
		// The longest first: a secret that begins another one would star its
		// own part and leave the rest.
		for _, m := range slices.SortedStableFunc(slices.Values(f.masks), func(a, b mask) int { return len(b.value) - len(a.value) }) {
			if len(m.value) >= least && !known[m.value] {
				known[m.value] = true
				pairs = append(pairs, m.value, masked(m.value))
			}
		}
		f.hide = strings.NewReplacer(pairs...)
	}
	return f.hide.Replace(s)
}

// snippet returns a line's text with every secret starred, "" where there is
// no such line. Findings of one line share its text. Nothing is shown of a file
// that a family could not look through: nobody marked its secrets.
func (f *File) snippet(line int) string {
	if len(f.unchecked) > 0 {
		return ""
	}
	text, ok := f.shown[line]
	if !ok {
		if f.shown == nil {
			f.shown = map[int]string{}
			slices.SortFunc(f.masks, func(a, b mask) int { return a.at.Start - b.at.Start })
		}
		text = f.starred(line)
		f.shown[line] = text
	}
	return text
}

func (f *File) starred(line int) string {
	data, err := f.Bytes()
	if err != nil || line < 1 || line > len(f.lines) {
		return ""
	}
	start, end := f.lines[line-1], len(data)
	if line < len(f.lines) {
		end = f.lines[line] - 1
	}
	text := bytes.Clone(data[start:end])
	first := sort.Search(len(f.masks), func(i int) bool { return f.masks[i].at.End > start })
	for _, m := range f.masks[first:] {
		if m.at.Start >= end {
			break
		}
		if from, to := max(m.at.Start, start), min(m.at.End, end); from < to {
			copy(text[from-start:], masked(string(data[from:to])))
		}
	}
	shown, ok := f.starLeaks(string(text))
	if !ok {
		return ""
	}
	return strings.TrimSuffix(shown, "\r")
}

// maxLeakWork bounds what looking for providers' secrets in the shown lines of
// one file costs: bytes times expressions tried.
const maxLeakWork = 8 << 20

// starLeaks stars what has the form of a provider's secret, wherever it stands:
// in a comment, in a file that no rule looks through for secrets. ok is false
// where the bound was met, so that the text must not be shown.
func (f *File) starLeaks(text string) (starred string, ok bool) {
	if !holdsToken(text) {
		return text, true
	}
	for _, m := range leaks.All(text, func(bytes int) bool {
		f.leakWork += bytes
		return f.leakWork <= maxLeakWork
	}) {
		text = text[:m.From] + masked(text[m.From:m.To]) + text[m.To:]
	}
	return text, f.leakWork <= maxLeakWork
}

// holdsToken reports whether a text holds a run of characters that could be a
// secret. Most lines hold none, and the expressions are not even loaded.
func holdsToken(text string) bool {
	const least = 12
	run, letters, digits := 0, false, false
	for i := range len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			run, digits = run+1, true
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			run, letters = run+1, true
		case c == '-' || c == '_' || c == '+' || c == '/' || c == '=' || c == '.' || c == '~':
			run++
		default:
			run, letters, digits = 0, false, false
		}
		if run >= least && letters && digits {
			return true
		}
	}
	return false
}

// ext returns the file's lower-case extension, "" for a dot-file without one.
func (f *File) ext() string {
	base := path.Base(f.Path)
	return strings.ToLower(path.Ext(strings.TrimPrefix(base, ".")))
}
