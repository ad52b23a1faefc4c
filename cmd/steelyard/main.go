// Command steelyard says whether an AI-assistance pilot helped, checks the
// setup that every assistant on a team shares, and serves both as a dashboard
// and as read-only MCP tools. "steelyard --help" lists what it can do.
//
// Each command is one file: a struct with its flags and a Run method that
// calls the packages that know. Nothing is computed here.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// sameSignal is how long after the first signal another one is taken for the
// same: timeout(1) sends one to the process and one to its group.
const sameSignal = 500 * time.Millisecond

func main() { os.Exit(steelyard()) }

// steelyard runs the program on the process's own streams and clock.
func steelyard() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal ends the work in hand; a second one kills at once.
	defer context.AfterFunc(ctx, func() { time.AfterFunc(sameSignal, stop) })()
	p := program{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		env: os.LookupEnv, now: time.Now,
	}
	return p.run(ctx, os.Args[1:])
}
