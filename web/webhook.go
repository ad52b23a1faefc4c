package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// WebhookPath is where GitHub delivers events.
const WebhookPath = "/webhooks/github"

// webhookTimeout bounds what a delivery may take: GitHub gives up after ten
// seconds.
const webhookTimeout = 8 * time.Second

// webhook passes a delivery on. Who sent it is judged by its signature: it
// comes from no page, so neither Origin nor a token of a form could say.
func (d *dashboard) webhook(c echo.Context) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	body, err := io.ReadAll(c.Request().Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return c.String(http.StatusRequestEntityTooLarge, "the delivery is too large\n")
	case err != nil:
		return c.String(http.StatusBadRequest, "the delivery could not be read\n")
	}
	ctx, done := context.WithTimeout(c.Request().Context(), webhookTimeout)
	defer done()
	status, text := d.Webhook(ctx, c.Request().Header, body)
	return c.String(status, text+"\n")
}
