package instructions

import (
	"path"
	"regexp"
	"strings"

	"steelyard/lint"
)

// makefiles are the names make looks for, in its order.
var makefiles = []string{"GNUmakefile", "makefile", "Makefile"}

func readMakefile(p *lint.Pass, dir string) (*manifest, bool) {
	for _, name := range makefiles {
		if f, ok := p.Named(path.Join(dir, name)); ok {
			return makeManifest(p, f, 0), true
		}
		if e, _ := p.Entry(path.Join(dir, name)); e != lint.Absent {
			return &manifest{open: true}, true // a link, or a folder
		}
	}
	return nil, false
}

// parsedMakefile is cached by file.
type parsedMakefile struct{ *manifest }

// reading holds the makefiles that are being read, so that one that includes
// itself is read once.
type reading map[*lint.File]bool

func makeManifest(p *lint.Pass, f *lint.File, depth int) *manifest {
	active := lint.TreeParsed(p, func(*lint.Pass) reading { return reading{} })
	if active[f] {
		return &manifest{}
	}
	active[f] = true
	defer delete(active, f)
	return lint.Parsed(f, func(f *lint.File) parsedMakefile {
		m := &manifest{file: f, names: map[string]bool{}}
		src, err := f.Bytes()
		if err != nil || len(strings.TrimSpace(string(src))) == 0 {
			m.open = true
			return parsedMakefile{m}
		}
		readMakeLines(p, m, f, string(src), depth)
		return parsedMakefile{m}
	}).manifest
}

const maxIncludes = 8

var (
	includeLine = compile(`^(?:-|s)?include\s+(.+)$`)
	targetLine  = compile(`^([^\s:#=][^:=#]*?)\s*::?(?:[^=:]|$)`)
)

func readMakeLines(p *lint.Pass, m *manifest, f *lint.File, text string, depth int) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	values := makeVariables(text)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "\t") {
			continue
		}
		if inc := includeLine.FindStringSubmatch(strings.TrimSpace(line)); inc != nil {
			for name := range strings.FieldsSeq(inc[1]) {
				m.include(p, f, name, depth)
			}
			continue
		}
		if strings.Contains(line, "$(eval") || strings.Contains(line, "$(call") || strings.HasPrefix(line, "define ") {
			m.open = m.open || strings.Contains(line, "$(eval")
		}
		t := targetLine.FindStringSubmatch(line)
		if t == nil {
			continue
		}
		for name := range strings.FieldsSeq(values.Replace(t[1])) {
			m.target(name)
		}
		if phony, ok := strings.CutPrefix(strings.TrimSpace(line), ".PHONY:"); ok {
			for name := range strings.FieldsSeq(phony) {
				m.target(name)
			}
		}
	}
}

var assignLine = compile(`(?m)^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*[:?]?=\s*([^$\n]*)$`)

// maxVariables bounds the variables of a makefile that are looked at.
const maxVariables = 500

// makeVariables replaces variables that are set to plain text.
func makeVariables(text string) *strings.Replacer {
	var pairs []string
	for _, a := range assignLine.FindAllStringSubmatch(text, maxVariables) {
		value := strings.TrimSpace(a[2])
		pairs = append(pairs, "$("+a[1]+")", value, "${"+a[1]+"}", value)
	}
	return strings.NewReplacer(pairs...)
}

func (m *manifest) target(name string) {
	switch {
	case name == ".DEFAULT" || name == "%":
		m.open = true
	case strings.Contains(name, "$"):
		// A file name made of variables is nobody's to type; a whole name is.
		m.open = m.open || !strings.ContainsAny(name, "/.")
		m.wildcard(variable.re().ReplaceAllString(name, "%"))
	case strings.Contains(name, "%"):
		m.wildcard(name)
	default:
		m.names[name] = true
	}
}

var variable = compile(`\$[({][^)}]*[)}]|\$.`)

// maxPatterns bounds the pattern rules of one manifest; with more of them not
// all names are known.
const maxPatterns = 200

func (m *manifest) wildcard(name string) {
	if len(m.patterns) == maxPatterns {
		m.open = true
		return
	}
	form := "^" + strings.ReplaceAll(regexp.QuoteMeta(name), "%", ".+") + "$"
	if re, err := regexp.Compile(form); err == nil {
		m.patterns = append(m.patterns, re)
	}
}

func (m *manifest) include(p *lint.Pass, f *lint.File, name string, depth int) {
	name = strings.NewReplacer("$(CURDIR)/", "", "./", "").Replace(name)
	inc, ok := p.Named(path.Join(path.Dir(f.Path), name))
	if !ok || strings.ContainsAny(name, "$*?") || depth >= maxIncludes {
		m.open = true
		return
	}
	other := makeManifest(p, inc, depth+1)
	m.open = m.open || other.open
	m.patterns = append(m.patterns, other.patterns...)
	for n := range other.names {
		m.names[n] = true
	}
}
