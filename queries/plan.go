package queries

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// genericPlan forces generic plans. PostgreSQL itself would not choose them,
// because it does not know which partitions the arguments exclude.
type genericPlan struct {
	pool
	settings string // the SQL that sets what the plan depends on, until the batch has ended
}

const (
	forceGenericPlan = "select set_config('plan_cache_mode', 'force_generic_plan', true)"
	preferIndexOrder = forceGenericPlan + ", set_config('enable_sort', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)"
)

// GenericPlan returns Statements that PostgreSQL plans once for each
// connection, for all arguments. They are for statements that have one good
// plan and whose planning takes longer than their execution.
func (db *DB) GenericPlan() Statements { return genericPlan{db.pool, forceGenericPlan} }

// OrderedPlan returns Statements with generic plans that read rows in the order of an
// index wherever there is one, and join what is found by index. They are for the first
// rows of an order with several conditions: PostgreSQL, which does not know the
// arguments, expects that few rows meet them, and would read and sort all.
func (db *DB) OrderedPlan() Statements { return genericPlan{db.pool, preferIndexOrder} }

// CustomPlan returns Statements that PostgreSQL plans for their arguments.
// Otherwise it uses a generic plan after five executions, which does not
// consider how frequent a search text is or how large a department is.
func (db *DB) CustomPlan() Statements { return customPlan{db.pool} }

func (p genericPlan) Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error) {
	rows, err := p.pool.read(ctx, func(from *pgxpool.Pool) (pgx.Rows, error) {
		var b pgx.Batch
		b.Queue(p.settings)
		b.Queue(statement, args...)
		batch := from.SendBatch(ctx, &b)
		_, err := batch.Exec()
		rows := batchRows{batch: batch}
		if err == nil {
			rows.Rows, err = batch.Query()
		}
		if err != nil {
			batch.Close()
		}
		return rows, err
	})
	if err != nil {
		return nil, explainPool(ctx, err)
	}
	return poolRows{rows, ctx}, nil
}

// batchRows closes its batch when it is closed.
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
