package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	gh "github.com/google/go-github/v60/github"
)

// seat is a Copilot seat as REST gives it. go-github fails the whole list
// where one assignee is null, so it is read here.
type seat struct {
	Assignee                *gh.User      `json:"assignee"`
	AssigningTeam           *gh.Team      `json:"assigning_team"`
	CreatedAt               *gh.Timestamp `json:"created_at"`
	LastActivityAt          *gh.Timestamp `json:"last_activity_at"`
	LastActivityEditor      string        `json:"last_activity_editor"`
	PendingCancellationDate string        `json:"pending_cancellation_date"`
}

// CopilotSeats lists who has a Copilot seat, and when it was last used. It
// needs the organisation permission "GitHub Copilot Business" (read).
func (c *Client) CopilotSeats(ctx context.Context, org string) ([]Seat, error) {
	ctx = withOwner(ctx, org)
	got, err := all(ctx, func(at gh.ListOptions) ([]*seat, *gh.Response, error) {
		address := fmt.Sprintf("orgs/%s/copilot/billing/seats?page=%d&per_page=%d", url.PathEscape(org), at.Page, at.PerPage)
		var page struct {
			Seats []*seat `json:"seats"`
		}
		response, err := c.get(ctx, address, &page)
		return page.Seats, response, err
	})
	if err != nil {
		return nil, fmt.Errorf("list Copilot seats of %s: %w", org, err)
	}
	out := make([]Seat, 0, len(got))
	for _, s := range got {
		if s != nil {
			out = append(out, s.value())
		}
	}
	return out, nil
}

func (s *seat) value() Seat {
	out := Seat{
		Account: accountOf(s.Assignee), Team: s.AssigningTeam.GetSlug(),
		Created: utc(s.CreatedAt), LastActivity: utc(s.LastActivityAt), LastEditor: s.LastActivityEditor,
	}
	if day, err := time.Parse(time.DateOnly, s.PendingCancellationDate); err == nil {
		out.Cancels = day
	}
	return out
}

// get reads a REST address that go-github has no method for.
func (c *Client) get(ctx context.Context, address string, into any) (*gh.Response, error) {
	request, err := c.rest.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	return c.rest.Do(ctx, request, into)
}

const (
	maxReportFiles = 100
	maxReport      = 256 << 20 // of one day, all files
)

// CopilotReport reads GitHub's own report of Copilot's use on one day, by
// person. GitHub gives signed addresses of files on another host; no
// credentials go there. It needs the organisation permission to view Copilot
// metrics; days without a report are [ErrNotFound].
//
// Source: docs.github.com, REST endpoints for Copilot usage metrics, and
// "Data available in Copilot usage metrics".
func (c *Client) CopilotReport(ctx context.Context, org string, day time.Time) (UsageReport, error) {
	ctx = withOwner(ctx, org)
	day = day.UTC().Truncate(24 * time.Hour)
	var links struct {
		DownloadLinks []string `json:"download_links"`
	}
	address := fmt.Sprintf("orgs/%s/copilot/metrics/reports/users-1-day?day=%s", url.PathEscape(org), day.Format(time.DateOnly))
	if _, err := c.get(ctx, address, &links); err != nil {
		return UsageReport{}, fmt.Errorf("find Copilot's report of %s: %w", day.Format(time.DateOnly), clean(err))
	}
	if len(links.DownloadLinks) > maxReportFiles {
		return UsageReport{}, fmt.Errorf("read Copilot's report of %s: %d files, more than %d", day.Format(time.DateOnly), len(links.DownloadLinks), maxReportFiles)
	}
	report := UsageReport{Day: day}
	left := int64(maxReport)
	for _, link := range links.DownloadLinks {
		text, err := c.reportFile(ctx, link, left)
		if err != nil {
			return UsageReport{}, fmt.Errorf("read Copilot's report of %s: %w", day.Format(time.DateOnly), err)
		}
		left -= int64(len(text))
		users, err := parseUsage(text)
		if err != nil {
			return UsageReport{}, fmt.Errorf("read Copilot's report of %s: %w", day.Format(time.DateOnly), err)
		}
		report.Users = append(report.Users, users...)
	}
	return report, nil
}

// reportFile downloads one file of a report. Its address is a secret (it is
// signed) and so stays out of errors.
func (c *Client) reportFile(ctx context.Context, link string, most int64) ([]byte, error) {
	u, err := url.Parse(link)
	if err != nil || (u.Scheme != "https" && !isLoopback(u.Hostname())) || u.User != nil {
		return nil, &AnswerError{Reason: "the address of a report file is not https"}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return nil, &AnswerError{Reason: "the address of a report file cannot be used"}
	}
	request.Header.Set("User-Agent", userAgent)
	response, err := c.download.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &AnswerError{Reason: "a report file could not be downloaded from " + u.Host}
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, &AnswerError{Status: response.StatusCode, Reason: "a report file could not be downloaded from " + u.Host}
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return nil, &AnswerError{Reason: "a report file was cut off", Err: errCut}
	case int64(len(text)) > most:
		return nil, &AnswerError{Reason: fmt.Sprintf("the report is over %d MiB", maxReport>>20)}
	}
	return text, nil
}

// usageLine is one line of a report file.
type usageLine struct {
	UserID       int64  `json:"user_id"`
	UserLogin    string `json:"user_login"`
	Interactions int    `json:"user_initiated_interaction_count"`
	Generations  int    `json:"code_generation_activity_count"`
	Acceptances  int    `json:"code_acceptance_activity_count"`
	LinesAdded   int    `json:"loc_added_sum"`
	UsedAgent    bool   `json:"used_agent"`
	UsedChat     bool   `json:"used_chat"`
}

// parseUsage reads JSON values one after the other, one for each person.
func parseUsage(text []byte) ([]UserUsage, error) {
	var out []UserUsage
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		var line usageLine
		err := decoder.Decode(&line)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, &AnswerError{Reason: fmt.Sprintf("a report file is not whole after %d people", len(out)), Err: err}
		}
		out = append(out, UserUsage{
			ID: line.UserID, Login: line.UserLogin,
			Interactions: line.Interactions, Generations: line.Generations, Acceptances: line.Acceptances,
			LinesAdded: line.LinesAdded, Agent: line.UsedAgent, Chat: line.UsedChat,
		})
	}
}
