//go:build !unix

package migrationstest

import (
	"errors"
	"os/exec"
)

// owner is the user that the server runs as; only Unix has one to borrow.
type owner struct{}

func serverOwner() (owner, error) {
	return owner{}, errors.New("throw-away servers need a Unix system")
}

func (owner) tempDir() (string, error) { return "", errors.ErrUnsupported }

func (owner) own(string) error { return nil }

func (owner) run(*exec.Cmd, string) {}
