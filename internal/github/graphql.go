package github

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// The types of GraphQL errors that are told apart.
const (
	typeRateLimited = "RATE_LIMITED"
	typeNotFound    = "NOT_FOUND"
	typeForbidden   = "FORBIDDEN"
)

// graphQLError is one of the errors beside, or instead of, a GraphQL answer's
// data.
type graphQLError struct {
	Type       string `json:"type"`
	Message    string `json:"message"`
	Path       []any  `json:"path"`
	Extensions struct {
		Code string `json:"code"`
	} `json:"extensions"`
}

func (e graphQLError) isLimit() bool {
	return e.Type == typeRateLimited || strings.Contains(strings.ToLower(e.Message), "rate limit")
}

// isOverload reports whether a smaller request may pass.
func (e graphQLError) isOverload() bool {
	switch e.Type {
	case "RESOURCE_LIMITS_EXCEEDED", "MAX_NODE_LIMIT_EXCEEDED":
		return true
	}
	text := strings.ToLower(e.Message)
	return strings.Contains(text, "something went wrong while executing your query") || strings.Contains(text, "timeout") || strings.Contains(text, "timed out")
}

// isForeign reports whether the server does not know what was asked for.
func (e graphQLError) isForeign() bool {
	switch e.Extensions.Code {
	case "undefinedField", "undefinedType", "argumentNotAccepted", "argumentLiteralsIncompatible", "variableMismatch":
		return true
	}
	return strings.Contains(e.Message, "doesn't exist on type")
}

// kind is the sentinel of an error, nil if it has none.
func (e graphQLError) kind() error {
	switch {
	case e.Type == typeNotFound:
		return ErrNotFound
	case e.Type == typeForbidden, e.Type == "INSUFFICIENT_SCOPES":
		return ErrForbidden
	case e.isForeign():
		return ErrNoGraphQL
	}
	return nil
}

// in reports whether the error lies at or below a path.
func (e graphQLError) in(path ...any) bool {
	if len(e.Path) < len(path) {
		return false
	}
	for i, want := range path {
		if fmt.Sprint(e.Path[i]) != fmt.Sprint(want) {
			return false
		}
	}
	return true
}

// rateLimit is the cost that GitHub reports with every query of ours.
type rateLimit struct {
	Cost      int `json:"cost"`
	NodeCount int `json:"nodeCount"`
}

// query sends one of the queries of this package and reads its data into
// into. Errors beside usable data are returned as values for the caller to
// judge; errors instead of data are an error.
func (c *Client) query(ctx context.Context, operation, text string, variables map[string]any, into any) ([]graphQLError, error) {
	body, err := json.Marshal(map[string]any{"query": text, "operationName": operation, "variables": variables})
	if err != nil {
		return nil, fmt.Errorf("ask GitHub: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.graphql, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("ask GitHub: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	got, err := c.exchange.ask(request, body)
	if err != nil {
		return nil, err
	}
	if err := graphQLStatus(got); err != nil {
		return nil, err
	}
	return c.decode(got, into)
}

// graphQLStatus is the error of an answer that is no GraphQL answer.
func graphQLStatus(a *answer) error {
	switch a.status {
	case http.StatusOK:
		return nil
	case http.StatusUnauthorized:
		return ErrUnauthorized
	case http.StatusForbidden:
		return fmt.Errorf("%w: %s", ErrForbidden, a.message())
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented:
		return fmt.Errorf("%w: it answers %d", ErrNoGraphQL, a.status)
	}
	return &AnswerError{Status: a.status, Reason: a.message()}
}

func (c *Client) decode(a *answer, into any) ([]graphQLError, error) {
	var said struct {
		Data   json.RawMessage `json:"data"`
		Errors []graphQLError  `json:"errors"`
	}
	if err := json.Unmarshal(a.body, &said); err != nil {
		return nil, &AnswerError{Status: a.status, Reason: "it is not a GraphQL answer", Err: err}
	}
	if len(said.Data) == 0 || string(said.Data) == "null" {
		return nil, instead(a, said.Errors)
	}
	var cost struct {
		RateLimit *rateLimit `json:"rateLimit"`
	}
	if json.Unmarshal(said.Data, &cost) == nil && cost.RateLimit != nil {
		c.exchange.meter.points(cost.RateLimit.Cost)
	}
	if err := json.Unmarshal(said.Data, into); err != nil {
		return nil, &AnswerError{Status: a.status, Reason: "its data have not the shape that was asked for", Err: err}
	}
	return said.Errors, nil
}

// instead is the error of an answer that has errors instead of data.
func instead(a *answer, all []graphQLError) error {
	if len(all) == 0 {
		return &AnswerError{Status: a.status, Reason: "it has neither data nor errors"}
	}
	if kind := all[0].kind(); kind != nil {
		return fmt.Errorf("%w: %s", kind, brief(all[0].Message))
	}
	return &AnswerError{Status: a.status, Reason: brief(all[0].Message)}
}

// missing is the error of a null where an object was asked for.
func missing(all []graphQLError) error {
	for _, e := range all {
		if kind := e.kind(); kind != nil {
			return fmt.Errorf("%w: %s", kind, brief(e.Message))
		}
	}
	if len(all) > 0 {
		return &AnswerError{Status: http.StatusOK, Reason: brief(all[0].Message)}
	}
	return ErrNotFound
}

// withheld is the error of a null where a part of an object was asked for that
// is there itself: that it is missing does not mean that the object is.
func withheld(what string, all []graphQLError) error {
	reason := "its " + what + " are missing"
	for _, e := range all {
		if e.kind() != nil && !errors.Is(e.kind(), ErrNotFound) {
			return fmt.Errorf("%w: %s", e.kind(), brief(e.Message))
		}
		reason += ": " + brief(e.Message)
		break
	}
	return &AnswerError{Status: http.StatusOK, Reason: reason}
}

// final reports whether an error ends a run rather than one pull request's
// reading: a limit, a cancelled context, credentials that are not accepted.
func final(err error) bool {
	var limit *LimitError
	return errors.As(err, &limit) || errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrNoGraphQL) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
