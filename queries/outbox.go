package queries

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/background"
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

// notification says that a company has a message with this id. The zero
// notification says that some may have been missed, in any company.
type notification struct {
	companyID, id int64
}

// listen sends a notification for every message that is published from now on,
// by any process, until ctx ends; then the channel is closed. It holds one
// connection of its own. The zero notification comes first, and again after
// every interruption.
func (db *DB) listen(ctx context.Context) <-chan notification {
	found := make(chan notification, 64)
	background.Go("listening for messages", func() {
		defer close(found)
		for ctx.Err() == nil {
			if err := db.listenOnce(ctx, found); err != nil && ctx.Err() == nil {
				slog.WarnContext(ctx, "listening for messages was interrupted", "err", err)
			}
			pause(ctx, listenAgain)
		}
	})
	return found
}

// listenAgain is the pause before a lost connection is replaced.
const listenAgain = time.Second

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (db *DB) listenOnce(ctx context.Context, found chan<- notification) error {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "listen officeconsole"); err != nil {
		return err
	}
	next := notification{}
	for {
		select {
		case found <- next:
		case <-ctx.Done():
			return ctx.Err()
		}
		received, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if next, err = parseNotification(received.Payload); err != nil {
			return err
		}
	}
}

func parseNotification(payload string) (notification, error) {
	company, id, _ := strings.Cut(payload, ":")
	var n notification
	var err error
	if n.companyID, err = strconv.ParseInt(company, 10, 64); err != nil {
		return n, fmt.Errorf("notification %q: %w", payload, err)
	}
	if n.id, err = strconv.ParseInt(id, 10, 64); err != nil {
		return n, fmt.Errorf("notification %q: %w", payload, err)
	}
	return n, nil
}
