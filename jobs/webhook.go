package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/queries/webhook"
	"officeconsole/sender"
)

// webhookSenders is how many webhooks a process sends for at the same time, so
// that a slow receiver does not hold up the messages of other companies.
const webhookSenders = 4

// sendWebhooks sends what waits, one webhook after the other, until nothing does
// or webhook.SendTime has passed.
func sendWebhooks(ctx context.Context, db *areas.Areas, client *sender.Client) error {
	for end := time.Now().Add(webhook.SendTime); time.Now().Before(end); {
		leased, err := db.Webhooks.Lease(ctx)
		if errors.Is(err, queries.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		err = sendWebhook(ctx, db, client, leased, end)
		// Also when the program stops, so that another process can go on at once.
		if released := db.Webhooks.Release(context.WithoutCancel(ctx), leased); err == nil {
			err = released
		}
		if err != nil {
			return fmt.Errorf("webhook of company %d: %w", leased.CompanyID, err)
		}
	}
	return nil
}

// sendWebhook sends the messages of one webhook in their order, until one is not
// accepted.
func sendWebhook(ctx context.Context, db *areas.Areas, client *sender.Client, leased webhook.Endpoint, end time.Time) error {
	for time.Now().Before(end) {
		attempt, err := db.Webhooks.Next(ctx, leased)
		if errors.Is(err, queries.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		began := time.Now()
		answer, err := client.Send(ctx, attempt.Message)
		if ctx.Err() != nil {
			return ctx.Err() // the program stops: the message is sent again
		}
		result := webhook.Result{Answer: answer, Duration: time.Since(began)}
		if err != nil {
			result.Failure = sender.Failure(err)
			slog.InfoContext(ctx, "webhook not delivered", "company", leased.CompanyID, "message", attempt.ID, "err", err)
		}
		if err := db.Webhooks.Finish(ctx, attempt, result); err != nil || !answer.Accepted() {
			return err
		}
	}
	return nil
}
