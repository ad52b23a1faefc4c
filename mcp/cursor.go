package mcp

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// cursor is where the next page starts. It holds nothing that a caller may
// not see and grants nothing, so it needs no signature; it fits one tool and
// one query only.
type cursor struct {
	Tool   string `json:"t"`
	Offset int    `json:"o"`
	// Query is the digest of what the pages depend on: filters and data.
	Query string `json:"q"`
}

// maxCursor bounds a cursor's text; maxOffset what it may point at.
const (
	maxCursor = 200
	maxOffset = 10_000_000
)

func (c cursor) String() string {
	b, err := json.Marshal(c)
	if err != nil {
		return "" // strings and an int always marshal
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// offsetOf reads the offset from the text of a cursor that tool gave out for
// query; an empty text is the start.
func offsetOf(text, tool, query string) (int, error) {
	if text == "" {
		return 0, nil
	}
	var c cursor
	b, err := base64.RawURLEncoding.DecodeString(text)
	if len(text) > maxCursor || err != nil || json.Unmarshal(b, &c) != nil || c.Tool != tool || c.Offset < 0 || c.Offset > maxOffset {
		return 0, userErrorf("The cursor is not one that %s gave out. Copy next_cursor as it is, or leave cursor out to start again.", tool)
	}
	if c.Query != query {
		return 0, userErrorf("The cursor belongs to another query, or the data changed since the first page. Repeat the first call's filters, or leave cursor out to start again.")
	}
	return c.Offset, nil
}

// digest is a short fingerprint of parts.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
