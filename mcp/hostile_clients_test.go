package mcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"steelyard/mcp"
	"steelyard/metrics"
)

// TestHangingClients holds that clients which stop in the middle, or never
// read, do not keep the others waiting.
func TestHangingClients(t *testing.T) {
	o, _ := options()
	w := newWire(t, o)
	address := strings.TrimSuffix(strings.TrimPrefix(w.at, "http://"), "/mcp")
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_pilot_report","arguments":{"pilot":"worked-example"}}}`
	head := fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n", address, len(body))
	var hung []net.Conn
	defer func() {
		for _, c := range hung {
			_ = c.Close()
		}
	}()
	for i := range 300 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		hung = append(hung, c)
		text := []string{"", "POST /mcp HT", head, head + body[:20], head + body}[i%5] // the last one is answered and not read
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		w.alive()
	}
	// One that leaves in the middle of its call is forgotten.
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, head+body)
	if _, err := bufio.NewReader(c).ReadByte(); err != nil {
		t.Fatal(err)
	}
	_ = c.Close()
	w.alive()
	w.clean()
}

// TestOneSlowCallerLeavesRoom holds that calls which never end give their
// slots back by their deadline.
func TestOneSlowCallerLeavesRoom(t *testing.T) {
	o, _ := options()
	o.CallTimeout, o.MaxCalls = 300*time.Millisecond, 4
	rs := reports{all: workedExamples()}
	rs.report = func(ctx context.Context, _ string) (*metrics.Report, error) {
		<-ctx.Done() // as a query does that the database is asked to end
		return nil, ctx.Err()
	}
	o.Reports = rs
	w := newWire(t, o)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			if status, body := w.call("get_pilot_report", `{"pilot":"worked-example"}`); status != 200 || !strings.Contains(body, `"isError":true`) {
				t.Errorf("%d %s", status, body)
			}
		})
	}
	all.Wait()
	w.alive()
	w.clean()
}

// TestOneIdentityLeavesRoom holds that one machine whose calls never end does
// not keep another one waiting.
func TestOneIdentityLeavesRoom(t *testing.T) {
	o, _ := options()
	var tokens []string
	o.Authorization, tokens = serviceTokens(t, time.Now, mcp.Scopes(), mcp.Scopes())
	o.CallTimeout, o.MaxCalls = 20*time.Second, 4
	entered, release := make(chan bool, 16), make(chan bool)
	rs := reports{all: workedExamples()}
	rs.report = func(ctx context.Context, id string) (*metrics.Report, error) {
		entered <- true
		<-release
		return workedExample(), nil
	}
	o.Reports = rs
	at := listening(t, serving(mcp.New(o).HTTP())) + "/mcp"
	const slow = `{"name":"get_pilot_report","arguments":{"pilot":"worked-example"}}`
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if status, _, body := sendToken(t, at, tokens[0], slow); status != 200 || !strings.Contains(body, "structuredContent") {
				t.Errorf("%d %s", status, body)
			}
		})
	}
	<-entered
	<-entered // half of the four slots
	if status, _, body := sendToken(t, at, tokens[1], `{"name":"list_pilots"}`); status != 200 || !strings.Contains(body, "worked-example") {
		t.Errorf("the other machine: %d %s", status, body)
	}
	if n := len(entered); n > 0 {
		t.Errorf("%d calls more than its share run", n)
	}
	close(release)
	all.Wait()
}
