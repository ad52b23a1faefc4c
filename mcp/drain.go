package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"
)

// drain lets a client write all its requests, close its end and still read
// every answer: the SDK drops what is under way when its input ends, so the
// end is held back until each request read has been answered.
type drain struct {
	in       io.Reader
	out      io.Writer
	done     <-chan struct{} // stop waiting: the server is told to end
	longest  time.Duration   // a call takes no longer than this
	mu       sync.Mutex
	open     int           // requests read and not answered
	answered chan struct{} // signalled after each answer
	asked    lines
	told     lines
}

func newDrain(in io.Reader, out io.Writer, done <-chan struct{}, longest time.Duration) *drain {
	return &drain{in: in, out: out, done: done, longest: longest, answered: make(chan struct{}, 1)}
}

// Read passes input on, counts the requests in it, and holds back its end.
func (d *drain) Read(p []byte) (int, error) {
	n, err := d.in.Read(p)
	d.count(&d.asked, p[:n], 1)
	if errors.Is(err, io.EOF) {
		if n > 0 {
			return n, nil // the end comes with the next read
		}
		d.wait()
	}
	return n, err
}

// Write passes output on and counts the answers in it.
func (d *drain) Write(p []byte) (int, error) {
	n, err := d.out.Write(p)
	d.count(&d.told, p[:n], -1)
	select {
	case d.answered <- struct{}{}:
	default:
	}
	return n, err
}

// Close leaves the stream to its owner.
func (d *drain) Close() error { return nil }

// count adds step for each whole line of p that is a request (read) or an
// answer (written).
func (d *drain) count(l *lines, p []byte, step int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, line := range l.add(p) {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(line, &m) == nil && m.ID != nil && (m.Method != "") == (step > 0) {
			d.open += step
		}
	}
}

// wait returns once every request is answered, or none can be any more.
func (d *drain) wait() {
	timeout := time.NewTimer(d.longest)
	defer timeout.Stop()
	for {
		d.mu.Lock()
		open := d.open
		d.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-d.answered:
		case <-timeout.C:
			return
		case <-d.done:
			return
		}
	}
}

// lines puts the whole lines of a stream together. A line over the bound of a
// message is forgotten: no answer will come to it.
type lines struct {
	rest []byte
	skip bool
}

func (l *lines) add(p []byte) [][]byte {
	var whole [][]byte
	for {
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		if !l.skip {
			l.rest = append(l.rest, line...)
			if len(l.rest) > maxMessageBytes {
				l.rest, l.skip = nil, true
			}
		}
		if !ended {
			return whole
		}
		if !l.skip {
			whole = append(whole, l.rest)
		}
		l.rest, l.skip, p = nil, false, rest
	}
}
