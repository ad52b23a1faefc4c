package server

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
)

// ErrInUse is what [Listen] wraps where another program has the port.
var ErrInUse = errors.New("the port is in use by another program")

// Loopback returns nil if addr ("host:port") names this machine alone: a
// literal address in 127.0.0.0/8, the literal ::1, or localhost. Anything else
// is refused, also forms that a resolver might turn into a loopback address.
func Loopback(addr string) error {
	_, err := loopbackAddr(addr)
	return err
}

// loopbackAddr is [Loopback]; it returns what to bind. localhost becomes
// 127.0.0.1 without asking a resolver, which could answer anything.
func loopbackAddr(addr string) (netip.AddrPort, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("listen on %q: not of the form host:port; write 127.0.0.1:8484", addr)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("listen on %q: port %q is not a number from 0 to 65535 (0 picks a free one)", addr, port)
	}
	if strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || ip.Is4In6() || ip.Zone() != "" || !ip.IsLoopback() {
		return netip.AddrPort{}, fmt.Errorf("listen on %q: only loopback addresses (127.0.0.1, [::1], localhost) are served until sign-in is configured; write 127.0.0.1:%d", addr, number)
	}
	return netip.AddrPortFrom(ip, uint16(number)), nil
}

// Listen binds addr, which must satisfy [Loopback]. Port 0 picks a free port;
// the listener's Addr holds the real one.
func Listen(addr string) (net.Listener, error) {
	to, err := loopbackAddr(addr)
	if err != nil {
		return nil, err
	}
	ln, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(to))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen on %s: %w", to, ErrInUse)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("listen on %s: no permission for this port; choose one above 1023", to)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w", to, err)
	}
	return ln, nil
}

// URL is the address a browser on this machine opens, "http://127.0.0.1:8484".
func URL(ln net.Listener) string { return "http://" + ln.Addr().String() }

// hostsOf returns the values of a Host header that mean ln: its address and,
// where it reaches it, localhost; with the port, which may be left out when it
// is the default one.
func hostsOf(ln net.Listener) []string {
	host, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		return nil
	}
	names := []string{host}
	if host == "127.0.0.1" || host == "::1" {
		names = append(names, "localhost")
	}
	var hosts []string
	for _, name := range names {
		hosts = append(hosts, net.JoinHostPort(name, port))
		if port == "80" {
			hosts = append(hosts, strings.TrimSuffix(net.JoinHostPort(name, port), ":80"))
		}
	}
	return hosts
}
