package queries

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/background"
	"officeconsole/queries/migrations"
)

const (
	messageChannel = "officeconsole"
	versionChannel = "officeconsole_versions"

	// listenerName is the name of the connection that listens, in pg_stat_activity.
	listenerName = "officeconsole listener"

	// listenAgain is the pause before a lost connection is replaced. What other
	// processes have committed meanwhile is read as often.
	listenAgain = time.Second

	// listenCheck is the time without notifications after which the connection is
	// checked, because one that was cut says nothing, too.
	listenCheck = 10 * time.Second

	// checkTimeout is how long such a check may take.
	checkTimeout = 5 * time.Second
)

// notification says that a company has a message with this id. The zero
// notification says that some may have been missed, in any company.
type notification struct {
	companyID, id int64
}

// Listen begins to learn what every process commits, until Close: messages, for Follow,
// and versions of what is cached. It has one connection of its own. While that is lost,
// messages and versions are read every second.
func (db *DB) Listen() {
	db.listenOnce.Do(func() {
		background.Go("listening for changes", func() { db.listen(db.life) })
	})
}

func (db *DB) listen(ctx context.Context) {
	isInterrupted := false
	for ctx.Err() == nil {
		err := db.listenConn(ctx, func() {
			if isInterrupted {
				slog.InfoContext(ctx, "listening for changes again")
			}
			isInterrupted = false
		})
		if ctx.Err() != nil {
			return
		}
		if !isInterrupted {
			slog.WarnContext(ctx, "listening for changes was interrupted: they are read every second", "err", err)
		}
		isInterrupted = true
		pause(ctx, listenAgain)
		if err := db.catchUp(ctx, db.pool); err != nil && ctx.Err() == nil {
			slog.DebugContext(ctx, "cannot read changes", "err", err)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// listenConn listens on a new connection until it is lost.
func (db *DB) listenConn(ctx context.Context, began func()) error {
	config := db.pool.direct.Config().ConnConfig
	config.RuntimeParams["application_name"] = listenerName
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := migrations.RefusePooler(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "listen "+messageChannel+"; listen "+versionChannel); err != nil {
		return err
	}
	if err := db.catchUp(ctx, conn); err != nil {
		return err
	}
	began()
	for {
		if err := db.waitForNotification(ctx, conn); err != nil {
			return err
		}
	}
}

// waitForNotification takes the next notification, or catches up if there is none for
// a while.
func (db *DB) waitForNotification(ctx context.Context, conn *pgx.Conn) error {
	waiting, cancel := context.WithTimeout(ctx, listenCheck)
	defer cancel()
	received, err := conn.WaitForNotification(waiting)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		checking, cancel := context.WithTimeout(ctx, checkTimeout)
		defer cancel()
		return db.catchUp(checking, conn)
	}
	if err != nil {
		return err
	}
	if received.Channel == versionChannel {
		return db.reach(received.Payload)
	}
	message, err := parseNotification(received.Payload)
	db.streams.signal(message)
	return err
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
