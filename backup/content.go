package backup

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"officeconsole/postgres"
	"officeconsole/queries/migrations"
)

// format is the version of the archives that this program writes; it reads older ones.
const format = 1

// Header is the first entry of an archive.
type Header struct {
	Format   int       `json:"format"`
	Program  string    `json:"program"` // its version
	At       time.Time `json:"at"`      // when the backup began
	Schema   int64     `json:"schema"`  // the last migration
	Postgres string    `json:"postgres"`
	Platform string    `json:"platform"` // on which the cluster's files can be read
	FilesIn  string    `json:"files_in"` // where the files are that the archive does not contain; "" if it does
}

const platform = runtime.GOOS + "/" + runtime.GOARCH

// check returns an error if this program cannot read the archive.
func (h Header) check() error {
	switch known := migrations.Latest(); {
	case h.Format > format:
		return fmt.Errorf("the archive was written by a newer officeconsole (%s): use that one", h.Program)
	case h.Schema > known:
		return fmt.Errorf("the archive has a newer schema (%d) than this program (%d): use officeconsole %s or a later one", h.Schema, known, h.Program)
	case h.Postgres != postgres.Major:
		return fmt.Errorf("the archive is of PostgreSQL %s, and this program contains PostgreSQL %s: restore it with officeconsole %s", h.Postgres, postgres.Major, h.Program)
	case h.Platform != platform:
		return fmt.Errorf("the archive was made on %s and cannot be read on %s", h.Platform, platform)
	}
	return nil
}

// Summary is the last entry of an archive: what a restored database must have.
type Summary struct {
	Tables map[string]Count `json:"tables"` // by name
	Chains []Chain          `json:"chains"` // of the change logs
	Files  int              `json:"files"`
	Bytes  int64            `json:"bytes"` // of the files
	Digest string           `json:"digest"`
}

// Count is how many rows a table has: one number, unless transactions committed in the
// moment in which the backup ended.
type Count struct {
	Least int64 `json:"least"`
	Most  int64 `json:"most"`
}

// Chain is the last hash of a company's change log.
type Chain struct {
	Company int64  `json:"company"`
	No      int64  `json:"no"` // of the change
	Hash    string `json:"hash"`
}

// Rows returns the number of rows of all tables, at least.
func (s Summary) Rows() (rows int64) {
	for _, count := range s.Tables {
		rows += count.Least
	}
	return rows
}

// snapshot is a transaction that sees the database as it was at one moment.
type snapshot struct {
	conn   *pgx.Conn
	name   string // the same for two snapshots between which nothing was committed
	active bool   // transactions were running that had changed something
}

func takeSnapshot(ctx context.Context, dir string) (*snapshot, error) {
	conn, err := postgres.Connect(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := &snapshot{conn: conn}
	if _, err := conn.Exec(ctx, "begin isolation level repeatable read read only"); err != nil {
		return nil, errors.Join(err, s.close())
	}
	const statement = "select pg_current_snapshot()::text, exists (select pg_snapshot_xip(pg_current_snapshot()))"
	if err := conn.QueryRow(ctx, statement).Scan(&s.name, &s.active); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *snapshot) close() error { return s.conn.Close(context.Background()) }

// settleTime is how long takeLaterSnapshot waits for running transactions: one whose
// commit is in the log already may still count as running for a moment.
const settleTime = time.Second

// takeLaterSnapshot takes a snapshot in which what was committed before is visible.
func takeLaterSnapshot(ctx context.Context, dir string) (*snapshot, error) {
	for end := time.Now().Add(settleTime); ; {
		s, err := takeSnapshot(ctx, dir)
		if err != nil || !s.active || time.Now().After(end) {
			return s, err
		}
		if err := s.close(); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

const tableNames = `
select c.oid::regclass::text from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
order by 1`

// countRows returns the number of rows of each table.
func (s *snapshot) countRows(ctx context.Context) (map[string]int64, error) {
	rows, err := s.conn.Query(ctx, tableNames)
	if err != nil {
		return nil, err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	counts := make(map[string]int64, len(tables))
	for _, table := range tables {
		var count int64
		if err := s.conn.QueryRow(ctx, "select count(*) from "+table).Scan(&count); err != nil {
			return nil, fmt.Errorf("count the rows of %s: %w", table, err)
		}
		counts[table] = count
	}
	return counts, nil
}

// readChains returns the end of each company's change log.
func (s *snapshot) readChains(ctx context.Context) ([]Chain, error) {
	var exists bool
	if err := s.conn.QueryRow(ctx, "select to_regclass('change_hashes') is not null").Scan(&exists); err != nil || !exists {
		return nil, err
	}
	rows, err := s.conn.Query(ctx, "select distinct on (company_id) company_id as company, no, encode(hash, 'hex') as hash from change_hashes order by company_id, no desc")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Chain])
}

// summarize counts what the database had in both snapshots, between which the backup
// ended.
func summarize(ctx context.Context, before, after *snapshot) (s Summary, err error) {
	if s.Chains, err = before.readChains(ctx); err != nil {
		return s, err
	}
	counts, err := after.countRows(ctx)
	if err != nil {
		return s, err
	}
	earlier := counts
	if before.name != after.name {
		if earlier, err = before.countRows(ctx); err != nil {
			return s, err
		}
	}
	s.Tables = make(map[string]Count, len(counts))
	for table, count := range counts {
		s.Tables[table] = Count{min(count, earlier[table]), max(count, earlier[table])}
	}
	return s, nil
}
