package move

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/migrations"
)

const contents = `
select kind || ' ' || name from (
  select case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'view' when 'c' then 'type' else 'table' end as kind, c.oid::regclass::text as name, c.relnamespace as schema, c.oid, 'pg_class'::regclass as class
  from pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'c')
  union all select 'function', p.oid::regprocedure::text, p.pronamespace, p.oid, 'pg_proc'::regclass from pg_proc p
  union all select 'type', t.oid::regtype::text, t.typnamespace, t.oid, 'pg_type'::regclass from pg_type t where t.typtype in ('e', 'd')
) found join pg_namespace n on n.oid = found.schema
where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  and not exists (select from pg_depend d where d.classid = found.class and d.objid = found.oid and d.deptype = 'e')
union all (select 'large object ' || oid from pg_largeobject_metadata limit 1)
limit 1`

// begin marks an empty database as the target of a move of a schema's version. It
// refuses a database that holds anything but the same, unfinished move.
func (t *target) begin(ctx context.Context, version int64) error {
	var begun bool
	if err := t.conn.QueryRow(ctx, "select to_regnamespace($1) is not null", migrations.MoveSchema).Scan(&begun); err != nil {
		return err
	}
	if begun {
		return t.checkBegun(ctx, version)
	}
	var found string
	err := t.conn.QueryRow(ctx, contents).Scan(&found)
	if err == nil {
		return fmt.Errorf("it is not empty, but has the %s: a new database is needed", found)
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	return pgx.BeginFunc(ctx, t.conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, fmt.Sprintf(`create schema %[1]s;
			create table %[1]s.begun (version bigint not null);
			create table %[1]s.copied (name text primary key);
			insert into %[1]s.begun values (%[2]d)`, migrations.MoveSchema, version))
		return err
	})
}

func (t *target) checkBegun(ctx context.Context, version int64) error {
	var begun int64
	if err := t.conn.QueryRow(ctx, "select version from "+migrations.MoveSchema+".begun").Scan(&begun); err != nil {
		return err
	}
	if begun != version {
		return fmt.Errorf("an unfinished move into it has the schema %d, and the source has %d: a new database is needed", begun, version)
	}
	return nil
}

// readCopied returns the tables that are copied, also by earlier moves that were cut off.
func (t *target) readCopied(ctx context.Context) (map[string]bool, error) {
	return t.readSet(ctx, "select name from "+migrations.MoveSchema+".copied")
}

const knownNames = `
select c.oid::regclass::text from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S')`

// readNames returns the names of the tables and sequences.
func (t *target) readNames(ctx context.Context) (map[string]bool, error) {
	return t.readSet(ctx, knownNames)
}

func (t *target) readSet(ctx context.Context, statement string) (map[string]bool, error) {
	rows, err := t.conn.Query(ctx, statement)
	if err != nil {
		return nil, err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set, err
}

// finish makes the target a database of its own, which migrations.Run accepts.
func (t *target) finish(ctx context.Context) error {
	_, err := t.conn.Exec(ctx, "drop schema "+migrations.MoveSchema+" cascade")
	return err
}
