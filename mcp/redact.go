package mcp

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/lint/leaks"
)

// maxSearched bounds how many bytes of one text the providers' expressions are
// tried on, all of them together.
const maxSearched = 4 << 20

// shortestSecret is the least length of a run of characters without spaces
// that may be a secret; the shortest one that a provider gives out is longer.
const shortestSecret = 16

// redact puts words in the place of providers' secrets: what people pasted
// into a title or a file must not go on to a model.
func redact(text string) string {
	if !mayHoldSecret(text) {
		return text
	}
	budget := maxSearched
	found := leaks.All(text, func(bytes int) bool { budget -= bytes; return budget >= 0 })
	if len(found) == 0 {
		return text
	}
	slices.SortFunc(found, func(a, b leaks.Match) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	var b strings.Builder
	end := 0
	for _, m := range found {
		if m.From >= end {
			b.WriteString(text[end:m.From])
			b.WriteString("[" + m.Kind + " removed]")
		}
		end = max(end, m.To)
	}
	b.WriteString(text[end:])
	return b.String()
}

// mayHoldSecret reports whether a run in text is long enough for one. Nearly
// every text is words, for which nothing more has to be done.
func mayHoldSecret(text string) bool {
	run := 0
	for i := range len(text) {
		if c := text[i]; c > ' ' && c < utf8.RuneSelf {
			if run++; run >= shortestSecret {
				return true
			}
		} else {
			run = 0
		}
	}
	return false
}

// scrub makes the texts of resources and prompts harmless, as [clean] does for
// what tools answer: nothing invisible and no secret leaves in any of them.
func scrub(res sdk.Result) {
	switch r := res.(type) {
	case *sdk.ReadResourceResult:
		for _, c := range r.Contents {
			c.Text = harmlessText(c.Text)
		}
	case *sdk.GetPromptResult:
		for _, m := range r.Messages {
			scrubContent(m.Content)
		}
	case *sdk.CompleteResult:
		for i, v := range r.Completion.Values {
			r.Completion.Values[i] = redact(line(v, maxLine))
		}
	case *sdk.CallToolResult:
		for _, c := range r.Content {
			scrubContent(c)
		}
	}
}

func scrubContent(content sdk.Content) {
	switch c := content.(type) {
	case *sdk.TextContent:
		c.Text = harmlessText(c.Text)
	case *sdk.EmbeddedResource:
		if c.Resource != nil {
			c.Resource.Text = harmlessText(c.Resource.Text)
		}
	}
}

// harmlessText is text without invisible characters and secrets, of any length.
func harmlessText(text string) string {
	return redact(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r != utf8.RuneError && harmless(r) {
			return r
		}
		return -1
	}, text))
}
