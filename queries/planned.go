package queries

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// plannedOnce plans every statement once on a connection, for any arguments:
// for statements that have one good way, whose planning takes longer than they
// do. PostgreSQL itself would not dare to, since it does not know which
// partitions the arguments leave out.
type plannedOnce struct {
	DBTX
	pool interface {
		SendBatch(context.Context, *pgx.Batch) pgx.BatchResults
	}
}

func (db *DB) plannedOnce() plannedOnce { return plannedOnce{db.pool, db.pool} }

func (p plannedOnce) Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error) {
	var b pgx.Batch
	b.Queue("select set_config('plan_cache_mode', 'force_generic_plan', true)") // until the batch has ended
	b.Queue(statement, args...)
	batch := p.pool.SendBatch(ctx, &b)
	_, err := batch.Exec()
	rows := batchRows{batch: batch}
	if err == nil {
		rows.Rows, err = batch.Query()
	}
	if err != nil {
		batch.Close()
		return nil, explainPool(ctx, err)
	}
	return poolRows{rows, ctx}, nil
}

// batchRows end their batch with them.
type batchRows struct {
	pgx.Rows
	batch pgx.BatchResults
}

func (r batchRows) Close() {
	r.Rows.Close()
	r.batch.Close()
}
