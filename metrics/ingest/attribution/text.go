package attribution

import (
	"regexp"
	"strings"

	"steelyard/rules"
)

// maxText bounds what is read of one text; texts come from anybody.
const maxText = 256 << 10

// trailerLine is "Key: value", also as an item of a list, as squashed messages
// have it.
var trailerLine = regexp.MustCompile(`^\s*(?:[*-]\s+)?([A-Za-z][A-Za-z-]{2,40}):[ \t]+(\S.*?)\s*$`)

// address finds the mailbox in a trailer's value, in angle brackets or bare.
var address = regexp.MustCompile(`([^\s<>"()]+@[^\s<>"()]+)>?\s*$`)

// readTrailers reads every line that has the form of a trailer, wherever it
// stands: squashing moves trailers away from the end.
func (m *Matcher) readTrailers(s *signals, text string) {
	if len(text) > maxText {
		text = text[:maxText]
	}
	for line := range strings.Lines(text) {
		if t := trailerLine.FindStringSubmatch(line); t != nil {
			m.readTrailer(s, strings.ToLower(t[1]), t[2])
		}
	}
}

func (m *Matcher) readTrailer(s *signals, key, value string) {
	if key == "co-authored-by" {
		if a := address.FindStringSubmatch(value); a != nil {
			if found, ok := m.mailbox(a[1], KindCoAuthor, rules.CoAuthored); ok {
				s.add(found)
			}
		}
		return
	}
	for _, row := range m.trailers[key] {
		if row.Value != "" && !strings.EqualFold(row.Value, value) {
			continue
		}
		found := Signal{Tool: row.Tool, Kind: KindTrailer, Level: row.Level, Evidence: row.Key}
		if row.Tool == "" {
			tool, ok := m.namedTool(value)
			if !ok {
				continue
			}
			found.Tool = tool
		}
		s.add(found)
	}
}

// firstNames are what a tool and a person may both be called.
var firstNames = map[string]bool{"claude": true, "devin": true, "jules": true, "cody": true, "roo": true}

// namedTool reads "TOOL (model: …)", "TOOL:MODEL", "TOOL/MODEL", "TOOL
// <mailbox>". A mailbox decides by itself; a name that people have too needs a
// model after it.
func (m *Matcher) namedTool(value string) (string, bool) {
	if a := address.FindStringSubmatch(value); a != nil {
		found, ok := m.mailbox(a[1], KindTrailer, rules.CoAuthored)
		return found.Tool, ok
	}
	lower := strings.ToLower(value)
	for _, known := range m.aliases {
		rest, ok := strings.CutPrefix(lower, known.name)
		if !ok {
			continue
		}
		rest = strings.TrimSpace(rest)
		hasModel := rest != "" && strings.ContainsRune("(:/[", rune(rest[0]))
		if hasModel || (rest == "" && !firstNames[known.name]) {
			return known.tool, true
		}
	}
	return "", false
}

// readBody reads trailers, footers and links of a pull request's body, but not
// what it quotes: an update of a dependency quotes other people's changes.
func (m *Matcher) readBody(s *signals, body string) {
	if len(body) > maxText {
		body = body[:maxText]
	}
	own := ownText(body)
	m.readTrailers(s, own)
	lower := strings.ToLower(own)
	for _, row := range m.table.Footers {
		if n := strings.Count(lower, strings.ToLower(row.Text)); n > 0 {
			s.count(Signal{Tool: row.Tool, Kind: KindFooter, Level: row.Level, Evidence: row.Text}, n)
		}
	}
	for _, row := range m.table.Links {
		if n := countAddress(lower, row.Address); n > 0 {
			s.count(Signal{Tool: row.Tool, Kind: KindLink, Level: row.Level, Evidence: row.Address}, n)
		}
	}
}

// countAddress counts https://ADDRESS; another host that only ends like it does
// not count.
func countAddress(text, address string) int {
	return strings.Count(text, "https://"+address) + strings.Count(text, "https://www."+address)
}

var (
	htmlComment = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)
	blockquote  = regexp.MustCompile(`(?is)<blockquote\b.*?(?:</blockquote>|$)`)
	fence       = regexp.MustCompile("^\\s{0,3}(```+|~~~+)")
)

// ownText is the body without HTML comments, quotations and code blocks.
func ownText(body string) string {
	body = blockquote.ReplaceAllString(htmlComment.ReplaceAllString(body, ""), "")
	var b strings.Builder
	open := ""
	for line := range strings.Lines(body) {
		if f := fence.FindStringSubmatch(line); f != nil {
			switch {
			case open == "":
				open = f[1]
				continue
			case strings.HasPrefix(f[1], open):
				open = ""
				continue
			}
		}
		if open == "" && !strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
			b.WriteString(line)
		}
	}
	return b.String()
}
