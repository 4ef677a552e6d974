package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// MoveSchema is the schema in the target of a move that says what has been copied. It
// is there until the move has finished.
const MoveSchema = "officeconsole_move"

// checkMoved refuses a database into which a move has not finished.
func checkMoved(ctx context.Context, conn *sql.DB) error {
	var unfinished bool
	if err := conn.QueryRowContext(ctx, "select to_regnamespace($1) is not null", MoveSchema).Scan(&unfinished); err != nil {
		return fmt.Errorf("reach database: %w", err)
	}
	if unfinished {
		return errors.New("a move into the database has not finished: run the same officeconsole move again, or use an empty database")
	}
	return nil
}
