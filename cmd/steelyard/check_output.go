package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"steelyard/internal/actions"
	"steelyard/lint"
	"steelyard/lint/output"
	"steelyard/rules"
)

// targets says where the result goes: where the flags say, else to standard
// output, in GitHub Actions as annotations and into the job's summary as well.
func (c *checkCommand) targets(run *actions.Run) ([]output.Target, error) {
	if len(c.Output) > 0 {
		list, err := output.ParseTargets(c.Output)
		for i := range list {
			if list[i].Format == "summary" && list[i].File == "" && run != nil {
				list[i].File = run.SummaryFile
			}
		}
		return list, err
	}
	list := []output.Target{{Format: "text"}}
	if run != nil && run.GitHub {
		list = append(list, output.Target{Format: "github"})
		if run.SummaryFile != "" {
			list = append(list, output.Target{Format: "summary", File: run.SummaryFile})
		}
	}
	return list, nil
}

// outputOptions say what stands beside the result of a check.
func (p *program) outputOptions(s *span, run *actions.Run) (output.Options, error) {
	pages, err := rules.All()
	if err != nil {
		return output.Options{}, err
	}
	o := output.Options{Version: readBuild().Version, Rules: pages, Color: p.color()}
	if s.repository != nil {
		o.Folder = s.repository.Folder()
	}
	o.Marker = output.Marker(o.Folder)
	if run != nil && run.GitHub {
		o.Source, o.Details = p.actionsAddresses(run, s)
	}
	return o, nil
}

// write writes the result everywhere it is to go. A file that cannot be written
// keeps none of the others from being.
func write(p *program, run *actions.Run, targets []output.Target, check output.Check, o output.Options) error {
	var failed error
	for _, t := range targets {
		if t.File == "" {
			if err := output.Write(p.stdout, t.Format, check, o); err != nil {
				return err
			}
			continue
		}
		var text bytes.Buffer
		if err := output.Write(&text, t.Format, check, o); err != nil {
			return err
		}
		if err := keep(t, run, text.Bytes()); err != nil {
			failed = errors.Join(failed, fmt.Errorf("--output %s: %w", t.Format, err))
		}
	}
	return failed
}

// keep writes a file; the job's summary is added to, because other steps write
// theirs into it.
func keep(t output.Target, run *actions.Run, text []byte) error {
	if run == nil || t.File != run.SummaryFile {
		if link := linkInRepository(t.File); link != "" {
			return withHint(fmt.Errorf("write %s: %s is a link in the repository, and a change could make it lead to any file", t.File, link), "take it away first, or name a file outside of the checkout")
		}
		return writeAtomic(t.File, text)
	}
	return appendTo(t.File, text)
}

// appendTo adds to a file in one piece, so that a run that is ended leaves no
// half of a report.
func appendTo(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// actionsAddresses are where the files of the change and the report of the run
// are shown; empty where the environment does not say.
func (p *program) actionsAddresses(run *actions.Run, s *span) (source, details string) {
	server, _ := p.env("GITHUB_SERVER_URL")
	server = strings.TrimSuffix(server, "/")
	if server == "" || run.Repository == "" {
		return "", ""
	}
	if commit := shownCommit(run, s); commit != "" {
		source = server + "/" + run.Repository + "/blob/" + commit
	}
	if id, _ := p.env("GITHUB_RUN_ID"); id != "" {
		details = server + "/" + run.Repository + "/actions/runs/" + id
	}
	return source, details
}

// shownCommit is a commit that stays: that of the change rather than the merge
// that was made to try it.
func shownCommit(run *actions.Run, s *span) string {
	if run.HeadCommit != "" && !run.Fork {
		return run.HeadCommit
	}
	return s.headCommit
}

// checked is the whole result: what was found, in what, and what was not looked
// at.
func (s *span) checked(run *actions.Run, result lint.Result, failOn string) output.Check {
	check := output.Check{Result: result, Base: named(s.baseCommit, s.baseName), Head: named(s.headCommit, s.headName), BaseName: s.baseName, HeadName: s.headName, LeftOut: slices.Clone(s.says), FailOn: failOn}
	if run != nil {
		check.Repository = run.Repository
	}
	return check
}

// named is a commit, or what stands for one that is a folder.
func named(commit, name string) string {
	if commit != "" {
		return commit
	}
	return name
}
