package main

import (
	"maps"
	"testing"
)

// TestCheckCommandsTakenAway takes away the file that a command of the
// instructions goes by, which leaves nothing in the repository that says so.
func TestCheckCommandsTakenAway(t *testing.T) {
	s := openShop(t)
	files := map[string]string{"AGENTS.md": "# Shop\n\nRun `make build`, then `npm run bundle`.\nAfterwards run `just ship`.\n"}
	settings := map[string]string{
		"Makefile": "build:\n\tgo build\n", "justfile": "ship:\n  ./ship\n", "package.json": `{"scripts": {"bundle": "tsc"}}`,
	}
	maps.Copy(settings, files)
	s.base = commitFiles(t, s.dir, "commands", settings)
	run := func(name string, files map[string]string) checkRun {
		t.Helper()
		pull := s.open(t, name, shopPull{}, files)
		return s.check(t, s.checkout(t, pull.mergeRef(), "--depth=2"), "pull_request", s.event(t, pull, false), nil, "--output", "text")
	}

	got := run("taken", map[string]string{"Makefile": "", "package.json": ""})
	if got.code != 1 {
		t.Errorf("exit code %d, want 1:\n%s", got.code, got.stderr)
	}
	says(t, "the result", got.stdout,
		`AGENTS.md:3:6: error: "make build" cannot run any more: Makefile, which had the target "build", is gone [IN005 `, "see Makefile:1: the change takes it away",
		`"npm run bundle" cannot run any more: package.json, which had the script "bundle", is gone`, `!"just ship"`)

	got = run("moved", map[string]string{"Makefile": "", "build/Makefile": "build:\n\tgo build\n"})
	says(t, "moved below", got.stdout, "!cannot run any more")

	got = run("never-there", map[string]string{"AGENTS.md": "# Shop\n\nRun `make never`.\n", "Makefile": ""})
	says(t, "never there", got.stdout, "!cannot run any more")

	got = run("said-no-more", map[string]string{"AGENTS.md": "# Shop\n\nRun `npm run bundle`.\n", "Makefile": "", "justfile": ""})
	says(t, "said no more", got.stdout, "!IN005")
}
