// Package admin is the port for those who run the program: /healthz, /readyz
// and /metrics. It listens on a loopback address unless it is told another
// one, has no sign-in, changes nothing, and holds no names of people,
// repositories or teams: only numbers.
//
//   - /healthz answers 200 as long as the process lives.
//   - /readyz answers 200 when the database can be reached and its schema is the
//     one that this program knows, and 503 with the reason when not, and from
//     the moment on at which the program is told to end.
//   - /metrics is in the format of Prometheus.
package admin
