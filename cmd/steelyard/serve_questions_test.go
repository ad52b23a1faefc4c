package main

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestServersTakeEachOthersQuestions holds that of two servers over one
// database, which a client reaches in turn behind one address, one takes the
// answer to what the other asked.
func TestServersTakeEachOthersQuestions(t *testing.T) {
	db := "sqlite:" + filepath.Join(t.TempDir(), "demo.db")
	load := start(t, "demo", "--no-serve", "--db", db)
	if _, err := load.stdout.ReadString('\n'); err != nil {
		t.Fatalf("%v\n%s", err, load.stderr)
	}
	if code := <-load.code; code != exitClean {
		t.Fatalf("exit code %d\n%s", code, load.stderr)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var servers []*running
	var clients []*sdk.ClientSession
	for range 2 {
		r := start(t, "serve", "--addr", "127.0.0.1:0", "--db", db)
		servers = append(servers, r)
		_, at := r.addresses(t)
		client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
			MultiRoundTrip: &sdk.MultiRoundTripOptions{Disabled: true},
			ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				return nil, errors.New("the test answers by itself")
			},
		})
		cs, err := client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: at}, &sdk.ClientSessionOptions{ProtocolVersion: "2026-07-28"})
		if err != nil {
			t.Fatal(err)
		}
		clients = append(clients, cs)
	}
	for i, cs := range clients {
		asked, err := cs.CallTool(ctx, &sdk.CallToolParams{Name: "get_pilot_report"})
		if err != nil || asked.RequestState == "" {
			t.Fatalf("server %d did not ask: %v, %+v", i, err, asked)
		}
		res, err := clients[1-i].CallTool(ctx, &sdk.CallToolParams{
			Name: "get_pilot_report", RequestState: asked.RequestState,
			InputResponses: sdk.InputResponseMap{"pilot": &sdk.ElicitResult{Action: "accept", Content: map[string]any{"pilot": "worked-example"}}},
		})
		if err != nil || res.IsError {
			t.Errorf("the other server refuses what server %d asked: %v, %+v", i, err, res)
		}
	}
	for i, cs := range clients {
		_ = cs.Close()
		servers[i].end(t)
	}
}
