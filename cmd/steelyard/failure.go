package main

import (
	"errors"
	"fmt"
	"strings"

	"steelyard/internal/config"
	"steelyard/lint/output"
)

// What reaches the terminal: results on stdout; progress, warnings and errors
// on stderr. An error is one line, "steelyard: what failed, on what", in lower
// case and without a full stop, then "hint:" lines that say what to do.

// failure is an error with advice.
type failure struct {
	err   error
	hints []string
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// withHint adds advice to an error.
func withHint(err error, format string, args ...any) error {
	return &failure{err: err, hints: []string{fmt.Sprintf(format, args...)}}
}

// errFindings ends a run that worked and found something: exit code 1, and
// nothing more to say.
var errFindings = errors.New("findings")

// report prints err, if it is one, and returns the exit code.
func (p *program) report(err error) int {
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, errFindings):
		return exitFindings
	}
	p.printFailure(err)
	p.showFailure(err)
	return exitFailed
}

// showFailure puts an error where people see it who look at a pull request and
// not at the log of its job: into an annotation and the job's summary.
func (p *program) showFailure(err error) {
	if in, _ := p.env("GITHUB_ACTIONS"); in != "true" {
		return
	}
	message, hints := err.Error(), []string(nil)
	var f *failure
	var problems config.Problems
	if errors.As(err, &problems) {
		message = ""
		for i, one := range problems {
			if i > 0 {
				message += "; "
			}
			message += one.Error()
		}
	} else if errors.As(err, &f) {
		hints = f.hints
	}
	_ = output.AnnotateFailure(p.stderr, message, hints) // there is no other place to say so
	if file, _ := p.env("GITHUB_STEP_SUMMARY"); file != "" {
		if err := appendTo(file, output.FailureSummary(message, hints)); err != nil {
			p.say("no job summary was written: %v", err)
		}
	}
}

func (p *program) printFailure(err error) {
	var problems config.Problems
	if errors.As(err, &problems) {
		p.printProblems(problems)
		return
	}
	lines := strings.Split(strings.TrimRight(err.Error(), "\n"), "\n")
	p.say("steelyard: %s", strings.Join(lines, "\n  "))
	var f *failure
	if errors.As(err, &f) {
		for _, h := range f.hints {
			p.say("hint: %s", h)
		}
	}
}

// printProblems prints each mistake of a settings file with its own hint.
func (p *program) printProblems(problems config.Problems) {
	for _, one := range problems {
		hint := one.Hint
		one.Hint = ""
		p.say("steelyard: %s", one.Error())
		if hint != "" {
			p.say("hint: %s", hint)
		}
	}
}

// suggesting adds what word most likely meant, or what there is.
func suggesting(err error, word string, valid []string) error {
	if s := config.Suggest(word, valid); s != "" {
		return withHint(err, "did you mean %q?", s)
	}
	const most = 20
	if len(valid) > most {
		return withHint(err, "there are %s and %d more", strings.Join(valid[:most], ", "), len(valid)-most)
	}
	return withHint(err, "there are: %s", strings.Join(valid, ", "))
}
