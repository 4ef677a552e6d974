package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"officeconsole/postgres"
)

// joinTime is how long a command waits for the built-in database of another process
// that is starting or stopping.
const joinTime = 10 * time.Second

// startOrJoin starts the built-in database in dir or, for a command beside another
// process that runs it, returns the address of that.
func (c *commands) startOrJoin(ctx context.Context, dir string) (server *postgres.Server, running string, err error) {
	for end := time.Now().Add(joinTime); ; {
		server, err = postgres.Start(ctx, dir, postgres.WithUpgrade(upgradeDatabase))
		if c.serving || !errors.Is(err, postgres.ErrInUse) {
			return server, "", err
		}
		running, joinErr := postgres.Running(ctx, dir)
		if !errors.Is(joinErr, postgres.ErrNotReady) {
			return nil, running, joinErr
		}
		if time.Now().After(end) {
			return nil, "", errors.Join(err, joinErr)
		}
		select {
		case <-ctx.Done():
			return nil, "", ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// explainStop says why the database of another process ended during a command.
func (c *commands) explainStop(err error) error {
	var ended *pgconn.PgError
	if c.joined && errors.As(err, &ended) && ended.Code == "57P01" { // admin_shutdown
		return fmt.Errorf("the officeconsole that runs the database was stopped meanwhile, run the command again: %w", err)
	}
	return err
}
