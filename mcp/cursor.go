package mcp

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"

	"steelyard/metrics"
)

// cursor is where the next page starts. It holds nothing that a caller may
// not see and grants nothing, so it needs no signature; it fits one tool and
// one query only.
type cursor struct {
	Tool   string `json:"t"`
	Offset int    `json:"o,omitempty"`
	// Place is where a list goes on that is not counted through.
	Place string `json:"p,omitempty"`
	// Query is the digest of what the pages depend on: filters and data.
	Query string `json:"q"`
}

// maxCursor bounds a cursor's text; maxOffset what it may point at.
const (
	maxCursor = 1000
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
	c, err := cursorOf(text, tool, query)
	return c.Offset, err
}

// placeOf reads the place from such a cursor.
func placeOf(text, tool, query string) (metrics.PullPlace, error) {
	c, err := cursorOf(text, tool, query)
	if err != nil {
		return metrics.PullPlace{}, err
	}
	place, err := metrics.ParsePullPlace(c.Place)
	if err != nil {
		return place, foreignCursor(tool)
	}
	return place, nil
}

func cursorOf(text, tool, query string) (cursor, error) {
	var c cursor
	if text == "" {
		return c, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if len(text) > maxCursor || err != nil || json.Unmarshal(b, &c) != nil || c.Tool != tool || c.Offset < 0 || c.Offset > maxOffset {
		return cursor{}, foreignCursor(tool)
	}
	if c.Query != query {
		return cursor{}, userErrorf("The cursor belongs to another query, or the data changed since the first page. Repeat the first call's filters, or leave cursor out to start again.")
	}
	return c, nil
}

func foreignCursor(tool string) error {
	return userErrorf("The cursor is not one that %s gave out. Copy next_cursor as it is, or leave cursor out to start again.", tool)
}

// digest is a short fingerprint of parts.
func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
