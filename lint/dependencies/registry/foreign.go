package registry

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"syscall"
	"time"
)

// newForeign returns the client for hosts that a file of the repository names:
// whatever their names resolve to and wherever they send on, nothing on this
// machine or on a private network is asked. The proxy of the environment may
// be there.
func newForeign(transport *http.Transport) *http.Client {
	transport = transport.Clone()
	var proxies sync.Map
	transport.Proxy = func(req *http.Request) (*url.URL, error) {
		proxy, err := http.ProxyFromEnvironment(req)
		if proxy != nil {
			proxies.Store(hostPort(proxy), true)
		}
		return proxy, err
	}
	const patience = 10 * time.Second
	plain, guarded := &net.Dialer{Timeout: patience}, &net.Dialer{Timeout: patience, Control: refusePrivate}
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if _, ok := proxies.Load(address); ok {
			return plain.DialContext(ctx, network, address)
		}
		return guarded.DialContext(ctx, network, address)
	}
	return &http.Client{Transport: transport, CheckRedirect: checkRedirect}
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	}
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

var errPrivate = errors.New("its address is on a private network")

// sharedRange is the range of carriers, which is no part of the internet.
var sharedRange = netip.MustParsePrefix("100.64.0.0/10")

// refusePrivate looks at an address after its name was resolved, so that no
// name can hide it.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return errPrivate
	}
	ip := at.Addr().Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || sharedRange.Contains(ip) {
		return errPrivate
	}
	return nil
}
