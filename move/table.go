package move

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/migrations"
)

// table is a table of the source that has rows of its own, such as a partition. Names
// are as statements have them.
type table struct {
	Name      string
	Root      string // of a partition: the partitioned table, else the table itself
	Partition string // the statement that creates the partition, "" for other tables
	Columns   []string
	Generated []bool // by column: computed by the database
	Size      int64  // bytes
}

const tables = `
select c.oid::regclass::text as name, coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as root,
  case when c.relispartition then format('create table %s partition of %s %s', c.oid::regclass, i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid)) else '' end as partition,
  a.columns, a.generated, pg_table_size(c.oid) as size
from pg_class c
left join pg_inherits i on i.inhrelid = c.oid
cross join lateral (
  select array_agg(quote_ident(a.attname) order by a.attnum) as columns, array_agg(a.attgenerated <> '' order by a.attnum) as generated
  from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
) a
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.columns is not null
order by 1`

// references are the foreign keys, of tables and their partitions.
const references = `
select distinct coalesce(pg_partition_root(conrelid), conrelid)::regclass::text as child, coalesce(pg_partition_root(confrelid), confrelid)::regclass::text as parent
from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`

// readTables returns the tables, each after those to which its foreign keys refer.
func (s *source) readTables(ctx context.Context) ([]table, error) {
	rows, err := s.hold.Query(ctx, tables)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByName[table])
	if err != nil {
		return nil, err
	}
	parents := map[string][]string{}
	if rows, err = s.hold.Query(ctx, references); err != nil {
		return nil, err
	}
	var child, parent string
	_, err = pgx.ForEachRow(rows, []any{&child, &parent}, func() error {
		if child != parent {
			parents[child] = append(parents[child], parent)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return order(all, parents)
}

// order returns the tables with parents before their children.
func order(all []table, parents map[string][]string) (ordered []table, err error) {
	waiting := slices.Clone(all)
	for len(waiting) > 0 {
		open := map[string]bool{}
		for _, t := range waiting {
			open[t.Root] = true
		}
		var blocked []table
		for _, t := range waiting {
			if slices.ContainsFunc(parents[t.Root], func(parent string) bool { return open[parent] }) {
				blocked = append(blocked, t)
			} else {
				ordered = append(ordered, t)
			}
		}
		if len(blocked) == len(waiting) {
			return nil, fmt.Errorf("the foreign keys of %s lead in a circle", blocked[0].Root)
		}
		waiting = blocked
	}
	return ordered, nil
}

func (m *mover) copyTables(ctx context.Context, copied map[string]bool) error {
	shares := newShares(m.tables)
	for _, t := range m.tables {
		if !copied[t.Name] {
			rows, err := m.copyTable(ctx, t, func(rows, size int64) {
				m.report(Progress{Copied, t.Name, rows, shares.during(t, size)})
			})
			if err != nil {
				return fmt.Errorf("copy the table %s: %w", t.Name, err)
			}
			m.report(Progress{Copied, t.Name, rows, shares.after(t)})
			continue
		}
		shares.after(t)
	}
	return nil
}

// copyTable copies a table in one transaction. The triggers of the program's rules would
// compute or refuse what the rows already have; foreign keys and checks hold. Rows that
// migrations inserted give way to those of the source.
func (m *mover) copyTable(ctx context.Context, t table, during func(rows, size int64)) (rows int64, err error) {
	err = pgx.BeginFunc(ctx, m.target.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "alter table "+t.Name+" disable trigger user; delete from "+t.Name); err != nil {
			return err
		}
		rows, err = m.stream(ctx, t, tx.Conn(), during)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "alter table "+t.Name+" enable trigger user"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "insert into "+migrations.MoveSchema+".copied values ($1)", t.Name)
		return err
	})
	return rows, err
}

// bufferSize is the number of bytes that are sent to the target at once.
const bufferSize = 64 << 10

// errTarget ends the reading of a table after an error of the target.
var errTarget = errors.New("the target takes no more rows")

// stream copies the rows of a table as text, which every version reads.
func (m *mover) stream(ctx context.Context, t table, into *pgx.Conn, during func(rows, size int64)) (int64, error) {
	var columns []string
	for i, column := range t.Columns {
		if !t.Generated[i] {
			columns = append(columns, column)
		}
	}
	list := strings.Join(columns, ", ")
	lines, write := io.Pipe()
	read := make(chan error, 1)
	go func() {
		err := m.source.inSnapshot(ctx, func(conn *pgx.Conn) error {
			many := bufio.NewWriterSize(write, bufferSize) // the driver passes on rows one by one
			_, err := conn.PgConn().CopyTo(ctx, many, "copy (select "+list+" from only "+t.Name+") to stdout")
			return cmp.Or(err, many.Flush())
		})
		write.CloseWithError(err) // nil is the end of the rows
		read <- err
	}()
	tag, err := into.PgConn().CopyFrom(ctx, &counter{from: lines, during: during}, "copy "+t.Name+" ("+list+") from stdin")
	lines.CloseWithError(errTarget)
	if readErr := <-read; readErr != nil && !errors.Is(readErr, errTarget) {
		return 0, fmt.Errorf("read the source: %w", readErr)
	}
	return tag.RowsAffected(), err
}

// counter counts the rows that pass, each of which is a line.
type counter struct {
	from       io.Reader
	during     func(rows, size int64)
	rows, size int64
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.rows += int64(bytes.Count(p[:n], []byte{'\n'}))
	c.size += int64(n)
	c.during(c.rows, c.size)
	return n, err
}

// shares computes how much of a step is done, by the sizes of tables.
type shares struct{ done, all int64 }

func newShares(of []table) *shares {
	s := &shares{}
	for _, t := range of {
		s.all += t.Size
	}
	s.all = max(s.all, 1)
	return s
}

// during estimates the share while a table is copied, of which size bytes of text are.
func (s *shares) during(t table, size int64) float64 {
	return float64(s.done+min(size, t.Size)) / float64(s.all)
}

// after returns the share after a table.
func (s *shares) after(t table) float64 {
	s.done += t.Size
	return float64(s.done) / float64(s.all)
}

// copySequences sets the sequences, so that new rows get the next numbers.
func (m *mover) copySequences(ctx context.Context) error {
	for _, name := range m.sequences {
		var last int64
		var called bool
		if err := m.source.hold.QueryRow(ctx, "select last_value, is_called from "+name).Scan(&last, &called); err != nil {
			return fmt.Errorf("read the sequence %s: %w", name, err)
		}
		if _, err := m.target.conn.Exec(ctx, "select setval($1::text::regclass, $2, $3)", name, last, called); err != nil {
			return fmt.Errorf("set the sequence %s: %w", name, err)
		}
	}
	return nil
}

const sequenceNames = `
select c.oid::regclass::text from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by 1`

func (s *source) readSequences(ctx context.Context) ([]string, error) {
	rows, err := s.hold.Query(ctx, sequenceNames)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
