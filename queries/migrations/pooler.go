package migrations

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errPooler means that a session is needed where there is none.
var errPooler = errors.New("the address leads through a connection pooler, such as PgBouncer: name the database itself with --direct-database-url")

// RefusePooler returns an error for a connection through a pooler, which tells its
// clients another process id than that of the database.
func RefusePooler(ctx context.Context, conn *pgx.Conn) error {
	var pid uint32
	err := conn.QueryRow(ctx, "select pg_backend_pid()").Scan(&pid)
	if err == nil && pid != conn.PgConn().PID() {
		return errPooler
	}
	return err
}

// checkSession returns an error unless connections have a session, which the lock of
// migrations needs.
func checkSession(ctx context.Context, config *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "08P01" && strings.Contains(refused.Message, "startup parameter") {
		return fmt.Errorf("%w (%s)", errPooler, refused.Message) // it takes no settings of a session
	}
	if err != nil {
		return fmt.Errorf("reach database: %w", err)
	}
	defer conn.Close(ctx)
	return RefusePooler(ctx, conn)
}
