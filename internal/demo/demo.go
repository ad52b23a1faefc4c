// Package demo carries what "steelyard demo" shows: three pilots with their
// data, and a small repository with known faults. It holds files only; see
// data/README.md for where the numbers come from and their licences.
package demo

import (
	"embed"
	"io/fs"
)

//go:generate go test ./worked -run TestFile -update

//go:embed data pilots.yaml all:sample
var files embed.FS

// Files returns the bundled files: pilots.yaml, a manifest of the pilots; data/,
// what it names; and sample/, the repository with known faults.
func Files() fs.FS { return files }
