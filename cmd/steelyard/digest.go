package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"steelyard/lint"
	"steelyard/lint/history"
	"steelyard/metrics"
	"steelyard/metrics/store"
	"steelyard/migrations"
	"steelyard/rules"
)

type digestCommand struct {
	databaseFlag
	Days   int    `default:"7" help:"How many days to look back."`
	Link   string `placeholder:"URL" help:"Address of the dashboard, for links; without it there are none."`
	Output string `short:"o" placeholder:"FILE" help:"Write to a file, whole or not at all; - is standard output."`
}

// Help shows how it is used.
func (c *digestCommand) Help() string {
	return `Markdown for a chat or an issue: each pilot's verdict with its interval and its counter-metric, what it said before, whether a definition changed, and what became of the guardrails. What was said before is computed from what had happened by then; nothing needs to have been kept.

    steelyard digest --link https://steelyard.example
    gh issue create --title "Assistants, this week" --body "$(steelyard digest)"`
}

func (c *digestCommand) Run(ctx context.Context, p *program) error {
	if c.Days < 1 || c.Days > 366 {
		return fmt.Errorf("--days %d: use 1 to 366", c.Days)
	}
	link := strings.TrimRight(c.Link, "/")
	if link != "" && !strings.HasPrefix(link, "https://") && !strings.HasPrefix(link, "http://") {
		return withHint(fmt.Errorf("--link %q is not an address", c.Link), "write it with https://")
	}
	settings, err := p.settings(c.setting())
	if err != nil {
		return err
	}
	var d metrics.Digest
	err = p.withDatabase(ctx, settings, toRead, func(db *migrations.DB) (err error) {
		to := p.now().UTC()
		from := to.AddDate(0, 0, -c.Days)
		if d, err = metrics.NewDigest(ctx, store.New(db, p.now), from, to); err != nil {
			return err
		}
		d.Guardrails, err = guardrailNews(ctx, history.New(db), from, to)
		return err
	})
	if err != nil {
		return fmt.Errorf("digest: %w", err)
	}
	d.Link = link
	var text bytes.Buffer
	if err := metrics.WriteDigest(&text, d); err != nil {
		return err
	}
	return writeOut(p.stdout, c.Output, text.Bytes())
}

// guardrailNews says what became of findings and new dependencies.
func guardrailNews(ctx context.Context, h *history.History, from, to time.Time) ([]string, error) {
	scans, err := h.Scans(ctx)
	if err != nil || len(scans) == 0 {
		return nil, err
	}
	now, err := h.Trends(ctx, to, 1)
	if err != nil {
		return nil, err
	}
	then, err := h.Trends(ctx, from, 1)
	if err != nil {
		return nil, err
	}
	out := []string{findingNews(scans, now, then)}
	waiting, err := h.NewDependencies(ctx, lint.DependencyFilter{State: lint.StateWaiting, Today: to, Limit: 1})
	if err != nil {
		return nil, err
	}
	if n := waiting.Total; n > 0 {
		out = append(out, fmt.Sprintf("%s for a person's decision.", either(n, "One new dependency waits", counted(n, "new dependencies wait"))))
	}
	return out, nil
}

func either(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// findingNews counts errors and findings now, and all of them then.
func findingNews(scans []lint.ScanSummary, now, then lint.Trends) string {
	total, worst := 0, 0
	for _, s := range scans {
		for severity, n := range s.Findings {
			total += n
			if severity == rules.Error {
				worst += n
			}
		}
	}
	text := fmt.Sprintf("%s in %s, %s", counted(total, "findings"), either(len(scans), "one repository", counted(len(scans), "repositories")), either(worst, "one of them an error", counted(worst, "of them errors")))
	if len(then.Repositories) == 0 || then.Repositories[0] == 0 {
		return text + "; nothing had been scanned before."
	}
	before, after := sumOf(then), sumOf(now)
	switch {
	case after > before:
		return fmt.Sprintf("%s; %d more than before.", text, after-before)
	case after < before:
		return fmt.Sprintf("%s; %d fewer than before.", text, before-after)
	}
	return text + "; as many as before."
}

func sumOf(t lint.Trends) int {
	n := 0
	for _, r := range t.Rules {
		for _, c := range r.Counts {
			n += c
		}
	}
	return n
}
