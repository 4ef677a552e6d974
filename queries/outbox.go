package queries

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Publish stores a message for other programs, and wakes Follow when the
// transaction commits. Rules call it last, because it makes other transactions
// of the company that publish wait.
func (q *Queries) Publish(ctx context.Context, companyID int64, at time.Time, messageType string, payload any) error {
	content, err := json.Marshal(payload)
	if err != nil {
		return err
	}
	if err := q.lockOutbox(ctx, companyID); err != nil {
		return err
	}
	if err := q.insertMessage(ctx, insertMessageParams{CompanyID: companyID, At: at, Type: messageType, Payload: content}); err != nil {
		return fmt.Errorf("publish %s: %w", messageType, err)
	}
	return nil
}

// PublishAll is Publish for several messages, of which it uses Type and Payload.
func (q *Queries) PublishAll(ctx context.Context, companyID int64, at time.Time, messages []Message) error {
	arg := insertMessagesParams{CompanyID: companyID, At: at}
	for _, m := range messages {
		arg.Types, arg.Payloads = append(arg.Types, m.Type), append(arg.Payloads, string(m.Payload))
	}
	if err := q.lockOutbox(ctx, companyID); err != nil {
		return err
	}
	if err := q.insertMessages(ctx, arg); err != nil {
		return fmt.Errorf("publish %d messages: %w", len(messages), err)
	}
	return nil
}

// MessagesAfter returns at most size messages of a company whose ids are above
// after, the oldest first.
func (q *Queries) MessagesAfter(ctx context.Context, companyID, after int64, size int32) ([]Message, error) {
	return q.messagesAfter(ctx, messagesAfterParams{companyID, after, size})
}

// messageDays is the number of days for which messages can be read again.
const messageDays = 30

// DeleteOldMessages deletes the messages of every company that are older than
// messageDays.
func (q *Queries) DeleteOldMessages(ctx context.Context, now time.Time) error {
	return q.deleteMessages(ctx, now.AddDate(0, 0, -messageDays))
}
