package registry_test

import (
	"context"
	"os"
	"testing"
	"time"

	"steelyard/lint/dependencies"
	"steelyard/lint/dependencies/registry"
)

// TestRealRegistries asks the npm registry and the Go module proxy that this
// machine's own clients would ask: names that everybody knows are ok, or
// unverified for a reason; one that nobody has is not ok. It runs where
// STEELYARD_ONLINE is set, for it needs a network.
func TestRealRegistries(t *testing.T) {
	if os.Getenv("STEELYARD_ONLINE") == "" {
		t.Skip("it asks real registries: set STEELYARD_ONLINE=1 to run it")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	world := registry.World{Env: os.LookupEnv, Home: home, Run: registry.RunClient}
	reg := registry.New(registry.Options{
		Addresses: registry.Discover(world, nil), Now: time.Now,
		Sleep: func(ctx context.Context, d time.Duration) error {
			select {
			case <-time.After(d):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	})
	names, err := shippedNames()
	if err != nil {
		t.Fatal(err)
	}
	check := func(e dependencies.Ecosystem, name string) dependencies.Verdict {
		v := dependencies.Check(t.Context(), dependencies.Query{Ecosystem: e, Name: name}, reg, names, dependencies.Policy{Today: time.Now()})
		t.Logf("%s: %s, %s", v.String(), v.Judgement, v.Reasons())
		return v
	}
	for e, known := range map[dependencies.Ecosystem][]string{
		dependencies.NPM: {"lodash", "react", "express", "typescript", "semver", "left-pad", "@types/node", "JSONStream", "chalk", "commander"},
		dependencies.Go: {
			"github.com/google/uuid", "golang.org/x/sys", "golang.org/x/mod", "github.com/stretchr/testify", "gopkg.in/yaml.v3",
			"github.com/BurntSushi/toml", "github.com/spf13/cobra", "github.com/gorilla/mux", "github.com/davecgh/go-spew", "github.com/pkg/errors",
		},
	} {
		for _, name := range known {
			v := check(e, name)
			if v.Judgement != dependencies.OK && v.Judgement != dependencies.Unverified {
				t.Errorf("%s %s is judged %s: %s", e, name, v.Judgement, v.Reasons())
			}
		}
	}
	for e, name := range map[dependencies.Ecosystem]string{dependencies.NPM: "qzxv-nobody-has-this-name", dependencies.Go: "github.com/qzxv-nobody/has-this-name"} {
		if v := check(e, name); v.Judgement == dependencies.OK || v.Judgement == dependencies.Block && v.Evidence[0].Rule != "DP001" {
			t.Errorf("%s %s is judged %s: %s", e, name, v.Judgement, v.Reasons())
		}
	}
}
