package server

import (
	"net/http"
	"strings"
)

// Names are what requests may call a server.
type Names struct {
	// Hosts are values of the Host header: "127.0.0.1:8484".
	Hosts []string
	// Origins are values of the Origin header: "http://127.0.0.1:8484".
	Origins []string
}

// Guard passes on only requests that call the server by one of its names and
// that no foreign page caused; it answers the others with 403. What a proxy
// says of the request (X-Forwarded-Host and the like) is not looked at: anybody
// can say it.
//
// A page that binds its own name to a loopback address (DNS rebinding) gives
// itself away by its Host. A page that sends requests across origins gives
// itself away by its Origin, which is refused for every method. Requests that
// change something are also judged by Sec-Fetch-Site, for the ones a browser
// sends without Origin. Clients that are not browsers send neither header.
func Guard(names Names, next http.Handler) http.Handler {
	hosts, origins := set(names.Hosts), set(names.Origins)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !hosts[strings.ToLower(r.Host)]:
			http.Error(w, "Forbidden: the Host header does not name this server. Use an address that steelyard printed when it started; serve.public_url names the one that others reach.", http.StatusForbidden)
		case foreign(r, origins):
			http.Error(w, "Forbidden: the request comes from another site.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// set holds names in lower case.
func set(names []string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, n := range names {
		all[strings.ToLower(n)] = true
	}
	return all
}

// foreign reports whether a page of another origin caused r.
func foreign(r *http.Request, own map[string]bool) bool {
	for _, origin := range r.Header.Values("Origin") {
		if !own[strings.ToLower(origin)] {
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
