package server_test

import (
	"net"
	"strings"
	"testing"

	"steelyard/internal/server"
)

func TestLoopback(t *testing.T) {
	for _, c := range []struct {
		addr, problem string // problem is part of the error; empty: allowed
	}{
		{"127.0.0.1:8484", ""},
		{"127.255.255.254:0", ""},
		{"[::1]:8484", ""},
		{"localhost:8484", ""},
		{"LOCALHOST:8484", ""},
		{"[0:0:0:0:0:0:0:1]:8484", ""},

		{":8484", "until sign-in is configured"},
		{"0.0.0.0:8484", "until sign-in is configured"},
		{"[::]:8484", "until sign-in is configured"},
		{"*:8484", "until sign-in is configured"},
		{"192.168.1.7:8484", "until sign-in is configured"},
		{"128.0.0.1:8484", "until sign-in is configured"},
		{"example.com:8484", "until sign-in is configured"},
		{"localhost.example.com:8484", "until sign-in is configured"},
		{"localhost.:8484", "until sign-in is configured"},
		{"ip6-localhost:8484", "until sign-in is configured"},
		{"[::ffff:127.0.0.1]:8484", "until sign-in is configured"},
		{"[::ffff:10.0.0.1]:8484", "until sign-in is configured"},
		{"[::1%lo]:8484", "until sign-in is configured"},
		{"0:8484", "until sign-in is configured"},
		{"127.1:8484", "until sign-in is configured"},
		{"2130706433:8484", "until sign-in is configured"},
		{"0x7f000001:8484", "until sign-in is configured"},
		{"127.0.0.1@example.com:8484", "until sign-in is configured"},

		{"", "not of the form host:port"},
		{"127.0.0.1", "not of the form host:port"},
		{"8484", "not of the form host:port"},
		{"::1:8484", "not of the form host:port"},
		{"127.0.0.1:", "not a number"},
		{"127.0.0.1:http", "not a number"},
		{"127.0.0.1:65536", "not a number"},
		{"127.0.0.1:-1", "not a number"},
	} {
		err := server.Loopback(c.addr)
		switch {
		case c.problem == "" && err != nil:
			t.Errorf("Loopback(%q) = %v, want it allowed", c.addr, err)
		case c.problem != "" && err == nil:
			t.Errorf("Loopback(%q) = nil, want it refused", c.addr)
		case c.problem != "" && !strings.Contains(err.Error(), c.problem):
			t.Errorf("Loopback(%q) = %v, want %q in it", c.addr, err, c.problem)
		}
	}
}

func FuzzLoopback(f *testing.F) {
	for _, seed := range []string{"127.0.0.1:1", "[::1]:1", "localhost:1", ":1", "[::ffff:127.0.0.1]:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, addr string) {
		if server.Loopback(addr) != nil {
			return
		}
		host, _, err := net.SplitHostPort(addr)
		if err != nil {
			t.Fatalf("allowed %q, which does not split: %v", addr, err)
		}
		if !strings.EqualFold(host, "localhost") && !net.ParseIP(host).IsLoopback() {
			t.Fatalf("allowed %q", addr)
		}
	})
}

func TestListen(t *testing.T) {
	t.Run("refuses-other-addresses", func(t *testing.T) {
		if ln, err := server.Listen("0.0.0.0:0"); err == nil {
			_ = ln.Close()
			t.Fatal("Listen(0.0.0.0:0) bound")
		}
	})
	t.Run("port-in-use-names-the-cure", func(t *testing.T) {
		ln, err := server.Listen("localhost:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = ln.Close() }()
		if !strings.HasPrefix(server.URL(ln), "http://127.0.0.1:") || strings.HasSuffix(server.URL(ln), ":0") {
			t.Errorf("URL = %s, want a real port on 127.0.0.1", server.URL(ln))
		}
		_, err = server.Listen(ln.Addr().String())
		if err == nil || !strings.Contains(err.Error(), "in use by another program") || !strings.Contains(err.Error(), ln.Addr().String()) {
			t.Errorf("second Listen = %v", err)
		}
	})
}
