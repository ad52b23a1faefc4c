package mcp

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// askedFor names the one question that is ever asked.
	askedFor = "pilot"
	// askTimeout is how long a person may think, in both eras.
	askTimeout = 5 * time.Minute
	// maxAsked bounds the choices of a form: with more, the person is better
	// served by the assistant.
	maxAsked = 100
)

// canAsk reports whether the client shows forms to a person. A client whose
// capabilities are not known cannot.
func canAsk(req *sdk.CallToolRequest) bool {
	caps := req.ClientCapabilities()
	if caps == nil || caps.Elicitation == nil {
		return false
	}
	return caps.Elicitation.Form != nil || caps.Elicitation.URL == nil // none named: forms, as there was nothing else
}

// askPilot finds out which pilot a call without one is about, where there are
// several and the client can ask the person. It fills in named, or returns what
// is to be answered instead. Where it cannot ask it leaves named empty, and the
// tool answers with the choices.
func (s *Server) askPilot(ctx context.Context, tool string, req *sdk.CallToolRequest, named *string) (*sdk.CallToolResult, error) {
	if *named != "" || !canAsk(req) {
		return nil, nil
	}
	ids, err := s.pilotIDs(ctx)
	if err != nil || len(ids) < 2 || len(ids) > maxAsked {
		return nil, err
	}
	if req.ProtocolVersion() < typedResults {
		if q, ok := ctx.Value(questionKey{}).(*question); ok {
			q.choices = ids
		}
		return nil, nil // refused with the choices, unless somebody is asked
	}
	if answer, ok := req.Params.InputResponses[askedFor].(*sdk.ElicitResult); ok {
		if !s.stateHolds(req.Params.RequestState, tool, req) {
			return nil, userErrorf("The question which pilot is meant is too old, or belonged to another call. Call again without the answer, or with pilot set to one of: %s.", choices("", ids))
		}
		*named, err = answered(answer, ids)
		return nil, err
	}
	return &sdk.CallToolResult{
		InputRequests: sdk.InputRequestMap{askedFor: form(ids)},
		RequestState:  s.state(tool, req),
	}, nil
}

// form is the question.
func form(ids []string) *sdk.ElicitParams {
	shown := make([]string, len(ids))
	for i, id := range ids {
		shown[i] = line(id, 64)
	}
	return &sdk.ElicitParams{
		Mode:    "form",
		Message: "Which pilot do you mean?",
		RequestedSchema: &jsonschema.Schema{
			Type: "object", Required: []string{askedFor},
			Properties: map[string]*jsonschema.Schema{askedFor: {Type: "string", Title: "Pilot", Enum: enum(shown...)}},
		},
	}
}

// answered is the pilot that a person chose.
func answered(r *sdk.ElicitResult, ids []string) (string, error) {
	id, _ := r.Content[askedFor].(string)
	switch {
	case r.Action != "accept":
		return "", userErrorf("The user was asked which pilot and did not choose one. Do not ask again unasked; the pilots are: %s.", choices("", ids))
	case !slices.Contains(ids, id):
		return "", userErrorf("The user's answer names no pilot. Call again with pilot set to one of: %s.", choices(id, ids))
	}
	return id, nil
}

// A question travels with the context of a call from a client of an older
// revision: the tool leaves its choices there, and [Server.asking] asks.
type (
	question    struct{ choices []string }
	questionKey struct{}
)

// asking stands outside the guard, so that a person may think for longer than a
// call may take, and holds nobody up meanwhile. It asks clients of revisions in
// which a server asks by itself, and repeats the call with the answer.
func (s *Server) asking(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		call, ok := req.(*sdk.CallToolRequest)
		if !ok || call.Params == nil || call.ProtocolVersion() >= typedResults {
			return next(ctx, method, req)
		}
		q := new(question)
		res, err := next(context.WithValue(ctx, questionKey{}, q), method, req)
		if err != nil || len(q.choices) == 0 || call.Session == nil {
			return res, err
		}
		limited, cancel := context.WithTimeout(ctx, askTimeout)
		defer cancel()
		answer, err := call.Session.Elicit(limited, form(q.choices))
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return res, nil // the choices, for the model
		}
		id, err := answered(answer, q.choices)
		if err != nil {
			return refusal(call, err.Error()), nil
		}
		params := *call.Params
		if params.Arguments, err = withArgument(params.Arguments, askedFor, id); err != nil {
			return res, nil
		}
		again := *call
		again.Params = &params
		return next(ctx, method, &again)
	}
}

// withArgument sets one argument of a call.
func withArgument(raw json.RawMessage, name, value string) (json.RawMessage, error) {
	arguments := map[string]any{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &arguments); err != nil {
			return nil, fmt.Errorf("read the arguments: %w", err)
		}
	}
	if arguments == nil {
		arguments = map[string]any{}
	}
	arguments[name] = value
	return json.Marshal(arguments)
}

// asked is the state of a question that travels through the client.
type asked struct {
	Tool    string `json:"t"`
	Call    string `json:"c"` // digest of the arguments
	Who     string `json:"w"` // digest of the identity
	Expires int64  `json:"e"` // seconds since 1970
}

func (s *Server) askedNow(tool string, req *sdk.CallToolRequest) asked {
	return asked{
		Tool: tool, Call: digest(string(req.Params.Arguments)), Who: digest(nameOf(identityOf(req))),
		Expires: s.o.Clock().Add(askTimeout).Unix(),
	}
}

// state is the signed state of a question: bound to who asked, to the call and
// to a time. It grants nothing; it only shows that the answer belongs here.
func (s *Server) state(tool string, req *sdk.CallToolRequest) string {
	text, err := json.Marshal(s.askedNow(tool, req))
	if err != nil {
		return "" // strings and a number always marshal
	}
	return stateText.EncodeToString(text) + "." + stateText.EncodeToString(s.sign(text))
}

// stateText is how a state travels. Strict, so that it has one spelling.
var stateText = base64.RawURLEncoding.Strict()

// maxState bounds a state's text.
const maxState = 1000

// stateHolds reports whether this server gave the state to this caller for this
// call, not too long ago.
func (s *Server) stateHolds(state, tool string, req *sdk.CallToolRequest) bool {
	encoded, signature, ok := strings.Cut(state, ".")
	if !ok || len(state) > maxState || strings.ContainsAny(state, "\r\n") { // the decoder passes over line ends
		return false
	}
	text, err := stateText.DecodeString(encoded)
	if err != nil {
		return false
	}
	sum, err := stateText.DecodeString(signature)
	if err != nil || !hmac.Equal(sum, s.sign(text)) {
		return false
	}
	var was asked
	if json.Unmarshal(text, &was) != nil || s.o.Clock().Unix() > was.Expires {
		return false
	}
	now := s.askedNow(tool, req)
	now.Expires = was.Expires
	return was == now
}

func (s *Server) sign(text []byte) []byte {
	mac := hmac.New(sha256.New, s.o.StateKey)
	mac.Write([]byte("steelyard which pilot\x00"))
	mac.Write(text)
	return mac.Sum(nil)
}

// newKey is a key of this process.
func newKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
}
