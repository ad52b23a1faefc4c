package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/internal/server"
	"steelyard/mcp"
	"steelyard/mcp/auth"
	"steelyard/mcp/statekey"
	"steelyard/migrations"
	"steelyard/migrations/migrationstest"
)

// sharedAddress is by which name others reach the processes of this test.
const sharedAddress = "https://steelyard.example.com"

// process serves the product's tools as one process of an installation does,
// with what it finds in the database at dbURL, and returns where it listens.
func process(t *testing.T, dbURL, issuer string, clock func() time.Time) (at string, log *logBuffer) {
	t.Helper()
	db, err := migrations.Open(t.Context(), dbURL, migrations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	o, log := options()
	o.Clock = clock
	if o.StateKey, err = statekey.Load(t.Context(), db, clock()); err != nil {
		t.Fatal(err)
	}
	o.Authorization, err = auth.New(auth.Options{URL: sharedAddress + "/mcp", Issuer: issuer, Scopes: mcp.Scopes(), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	return listening(t, func(string) server.Options {
		return server.Options{PublicURL: sharedAddress, MCP: mcp.New(o).HTTP(), Resource: o.Authorization.Metadata()}
	}), log
}

// balancer is a client's way to several processes behind one address: each
// request goes to the next of them.
type balancer struct {
	token string
	to    []string
	turn  atomic.Int64
}

func (b *balancer) RoundTrip(q *http.Request) (*http.Response, error) {
	at, err := url.Parse(b.to[int(b.turn.Add(1)-1)%len(b.to)])
	if err != nil {
		return nil, err
	}
	q = q.Clone(q.Context())
	q.Host, q.URL.Scheme, q.URL.Host = q.URL.Host, at.Scheme, at.Host
	q.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(q)
}

// caller is a client that brings a token and leaves questions to the test.
func caller(t *testing.T, token string, to ...string) *sdk.ClientSession {
	t.Helper()
	transport := &sdk.StreamableClientTransport{
		Endpoint: sharedAddress + "/mcp", HTTPClient: &http.Client{Transport: &balancer{token: token, to: to}},
	}
	o := &sdk.ClientOptions{
		MultiRoundTrip:     &sdk.MultiRoundTripOptions{Disabled: true},
		ElicitationHandler: nobodyAnswers,
	}
	cs, err := sdk.NewClient(&sdk.Implementation{Name: "caller", Version: "1"}, o).
		Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cs.Close() })
	return cs
}

// TestQuestionsAcrossProcesses holds, with the tokens of a real provider, that
// any process of an installation takes the answer to a question of any other,
// and takes it from nobody else, for no other call, changed by nothing, and not
// for long.
func TestQuestionsAcrossProcesses(t *testing.T) {
	p, clock := startIDP(t), &movable{}
	for _, engine := range migrationstest.Engines() {
		t.Run(string(engine), func(t *testing.T) {
			dbURL := migrationstest.URL(t, engine)
			one, log := process(t, dbURL, p.Issuer, clock.now)
			two, _ := process(t, dbURL, p.Issuer, clock.now)
			elsewhere, _ := process(t, "sqlite:"+filepath.Join(t.TempDir(), "other.db"), p.Issuer, clock.now)
			resource := sharedAddress + "/mcp"
			alice := personToken(t, p.Issuer, "alice", resource)
			bob := personToken(t, p.Issuer, "bob", resource)
			machine := machineToken(t, p.Issuer, resource, strings.Join(mcp.Scopes(), " "))

			metric := map[string]any{"metric": "reverts"}
			q := stateFrom(t, caller(t, alice, one), metric)
			payload, signature, _ := strings.Cut(q, ".")
			for _, c := range []struct {
				name, token, to, state string
				arguments              map[string]any
				holds                  bool
			}{
				{"the same process", alice, one, q, metric, true},
				{"another process", alice, two, q, metric, true},
				{"once more", alice, one, q, metric, true}, // it reads: the same answer, to the same person
				{"another token of alice", personToken(t, p.Issuer, "alice", resource), two, q, metric, true},
				{"bob with alice's", bob, two, q, metric, false},
				{"bob, where it was asked", bob, one, q, metric, false},
				{"a machine with alice's", machine, one, q, metric, false},
				{"another installation", alice, elsewhere, q, metric, false},
				{"a question of another installation", alice, one, stateFrom(t, caller(t, alice, elsewhere), metric), metric, false},
				{"bob's own payload under alice's signature", bob, one, half(stateFrom(t, caller(t, bob, one), metric)) + "." + signature, metric, false},
				{"other arguments", alice, two, q, map[string]any{"metric": "open_to_merge"}, false},
				{"no signature", alice, two, payload + ".", metric, false},
				{"no payload", alice, two, "." + signature, metric, false},
				{"a later end", alice, two, later(t, payload) + "." + signature, metric, false},
			} {
				res := answerTo(t, caller(t, c.token, c.to), c.state, c.arguments)
				if held := !res.IsError; held != c.holds {
					t.Errorf("%s: taken %v, want %v: %s", c.name, held, c.holds, textOf(res))
				}
			}
			cs := caller(t, alice, one, two) // each request reaches the other one
			for i := range len(q) {
				changed := q[:i] + string(q[i]^1) + q[i+1:]
				if res := answerTo(t, cs, changed, metric); !res.IsError {
					t.Errorf("a state is taken with character %d changed", i)
				}
			}
			clock.move(4 * time.Minute)
			if res := answerTo(t, cs, q, metric); res.IsError {
				t.Errorf("after four minutes: %s", textOf(res))
			}
			clock.move(2 * time.Minute)
			if res := answerTo(t, cs, q, metric); !res.IsError || !strings.Contains(textOf(res), "too old") {
				t.Errorf("after six minutes: %s", textOf(res))
			}
			clock.move(-6 * time.Minute)
			if strings.Contains(log.String(), signature) || strings.Contains(log.String(), payload) {
				t.Error("the log has a state")
			}
		})
	}
}

// stateFrom has the server ask which pilot a call is about, and returns the
// state of the question.
func stateFrom(t *testing.T, cs *sdk.ClientSession, arguments map[string]any) string {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_pilot_report", Arguments: arguments})
	if err != nil || res.RequestState == "" || len(res.InputRequests) != 1 {
		t.Fatalf("%v: %+v, want a question", err, res)
	}
	return res.RequestState
}

// answerTo answers a question with a pilot.
func answerTo(t *testing.T, cs *sdk.ClientSession, state string, arguments map[string]any) *sdk.CallToolResult {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &sdk.CallToolParams{
		Name: "get_pilot_report", Arguments: arguments, RequestState: state,
		InputResponses: sdk.InputResponseMap{"pilot": &sdk.ElicitResult{Action: "accept", Content: map[string]any{"pilot": "worked-example"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// nobodyAnswers stands for a person, so that the client says that it can ask.
func nobodyAnswers(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
	return nil, errors.New("the test answers by itself")
}

// half is a state without its signature.
func half(state string) string {
	payload, _, _ := strings.Cut(state, ".")
	return payload
}

// later is a state's payload that says that it holds for an hour longer.
func later(t *testing.T, payload string) string {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	ends, ok := fields["e"].(float64)
	if !ok {
		t.Fatalf("a state does not say when it ends: %s", text)
	}
	fields["e"] = ends + 3600
	if text, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(text)
}
