package api

import (
	"context"
	"time"

	"officeconsole/queries/webhook"
)

type deliveryRow struct {
	ID         int64        `json:"id"`
	MessageID  string       `json:"message_id" doc:"The header webhook-id, the same for every attempt."`
	Type       string       `json:"type"`
	At         time.Time    `json:"at" doc:"When it happened."`
	Data       changeRecord `json:"data" doc:"The member data of the message."`
	State      string       `json:"status" enum:"waiting,delivered,failed" doc:"waiting: for the first or the next attempt. failed: given up."`
	Attempts   int32        `json:"attempts"`
	NextAt     *time.Time   `json:"next_attempt_at" doc:"Null unless it waits."`
	LastAt     *time.Time   `json:"last_attempt_at"`
	Answer     int32        `json:"answer_status" doc:"The status of the last answer; 0 without one."`
	AnswerText string       `json:"answer" doc:"The beginning of the last answer."`
	Failure    string       `json:"failure" doc:"Why there was no answer: address (not allowed), timeout, name (not found), tls, connection; empty where there was one."`
	DurationMs int32        `json:"duration_ms" doc:"Of the last attempt."`
}

func newDelivery(d webhook.Delivery) deliveryRow {
	row := deliveryRow{
		ID: d.ID, MessageID: d.MessageText(), Type: d.Type, At: d.At.UTC(), Data: changeRecord(d.Payload), State: d.State, Attempts: d.Attempts,
		LastAt: inUTC(d.LastAt), Answer: d.Status, AnswerText: d.Answer, Failure: d.Failure, DurationMs: d.DurationMs,
	}
	if d.State == "waiting" {
		row.NextAt = inUTC(&d.NextAt)
	}
	return row
}

type deliveriesInput struct {
	OwnPath
	Status string `query:"status" enum:"waiting,delivered,failed"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor cursor `query:"cursor" doc:"next_cursor of the page before."`
}

type deliveriesOutput struct{ Body list[deliveryRow] }

func (c *calls) deliveries(ctx context.Context, in *deliveriesInput) (*deliveriesOutput, error) {
	page, err := c.db.Webhooks.Deliveries(ctx, in.CompanyID, webhook.Filter{State: in.Status, Cursor: in.Cursor.Cursor, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	return &deliveriesOutput{listed(page, newDelivery)}, nil
}

// DeliveryPath is the path of a delivery.
type DeliveryPath struct {
	OwnPath
	DeliveryID int64 `path:"delivery_id"`
}

type deliveryOutput struct{ Body deliveryRow }

func (c *calls) delivery(ctx context.Context, in *DeliveryPath) (*deliveryOutput, error) {
	return oneDelivery(c.db.Webhooks.Delivery(ctx, webhook.DeliveryParams{CompanyID: in.CompanyID, ID: in.DeliveryID}))
}

func (c *calls) resendDelivery(ctx context.Context, in *DeliveryPath) (*deliveryOutput, error) {
	return oneDelivery(c.db.Webhooks.Resend(ctx, in.CompanyID, in.DeliveryID))
}

func (c *calls) testWebhook(ctx context.Context, _ *OwnPath) (*deliveryOutput, error) {
	return oneDelivery(c.db.Webhooks.Test(ctx, actor(ctx)))
}

func oneDelivery(d webhook.Delivery, err error) (*deliveryOutput, error) {
	if err != nil {
		return nil, err
	}
	return &deliveryOutput{newDelivery(d)}, nil
}
