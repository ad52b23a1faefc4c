package github

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	gh "github.com/google/go-github/v60/github"
)

// clean turns an error of go-github into one of ours: a kind that callers can
// tell, words without addresses and credentials.
func clean(err error) error {
	var (
		limit    *LimitError
		answer   *AnswerError
		response *gh.ErrorResponse
		address  *url.Error
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &limit):
		return limit
	case errors.As(err, &answer):
		return answer
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &response):
		return ofStatus(response.Response.StatusCode, response.Message)
	case errors.As(err, &address):
		return clean(address.Err)
	case isOurs(err):
		return err
	}
	return &AnswerError{Reason: brief(err.Error()), Err: err}
}

// isOurs reports whether an error already says what a caller must know.
func isOurs(err error) bool {
	for _, kind := range []error{ErrNotFound, ErrGone, ErrForbidden, ErrUnauthorized, ErrNoGraphQL} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

func ofStatus(status int, message string) error {
	switch status {
	case http.StatusUnauthorized:
		return ErrUnauthorized
	case http.StatusNotFound:
		return ErrNotFound
	case http.StatusGone:
		return ErrGone
	case http.StatusForbidden, http.StatusUnavailableForLegalReasons:
		return fmt.Errorf("%w: %s", ErrForbidden, brief(message))
	}
	if message == "" {
		message = http.StatusText(status)
	}
	return &AnswerError{Status: status, Reason: brief(message)}
}
