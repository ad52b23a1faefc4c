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

// guard stands in front of every request. A panic ends the request, not the
// process; an unexpected error reaches the client as a reference only; a call
// ends by its deadline; and each call leaves a line in the audit log.
func (s *Server) guard(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		handle := next
		if call, ok := req.(*sdk.CallToolRequest); ok && call.Params != nil {
			handle = func(ctx context.Context, method string, _ sdk.Request) (sdk.Result, error) {
				return s.call(ctx, method, call, next)
			}
		}
		res, err := recovered(ctx, method, req, handle)
		if unexpected := (*panicError)(nil); errors.As(err, &unexpected) {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: s.failure(ctx, method, err)}
		}
		return res, err // errors of the SDK's own methods are meant for the client
	}
}

// call runs one tools/call and writes its audit line.
func (s *Server) call(ctx context.Context, method string, req *sdk.CallToolRequest, next sdk.MethodHandler) (sdk.Result, error) {
	start := time.Now()
	arguments := s.auditArguments(req) // as they came: coerce replaces them
	res, how, err := s.judge(ctx, req, func(ctx context.Context) (sdk.Result, error) {
		return recovered(ctx, method, req, next)
	})
	client := "unknown"
	if info := req.ClientInfo(); info != nil {
		client = line(info.Name, 64)
	}
	s.o.Logger.InfoContext(ctx, "tool call",
		"tool", line(req.Params.Name, 64),
		slog.Any("arguments", arguments),
		"client", client,
		"outcome", string(how),
		"duration", time.Since(start))
	return res, err
}

// judge runs one call within its slot and deadline and decides what the client
// gets to see.
func (s *Server) judge(ctx context.Context, req *sdk.CallToolRequest, run func(context.Context) (sdk.Result, error)) (sdk.Result, outcome, error) {
	limited, cancel := context.WithTimeout(ctx, s.o.CallTimeout)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
	case <-limited.Done():
		if ctx.Err() != nil {
			return nil, outcomeCancelled, ctx.Err()
		}
		return refusal(req, "The measurement service is busy with other calls. Wait a few seconds, then call once more."), outcomeBusy, nil
	}

	type answer struct {
		res sdk.Result
		err error
	}
	// A handler that does not listen to its context must not hold the client
	// beyond the deadline; it keeps its slot until it ends.
	done := make(chan answer, 1)
	go func() {
		defer func() { <-s.slots }()
		res, err := run(limited)
		done <- answer{res, err}
	}()
	select {
	case a := <-done:
		if limited.Err() == nil || succeeded(a.res, a.err) {
			return s.present(ctx, req, a.res, a.err)
		}
	case <-limited.Done():
	}
	if ctx.Err() != nil {
		return nil, outcomeCancelled, ctx.Err()
	}
	return refusal(req, fmt.Sprintf("The call was stopped after %v. Ask for less (one metric, a lower limit), or tell the user that the measurement service is slow.", s.o.CallTimeout)), outcomeTimeout, nil
}

// present decides what a client sees of a finished call.
func (s *Server) present(ctx context.Context, req *sdk.CallToolRequest, res sdk.Result, err error) (sdk.Result, outcome, error) {
	if err != nil {
		if protocolError(err) {
			return nil, outcomeBadRequest, err
		}
		return refusal(req, s.failure(ctx, req.Params.Name, err)), outcomeFailed, nil
	}
	called, ok := res.(*sdk.CallToolResult)
	if !ok || !called.IsError {
		return res, outcomeOK, nil
	}
	failed := called.GetError()
	if failed == nil {
		failed = errors.New("a tool marked its result as an error without saying why")
	}
	if user := (*UserError)(nil); errors.As(failed, &user) {
		return refusal(req, block(user.Text, maxBlock)), outcomeRefused, nil
	}
	if problem, ok := strings.CutPrefix(failed.Error(), badArguments); ok {
		return refusal(req, s.argumentsRefused(ctx, req.Params.Name, problem)), outcomeBadArguments, nil
	}
	return refusal(req, s.failure(ctx, req.Params.Name, failed)), outcomeFailed, nil
}

// argumentsRefused is the text for arguments that do not satisfy the schema.
func (s *Server) argumentsRefused(ctx context.Context, tool, problem string) string {
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

// succeeded reports whether a call gave an answer.
func succeeded(res sdk.Result, err error) bool {
	called, ok := res.(*sdk.CallToolResult)
	return err == nil && ok && !called.IsError
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
