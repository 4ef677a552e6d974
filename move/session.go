package move

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"officeconsole/queries/migrations"
)

// applicationName is the name of a move's connections, in pg_stat_activity.
const applicationName = "officeconsole move"

// The time-outs of a move's statements, which read or write whole tables.
const (
	statementTimeout = 12 * time.Hour
	lockTimeout      = time.Minute
)

// settings are those of both sessions, so that a value is the same text in both.
var settings = map[string]string{
	"application_name":                    applicationName,
	"client_encoding":                     "UTF8",
	"timezone":                            "UTC",
	"datestyle":                           "ISO, YMD",
	"intervalstyle":                       "postgres",
	"extra_float_digits":                  "1",
	"bytea_output":                        "hex",
	"statement_timeout":                   fmt.Sprint(statementTimeout.Milliseconds()),
	"lock_timeout":                        fmt.Sprint(lockTimeout.Milliseconds()),
	"idle_in_transaction_session_timeout": "0",
	"idle_session_timeout":                "0",
}

// connect opens a session, which may not lead through a pooler.
func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	forPool, err := pgxpool.ParseConfig(url) // also knows the parameters of pools
	if err != nil {
		return nil, fmt.Errorf("database url: %w", err)
	}
	config := forPool.ConnConfig
	maps.DeleteFunc(config.RuntimeParams, func(name, _ string) bool { return strings.HasPrefix(name, "pool_") })
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("reach database: %w", err)
	}
	if err := prepare(ctx, conn); err != nil {
		closeConn(conn)
		return nil, err
	}
	return conn, nil
}

// closeConn also ends what a statement that was cut off had begun.
func closeConn(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = conn.Close(ctx) // the server notices it in any case
}

// endTime is how long a move waits for connections that are ending.
var endTime = 5 * time.Second

// waitFor waits until a condition holds. It returns false if it does not within endTime.
func waitFor(ctx context.Context, holds func() (bool, error)) (bool, error) {
	for end := time.Now().Add(endTime); ; {
		is, err := holds()
		if is || err != nil || time.Now().After(end) {
			return is, err
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// oldest is the oldest version of PostgreSQL that the program works with.
const oldest = 15

func prepare(ctx context.Context, conn *pgx.Conn) error {
	if err := migrations.RefusePooler(ctx, conn); err != nil {
		return err
	}
	var version int
	var schema *string
	if err := conn.QueryRow(ctx, "select current_setting('server_version_num')::int / 10000, current_schema()").Scan(&version, &schema); err != nil {
		return err
	}
	if version < oldest {
		return fmt.Errorf("it is PostgreSQL %d, and version %d or later is needed", version, oldest)
	}
	if schema == nil || *schema != "public" {
		return fmt.Errorf("its role does not create tables in the schema public: set its search_path to public")
	}
	for name, value := range settings {
		if _, err := conn.Exec(ctx, "select set_config($1, $2, false)", name, value); err != nil {
			return err
		}
	}
	statements := "set search_path = public"
	if version >= 17 {
		statements += "; set transaction_timeout = 0"
	}
	_, err := conn.Exec(ctx, statements)
	return err
}
