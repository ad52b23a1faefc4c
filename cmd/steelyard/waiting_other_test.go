//go:build !unix

package main

import "testing"

func makeFIFO(t *testing.T, _ string) {
	t.Helper()
	t.Skip("this system has no FIFO in the file system")
}
