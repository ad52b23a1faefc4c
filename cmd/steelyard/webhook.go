package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"steelyard/internal/github"
	"steelyard/metrics/jobs"
)

// deliveries takes what GitHub delivers; it is nil where there is no secret to
// believe it by.
func deliveries(secret string, plan jobs.Plan, q *jobs.Queue, log *slog.Logger) func(context.Context, http.Header, []byte) (int, string) {
	if secret == "" {
		return nil
	}
	return func(ctx context.Context, header http.Header, body []byte) (int, string) {
		hook, err := github.ParseWebhook([]byte(secret), header, body)
		if err != nil {
			return refusal(err)
		}
		fresh, err := q.Deliver(ctx, hook.Delivery, covered(plan, jobs.Wanted(hook))...)
		switch {
		case err != nil:
			log.Error("a delivery could not be taken", "delivery", hook.Delivery, "event", hook.Event, "error", err)
			return http.StatusServiceUnavailable, "the delivery could not be taken: deliver it again later"
		case !fresh:
			return http.StatusOK, "known already"
		}
		return http.StatusAccepted, "taken"
	}
}

// covered are the tasks about what the settings name, and as they name it: a
// webhook of a whole organisation tells of more than that.
func covered(plan jobs.Plan, keys []jobs.Key) []jobs.Key {
	var out []jobs.Key
	for _, k := range keys {
		if subject, ok := plan.Named(k); ok {
			k.Subject = subject
			out = append(out, k)
		}
	}
	return out
}

func refusal(err error) (status int, text string) {
	switch {
	case errors.Is(err, github.ErrSignature):
		return http.StatusUnauthorized, "the signature does not match the secret"
	case errors.Is(err, github.ErrTooLarge):
		return http.StatusRequestEntityTooLarge, "the delivery is too large"
	}
	return http.StatusBadRequest, "this is no delivery of a GitHub webhook in JSON"
}
