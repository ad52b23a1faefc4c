package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
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

// ListenAnywhere binds addr ("host:port"), also where other machines reach it.
// Whoever calls it must have made sure that nobody gets in who should not.
func ListenAnywhere(ctx context.Context, addr string) (net.Listener, error) {
	if _, err := loopbackAddr(addr); err == nil {
		return Listen(addr)
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen on %s: %w", addr, ErrInUse)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("listen on %s: no permission for this port; choose one above 1023", addr)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return ln, nil
}

// URL is the address a browser on this machine opens, "http://127.0.0.1:8484".
func URL(ln net.Listener) string { return "http://" + ln.Addr().String() }

// namesOf returns what requests may call a server that listens on ln and that
// others reach at public ("https://host"; empty: nobody does). A loopback
// address goes by its number and, where that reaches it, by localhost; any
// other address has no name of its own, and the public one is all there is.
func namesOf(ln net.Listener, public string) Names {
	var n Names
	at, err := netip.ParseAddrPort(ln.Addr().String())
	if err == nil && at.Addr().IsLoopback() {
		hosts := []string{at.Addr().String()}
		if host := hosts[0]; host == "127.0.0.1" || host == "::1" {
			hosts = append(hosts, "localhost")
		}
		for _, host := range hosts {
			n.add("http", host, strconv.Itoa(int(at.Port())))
		}
	}
	if u, err := url.Parse(public); err == nil && public != "" {
		n.add(u.Scheme, u.Hostname(), cmp.Or(u.Port(), defaultPorts[u.Scheme]))
	}
	return n
}

// add adds a host with its port, which may be left out when it is the one that
// the scheme has anyway. An origin never has that.
func (n *Names) add(scheme, host, port string) {
	full := net.JoinHostPort(host, port)
	if short := strings.TrimSuffix(full, ":"+port); port == defaultPorts[scheme] {
		n.Hosts = append(n.Hosts, full, short)
		n.Origins = append(n.Origins, scheme+"://"+short)
		return
	}
	n.Hosts = append(n.Hosts, full)
	n.Origins = append(n.Origins, scheme+"://"+full)
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}
