package main

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"steelyard/internal/actions"
	"steelyard/internal/config"
	"steelyard/internal/treediff"
	"steelyard/lint/change"
	"steelyard/metrics/ingest/attribution"
	"steelyard/rules"
)

// pullRequest is the change as the rules about pull requests take it: from the
// event, from the clone and, with a token, from GitHub. It is nil for a push,
// which is none.
func (c *checkCommand) pullRequest(ctx context.Context, p *program, s *span, run *actions.Run, settings *config.Config, changes []treediff.Change) (*change.Change, error) {
	if run != nil && run.Kind == actions.Push {
		s.say("a push is no pull request: the rules about pull requests (PR) were not asked")
		return nil, nil
	}
	table, err := rules.AttributionTable()
	if err != nil {
		return nil, err
	}
	source := settings.File
	if p.configFile == "" {
		source = config.FileName
	}
	found := &change.Change{Policy: changePolicy(settings.Policy, source)}
	if err := found.Policy.Validate(); err != nil {
		return nil, err
	}
	found.Files = s.changedFiles(changes)
	if found.Owners, _, err = ownersIn(s.above.base, s.base); err != nil {
		s.say("who owns which files: %v", err)
	}
	w := &who{matcher: attribution.New(table), agents: settings.Policy.Agents.Accounts, tools: table.Tools}
	w.fromEvent(found, run)
	return found, c.complete(ctx, p, s, run, found, w)
}

// complete adds what GitHub and the commits know. The commits may show that an
// agent wrote the change, and only then does the policy about agents ask for
// teams: they come before these.
func (c *checkCommand) complete(ctx context.Context, p *program, s *span, run *actions.Run, found *change.Change, w *who) error {
	ask, why, err := c.asker(p, run)
	if err != nil {
		return err
	}
	if ask == nil {
		found.Unknown = why
		w.fromCommits(ctx, found, s)
		return ctx.Err()
	}
	asking, cancel := context.WithTimeout(ctx, checkAsks)
	defer cancel()
	ask.pull(asking, found, w)
	w.fromCommits(ctx, found, s)
	ask.teams(asking, found)
	ask.ownership(asking, s, found)
	return ctx.Err()
}

// changedFiles are the changed files with what each counts as.
func (s *span) changedFiles(changes []treediff.Change) []change.File {
	var made []string
	if info, err := fs.Stat(s.base, ".gitattributes"); err == nil && info.Size() < 1<<20 {
		if text, err := fs.ReadFile(s.base, ".gitattributes"); err == nil {
			made = change.MarkedGenerated(text)
		}
	}
	var files []change.File
	for _, c := range changes {
		text := c.New
		if c.Deleted {
			text = c.Old
		}
		files = append(files, change.File{
			Path: c.Path, OldPath: c.OldPath, Deleted: c.Deleted, Kind: change.KindOf(c.Path, text, made),
			Additions: c.Additions, Deletions: c.Deletions, Uncounted: c.Uncounted,
		})
	}
	return files
}

// who tells people from agents and bots.
type who struct {
	matcher *attribution.Matcher
	agents  []string // logins of the policy
	tools   []rules.Tool
	commits []attribution.Commit // as GitHub lists them
}

// account is an account as the rules take it, and the agent that it is, "" for
// none.
func (w *who) account(login string, id int64, bot bool) (change.Account, string) {
	bare := strings.TrimSuffix(login, "[bot]")
	role, machine := w.matcher.Role(attribution.Account{Login: login, ID: id, Bot: bot})
	own := slices.ContainsFunc(w.agents, func(a string) bool { return strings.EqualFold(strings.TrimSuffix(a, "[bot]"), bare) })
	agent := ""
	if own || machine && role == rules.Agent {
		agent = "@" + bare
	}
	return change.Account{Login: bare, Machine: machine || own}, agent
}

// fromEvent takes over what the event says.
func (w *who) fromEvent(c *change.Change, run *actions.Run) {
	if run == nil {
		return
	}
	c.Queued = run.Kind == actions.MergeGroup
	if run.Pull == nil {
		return
	}
	pull := run.Pull
	c.Described, c.Body, c.Labels = true, pull.Body, pull.Labels
	c.Author, c.Agent = w.account(pull.Author.Login, pull.Author.ID, pull.Author.Type == "Bot")
	for _, a := range pull.Requested {
		c.Requested = append(c.Requested, "@"+a.Login)
	}
	owner, _, _ := strings.Cut(run.Repository, "/")
	for _, slug := range pull.RequestedTeams {
		c.Requested = append(c.Requested, "@"+owner+"/"+slug)
	}
	for _, a := range pull.Assignees {
		w.asked(c, a.Login, a.ID, a.Type == "Bot", false)
	}
}

// asked notes a person who asked an agent for the change; claimed says that a
// commit's message says so.
func (w *who) asked(c *change.Change, login string, id int64, bot, claimed bool) {
	who, _ := w.account(login, id, bot)
	who.Claimed = claimed
	known := slices.ContainsFunc(c.AskedBy, func(a change.Account) bool { return strings.EqualFold(a.Login, who.Login) })
	if who.Login != "" && !who.Machine && !known {
		c.AskedBy = append(c.AskedBy, who)
	}
}

// fromCommits reads what the commits say: where all of them are an agent's, the
// change is, whoever opened the pull request for it; and whoever asked an agent
// signs as a co-author. What GitHub lists goes before what the clone has, which
// may be less.
func (w *who) fromCommits(ctx context.Context, c *change.Change, s *span) {
	commits := w.commits
	if len(commits) == 0 && s.baseCommit != "" && s.headCommit != "" {
		found, err := s.repository.Commits(ctx, s.baseCommit, s.headCommit)
		if err != nil {
			s.say("who wrote the commits: %v", err)
			return
		}
		for _, one := range found {
			commits = append(commits, attribution.Commit{AuthorName: one.AuthorName, AuthorEmail: one.AuthorEmail, Message: one.Message})
		}
	}
	if c.Agent == "" && c.Described && len(commits) > 0 {
		if agent := w.writer(commits); agent != "" {
			c.Agent = agent
			w.asked(c, c.Author.Login, 0, c.Author.Machine, false)
		}
	}
	for _, one := range commits {
		w.coAuthors(c, one.Message)
	}
}

// writer is the agent that wrote every one of some commits, "" where a person
// wrote one.
func (w *who) writer(commits []attribution.Commit) string {
	name := ""
	for _, one := range commits {
		agent := ""
		for _, signal := range w.matcher.Signals(attribution.PullRequest{Commits: []attribution.Commit{{Author: one.Author, AuthorName: one.AuthorName, AuthorEmail: one.AuthorEmail}}}) {
			if signal.Kind == attribution.KindCommitAuthor && signal.Level == rules.Authored {
				agent = signal.Tool
			}
		}
		if agent == "" {
			return ""
		}
		name = agent
	}
	for _, tool := range w.tools {
		if tool.ID == name {
			return tool.Name
		}
	}
	return name
}

// coAuthors notes the people who signed a commit as its co-authors.
func (w *who) coAuthors(c *change.Change, message string) {
	if c.Agent == "" {
		return
	}
	for line := range strings.Lines(message) {
		key, value, ok := strings.Cut(line, ":")
		if !ok || !strings.EqualFold(strings.TrimSpace(key), "co-authored-by") {
			continue
		}
		_, rest, _ := strings.Cut(value, "<")
		address, _, _ := strings.Cut(rest, ">")
		// Only the addresses that GitHub makes name an account.
		if local, ok := strings.CutSuffix(strings.ToLower(strings.TrimSpace(address)), "@users.noreply.github.com"); ok {
			if _, login, ok := strings.Cut(local, "+"); ok {
				w.asked(c, login, 0, false, true)
			}
		}
	}
}
