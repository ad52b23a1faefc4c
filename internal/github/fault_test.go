package github_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"steelyard/internal/github"
	"steelyard/internal/github/githubtest"
)

// fill opens some pull requests, merges half of them and pushes a commit.
func fill(r *rig, n int) {
	for i := range n {
		number := r.Open(name, githubtest.Pull{Author: "ada"})
		if i%2 == 0 {
			r.pass(time.Minute)
			r.Merge(name, number, "bob", "")
		}
	}
	r.Commit(name, github.Commit{Message: "Directly"})
}

// holds compares what was read with the world.
func (r *rig) holds(t *testing.T, pulls map[int]github.PullRequest) {
	t.Helper()
	want := r.PullRequests(name)
	if len(pulls) != len(want) {
		t.Errorf("read %d pull requests of %d", len(pulls), len(want))
	}
	for _, p := range want {
		if diff := cmp.Diff(p, pulls[p.Number]); diff != "" {
			t.Errorf("#%d (-world +read):\n%s", p.Number, diff)
		}
	}
}

// TestFaultsLoseNothing strikes the third request of a run with each fault;
// whatever happens, everything is read, and the run says what it did.
func TestFaultsLoseNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		fault  githubtest.Fault
		notice github.NoticeKind
		wait   time.Duration // exact, where GitHub says how long
	}{
		{"403 primary", githubtest.Fault{Kind: githubtest.PrimaryLimit, Wait: 20 * time.Minute}, github.WaitingForLimit, 20*time.Minute + time.Second},
		{"403 secondary", githubtest.Fault{Kind: githubtest.SecondaryForbidden, Wait: 90 * time.Second}, github.WaitingForLimit, 90 * time.Second},
		{"429 secondary", githubtest.Fault{Kind: githubtest.SecondaryTooMany, Wait: 7 * time.Second}, github.WaitingForLimit, 7 * time.Second},
		{"429 date", githubtest.Fault{Kind: githubtest.SecondaryDate, Wait: 40 * time.Second}, github.WaitingForLimit, 40 * time.Second},
		{"403 in words", githubtest.Fault{Kind: githubtest.SecondaryWords}, github.WaitingForLimit, time.Minute},
		{"429 bare", githubtest.Fault{Kind: githubtest.TooManyBare}, github.WaitingForLimit, time.Minute},
		{"RATE_LIMITED in a 200", githubtest.Fault{Kind: githubtest.GraphQLRateLimited, Wait: time.Hour}, github.WaitingForLimit, time.Hour + time.Second},
		{"500", githubtest.Fault{Kind: githubtest.ServerError}, github.RetryingFault, 0},
		{"503", githubtest.Fault{Kind: githubtest.Unavailable}, github.RetryingFault, 0},
		{"502", githubtest.Fault{Kind: githubtest.BadGateway}, github.HalvedPage, 0},
		{"504", githubtest.Fault{Kind: githubtest.GatewayTimeout}, github.HalvedPage, 0},
		{"cut connection", githubtest.Fault{Kind: githubtest.CutConnection}, github.RetryingFault, 0},
		{"truncated JSON", githubtest.Fault{Kind: githubtest.TruncatedJSON}, github.RetryingFault, 0},
		{"error in a 200", githubtest.Fault{Kind: githubtest.GraphQLError}, github.HalvedPage, 0},
		{"slow", githubtest.Fault{Kind: githubtest.Slow, Wait: time.Minute}, github.HalvedPage, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t, func(o *github.Options) {
				if c.fault.Kind == githubtest.Slow {
					o.Timeout = time.Second
				}
			})
			fill(r, 40)
			c.fault.After = 2
			r.Fail(c.fault)
			pulls, commits, skipped := readAll(t, r.page(t), github.PageQuery{Size: 5, Commits: true})
			r.holds(t, pulls)
			if len(commits) != len(r.History(name)) || len(skipped) != 0 {
				t.Errorf("read %d commits of %d, skipped %v", len(commits), len(r.History(name)), skipped)
			}
			if got := r.Counts().Faults; got != 1 {
				t.Errorf("%d faults struck", got)
			}
			said := r.seen(c.notice)
			if len(said) == 0 || said[0].Reason == "" {
				t.Fatalf("nothing was said of it: %+v", r.notices)
			}
			if c.wait != 0 && said[0].Wait != c.wait {
				t.Errorf("waited %s, GitHub asked for %s", said[0].Wait, c.wait)
			}
		})
	}
}

// TestFaultsOfREST does the same through REST, several faults in one run.
func TestFaultsOfREST(t *testing.T) {
	r := newRig(t)
	fill(r, 6)
	for i, kind := range []githubtest.FaultKind{
		githubtest.PrimaryLimit, githubtest.SecondaryForbidden, githubtest.SecondaryDate, githubtest.ServerError,
		githubtest.BadGateway, githubtest.CutConnection, githubtest.TruncatedJSON, githubtest.TooManyBare,
	} {
		r.Fail(githubtest.Fault{Kind: kind, After: 2 * i})
	}
	pulls, commits, skipped := readAll(t, r.pageREST(t), github.PageQuery{Size: 2, Commits: true})
	r.holds(t, pulls)
	if len(commits) != len(r.History(name)) || len(skipped) != 0 || r.Counts().Faults != 8 {
		t.Errorf("read %d commits of %d, skipped %v, %d faults struck", len(commits), len(r.History(name)), skipped, r.Counts().Faults)
	}
}

// TestFaultsThatStay ends within bounds, with errors that can be told apart.
func TestFaultsThatStay(t *testing.T) {
	var limit *github.LimitError
	var answer *github.AnswerError
	for _, c := range []struct {
		name  string
		fault githubtest.Fault
		is    func(error) bool
		says  string
	}{
		{"limit over MaxWait", githubtest.Fault{Kind: githubtest.PrimaryLimit, Wait: 3 * time.Hour}, func(e error) bool { return errors.As(e, &limit) && !limit.Secondary }, "3h0m1s"},
		{"endless secondary", githubtest.Fault{Kind: githubtest.SecondaryTooMany, Times: -1, Wait: time.Minute}, func(e error) bool { return errors.As(e, &limit) && limit.Secondary }, "secondary"},
		{"endless 500", githubtest.Fault{Kind: githubtest.ServerError, Times: -1}, func(e error) bool { return errors.As(e, &answer) && answer.Status == 500 }, "asked 7 times"},
		{"endless cuts", githubtest.Fault{Kind: githubtest.CutConnection, Times: -1}, func(e error) bool { return errors.As(e, &answer) }, "connection"},
		{"endless truncation", githubtest.Fault{Kind: githubtest.TruncatedJSON, Times: -1}, func(e error) bool { return errors.As(e, &answer) }, "not whole JSON"},
		{"HTML", githubtest.Fault{Kind: githubtest.NotJSON, Times: -1}, func(e error) bool { return errors.As(e, &answer) }, "not a GraphQL answer"},
		{"401", githubtest.Fault{Kind: githubtest.BadCredentials, Times: -1}, func(e error) bool { return errors.Is(e, github.ErrUnauthorized) }, "credentials"},
		{"403", githubtest.Fault{Kind: githubtest.Forbidden, Times: -1}, func(e error) bool { return errors.Is(e, github.ErrForbidden) }, "not accessible"},
		{"no GraphQL", githubtest.Fault{Kind: githubtest.GraphQLBlocked, On: githubtest.GraphQL, Times: -1}, func(e error) bool { return errors.Is(e, github.ErrNoGraphQL) }, "GraphQL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			fill(r, 3)
			r.Fail(c.fault)
			_, err := r.Client.Page(t.Context(), ref, github.PageQuery{})
			if err == nil || !c.is(err) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v", err)
			}
			if got := r.Counts().Requests; got > 60 {
				t.Errorf("%d requests were sent", got)
			}
		})
	}
}

// TestWaitingCanBeCancelled ends a wait with the context's error.
func TestWaitingCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := newRig(t, func(o *github.Options) {
		o.Sleep = func(ctx context.Context, _ time.Duration) error {
			cancel()
			return ctx.Err()
		}
	})
	fill(r, 1)
	r.Fail(githubtest.Fault{Kind: githubtest.SecondaryForbidden})
	if _, err := r.Client.Page(ctx, ref, github.PageQuery{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestHourlyLimitIsWaitedFor uses up a budget: the client waits for the reset
// before it asks, and sends nothing that is refused.
func TestHourlyLimitIsWaitedFor(t *testing.T) {
	r := newRig(t)
	fill(r, 40)
	r.Limit(5000, 10)
	pulls, _, _ := readAll(t, r.page(t), github.PageQuery{Size: 3})
	r.holds(t, pulls)
	counts := r.Counts()
	if counts.Refused > 0 || len(r.seen(github.WaitingForLimit)) == 0 {
		t.Errorf("%d requests were refused, waits %v", counts.Refused, r.waits)
	}
	b := r.Client.Budget()
	if !b.GraphQL.Known || b.GraphQL.Limit != 10 || b.GraphQL.Spent != counts.Points || b.Requests != counts.Requests || b.Waited < 30*time.Minute {
		t.Errorf("budget %+v, world %+v", b, counts)
	}
}

// TestServerWithoutLimits is an Enterprise server, which sends no headers
// about limits: nothing is waited for.
func TestServerWithoutLimits(t *testing.T) {
	r := newRig(t)
	fill(r, 4)
	r.Limit(0, 0)
	pulls, _, _ := readAll(t, r.page(t), github.PageQuery{Size: 2})
	r.holds(t, pulls)
	if b := r.Client.Budget(); b.GraphQL.Known || b.REST.Known || len(r.waits) > 0 {
		t.Errorf("budget %+v, waits %v", b, r.waits)
	}
}

// TestHeavyPagesAreHalved lets every page of more than six fail: the size goes
// down, stays down and comes back slowly.
func TestHeavyPagesAreHalved(t *testing.T) {
	r := newRig(t)
	fill(r, 60)
	r.Fail(githubtest.Fault{Kind: githubtest.BadGateway, Times: -1, Above: 6})
	pulls, _, _ := readAll(t, r.page(t), github.PageQuery{Size: 40})
	r.holds(t, pulls)
	var sizes []int
	for _, n := range r.seen(github.HalvedPage) {
		sizes = append(sizes, n.Size)
	}
	if diff := cmp.Diff([]int{20, 10, 5, 5}, sizes); diff != "" {
		t.Errorf("halved to (-want +got):\n%s", diff)
	}
}

// TestBrokenPullRequests keeps a repository going whatever is wrong with one
// of its pull requests.
func TestBrokenPullRequests(t *testing.T) {
	for _, c := range []struct {
		name       string
		how        githubtest.Breakage
		skipped    bool
		incomplete int
	}{
		{"null in a page", githubtest.NullNode, false, 0},
		{"not by GraphQL", githubtest.NoGraphQL, false, 0},
		{"heavy", githubtest.Overload, false, 0},
		{"a part is null", githubtest.NullField, false, 2},
		{"unreadable", githubtest.Unreadable, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			fill(r, 9)
			r.Break(name, 5, c.how)
			pulls, _, skipped := readAll(t, r.page(t), github.PageQuery{Size: 4})
			if c.skipped {
				if len(pulls) != 8 || len(skipped) != 1 || skipped[0].Number != 5 || skipped[0].Reason == "" {
					t.Errorf("read %d, skipped %v", len(pulls), skipped)
				}
				return
			}
			got, want := pulls[5], r.PullRequest(name, 5)
			if len(got.Incomplete) != c.incomplete || len(skipped) > 0 || len(pulls) != 9 {
				t.Errorf("read %d, incomplete %q, skipped %v", len(pulls), got.Incomplete, skipped)
			}
			if c.incomplete > 0 {
				want.MergeCommit, want.Files, got.Incomplete = nil, nil, nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-world +read):\n%s", diff)
			}
		})
	}
}

// TestCredentialsStayHome follows a redirect nowhere else, and shows a token
// in no error.
func TestCredentialsStayHome(t *testing.T) {
	const secret = "ghp_0123456789abcdefSECRET"
	reached := make(chan string, 10)
	elsewhere := githubtest.New(githubtest.Options{})
	elsewhere.Watch(func(q githubtest.Request) { reached <- q.Authorization })
	other, err := elsewhere.Listen()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()

	r := newRig(t, func(o *github.Options) { o.Token = secret; o.Retries = -1 })
	fill(r, 1)
	for _, kind := range []githubtest.FaultKind{
		githubtest.RedirectToElsewhere, githubtest.BadCredentials, githubtest.Forbidden, githubtest.ServerError, githubtest.CutConnection,
	} {
		r.Heal()
		r.Fail(githubtest.Fault{Kind: kind, Times: -1, To: other.URL + "/repos/acme/api"})
		_, err1 := r.Client.Repository(t.Context(), ref)
		_, err2 := r.Client.Page(t.Context(), ref, github.PageQuery{})
		for _, err := range []error{err1, err2} {
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("%s: got %v", kind, err)
			}
		}
	}
	select {
	case authorization := <-reached:
		t.Errorf("the other host was asked, with %q", authorization)
	default:
	}
}

// TestErrorsOfTransport hides a token that a broken transport puts into its
// own error.
func TestErrorsOfTransport(t *testing.T) {
	const secret = "ghp_0123456789abcdefSECRET"
	c, err := github.New(github.Options{
		Token: secret, Retries: -1,
		Transport: transport(func(r *http.Request) (*http.Response, error) {
			return nil, errors.New("proxy says: " + r.Header.Get("Authorization") + " is not welcome")
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Repository(t.Context(), ref)
	if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), "not welcome") {
		t.Errorf("got %v", err)
	}
}

// TestBodiesAreBounded does not read an answer without an end.
func TestBodiesAreBounded(t *testing.T) {
	c, err := github.New(github.Options{
		Retries: -1,
		Transport: transport(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(endless{}), Request: r}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.Repository(t.Context(), ref); err == nil || !strings.Contains(err.Error(), "32 MiB") {
		t.Errorf("got %v", err)
	}
}

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
