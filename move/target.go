package move

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"officeconsole/queries/migrations"
)

// target is the database that a move writes.
type target struct {
	conn *pgx.Conn // has the lock of the move
}

func openTarget(ctx context.Context, url string, version int64) (*target, error) {
	conn, err := connect(ctx, url)
	if err != nil {
		return nil, err
	}
	t := &target{conn: conn}
	if err := t.open(ctx, url, version); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *target) open(ctx context.Context, url string, version int64) error {
	if err := t.lock(ctx); err != nil {
		return err
	}
	if err := t.checkAbilities(ctx); err != nil {
		return err
	}
	if err := t.begin(ctx, version); err != nil {
		return err
	}
	return migrations.RunTo(ctx, url, version)
}

func (t *target) close() { closeConn(t.conn) }

// lock refuses a second move into the same database. The lock ends with the connection.
func (t *target) lock(ctx context.Context) error {
	locked, err := waitFor(ctx, func() (locked bool, err error) {
		err = t.conn.QueryRow(ctx, "select pg_try_advisory_lock(hashtextextended('move', 0))").Scan(&locked)
		return locked, err
	})
	if err == nil && !locked {
		return errors.New("another move into it is running")
	}
	return err
}

// abilities are what a database must be able to do.
const abilities = `
select current_database() as name, current_user as role,
  pg_encoding_to_char(encoding) as encoding,
  exists (select from pg_collation where collname = 'ko-x-icu' and collencoding in (-1, d.encoding)) as has_icu,
  exists (select from pg_available_extensions where name = 'btree_gin') as has_gin,
  has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as may_create
from pg_database d where datname = current_database()`

func (t *target) checkAbilities(ctx context.Context) error {
	rows, err := t.conn.Query(ctx, abilities)
	if err != nil {
		return err
	}
	has, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[struct {
		Name, Role, Encoding string
		HasICU               bool `db:"has_icu"`
		HasGIN               bool `db:"has_gin"`
		MayCreate            bool `db:"may_create"`
	}])
	if err != nil {
		return err
	}
	// Letters that the encoding lacks cannot be folded.
	folds := has.Encoding != "UTF8"
	if !folds {
		if err := t.conn.QueryRow(ctx, "select lower($1) = $2", "IÄ", "iä").Scan(&folds); err != nil {
			return err
		}
	}
	create := fmt.Sprintf("create it by: create database %s owner %s template template0 encoding 'UTF8' locale_provider icu icu_locale 'und' lc_collate 'C' lc_ctype 'C.UTF-8'",
		pgx.Identifier{has.Name}.Sanitize(), pgx.Identifier{has.Role}.Sanitize())
	switch {
	case has.Encoding != "UTF8":
		return fmt.Errorf("its encoding is %s and must be UTF8: %s", has.Encoding, create)
	case !has.HasICU:
		return errors.New("it lacks the collation ko-x-icu: a PostgreSQL that is built with ICU is needed")
	case !folds:
		return fmt.Errorf("its locale does not know lower case as the console needs it for addresses such as Ä@example.com: %s", create)
	case !has.HasGIN:
		return errors.New("it lacks the extension btree_gin: install the contrib modules of PostgreSQL")
	case !has.MayCreate:
		return fmt.Errorf("the role %s may not create an extension, a schema and tables in it: make the role its owner", has.Role)
	}
	return nil
}
