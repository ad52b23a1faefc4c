package mcp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// outcome says in the audit log how a call ended.
type outcome string

const (
	outcomeOK           outcome = "ok"
	outcomeRefused      outcome = "refused" // with a text that the model can act on
	outcomeBadArguments outcome = "bad_arguments"
	outcomeBadRequest   outcome = "bad_request" // an error of the protocol
	outcomeBusy         outcome = "busy"
	outcomeTimeout      outcome = "timeout"
	outcomeCancelled    outcome = "cancelled"
	outcomeFailed       outcome = "failed" // unexpected; logged under a reference
)

// badArguments is how the SDK begins the error for arguments that do not
// satisfy a tool's schema.
const badArguments = `validating "arguments": `

// gate stands in front of every request, before anything else: nobody gets what
// the token does not allow, and a panic ends the request, not the process.
func (s *Server) gate(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if err := s.permitted(method, req); err != nil {
			return nil, err
		}
		res, err := recovered(ctx, method, req, next)
		if unexpected := (*panicError)(nil); errors.As(err, &unexpected) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: s.failure(ctx, method, err)}
		}
		return res, short(err)
	}
}

// The most that an error of the protocol says: the SDK repeats in it what the
// client sent, and all of it.
const (
	maxErrorText = 300  // characters
	maxErrorData = 1000 // bytes
)

// short is err with no more than that, if it is an error of the protocol.
func short(err error) error {
	wire := (*jsonrpc.Error)(nil)
	if !errors.As(err, &wire) {
		return err
	}
	bounded := &jsonrpc.Error{Code: wire.Code, Message: line(wire.Message, maxErrorText), Data: wire.Data}
	if len(bounded.Data) > maxErrorData {
		bounded.Data = nil
	}
	return bounded
}

// guard stands in front of what does work: an unexpected error, or a panic,
// reaches the client as a reference only, and what does work ends by its
// deadline and leaves a line in the audit log.
func (s *Server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		run := func(ctx context.Context) (sdk.Result, error) { return recovered(ctx, method, req, next) }
		if a, ok := s.work(req); ok {
			return s.call(ctx, a, run)
		}
		return next(ctx, method, req) // errors of the SDK's own methods are meant for the client
	}
}

// work is a request that asks the stores for something.
type work struct {
	req sdk.Request
	// kind is what the audit log calls it, subject what it asks for: a tool, a
	// prompt, an address.
	kind, subject string
	client        string
	arguments     slog.Value
	// refuse makes the answer that says why there is none.
	refuse func(code int64, text string) (sdk.Result, error)
}

// work describes a request that does work; ok is false for all others.
func (s *Server) work(req sdk.Request) (a work, ok bool) {
	a = work{req: req, client: "unknown", refuse: func(code int64, text string) (sdk.Result, error) {
		return nil, &jsonrpc.Error{Code: code, Message: text}
	}}
	var info *sdk.Implementation
	switch r := req.(type) {
	case *sdk.CallToolRequest:
		if r.Params == nil {
			return a, false
		}
		info, a.kind, a.subject = r.ClientInfo(), "tool", r.Params.Name
		a.arguments = s.auditArguments(r) // as they came: coerce replaces them
		a.refuse = func(_ int64, text string) (sdk.Result, error) { return refusal(r, text), nil }
	case *sdk.ReadResourceRequest:
		if r.Params == nil {
			return a, false
		}
		info, a.kind, a.subject = r.ClientInfo(), "resource", r.Params.URI
	case *sdk.GetPromptRequest:
		if r.Params == nil {
			return a, false
		}
		info, a.kind, a.subject = r.ClientInfo(), "prompt", r.Params.Name
		a.arguments = auditWords(r.Params.Arguments)
	case *sdk.CompleteRequest:
		if r.Params == nil || r.Params.Ref == nil {
			return a, false
		}
		info, a.kind, a.subject = r.ClientInfo(), "completion", r.Params.Ref.Name+r.Params.Ref.URI
		a.arguments = auditWords(map[string]string{r.Params.Argument.Name: r.Params.Argument.Value})
	default:
		return a, false
	}
	if info != nil {
		a.client = line(info.Name, 64)
	}
	return a, true
}

// call does the work and writes its audit line.
func (s *Server) call(ctx context.Context, a work, run func(context.Context) (sdk.Result, error)) (sdk.Result, error) {
	start := time.Now()
	res, how, err := s.judge(ctx, a, run)
	s.o.Logger.InfoContext(ctx, a.kind+" call",
		a.kind, auditText(a.subject, 64),
		slog.Any("arguments", a.arguments),
		"who", line(nameOf(identityOf(a.req)), 128),
		"client", a.client,
		"outcome", string(how),
		"duration", time.Since(start))
	return res, err
}

// judge does the work within its slot and deadline and decides what the client
// gets to see.
func (s *Server) judge(ctx context.Context, a work, run func(context.Context) (sdk.Result, error)) (sdk.Result, outcome, error) {
	limited, cancel := context.WithTimeout(ctx, s.o.CallTimeout)
	defer cancel()
	giveBack := s.slot(limited, a.req)
	if giveBack == nil {
		if ctx.Err() != nil {
			return nil, outcomeCancelled, ctx.Err()
		}
		res, err := a.refuse(jsonrpc.CodeInternalError, "The measurement service is busy with other calls. Wait a few seconds, then call once more.")
		return res, outcomeBusy, err
	}

	type answer struct {
		res sdk.Result
		err error
	}
	// A handler that does not listen to its context must not hold the client
	// beyond the deadline; it keeps its slot until it ends.
	done := make(chan answer, 1)
	go func() {
		defer giveBack()
		res, err := run(limited)
		done <- answer{res, err}
	}()
	go s.alive(limited, a.req)
	select {
	case got := <-done:
		if limited.Err() == nil || succeeded(got.res, got.err) {
			return s.present(ctx, a, got.res, got.err)
		}
	case <-limited.Done():
	}
	if ctx.Err() != nil {
		return nil, outcomeCancelled, ctx.Err()
	}
	res, err := a.refuse(jsonrpc.CodeInternalError, fmt.Sprintf("The call was stopped after %v. Call once more, because what was worked out so far is kept where it can be; if that is stopped too, ask for less (one metric, a lower limit) or tell the user that the measurement service is slow.", s.o.CallTimeout))
	return res, outcomeTimeout, err
}

// slot waits for a place among the calls that run, until ctx is done. It
// returns what gives the place back, or nil where there was none.
func (s *Server) slot(ctx context.Context, req sdk.Request) (giveBack func()) {
	leave := func() {}
	if who := identityOf(req); who != nil {
		if leave = s.shares.take(ctx, who.Key()); leave == nil {
			return nil
		}
	}
	select {
	case s.slots <- struct{}{}:
		return func() {
			<-s.slots
			leave()
		}
	case <-ctx.Done():
		leave()
		return nil
	}
}

// present decides what a client sees of finished work.
func (s *Server) present(ctx context.Context, a work, res sdk.Result, err error) (sdk.Result, outcome, error) {
	called, isTool := res.(*sdk.CallToolResult)
	switch {
	case err == nil && (!isTool || !called.IsError):
		scrub(res)
		return res, outcomeOK, nil
	case err != nil && protocolError(err):
		return nil, outcomeBadRequest, err
	case err == nil:
		if err = called.GetError(); err == nil {
			err = errors.New("a tool marked its result as an error without saying why")
		}
	}
	if user := (*UserError)(nil); errors.As(err, &user) {
		res, err = a.refuse(jsonrpc.CodeInvalidParams, redact(block(user.Text, maxBlock)))
		return res, outcomeRefused, err
	}
	if problem, ok := strings.CutPrefix(err.Error(), badArguments); ok && isTool {
		res, err = a.refuse(jsonrpc.CodeInvalidParams, redact(s.argumentsRefused(ctx, a.subject, problem)))
		return res, outcomeBadArguments, err
	}
	res, err = a.refuse(jsonrpc.CodeInternalError, s.failure(ctx, a.subject, err))
	return res, outcomeFailed, err
}

// argumentsRefused is the text for arguments that do not satisfy the schema.
func (s *Server) argumentsRefused(ctx context.Context, tool, problem string) string {
	if strings.HasPrefix(problem, "unmarshaling") {
		problem = "the arguments are not a JSON object" // the decoder speaks of Go's types
	}
	problem = strings.TrimPrefix(problem, "validating root: ")
	problem = strings.ReplaceAll(problem, "validating /properties/", "")
	text := fmt.Sprintf("Bad arguments for %s: %s. Call again with arguments that match the tool's input schema.", tool, line(problem, 300))
	if help := s.tools[tool].help; help != nil {
		if valid := help(ctx); valid != "" {
			text += " " + valid
		}
	}
	return text
}

// failure logs err and returns the text that stands for it.
func (s *Server) failure(ctx context.Context, what string, err error) string {
	return fmt.Sprintf("Internal error (ref %s). Do not retry; tell the user the measurement service failed", s.logFailure(ctx, what, err))
}

// logFailure logs err and returns the reference it stands under.
func (s *Server) logFailure(ctx context.Context, what string, err error) string {
	ref := reference()
	attrs := []any{"ref", ref, "in", line(what, 64), "error", err.Error()}
	if p := (*panicError)(nil); errors.As(err, &p) {
		attrs = append(attrs, "stack", p.stack)
	}
	s.o.Logger.ErrorContext(ctx, "request failed", attrs...)
	return ref
}

// panicError is a panic that was caught.
type panicError struct {
	value any
	stack string
}

// Error describes the panic, for the log.
func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// recovered calls next and turns a panic into a [panicError].
func recovered(ctx context.Context, method string, req sdk.Request, next sdk.MethodHandler) (res sdk.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, &panicError{value: p, stack: string(debug.Stack())}
		}
	}()
	return next(ctx, method, req)
}

// protocolError reports whether err tells a client what is wrong with its
// request, which only the SDK does.
func protocolError(err error) bool {
	wire := (*jsonrpc.Error)(nil)
	return errors.As(err, &wire) && wire.Code != 0 && wire.Code != jsonrpc.CodeInternalError
}

// succeeded reports whether work gave an answer.
func succeeded(res sdk.Result, err error) bool {
	called, isTool := res.(*sdk.CallToolResult)
	return err == nil && (!isTool || !called.IsError)
}

// typedResults is the revision from which on each result must say its type.
const typedResults = "2026-07-28"

// refusal is a failed call's result. The SDK sets the type of a result only
// where a tool made it, and keeps the field to itself; its decoder sets it too.
func refusal(req *sdk.CallToolRequest, text string) *sdk.CallToolResult {
	res := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
	if req.ProtocolVersion() >= typedResults {
		typed := new(sdk.CallToolResult)
		wire, err := json.Marshal(res)
		if err == nil && json.Unmarshal(slices.Concat([]byte(`{"resultType":"complete",`), wire[1:]), typed) == nil {
			return typed
		}
	}
	return res
}

// reference names one failure, for people to find it in the log.
func reference() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
