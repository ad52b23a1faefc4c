package server

import (
	"net/http"
	"strings"
)

// Guard passes on only requests whose Host header is one of hosts
// ("127.0.0.1:8484") and that no foreign page caused; it answers the others
// with 403.
//
// A page that binds its own name to a loopback address (DNS rebinding) gives
// itself away by its Host. A page that sends requests across origins gives
// itself away by its Origin, which is refused for every method. Requests that
// change something are also judged by Sec-Fetch-Site, for the ones a browser
// sends without Origin. Clients that are not browsers send neither header.
func Guard(hosts []string, next http.Handler) http.Handler {
	allowed := make(map[string]bool, len(hosts))
	for _, h := range hosts {
		allowed[strings.ToLower(h)] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !allowed[strings.ToLower(r.Host)]:
			http.Error(w, "Forbidden: the Host header does not name this server. Open the address that steelyard printed when it started.", http.StatusForbidden)
		case foreign(r, allowed):
			http.Error(w, "Forbidden: the request comes from another site.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// foreign reports whether a page of another origin caused r.
func foreign(r *http.Request, allowed map[string]bool) bool {
	for _, origin := range r.Header.Values("Origin") {
		host, isHTTP := strings.CutPrefix(strings.ToLower(origin), "http://")
		if !isHTTP || !allowed[host] {
			return true
		}
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return false // safe: following a link from another site is welcome
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return true
}
