package registry_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
)

// sameAnswer gives one answer to every request.
type sameAnswer struct {
	status int
	mime   string
	body   []byte
}

// Do answers.
func (s sameAnswer) Do(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: s.status, Header: http.Header{"Content-Type": {s.mime}, "Last-Modified": {"Mon, 01 Jan 2024 00:00:00 GMT"}},
		Body: io.NopCloser(bytes.NewReader(s.body)), Request: req,
	}, nil
}

// FuzzAnswers gives any bytes as the answer of any registry: nothing fails, a
// refusal or a fault of the registry says nothing about the package, and what
// is said of it has no control characters.
func FuzzAnswers(f *testing.F) {
	all := forms()
	for i, form := range all {
		server := &fake{form: form}
		for _, path := range []string{"/existing", "/simple/existing/", "/example.com/acme/existing/@v/list", "/ex/is/existing", "/api/v1/versions/existing.json", "/reg/existing/index.json", "/org/acme/existing/maven-metadata.xml", "/repos/existing-owner/existing", "/v2/acme/existing/manifests/latest"} {
			func() {
				defer func() { _ = recover() }() // a path of another registry
				rep, _ := form.answer(server, path)
				f.Add(uint8(i), 200, rep.mime, []byte(rep.body), "1.2.0")
			}()
		}
		f.Add(uint8(i), form.missing.status, form.missing.mime, []byte(form.missing.body), "")
		f.Add(uint8(i), 429, "", []byte{}, "")
	}
	f.Fuzz(func(t *testing.T, which uint8, status int, mime string, body []byte, version string) {
		if status < 200 || status > 599 {
			return
		}
		form := all[int(which)%len(all)]
		address := "https://registry.example"
		reg := registry.New(registry.Options{
			Addresses: registry.Discover(registry.World{}, map[string]string{
				registry.Environment(form.ecosystem): address, registry.EnvDepsDev: "https://depsdev.example", registry.EnvOSV: "https://osv.example", registry.EnvNPMDownloads: address,
			}),
			Doer:  sameAnswer{status, mime, body},
			Now:   func() time.Time { return today },
			Sleep: func(context.Context, time.Duration) error { return nil },
		})
		facts := reg.Lookup(t.Context(), []dependencies.Query{{Ecosystem: form.ecosystem, Name: form.name("existing"), Version: version}})[0]
		answered := status < 300 || status == 404 || status == 410 || status == 451
		if !answered && facts.Existence != dependencies.Unknown {
			t.Fatalf("status %d says %+v", status, facts)
		}
		if facts.Existence == dependencies.Unknown && facts.Why == "" {
			t.Fatalf("unknown for no reason: %+v", facts)
		}
		for _, s := range append([]string{facts.Why, facts.AgeWhy, facts.Deprecated, facts.Yanked, facts.Quarantined, facts.VersionWhy}, facts.Notes...) {
			if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' }) && !strings.Contains(s, version) {
				t.Fatalf("%q", s)
			}
		}
	})
}
