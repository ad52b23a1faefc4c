package launch

import (
	"strings"
	"testing"
)

// TestVersions judges packages as each ecosystem writes them.
func TestVersions(t *testing.T) {
	const commit = "8f2a0c4b1d3e5f60718293a4b5c6d7e8f9012345"
	for _, test := range []struct {
		judge  func(string) string
		pinned []string
		moving []string
	}{
		{
			npmFault,
			[]string{
				"a@1.2.3", "@s/a@1.2.3", "@s/a@v1.2.3", "a@1.2.3-rc.1+b2", "x@npm:a@1.2.3", "github:o/r#" + commit,
				"git+ssh://git@h.example/o/r.git#" + commit, "https://h.example/a-1.2.3.tgz",
			},
			[]string{
				"a", "@s/a", "a@", "a@latest", "a@next", "a@1", "a@1.2", "a@1.x", "a@^1.2.3", "a@~1.2.3", "a@>=1.2.3",
				"a@1.2.3 - 2.0.0", "a@*", "x@npm:a", "github:o/r", "o/r", "o/r#v1", "git+https://h.example/o/r#main",
				"https://h.example/a.tgz",
			},
		},
		{
			pypiFault,
			[]string{
				"a==1.2.3", "a@1.2.3", "a@0.0.1a4", "a[x]==1.2", "a == 1.2.3.post1", "git+https://h.example/o/r@" + commit,
				"a @ git+https://h.example/o/r@" + commit + "#subdirectory=x", "https://h.example/a-1.2.3-py3-none-any.whl",
			},
			[]string{
				"a", "a@latest", "a>=1", "a==1.*", "a~=1.2", "a<2", "git+https://h.example/o/r", "git+https://h.example/o/r@v1.2.3",
				"git+https://h.example/o/r@feature/x", "git+https://user@h.example/o/r",
			},
		},
		{
			imageFault,
			[]string{"a/b@sha256:" + strings.Repeat("a", 64), "local-build", "local-build:dev", "localhost:5000/a", "a/b:${TAG}"},
			[]string{"a/b", "a/b:latest", "a/b:1.2.3", "ghcr.io/a/b:1", "registry.example:5000/a", "node:22", "python"},
		},
		{nugetFault, []string{"A.B@1.2.3", "A@1.2.3-beta", "A@1.0"}, []string{"A.B", "A@*", "A@[1.0,2.0)"}},
		{
			goFault,
			[]string{"./cmd/x", "h.example/m", "h.example/m@v1.2.3", "h.example/m@v0.0.0-20250101000000-abcdef123456", "h.example/m@" + commit[:12]},
			[]string{"h.example/m@latest", "h.example/m@main", "h.example/m@v1"},
		},
		{
			denoFault,
			[]string{"main.ts", "npm:a@1.2.3", "npm:@s/a@1.2.3/bin", "jsr:@s/a@1.2.3", "https://h.example/x@v1.2.3/mod.ts"},
			[]string{"npm:a", "npm:@s/a@1/bin", "jsr:@s/a", "https://h.example/mod.ts"},
		},
		{cargoFault, []string{"a@1.2.3"}, []string{"a", "a@1"}},
	} {
		for _, pkg := range test.pinned {
			if fault := test.judge(pkg); fault != "" {
				t.Errorf("%q is pinned, judged %q", pkg, fault)
			}
		}
		for _, pkg := range test.moving {
			if test.judge(pkg) == "" {
				t.Errorf("%q is not pinned, judged pinned", pkg)
			}
		}
	}
}
