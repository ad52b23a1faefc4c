package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"steelyard/mcp"
)

// The exit codes.
const (
	exitClean    = 0
	exitFindings = 1 // findings at or above what --fail-on names
	exitFailed   = 2 // the run itself failed
)

// program is the world as the commands see it, so that a test can give them
// another one.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(name string) (string, bool)
	now            func() time.Time

	// done is closed once the run is to end; reads that wait end with it.
	done <-chan struct{}

	// configFile is the value of --config.
	configFile string
}

// run runs one command line and returns its exit code.
func (p *program) run(ctx context.Context, args []string) (code int) {
	out := &checkedWriter{w: p.stdout}
	p.stdout = out
	p.done = ctx.Done()
	p.stdin = interruptible(p.stdin, p.done)
	defer func() {
		if cause := recover(); cause != nil && !p.wantsStack() {
			code = p.report(&failure{
				err:   fmt.Errorf("internal error: %v", cause),
				hints: []string{"this is a fault in steelyard; please report it with the output of STEELYARD_STACK=1 and the same command"},
			})
		} else if cause != nil {
			panic(cause)
		}
		if out.err != nil && code != exitFailed {
			code = p.report(fmt.Errorf("write standard output: %w", out.err))
		}
	}()
	if len(args) == 0 {
		p.stdout = p.stderr
		code, _ = p.help()
		return max(code, exitFailed)
	}
	return p.report(p.dispatch(ctx, args))
}

// dispatch parses args and runs the command they name.
func (p *program) dispatch(ctx context.Context, args []string) error {
	var g grammar
	done := false
	parser, err := p.parser(&g, func(int) { done = true })
	if err != nil {
		return err
	}
	kctx, err := parser.Parse(args)
	if done { // --help
		return nil
	}
	if err != nil {
		return usageFailure(err)
	}
	p.configFile = g.Config
	kctx.BindTo(ctx, (*context.Context)(nil))
	err = kctx.Run(p)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return errors.New("interrupted")
	}
	return err
}

// parser builds the grammar. exit is called after --help was printed.
func (p *program) parser(g *grammar, exit func(int)) (*kong.Kong, error) {
	return kong.New(
		g,
		kong.Name("steelyard"),
		kong.Description(description),
		kong.Writers(p.stdout, p.stderr),
		kong.Exit(exit),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 92}),
		kong.ExplicitGroups(groups()),
		kong.Vars{"metrics": metricNames(), "methods": methodNames(), "surfaces": surfaceNames(), "scopes": strings.Join(mcp.Scopes(), ", ")},
	)
}

// help prints the overview.
func (p *program) help() (int, error) {
	var g grammar
	parser, err := p.parser(&g, func(int) {})
	if err != nil {
		return exitFailed, err
	}
	_, err = parser.Parse([]string{"--help"})
	return exitClean, err
}

func (p *program) wantsStack() bool {
	v, _ := p.env("STEELYARD_STACK")
	return v == "1"
}

// color reports whether standard output is a terminal that wants colours.
func (p *program) color() bool {
	out, ok := p.stdout.(*checkedWriter)
	if !ok {
		return false
	}
	file, ok := out.w.(*os.File)
	if !ok {
		return false
	}
	noColor, _ := p.env("NO_COLOR")
	term, _ := p.env("TERM")
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && noColor == "" && term != "dumb"
}

// checkedWriter remembers the first failed write, so that a full disk behind
// "> file" is not taken for success.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}

// usageFailure turns a parser's error into one with advice.
func usageFailure(err error) error {
	text, guess, guessed := strings.Cut(err.Error(), ", did you mean ")
	f := &failure{}
	if guessed {
		f.hints = append(f.hints, "did you mean "+guess)
	}
	at := "steelyard"
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context != nil {
		node := parse.Context.Selected()
		if node != nil {
			at = node.FullPath()
		}
		if asked := strings.TrimPrefix(text, "unknown flag --"); hasFlag(node, "addr") && slices.Contains([]string{"port", "host", "bind", "listen"}, asked) {
			f.hints = []string{"the address says host and port: --addr 127.0.0.1:PORT"}
		}
		if word, ok := strings.CutPrefix(text, "unexpected argument "); ok && (node == nil || !node.Leaf()) {
			text = fmt.Sprintf("there is no command %q", strings.TrimPrefix(at+" "+word, "steelyard "))
		}
	}
	f.hints = append(f.hints, fmt.Sprintf("%q says what there is", at+" --help"))
	f.err = errors.New(text)
	return f
}

// hasFlag reports whether a command has a flag of this name.
func hasFlag(node *kong.Node, name string) bool {
	return node != nil && slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == name })
}
