package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// versionTable is where goose records the migrations that have run. The
// migrations before the baseline were recorded in goose's default table, so that
// table marks a database whose version numbers mean other migrations.
const (
	versionTable    = "schema_versions"
	oldVersionTable = "goose_db_version"
)

var errBeforeBaseline = errors.New("the database was created by an early development version of officeconsole and cannot be migrated " +
	"(it has the table " + oldVersionTable + "): use an empty database, or another data directory for the built-in one")

// checkBaseline refuses a database that was created before the first migrations
// were rewritten into one baseline.
func checkBaseline(ctx context.Context, conn *sql.DB) error {
	var old bool
	if err := conn.QueryRowContext(ctx, "select to_regclass($1) is not null", oldVersionTable).Scan(&old); err != nil {
		return fmt.Errorf("reach database: %w", err)
	}
	if old {
		return errBeforeBaseline
	}
	return nil
}
