package mcp

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is how often a call that takes long says that it is alive.
const progressEvery = time.Second

// alive tells a client that gave a progress token, until ctx ends, how many
// seconds its call has been running out of those it may take. A call that is
// done within the first second says nothing.
func (s *Server) alive(ctx context.Context, req sdk.Request) {
	params, ok := req.GetParams().(sdk.RequestParams)
	if !ok || params.GetProgressToken() == nil {
		return
	}
	session, ok := req.GetSession().(*sdk.ServerSession)
	if !ok || session == nil {
		return
	}
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for seconds := progressEvery.Seconds(); ; seconds += progressEvery.Seconds() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			err := session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: params.GetProgressToken(),
				Progress:      seconds, Total: s.o.CallTimeout.Seconds(),
				Message: "still working",
			})
			if err != nil {
				return // whoever asked has gone
			}
		}
	}
}
