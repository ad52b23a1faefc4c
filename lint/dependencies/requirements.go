package dependencies

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode"

	"steelyard/lint"
)

// isRequirements takes requirements*.txt, *.txt below a folder of that name,
// and the .in files that they are compiled from.
func isRequirements(full string) bool {
	base := path.Base(full)
	ext := path.Ext(base)
	if ext != ".txt" && ext != ".in" {
		return false
	}
	stem := strings.TrimSuffix(base, ext)
	if strings.HasPrefix(stem, "requirements") || strings.HasSuffix(stem, "requirements") {
		return true
	}
	folder := path.Base(path.Dir(full))
	if folder == "requirements" || folder == "reqs" {
		return !strings.HasPrefix(base, "README") && !strings.HasPrefix(base, "LICENSE")
	}
	if ext == ".txt" {
		return false
	}
	switch stem { // what pip-compile's manual calls them
	case "main", "dev", "test", "tests", "docs", "lint", "deploy", "base", "prod", "production", "ci", "build", "local", "constraints":
		return true
	}
	return false
}

// requirementFiles bounds how many files one chain of "-r" may name.
const requirementFiles = 100

// readRequirements reads pip's requirements and the files that they name with
// "-r". A file named with "-c" only constrains versions and brings in nothing.
func readRequirements(f *file) error {
	lines := logicalLines(f.src)
	options := f.pipOptions(lines)
	for i, l := range lines {
		text := l.text
		if rest, ok := option(text, "-e", "--editable"); ok {
			l.at.Start += strings.Index(text, rest)
			text = rest
		}
		if strings.HasPrefix(text, "-") {
			continue
		}
		d, ok := requirement(strings.TrimSpace(pipOwn(text)))
		if !ok {
			continue
		}
		d.Table, d.Direct = "requirements", direct(lines, i)
		options.apply(&d)
		start := l.at.Start + max(strings.Index(text, d.Name), 0)
		f.add(lint.Span{Start: start, End: start + len(d.Name)}, d)
	}
	for _, l := range lines {
		if name, ok := option(l.text, "-r", "--requirement"); ok {
			f.follow(name)
		}
	}
	return nil
}

// follow reads a file of the tree that a requirements file names. One that
// cannot be read is said: what stands in it is installed too.
func (f *file) follow(name string) {
	name = strings.Trim(strings.TrimSpace(name), `"'`)
	full := path.Join(path.Dir(f.path), name)
	switch {
	case strings.Contains(name, "://"):
		f.tree.skip(f.path, "it names the requirements of an address (%s), which were not read", clip(withoutSecrets(name)))
		return
	case path.IsAbs(name) || full == ".." || strings.HasPrefix(full, "../"):
		f.tree.skip(f.path, "it names requirements outside the tree (%s), which were not read", clip(name))
		return
	case strings.Contains(name, "${") || f.tree.excluded(full) || f.tree.done[full] || f.tree.readerOf(full) != nil:
		return // decided when it is installed, left out on purpose, or read in its own right
	case len(f.tree.done) > maxFiles || f.tree.followed >= requirementFiles:
		f.tree.skip(full, "more than %d requirements files are named: it was not read", requirementFiles)
		return
	}
	text, err := f.tree.load(full, maxManifestBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return // nothing can be installed from it
	}
	f.tree.done[full] = true
	f.tree.followed++
	if err != nil {
		f.tree.skip(full, "%v", err)
		return
	}
	inner := &file{path: full, src: text, tree: f.tree}
	_ = readRequirements(inner) // it has no errors
	f.tree.deps = append(f.tree.deps, inner.deps...)
}

// pipLine is one requirement with its continuation lines joined; via is what
// pip-compile says beside it.
type pipLine struct {
	text string
	at   lint.Span
	via  string
}

var pipComment = regexp.MustCompile(`(^|\s)#.*$`)

// logicalLines joins continuation lines and takes comments away. A comment
// "via" belongs to the requirement before it.
func logicalLines(src []byte) []pipLine {
	const most = 64 << 10 // of one requirement with what is said beside it
	var lines []pipLine
	offset, joined := 0, false
	for raw := range bytes.Lines(src) {
		text := strings.TrimRight(string(raw), "\r\n")
		start := offset
		offset += len(raw)
		comment := pipComment.FindString(text)
		if last := len(lines) - 1; last >= 0 && strings.HasPrefix(strings.TrimSpace(text), "#") && len(lines[last].via) < most {
			lines[last].via += comment + "\n"
		}
		text = pipComment.ReplaceAllString(text, "")
		more := strings.HasSuffix(text, `\`)
		text = strings.TrimSuffix(text, `\`)
		if last := len(lines) - 1; joined && last >= 0 {
			if len(lines[last].text) < most {
				lines[last].text += text // without a space: a name may go on in the next line
			}
		} else if told := strings.TrimLeftFunc(text, leading); told != "" {
			start += len(text) - len(told)
			lines = append(lines, pipLine{text: told, at: lint.Span{Start: start, End: start + len(strings.TrimSpace(told))}, via: comment})
		}
		joined = more
	}
	return lines
}

// leading reports whether a character may stand before a requirement and be no
// part of it: a space, or the mark of the byte order.
func leading(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }

// pipOwn cuts the options that pip allows behind a requirement.
func pipOwn(text string) string {
	for _, mark := range []string{" --hash", " --global-option", " --config-settings", " --install-option"} {
		text, _, _ = strings.Cut(text, mark)
	}
	return text
}

// direct reports whether a requirement is wanted for itself. A compiled file
// says beside each of the others which package needs it.
func direct(lines []pipLine, i int) bool {
	_, via, ok := strings.Cut(lines[i].via, "via")
	if !ok {
		return true
	}
	return strings.Contains(via, "-r ") || strings.Contains(via, ".in") || strings.Contains(via, "pyproject.toml") || strings.Contains(via, "setup.")
}

// option returns the value of a line "-r value", "-rvalue" or "--long=value".
func option(text, short, long string) (string, bool) {
	for _, form := range []string{long + "=", long + " ", short + " ", short + "="} {
		if rest, ok := strings.CutPrefix(text, form); ok {
			return strings.TrimSpace(rest), true
		}
	}
	if rest, ok := strings.CutPrefix(text, short); ok && rest != "" && !strings.HasPrefix(rest, "-") {
		return strings.TrimSpace(rest), true
	}
	return "", false
}

// pipOptions reads which index the file names.
func (f *file) pipOptions(lines []pipLine) pythonSources {
	s := pythonSources{byName: map[string]Dependency{}}
	for _, l := range lines {
		if address, ok := option(l.text, "-i", "--index-url"); ok && !isPyPI(address) && !f.tree.public(PyPI, address) {
			s.private = true
			s.registries = append(s.registries, f.tree.names(PyPI, address))
		}
		if address, ok := strings.CutPrefix(l.text, "--extra-index-url"); ok {
			if address = strings.TrimLeft(address, "= "); !isPyPI(address) && !f.tree.public(PyPI, address) {
				s.further = true
				s.registries = append(s.registries, f.tree.names(PyPI, address))
			}
		}
		if address, ok := option(l.text, "-f", "--find-links"); ok {
			s.further = true
			s.registries = append(s.registries, f.tree.names(PyPI, address))
		}
		if l.text == "--no-index" {
			s.private = true
		}
	}
	return s
}

// readSetupCfg reads the requirement lists of a setup.cfg.
func readSetupCfg(f *file) error {
	section, key := "", ""
	s := pythonSources{byName: map[string]Dependency{}}
	offset := 0
	for raw := range bytes.Lines(f.src) {
		line := strings.TrimRight(string(raw), "\r\n")
		start := offset
		offset += len(raw)
		trimmed := strings.TrimSpace(line)
		value := ""
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";"):
			continue
		case strings.HasPrefix(line, "[") && strings.Contains(line, "]"):
			section, key = line[1:strings.IndexByte(line, ']')], ""
			continue
		case line[0] == ' ' || line[0] == '\t':
			value = trimmed
		default:
			name, rest, ok := strings.Cut(line, "=")
			if !ok {
				continue
			}
			key, value = strings.TrimSpace(name), strings.TrimSpace(rest)
		}
		listed := section == "options" && (key == "install_requires" || key == "setup_requires" || key == "tests_require") ||
			section == "options.extras_require"
		if section == "metadata" && key == "name" {
			s.self = PyPI.Canonical(value)
		}
		if !listed || value == "" {
			continue
		}
		value = pipComment.ReplaceAllString(value, "")
		if d, ok := requirement(value); ok {
			d.Table, d.Direct = section+"."+key, true
			s.apply(&d)
			at := start + max(strings.Index(line, value), 0) + max(strings.Index(value, d.Name), 0)
			f.add(lint.Span{Start: at, End: at + len(d.Name)}, d)
		}
	}
	return nil
}
