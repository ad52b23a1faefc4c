package instructions

import (
	"fmt"
	"path"
	"unicode/utf8"

	"steelyard/lint"
	"steelyard/rules"
)

// tooLong reports files of which a surface reads only the beginning.
var tooLong = lint.Rule{ID: "IN008", Check: checkTooLong}

func checkTooLong(p *lint.Pass) {
	surfaces, err := rules.Surfaces()
	if err != nil {
		return // the table's own test holds it to be right
	}
	all := live(docs(p, rules.Instructions))
	for _, d := range all {
		for i := range surfaces {
			checkLength(p, d, &surfaces[i])
		}
	}
	for i := range surfaces {
		if surfaces[i].Total > 0 {
			checkTotal(p, all, &surfaces[i])
		}
	}
}

// checkLength compares one file with what a surface reads of it.
func checkLength(p *lint.Pass, d *Doc, s *rules.Surface) {
	for _, r := range s.Reads {
		if _, ok := foundIn(r, d.File.Path); !ok {
			continue
		}
		characters := utf8.RuneCount(d.source)
		switch {
		case r.Bytes > 0 && len(d.source) > r.Bytes:
			p.ReportFile(d.File, nil, "file has %d bytes, and %s reads the first %d", len(d.source), s.Title, r.Bytes)
		case r.Characters > 0 && characters > r.Characters:
			p.ReportFile(d.File, nil, "file has %d characters, and %s reads the first %d", characters, s.Title, r.Characters)
		}
		return
	}
}

// checkTotal compares what a surface reads of all files together, from the root
// down to each one, with its bound. The file at which the bound is met is the
// one reported.
func checkTotal(p *lint.Pass, all []*Doc, s *rules.Surface) {
	sizes := map[string]int{} // bytes by folder
	for _, d := range all {
		if r, ok := reads(p, s, d.File.Path, d.Front); ok {
			sizes[r.dir] += len(d.source)
		}
	}
	for _, d := range all {
		r, ok := reads(p, s, d.File.Path, d.Front)
		if !ok || path.Base(r.dir)[0] == '.' && r.dir != "." {
			continue // nobody works in an assistant's own folder
		}
		before := 0
		for _, dir := range above(r.dir)[1:] {
			before += sizes[dir]
		}
		if before <= s.Total && before+len(d.source) > s.Total {
			end := before + len(d.source)
			p.ReportFile(d.File, nil, "%s reads %d bytes of instructions in all, and this file ends at byte %d%s: the last %d bytes of it are not read", s.Title, s.Total, end, behind(before), end-s.Total)
		}
	}
}

// behind says what is read before a file.
func behind(before int) string {
	if before == 0 {
		return ""
	}
	return fmt.Sprintf(", behind %d bytes of the folders above", before)
}
