package auth_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/mcp/auth"
)

func day(text string) time.Time {
	at, _ := time.Parse(time.DateOnly, text)
	return at
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestServiceToken follows a token from its making to its end.
func TestServiceToken(t *testing.T) {
	c, path := newClock(), filepath.Join(t.TempDir(), "tokens")
	secret, line := auth.NewToken("ci", []string{"findings:read"}, day("2026-12-02"))
	other, second := auth.NewToken("nightly", []string{"pilots:read"}, day("2027-12-02"))
	write(t, path, "# machines\n\n"+line.String()+"\n"+second.String()+"\n")
	r, err := auth.New(auth.Options{URL: resourceURL, TokensFile: path, Scopes: scopes, Clock: c.now})
	if err != nil {
		t.Fatal(err)
	}
	who, refusal := identify(t, r, secret)
	want := &auth.Identity{Subject: "ci", Scopes: []string{"findings:read"}, Expires: day("2026-12-03")}
	if diff := cmp.Diff(want, who); diff != "" || refusal != nil || who.Key() != "token ci" {
		t.Errorf("%v -want +got:\n%s", refusal, diff)
	}
	for _, wrong := range []string{secret[:len(secret)-1], secret + "0", strings.ToUpper(secret), "steelyard_", line.String()[10:74]} {
		if _, refusal := identify(t, r, wrong); refusal == nil || refusal.Status != http.StatusUnauthorized {
			t.Errorf("%.20s…: %v", wrong, refusal)
		}
	}
	if r.MetadataURL() != "" {
		t.Error("there is metadata without an identity provider")
	}

	c.move(24 * time.Hour) // 2 December, its last day
	if _, refusal := identify(t, r, secret); refusal != nil {
		t.Errorf("on the last day: %v", refusal)
	}
	c.move(12 * time.Hour)
	if _, refusal := identify(t, r, secret); refusal == nil || !strings.Contains(refusal.Error(), "held until 2026-12-02") {
		t.Errorf("the day after: %v", refusal)
	}

	write(t, path, line.String()+"\n") // the other one is taken out
	c.move(3 * time.Second)
	if _, refusal := identify(t, r, other); refusal == nil {
		t.Error("a token whose line is gone still counts")
	}
	write(t, path, "nonsense\n")
	c.move(3 * time.Second)
	if _, refusal := identify(t, r, other); refusal == nil || refusal.Status != http.StatusServiceUnavailable {
		t.Errorf("with a broken file: %v", refusal)
	}
}

func TestTokenFiles(t *testing.T) {
	_, line := auth.NewToken("ci", []string{"pilots:read"}, day("2027-01-31"))
	hash := strings.Fields(line.String())[1]
	for name, c := range map[string]struct{ text, want string }{
		"fields":        {"ci " + hash, "line 1: expected NAME sha256:HASH SCOPES YYYY-MM-DD"},
		"token-itself":  {"\nci steelyard_00 pilots:read 2027-01-31", "line 2: a token itself stands here"},
		"name":          {"c/i " + hash + " pilots:read 2027-01-31", "a name has letters"},
		"hash":          {"ci md5:00 pilots:read 2027-01-31", "sha256: and 64 hexadecimal digits"},
		"scope":         {"ci " + hash + " pilots:write 2027-01-31", "the scopes are some of pilots:read, findings:read, dependencies:check"},
		"no-scope":      {"ci " + hash + " , 2027-01-31", "the scopes are"},
		"day":           {"ci " + hash + " pilots:read never", "the last day"},
		"name-twice":    {line.String() + "\n" + strings.Replace(line.String(), hash[7:], strings.Repeat("0", 64), 1), "the name ci comes twice"},
		"hash-twice":    {line.String() + "\n" + strings.Replace(line.String(), "ci", "di", 1), "have the same hash"},
		"too-large":     {strings.Repeat("#", 300<<10), "larger than 256 KiB"},
		"a-long-line":   {strings.Repeat("x", 100<<10), "token too long"},
		"secret-inside": {"ci hunter2hunter2 pilots:read 2027-01-31", "sha256: and"},
	} {
		_, err := auth.ParseTokens(strings.NewReader(c.text), scopes)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error repeats what stands there: %v", name, err)
		}
	}
}

func TestUnusableFiles(t *testing.T) {
	dir := t.TempDir()
	open := filepath.Join(dir, "open")
	write(t, open, "")
	if err := os.Chmod(open, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{filepath.Join(dir, "none"): "no such file", dir: "not a regular file", open: "chmod o-w"} {
		if _, err := auth.New(auth.Options{URL: resourceURL, TokensFile: path, Scopes: scopes, Clock: newClock().now}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if _, err := auth.New(auth.Options{URL: resourceURL, Scopes: scopes}); !errors.Is(err, auth.ErrNobody) {
		t.Errorf("nobody: %v", err)
	}
}

// FuzzParseTokens holds that what is read is written as it was read.
func FuzzParseTokens(f *testing.F) {
	_, line := auth.NewToken("ci", []string{"pilots:read"}, day("2027-01-31"))
	f.Add(line.String())
	f.Add("# nothing\n\n")
	f.Add("ci sha256:00 pilots:read 2027-01-31")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := auth.ParseTokens(strings.NewReader(text), scopes)
		if err != nil {
			return
		}
		var b strings.Builder
		for _, one := range all {
			b.WriteString(one.String() + "\n")
		}
		again, err := auth.ParseTokens(strings.NewReader(b.String()), scopes)
		if diff := cmp.Diff(all, again); err != nil || diff != "" {
			t.Fatalf("%v -first +again:\n%s", err, diff)
		}
	})
}
