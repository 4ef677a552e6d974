package migrations

import (
	"context"
	"database/sql"
	"fmt"
)

// versionTable is where goose records the migrations that have run.
const versionTable = "schema_migrations"

// earlierTables recorded migrations while the first ones were still rewritten,
// so they mark a database whose version numbers mean other migrations.
var earlierTables = [2]string{"goose_db_version", "schema_versions"}

// checkBaseline refuses a database that was created before the first migrations
// were rewritten into one baseline.
func checkBaseline(ctx context.Context, conn *sql.DB) error {
	for _, table := range earlierTables {
		var exists bool
		if err := conn.QueryRowContext(ctx, "select to_regclass($1) is not null", table).Scan(&exists); err != nil {
			return fmt.Errorf("reach database: %w", err)
		}
		if exists {
			return fmt.Errorf("the database was created by an early development version of officeconsole and cannot be migrated "+
				"(it has the table %s): use an empty database, or another data directory for the built-in one", table)
		}
	}
	return nil
}
