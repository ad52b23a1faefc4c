package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCommand struct {
	Format string `enum:"text,json" default:"text" help:"text or json."`
}

func (c *versionCommand) Run(p *program) error {
	b := readBuild()
	if c.Format == "json" {
		return printJSON(p.stdout, b)
	}
	text := "steelyard " + b.Version
	if b.Revision != "" {
		text += " (" + b.Revision
		if b.Modified {
			text += ", modified"
		}
		text += ")"
	}
	_, err := fmt.Fprintf(p.stdout, "%s, %s, %s\n", text, b.Go, b.Platform)
	return err
}

// build says what the program was built from.
type build struct {
	Version string `json:"version"`
	// Revision is the commit, Time its time, Modified whether the tree had
	// changes beside it; empty where the build did not know.
	Revision string `json:"revision,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// readBuild reads what the linker left in the binary.
func readBuild() build {
	b := build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
