package move

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/migrations"
)

// source is the database that a move reads: a transaction that lets nobody write to its
// tables and has the snapshot, and a connection that reads one table after another in
// that snapshot. Reading all of them in one transaction would lock more partitions and
// indexes than the server has room for.
type source struct {
	hold, read *pgx.Conn
	snapshot   string
	version    int64 // of the schema
}

func openSource(ctx context.Context, url string) (*source, error) {
	s := &source{}
	if err := s.open(ctx, url); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *source) open(ctx context.Context, url string) (err error) {
	if s.hold, err = connect(ctx, url); err != nil {
		return err
	}
	if s.read, err = connect(ctx, url); err != nil {
		return err
	}
	if err := s.checkSchema(ctx); err != nil {
		return err
	}
	if err := s.refuseOthers(ctx); err != nil {
		return err
	}
	return s.lock(ctx)
}

func (s *source) close() {
	for _, conn := range []*pgx.Conn{s.read, s.hold} {
		if conn != nil {
			closeConn(conn)
		}
	}
}

// ErrNoConsole is the error of a move whose source has never been a console's.
var ErrNoConsole = errors.New("it has no database of a console")

// checkSchema refuses a database that is no console's, or that this program cannot copy.
func (s *source) checkSchema(ctx context.Context) (err error) {
	var unfinished bool
	if err := s.hold.QueryRow(ctx, "select to_regnamespace($1) is not null", migrations.MoveSchema).Scan(&unfinished); err != nil {
		return err
	}
	if unfinished {
		return errors.New("a move into it has not finished")
	}
	if s.version, err = migrations.Version(ctx, s.hold); err != nil {
		return err
	}
	switch known := migrations.Latest(); {
	case s.version == 0:
		return ErrNoConsole
	case s.version > known:
		return fmt.Errorf("its schema (%d) is newer than this program (%d): use the newer officeconsole", s.version, known)
	}
	return nil
}

// otherSessions are the clients of the database. The kind of another role's session may
// be hidden. Superusers over a role that is none belong to a managed service, which
// watches its databases.
const otherSessions = `
select concat_ws(' ', a.usename, coalesce(host(a.client_addr), 'of this machine'), nullif(a.application_name, ''))
from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
where a.datname = current_database() and coalesce(a.backend_type, 'client backend') = 'client backend' and not a.pid = any ($1)
  and (not r.rolsuper or (select rolsuper from pg_roles where rolname = current_user))
order by 1`

// refuseOthers refuses a database that somebody else uses, such as a console.
func (s *source) refuseOthers(ctx context.Context) error {
	var others []string
	alone, err := waitFor(ctx, func() (bool, error) {
		rows, err := s.read.Query(ctx, otherSessions, []uint32{s.hold.PgConn().PID(), s.read.PgConn().PID()})
		if err != nil {
			return false, err
		}
		others, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return len(others) == 0, err
	})
	if err == nil && !alone {
		return fmt.Errorf("%d other connections use it (%s): stop every console that serves from it, and what else may write to it", len(others), strings.Join(slices.Compact(others), ", "))
	}
	return err
}

const rootNames = `
select c.oid::regclass::text from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
order by 1`

// lock lets nobody write to the tables until the connections are closed, and takes the
// snapshot. A statement that writes to a partition begins with its table.
func (s *source) lock(ctx context.Context) error {
	rows, err := s.hold.Query(ctx, rootNames)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, statement := range []string{
		"begin isolation level repeatable read read only",
		"lock table only " + strings.Join(names, ", only ") + " in share mode",
	} {
		if _, err := s.hold.Exec(ctx, statement); err != nil {
			return fmt.Errorf("lock the tables: %w", err)
		}
	}
	return s.hold.QueryRow(ctx, "select pg_export_snapshot()").Scan(&s.snapshot)
}

// inSnapshot runs do in a transaction that sees what the snapshot sees.
func (s *source) inSnapshot(ctx context.Context, do func(*pgx.Conn) error) error {
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, s.read, options, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set transaction snapshot '"+s.snapshot+"'"); err != nil {
			return err
		}
		return do(tx.Conn())
	})
}
