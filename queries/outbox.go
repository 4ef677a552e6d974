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
)

// Publish sends a message to the company's listeners when the transaction commits.
// A rule calls it last, because other transactions of the company that publish wait
// from then on.
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

// OutboxDays is how many days messages can be read again.
const OutboxDays = 30

// Notification says that a company has a message with this id. The zero one
// says that some may have been missed: read every outbox on from where you are.
type Notification struct {
	CompanyID, ID int64
}

// Listen gives a notification for every message that is published from now on,
// by any process, until ctx ends; then the channel is closed. It holds one
// connection of its own and begins, as after every interruption, with the zero
// notification.
func (db *DB) Listen(ctx context.Context) <-chan Notification {
	found := make(chan Notification, 64)
	Go("listening for messages", func() {
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

func (db *DB) listenOnce(ctx context.Context, found chan<- Notification) error {
	conn, err := pgx.ConnectConfig(ctx, db.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "listen officeconsole"); err != nil {
		return err
	}
	next := Notification{}
	for {
		select {
		case found <- next:
		case <-ctx.Done():
			return ctx.Err()
		}
		notification, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if next, err = parseNotification(notification.Payload); err != nil {
			return err
		}
	}
}

func parseNotification(payload string) (Notification, error) {
	company, id, _ := strings.Cut(payload, ":")
	var n Notification
	var err error
	if n.CompanyID, err = strconv.ParseInt(company, 10, 64); err != nil {
		return n, fmt.Errorf("notification %q: %w", payload, err)
	}
	if n.ID, err = strconv.ParseInt(id, 10, 64); err != nil {
		return n, fmt.Errorf("notification %q: %w", payload, err)
	}
	return n, nil
}
