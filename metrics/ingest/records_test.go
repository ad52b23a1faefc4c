package ingest

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readAll reads text with our reader, copying what it yields.
func readAll(text []byte, limits Limits) ([][]string, error) {
	r, err := newRecords(bufio.NewReaderSize(bytes.NewReader(text), 16), "f.csv", limits.withDefaults())
	if err != nil {
		return nil, err
	}
	var all [][]string
	for {
		if err := r.next(); err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return all, err
		}
		var fields []string
		for _, f := range r.fields {
			fields = append(fields, string(f))
		}
		all = append(all, fields)
	}
}

// FuzzRecords holds our reader to encoding/csv: what we accept, it reads the
// same way. (It reads some things that we refuse.)
func FuzzRecords(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "\ufeffa,b\r\n\"1\",\"2\"\"3\"\r\n\r\n", "\"a\nb\",c\n", "\"\r\n\"", "a\"b,c", "\"a\"b", "\"", ",", "\n,\n", "é,ü", "\x00", "a\rb", "\xff", "\"a\r\nb\r\n\"\n\n\"\"",
		strings.Repeat("x", 100) + "," + strings.Repeat("\"\"", 50),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := readAll(text, Limits{})
		if line := (*LineError)(nil); errors.As(err, &line) {
			if line.Line < 1 || line.Line > 1+bytes.Count(text, []byte("\n")) || line.Problem == "" || line.Cure == "" {
				t.Errorf("error = %#v", line)
			}
			return
		}
		if err != nil {
			t.Fatalf("error of another type: %v", err)
		}
		theirs := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
		theirs.FieldsPerRecord = -1
		want, err := theirs.ReadAll()
		if err != nil {
			t.Fatalf("we read %q as %q, encoding/csv says: %v", text, got, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-encoding/csv +ours):\n%s", text, diff)
		}
	})
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"", "1", "-1.5e3", "1,234", "NaN", "Inf", "0x1p3", "1e999", "9007199254740993", " 7 ", "+.5", "1_0", "NA"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, v []byte) {
		x, bad := parseNumber(v)
		if math.IsInf(x, 0) {
			t.Errorf("%q is infinite", v)
		}
		if (bad != nil) && (bad.problem == "" || bad.cure == "") {
			t.Errorf("%q: %+v", v, bad)
		}
		if n, bad := parseCount(v); bad == nil && n < -1 {
			t.Errorf("count of %q = %d", v, n)
		}
	})
}

func FuzzTimestamp(f *testing.F) {
	for _, seed := range timestampForms {
		f.Add([]byte(seed))
	}
	f.Add([]byte("0000-00-00"))
	f.Add([]byte("1714564800"))
	f.Fuzz(func(t *testing.T, v []byte) {
		var times timestamps
		first, bad := times.parse(v)
		if bad != nil {
			if bad.problem == "" || bad.cure == "" || !first.IsZero() {
				t.Errorf("%q = %v, %+v", v, first, bad)
			}
			return
		}
		again, bad := times.parse(v)
		if bad != nil || !again.Equal(first) {
			t.Errorf("%q = %v, then %v, %+v", v, first, again, bad)
		}
	})
}

func TestNearest(t *testing.T) {
	names := []string{"repo_name", "time", "First Treated", "y"}
	for want, near := range map[string]string{
		"time": "time", "Time": "time", "tmie": "time", "first_treated": "First Treated", "repo": "repo_name", "zzz": "", "": "",
		strings.Repeat("x", 1000): "",
	} {
		if got := nearest(want, names); got != near {
			t.Errorf("nearest(%q) = %q, want %q", want, got, near)
		}
	}
}

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		strings.Repeat("ä", 80): strings.Repeat("ä", 80),
		strings.Repeat("ä", 81): strings.Repeat("ä", 79) + "…",
	} {
		if got := shown(text); got != want {
			t.Errorf("shown(%q) = %q, want %q", text, got, want)
		}
	}
}
