package registry_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
)

var update = flag.Bool("update", false, "renew golden files")

var shippedNames = sync.OnceValues(dependencies.NewNames)

// judged asks a registry about one package and judges the answer.
func judged(t *testing.T, o registry.Options, q dependencies.Query) dependencies.Verdict {
	t.Helper()
	names, err := shippedNames()
	if err != nil {
		t.Fatal(err)
	}
	return dependencies.Check(t.Context(), q, registry.New(o), names, dependencies.Policy{Today: today})
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// failures are the cases in which a registry does not answer the question. None
// may be read as fine, none as bad.
var failures = []string{"missing-empty", "forbidden", "sign-in", "busy", "broken", "slow", "truncated", "garbage", "copied", "untimed"}

// TestFakes asks a fake registry of each ecosystem about every state that a
// package can be in, and about every way not to get an answer: as the
// registry itself, and as a mirror.
func TestFakes(t *testing.T) {
	for _, f := range forms() {
		t.Run(string(f.ecosystem), func(t *testing.T) {
			t.Parallel()
			server := newFake(t, f)
			var b strings.Builder
			for _, address := range []string{server.URL, "mirror+" + server.URL} {
				as := "asked as the registry itself"
				if strings.HasPrefix(address, "mirror+") {
					as = "asked as a mirror"
				}
				fmt.Fprintf(&b, "%s\n\n", as)
				for _, name := range slices.Concat(always, f.cases) {
					o := server.options(address, nil)
					if name == "slow" {
						o.Timeout = 300 * time.Millisecond // it never answers
					}
					v := judged(t, o, dependencies.Query{Ecosystem: f.ecosystem, Name: f.name(name)})
					writeVerdict(&b, name, v)
					if slices.Contains(failures, name) && (v.Judgement == dependencies.OK || v.Judgement == dependencies.Block) {
						t.Errorf("%s is judged %s", name, v.Judgement)
					}
				}
				b.WriteString("\n")
			}
			golden(t, string(f.ecosystem)+".golden", b.String())
		})
	}
}

func writeVerdict(b *strings.Builder, name string, v dependencies.Verdict) {
	fmt.Fprintf(b, "%s: %s\n", name, v.Judgement)
	for _, e := range v.Evidence {
		mark := string(e.Judgement)
		if e.Rule != "" {
			mark += " " + e.Rule
		}
		fmt.Fprintf(b, "    %-16s %s\n", mark, e.Text)
	}
}

// TestVersions asks about versions that are there and that are not.
func TestVersions(t *testing.T) {
	for _, f := range forms() {
		t.Run(string(f.ecosystem), func(t *testing.T) {
			server := newFake(t, f)
			there, not := "1.2.0", "9.9.9"
			switch f.ecosystem {
			case dependencies.Go:
				there, not = "v1.2.0", "v9.9.9"
			case dependencies.Actions:
				there = "v1"
			}
			name := f.name("existing")
			for _, c := range []struct {
				version, address string
				want             dependencies.Judgement
			}{
				{there, server.URL, dependencies.OK},
				{not, server.URL, dependencies.Block},
				{there, "mirror+" + server.URL, dependencies.OK},
			} {
				v := judged(t, server.options(c.address, nil), dependencies.Query{Ecosystem: f.ecosystem, Name: name, Version: c.version})
				if v.Judgement != c.want {
					t.Errorf("version %s at %s: %s, %s", c.version, c.address, v.Judgement, v.Reasons())
				}
			}
			v := judged(t, server.options("mirror+"+server.URL, nil), dependencies.Query{Ecosystem: f.ecosystem, Name: name, Version: not})
			proved := f.ecosystem == dependencies.Actions || f.ecosystem == dependencies.Docker // they say so themselves
			if !proved && v.Judgement != dependencies.Unverified {
				t.Errorf("a version that a mirror does not have is judged %s: %s", v.Judgement, v.Reasons())
			}
		})
	}
}
