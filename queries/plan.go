package queries

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
)

// genericPlan forces generic plans: PostgreSQL itself would not choose them, as it
// does not know which partitions the arguments leave out.
type genericPlan struct{ pool }

// GenericPlan runs statements that PostgreSQL plans once on a connection, for any
// arguments: for statements that have one good plan and whose planning takes
// longer than they do.
func (db *DB) GenericPlan() Statements { return genericPlan{db.pool} }

// CustomPlan runs statements that PostgreSQL plans for their arguments. A generic
// plan, which it turns to after five executions, knows neither how frequent a
// search is nor how large a department.
func (db *DB) CustomPlan() Statements { return customPlan{db.pool} }

func (p genericPlan) Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error) {
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

type customPlan struct{ pool }

func (p customPlan) Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error) {
	return p.pool.Query(ctx, statement, slices.Insert(args, 0, any(pgx.QueryExecModeCacheDescribe))...)
}
