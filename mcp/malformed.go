package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Over HTTP the SDK answers a body that it cannot decode with the words of its
// decoder, which speak of its own types. These answers are ours.

// maxBatch bounds the messages in one body; newer revisions send one each.
const maxBatch = 20

// readMessage reads a request's body, puts it back for the SDK and returns it
// with the messages in it; ok is false where it is none and was answered.
func readMessage(w http.ResponseWriter, r *http.Request) (body []byte, messages []jsonrpc.Message, ok bool) {
	if r.Method != http.MethodPost || r.Body == nil {
		return nil, nil, true
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessageBytes))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		answerRefusal(w, http.StatusRequestEntityTooLarge, nil, jsonrpc.CodeInvalidRequest, "the message is larger than 1 MiB")
		return nil, nil, false
	}
	if err != nil {
		answerRefusal(w, http.StatusBadRequest, nil, jsonrpc.CodeParseError, "the body broke off")
		return nil, nil, false
	}
	messages, code, problem := messagesOf(body)
	if problem != "" {
		answerRefusal(w, http.StatusBadRequest, body, code, problem)
		return nil, nil, false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body, messages, true
}

// messagesOf reads a message or a batch of them, or says why a body is
// neither.
func messagesOf(body []byte) (messages []jsonrpc.Message, code int64, problem string) {
	body = bytes.TrimSpace(body)
	if !json.Valid(body) {
		return nil, jsonrpc.CodeParseError, "the body is not JSON; send one message of JSON-RPC 2.0"
	}
	batch := []json.RawMessage{body}
	if body[0] == '[' {
		if json.Unmarshal(body, &batch) != nil || len(batch) == 0 {
			return nil, jsonrpc.CodeInvalidRequest, "the batch is empty"
		}
		if len(batch) > maxBatch {
			return nil, jsonrpc.CodeInvalidRequest, "the batch has more than 20 messages"
		}
	}
	for _, text := range batch {
		message, err := jsonrpc.DecodeMessage(text)
		if err != nil {
			return nil, jsonrpc.CodeInvalidRequest, "the message is not one of JSON-RPC 2.0"
		}
		if problem := badForm(message); problem != "" {
			return nil, jsonrpc.CodeInvalidParams, problem
		}
		messages = append(messages, message)
	}
	return messages, 0, ""
}

// maxMethod bounds the name of a method in bytes, which the SDK repeats where
// there is none of it.
const maxMethod = 100

// badForm says what is wrong with the form of a request and its parameters, as
// far as the SDK would answer it with the words of its decoder, or at length.
func badForm(message jsonrpc.Message) string {
	request, ok := message.(*jsonrpc.Request)
	switch {
	case !ok:
		return ""
	case len(request.Method) > maxMethod:
		return "no method has so long a name"
	case len(request.Params) == 0:
		return ""
	}
	var common struct {
		Meta   map[string]json.RawMessage `json:"_meta"`
		Name   *string                    `json:"name"`
		Cursor *string                    `json:"cursor"`
	}
	if json.Unmarshal(request.Params, &common) != nil {
		return "params must be an object; in it name and cursor are strings, and _meta is an object"
	}
	if request.Method == "initialize" && json.Unmarshal(request.Params, new(sdk.InitializeParams)) != nil {
		return "the parameters of initialize are protocolVersion, a string, and capabilities and clientInfo, two objects"
	}
	return ""
}

// answerRefusal answers with a JSON-RPC error, under the id of what was sent
// where it has a usable one.
func answerRefusal(w http.ResponseWriter, status int, sent []byte, code int64, message string) {
	answer, err := refusalOf(sent, code, message)
	if err != nil {
		http.Error(w, message, status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Del("Content-Length")
	w.WriteHeader(status)
	_, _ = w.Write(answer) // a client that has gone needs no answer
}

// ownWords replaces an answer in which the SDK's decoder speaks: of parameters
// in another form than their method has.
type ownWords struct {
	http.ResponseWriter
	held bool // the answer is a refusal in plain text
	done bool
}

// Unwrap lets the answer be streamed.
func (o *ownWords) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// WriteHeader holds a refusal in plain text back until its words are known.
func (o *ownWords) WriteHeader(status int) {
	if status == http.StatusBadRequest && strings.HasPrefix(o.Header().Get("Content-Type"), "text/plain") {
		o.held = true
		return
	}
	o.ResponseWriter.WriteHeader(status)
}

// Write passes an answer on. The SDK writes a refusal at once.
func (o *ownWords) Write(p []byte) (int, error) {
	switch {
	case !o.held:
		return o.ResponseWriter.Write(p)
	case o.done:
		return len(p), nil
	}
	o.done = true
	if bytes.Contains(p, []byte("json: ")) || bytes.Contains(p, []byte("unmarshal")) {
		answerRefusal(o.ResponseWriter, http.StatusBadRequest, nil, jsonrpc.CodeInvalidParams, "the parameters have another form than the method's")
		return len(p), nil
	}
	o.held = false
	o.ResponseWriter.WriteHeader(http.StatusBadRequest)
	return o.ResponseWriter.Write(p)
}
