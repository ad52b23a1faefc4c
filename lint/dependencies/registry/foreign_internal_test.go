package registry

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestForeign asks nothing on this machine where a file of the repository
// names the host: the address counts, whatever the name.
func TestForeign(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer server.Close()
	for _, address := range []string{server.URL, strings.Replace(server.URL, "127.0.0.1", "localhost", 1)} {
		resp, err := newForeign(http.DefaultTransport.(*http.Transport)).Get(address)
		if err == nil {
			_ = resp.Body.Close()
			t.Errorf("%s answered %s", address, resp.Status)
		}
	}
	if asked != 0 {
		t.Errorf("asked %d times", asked)
	}
	for address, refused := range map[string]bool{
		"127.0.0.1:443": true, "[::1]:443": true, "169.254.169.254:80": true, "10.1.2.3:443": true, "192.168.0.1:443": true, "172.16.0.1:443": true,
		"[fd00::1]:443": true, "[fe80::1%eth0]:443": true, "[::ffff:10.0.0.1]:443": true, "100.64.0.1:443": true, "0.0.0.0:443": true, "224.0.0.1:443": true,
		"93.184.216.34:443": false, "[2606:2800:220:1::1]:443": false, "nonsense": true,
	} {
		if err := refusePrivate("tcp", address, nil); (err != nil) != refused {
			t.Errorf("%s: %v", address, err)
		}
	}
}
