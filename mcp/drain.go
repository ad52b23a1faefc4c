package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// drain stands between a client and the SDK over stdio, for what the SDK does
// not do.
//
// A client may write all its requests, close its end and still read every
// answer: the SDK drops what is under way when its input ends, so the end is
// held back until each request read has been answered.
//
// It reads no further while many requests are open, so that a client which asks
// and never reads the answers fills its own pipe, not this process.
//
// A line that is no message is answered with JSON-RPC's own error, and the
// lines after it are read as if it had not been there. A batch, which only
// older revisions know, is passed on message by message.
type drain struct {
	in      *bufio.Reader
	out     io.Writer
	done    <-chan struct{} // stop waiting: the server is told to end
	longest time.Duration   // a call takes no longer than this

	ready   []byte            // checked messages that the SDK has not read yet
	pending []json.RawMessage // messages of a batch that are not checked yet
	long    []byte            // a line that does not fit the reader
	writing sync.Mutex

	mu       sync.Mutex
	open     map[jsonrpc.ID]bool // requests read and not answered
	answered chan struct{}       // signalled after each answer
}

func newDrain(in io.Reader, out io.Writer, done <-chan struct{}, longest time.Duration) *drain {
	return &drain{in: bufio.NewReaderSize(in, 16<<10), out: out, done: done, longest: longest, open: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1)}
}

// Read passes messages on, counts the requests among them, and holds back the
// end.
func (d *drain) Read(p []byte) (int, error) {
	for len(d.ready) == 0 {
		if len(d.pending) > 0 {
			next := d.pending[0]
			d.pending = d.pending[1:]
			if err := d.pass(next); err != nil {
				return 0, err
			}
			continue
		}
		line, whole, err := d.line()
		switch {
		case !whole:
			if err := d.refuse(nil, jsonrpc.CodeInvalidRequest, "the message is larger than 1 MiB"); err != nil {
				return 0, err
			}
		case len(line) > 0:
			if err := d.take(line); err != nil {
				return 0, err
			}
		}
		if err != nil && len(d.pending) == 0 {
			if errors.Is(err, io.EOF) {
				d.wait()
			}
			return 0, err
		}
	}
	n := copy(p, d.ready)
	d.ready = d.ready[n:]
	return n, nil
}

// line returns the next line without its end; whole is false where it was over
// the bound of a message and is gone. The error comes with the last line.
func (d *drain) line() (line []byte, whole bool, err error) {
	d.long, whole = d.long[:0], true
	for {
		part, err := d.in.ReadSlice('\n')
		if whole = whole && len(d.long)+len(part) <= maxMessageBytes+len("\r\n"); whole {
			d.long = append(d.long, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(d.long), whole, err
		}
	}
}

// take leaves the messages of a line to be passed on, or answers why they are
// none.
func (d *drain) take(line []byte) error {
	if !json.Valid(line) {
		return d.refuse(nil, jsonrpc.CodeParseError, "the line is not JSON; write one message a line, without line breaks in it")
	}
	d.pending = []json.RawMessage{line}
	if line[0] == '[' {
		if json.Unmarshal(line, &d.pending) != nil || len(d.pending) == 0 {
			return d.refuse(nil, jsonrpc.CodeInvalidRequest, "the batch is empty")
		}
	}
	return nil
}

// pass makes a message ready, or answers why it is none.
func (d *drain) pass(text json.RawMessage) error {
	message, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return d.refuse(text, jsonrpc.CodeInvalidRequest, "the message is not one of JSON-RPC 2.0")
	}
	if wrong := badForm(message); wrong != "" {
		return d.refuse(text, jsonrpc.CodeInvalidParams, wrong)
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
		switch {
		case !d.room():
			return d.refuse(text, codeTooMany, "too many requests are open; read their answers before the next")
		case !d.asked(request.ID):
			return d.refuse(text, jsonrpc.CodeInvalidRequest, "an earlier request with this id is not answered yet")
		}
	}
	d.ready = append(append(d.ready, text...), '\n')
	return nil
}

// refuse answers what is no message, under its id where it has a usable one.
func (d *drain) refuse(text []byte, code int64, message string) error {
	answer, err := refusalOf(text, code, message)
	if err != nil {
		return err
	}
	_, err = d.write(append(answer, '\n'))
	return err
}

// refusalOf is the answer to what is no message.
func refusalOf(text []byte, code int64, message string) ([]byte, error) {
	var m struct {
		ID any `json:"id"`
	}
	if text != nil {
		_ = json.Unmarshal(text, &m) // without an id it is null, as the protocol asks
	}
	switch m.ID.(type) {
	case string, float64:
	default:
		m.ID = nil
	}
	return json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": m.ID, "error": map[string]any{"code": code, "message": message},
	})
}

// Write passes output on and counts the answers in it. The SDK writes one
// message at a time.
func (d *drain) Write(p []byte) (int, error) {
	n, err := d.write(p)
	for line := range bytes.Lines(p[:n]) {
		message, err := jsonrpc.DecodeMessage(line)
		if answer, ok := message.(*jsonrpc.Response); ok && err == nil {
			d.told(answer.ID)
		}
	}
	select {
	case d.answered <- struct{}{}:
	default:
	}
	return n, err
}

func (d *drain) write(p []byte) (int, error) {
	d.writing.Lock()
	defer d.writing.Unlock()
	return d.out.Write(p)
}

// Close leaves the stream to its owner.
func (d *drain) Close() error { return nil }

// asked notes a request; it is false where one with its id is still open.
func (d *drain) asked(id jsonrpc.ID) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open[id] {
		return false
	}
	d.open[id] = true
	return true
}

// told notes the answer to a request.
func (d *drain) told(id jsonrpc.ID) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.open, id)
}

// maxOpen is how many requests may be open at once.
const maxOpen = 64

// room waits until another request may be open; it is false where none of those
// that are ends in time.
func (d *drain) room() bool { return d.fewer(maxOpen) }

// wait returns once every request is answered, or none can be any more.
func (d *drain) wait() { d.fewer(1) }

// fewer waits until fewer than n requests are open, for as long as a call may
// take.
func (d *drain) fewer(n int) bool {
	if d.asks() < n {
		return true
	}
	timeout := time.NewTimer(d.longest)
	defer timeout.Stop()
	for {
		if d.asks() < n {
			return true
		}
		select {
		case <-d.answered:
		case <-timeout.C:
			return false
		case <-d.done:
			return false
		}
	}
}

// asks is how many requests are open.
func (d *drain) asks() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.open)
}
