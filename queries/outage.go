package queries

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// errUnavailable is the error of a statement that no database answered, as while
// another one takes over. Whether it was carried out is unknown.
var errUnavailable = errors.New("the database is not available")

// unavailableCodes are admin_shutdown, crash_shutdown, cannot_connect_now,
// read_only_sql_transaction (of a database that does not lead any more) and, of the
// class 08, the failures of connections, also between a pooler and the database.
var unavailableCodes = []string{"57P01", "57P02", "57P03", "25006"}

// Outage returns the message id of why the database did not carry out a request that was
// in order: server.busy where it kept the request waiting too long, server.unavailable
// where no database answered, server.full where its disk is full. For any other error it
// returns "". Rules return such errors wrapped; libraries that use the pool itself return
// the database's own error.
func Outage(err error) string {
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &refused) && refused.Code == "53100": // disk_full
		return "server.full"
	case errors.Is(err, errUnavailable) || isUnreachable(err):
		return "server.unavailable"
	case isBusy(err):
		return "server.busy"
	}
	return ""
}

func isBusy(err error) bool {
	var refused *pgconn.PgError
	return errors.Is(err, errBusy) || errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &refused) && slices.Contains(busyCodes, refused.Code)
}

// isUnreachable reports whether an error of the driver means that no database answered,
// or that the connection ended in the middle.
func isUnreachable(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) { // also by a database that refused the connection
		return strings.HasPrefix(refused.Code, "08") || slices.Contains(unavailableCodes, refused.Code)
	}
	var connect *pgconn.ConnectError
	var network *net.OpError
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, pgconn.ErrConnClosed)
}
