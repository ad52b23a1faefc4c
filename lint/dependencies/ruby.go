package dependencies

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"steelyard/lint"
)

var (
	gemCall    = regexp.MustCompile(`^\s*gem[\s(]+(['"])([A-Za-z0-9][A-Za-z0-9._-]*)['"](.*)$`)
	gemSpec    = regexp.MustCompile(`\.add_(?:runtime_|development_)?dependency[\s(]+(?:%q\W)?['"]?([A-Za-z0-9][A-Za-z0-9._-]*)['"]?(.*)$`)
	gemBlock   = regexp.MustCompile(`^\s*(git|github|path|source|gist|bitbucket)[\s(]+['"]([^'"]*)['"].*\bdo\b`)
	gemSource  = regexp.MustCompile(`^\s*source[\s(]+['"]([^'"]+)['"]`)
	gemOption  = regexp.MustCompile(`[:\s,](git|github|gist|bitbucket|path|source|gitlab)(?::\s*|['"]?\s*=>\s*)['"]?([^'",\s]*)`)
	gemVersion = regexp.MustCompile(`^['"]\s*(?:=\s*)?([0-9][0-9A-Za-z.]*)['"]`)
	rubyOpens  = regexp.MustCompile(`\bdo\b\s*(\|[^|]*\|)?\s*(#.*)?$|^\s*(if|unless|case|while|begin|def)\b`)
	rubyCloses = regexp.MustCompile(`^\s*end\b`)
)

// rubyComment cuts a comment that does not stand in a string.
func rubyComment(line string) string {
	var quote byte
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return line[:i]
		}
	}
	return line
}

// readGemfile reads the gem calls of a Gemfile or gemspec. Ruby is not run: a
// name that is put together from variables is not seen.
func readGemfile(f *file) error {
	if name, ok := strings.CutSuffix(path.Base(f.path), ".gemspec"); ok {
		f.tree.member(RubyGems, name)
		f.rubyLines(f.gemspecLine)
		return nil
	}
	g := gemfile{file: f}
	f.rubyLines(g.line)
	return nil
}

func (f *file) rubyLines(take func(line string, start int)) {
	offset := 0
	for raw := range bytes.Lines(f.src) {
		take(rubyComment(strings.TrimRight(string(raw), "\r\n")), offset)
		offset += len(raw)
	}
}

func (f *file) gemspecLine(line string, start int) {
	m := gemSpec.FindStringSubmatchIndex(line)
	if m == nil {
		return
	}
	d := Dependency{Ecosystem: RubyGems, Name: line[m[2]:m[3]], Spec: gemRange(line[m[4]:m[5]]), Table: "gemspec", Direct: true}
	d.Version = gemExact(d.Spec)
	f.add(lint.Span{Start: start + m[2], End: start + m[3]}, d)
}

// gemfile keeps the blocks that the reader stands in.
type gemfile struct {
	*file
	blocks  []gemSourceOf // empty for a block that says nothing of sources
	private gemSourceOf   // the file's own source, where it is not RubyGems
}

func (g *gemfile) line(line string, start int) {
	if m := gemBlock.FindStringSubmatch(line); m != nil {
		g.blocks = append(g.blocks, g.source(m[1], m[2]))
		return
	}
	if m := gemSource.FindStringSubmatch(line); m != nil {
		g.private = g.source("source", m[1])
		return
	}
	if m := gemCall.FindStringSubmatchIndex(line); m != nil {
		g.gem(line, start, m)
	}
	switch {
	case rubyCloses.MatchString(line):
		g.blocks = g.blocks[:max(len(g.blocks)-1, 0)]
	case rubyOpens.MatchString(line) && len(g.blocks) < maxDepth:
		g.blocks = append(g.blocks, gemSourceOf{})
	}
}

func (g *gemfile) gem(line string, start int, m []int) {
	rest := line[m[6]:m[7]]
	d := Dependency{Ecosystem: RubyGems, Name: line[m[4]:m[5]], Spec: gemRange(rest), Table: "gem", Direct: true}
	d.Version = gemExact(d.Spec)
	var from gemSourceOf
	if o := gemOption.FindStringSubmatch(rest); o != nil {
		from = g.source(o[1], o[2])
	} else {
		for _, s := range g.blocks {
			if s.source != "" {
				from = s
			}
		}
	}
	if from.source == "" {
		from = g.private
	}
	d.Source, d.Registry = from.source, from.registry
	g.add(lint.Span{Start: start + m[4], End: start + m[5]}, d)
}

// gemSourceOf is where a gem comes from; it is empty for RubyGems.
type gemSourceOf struct {
	source   Source
	registry string
}

func (g *gemfile) source(kind, value string) gemSourceOf {
	switch kind {
	case "path":
		return gemSourceOf{source: FromLocal}
	case "source":
		if value == "" || isRubyGems(value) || g.tree.public(RubyGems, value) {
			return gemSourceOf{}
		}
		return gemSourceOf{FromPrivate, g.tree.names(RubyGems, value)}
	}
	return gemSourceOf{source: FromGit}
}

func isRubyGems(address string) bool {
	_, rest, found := strings.Cut(address, "://")
	if !found {
		rest = address
	}
	host, _, _ := strings.Cut(rest, "/")
	return host == "rubygems.org" || host == "www.rubygems.org" || host == "index.rubygems.org" || host == "rubygems"
}

// gemRange is the version argument of a call, as written.
func gemRange(rest string) string {
	rest = strings.TrimLeft(strings.TrimSpace(rest), ",")
	rest = strings.TrimSpace(rest)
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	end := strings.IndexByte(rest[1:], rest[0])
	if end < 0 {
		return ""
	}
	return rest[:end+2]
}

func gemExact(spec string) string {
	if m := gemVersion.FindStringSubmatch(spec); m != nil {
		return m[1]
	}
	return ""
}

var gemLocked = regexp.MustCompile(`^    ([A-Za-z0-9][A-Za-z0-9._-]*) \(([^)]+)\)`)

// readGemfileLock reads the resolved gems of a Gemfile.lock. The platform
// behind a version ("1.2-x86_64-linux") is no part of it.
func readGemfileLock(f *file) error {
	section, remote := "", ""
	f.lines = nil
	offset := 0
	for raw := range bytes.Lines(f.src) {
		line := strings.TrimRight(string(raw), "\r\n")
		start := offset
		offset += len(raw)
		if line != "" && line[0] != ' ' {
			section, remote = line, ""
			continue
		}
		if value, ok := strings.CutPrefix(line, "  remote: "); ok {
			remote = value
		}
		m := gemLocked.FindStringSubmatchIndex(line)
		if m == nil || section != "GEM" && section != "GIT" && section != "PATH" {
			continue
		}
		version, _, _ := strings.Cut(line[m[4]:m[5]], "-")
		d := Dependency{Ecosystem: RubyGems, Name: line[m[2]:m[3]], Version: version, Spec: line[m[4]:m[5]], Table: section}
		switch section {
		case "GIT":
			d.Source = FromGit
		case "PATH":
			d.Source = FromLocal
		default:
			d.Resolved = remote
			if remote != "" && !isRubyGems(remote) && !f.tree.public(RubyGems, remote) {
				d.Source = FromPrivate
			}
		}
		f.add(lint.Span{Start: start + m[2], End: start + m[3]}, d)
	}
	return nil
}
