package github

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// maxBody bounds one answer. GitHub's largest (a page of pull requests with
// long texts) stay far below it.
const maxBody = 32 << 20

// errTooLarge is an answer over maxBody.
var errTooLarge = fmt.Errorf("the answer is over %d MiB", maxBody>>20)

// errCut is an answer that ended before its end.
var errCut = errors.New("the answer was cut off")

// read reads a response to its end and closes it.
func read(r *http.Response, now time.Time) (*answer, error) {
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	switch {
	case err != nil && !isTimeout(err):
		return nil, errors.Join(errCut, err)
	case err != nil:
		return nil, err
	case len(body) > maxBody:
		return nil, errTooLarge
	}
	at, err := http.ParseTime(r.Header.Get("Date"))
	if err != nil {
		at = now
	}
	return &answer{status: r.StatusCode, header: r.Header, body: body, at: at}, nil
}

// response turns an answer into what go-github reads. The rate headers stay
// out: go-github would compare them with a clock of its own and refuse to ask.
func (a *answer) response(r *http.Request) *http.Response {
	header := a.header.Clone()
	for name := range header {
		if strings.HasPrefix(name, "X-Ratelimit-") {
			header.Del(name)
		}
	}
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(a.body)),
		ContentLength: int64(len(a.body)), Request: r,
	}
}

// isJSON reports whether the answer says that it is JSON.
func (a *answer) isJSON() bool {
	kind, _, _ := strings.Cut(a.header.Get("Content-Type"), ";")
	kind = strings.TrimSpace(strings.ToLower(kind))
	return kind == "application/json" || strings.HasSuffix(kind, "+json")
}

// broken says what is wrong with the body of a successful answer, empty if
// nothing is.
func (a *answer) broken() string {
	switch {
	case a.status < 200 || a.status > 299 || a.status == http.StatusNoContent:
		return ""
	case !a.isJSON():
		return ""
	case len(bytes.TrimSpace(a.body)) == 0:
		return "the answer is empty"
	case !json.Valid(a.body):
		return "the answer is not whole JSON"
	}
	return ""
}

// maxBrief bounds what is looked at of a text to be made brief.
const maxBrief = 4 << 10

// message is what an answer says in words, one line, bounded.
func (a *answer) message() string {
	var said struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(a.body, &said) != nil || said.Message == "" {
		return http.StatusText(a.status)
	}
	return brief(said.Message)
}

// brief makes one line of at most 200 characters of a text from outside, with
// nothing in it that steers a terminal or turns a line round.
func brief(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s[:min(len(s), maxBrief)], ""))
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return s
}
