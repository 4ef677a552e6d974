package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// The files that decide who may connect. They belong to the user of this process,
// so that the server's account cannot change them.
const (
	hbaFile   = "pg_hba.conf"
	identFile = "pg_ident.conf"
)

// writeAccess lets only the user of this process and root connect: the kernel tells
// the server who is at the other end of a socket.
func (h home) writeAccess(ctx context.Context) error {
	// Unlike os/user in a program without C, id asks the same sources as the server.
	name, err := exec.CommandContext(ctx, "id", "-un").Output()
	if err != nil {
		return fmt.Errorf("the name of the user: %w", err)
	}
	names := []string{"root", strings.TrimSpace(string(name))}
	slices.Sort(names)
	var ident strings.Builder
	for _, name := range slices.Compact(names) {
		for _, role := range []string{user, superuser} {
			fmt.Fprintf(&ident, "owner \"%s\" %s\n", strings.ReplaceAll(name, `"`, `""`), role)
		}
	}
	hba := "local all         all peer map=owner\n" +
		"local replication " + superuser + " peer map=owner\n"
	return errors.Join(h.writeSetting(hbaFile, hba), h.writeSetting(identFile, ident.String()))
}

// writeSetting writes a file that the server's account may read.
func (h home) writeSetting(name, text string) error {
	text = "# Written at every start.\n" + text
	return errors.Join(os.WriteFile(h.path(name), []byte(text), 0o644), os.Chmod(h.path(name), 0o644))
}

const createUser = "create role " + user + " login nosuperuser nocreatedb nocreaterole"

// adopt gives the program's role a database that an earlier version created as the
// superuser. An index or a sequence of a table follows its table.
const adopt = createUser + ";" +
	"alter database " + database + " owner to " + user + ";" + `
do $$ declare o record; begin
  for o in
    select case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end as kind, c.oid::regclass::text as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
      and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'e', 'i') and c.relkind = 'S')
    union all
    select 'routine', p.oid::regprocedure::text from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
  loop
    execute format('alter %s %s owner to ` + user + `', o.kind, o.name);
  end loop;
end $$`

// ensureDatabase creates the program's role and database unless they exist.
func (s *Server) ensureDatabase(ctx context.Context) error {
	err := s.execute(ctx, user, database, "select 1")
	if refusedWith(err, "28000") { // invalid_authorization_specification: no such role
		err = s.execute(ctx, superuser, database, adopt)
		if refusedWith(err, "3D000") {
			err = s.execute(ctx, superuser, "postgres", createUser)
		}
		if err != nil {
			return fmt.Errorf("create the program's role: %w", err)
		}
		err = s.execute(ctx, user, database, "select 1")
	}
	if refusedWith(err, "3D000") { // invalid_catalog_name: no such database
		return s.execute(ctx, superuser, "postgres", "create database "+database+" owner "+user)
	}
	return err
}

func refusedWith(err error, code string) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == code
}

func (s *Server) execute(ctx context.Context, user, database, statement string) error {
	connection, err := pgconn.Connect(ctx, socketURL(s.home.socketDir, user, database))
	if err != nil {
		return err
	}
	_, err = connection.Exec(ctx, statement).ReadAll()
	return errors.Join(err, connection.Close(ctx))
}
