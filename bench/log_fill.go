package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"officeconsole/demo"
	"officeconsole/queries"
	"officeconsole/queries/areas"
)

// logDatabase returns the URL of a company with a number of rows of a log.
func (d *databases) logDatabase(ctx context.Context, l logPart, count int) (string, error) {
	return d.database(ctx, databasePrefix()+fmt.Sprintf("%s_%d", l.table, count), func(at string) error {
		if err := fill(ctx, at, demo.Options{Employees: logPeople}); err != nil {
			return err
		}
		db, err := areas.Open(ctx, at, time.Now)
		if err != nil {
			return err
		}
		defer db.Close()
		began := time.Now()
		if err := l.fill(ctx, db, count, began); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "bench: created %d rows of %s in %s\n", count, l.table, time.Since(began).Round(time.Millisecond))
		return nil
	})
}

// fill writes rows of a year, and creates the indexes afterwards.
func (l logPart) fill(ctx context.Context, db *areas.Areas, count int, now time.Time) error {
	first := now.AddDate(0, 0, -logDays)
	at := func(id int) time.Time {
		return first.Add(time.Duration(float64(now.Sub(first)) * float64(id) / float64(count)))
	}
	if err := db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		return queries.New(tx).EnsurePartitionsFrom(ctx, first, now)
	}); err != nil {
		return err
	}
	restore, err := dropIndexes(ctx, db.Pool(), l.table)
	if err != nil {
		return err
	}
	const batch = 10_000
	group, writing := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < count; from += batch {
		group.Go(func() error {
			random := rand.New(rand.NewPCG(7, uint64(from)))
			return db.InTx(writing, func(ctx context.Context, tx queries.Tx) error {
				return l.load(ctx, tx, random, from, min(from+batch, count), at)
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := restore(ctx); err != nil {
		return err
	}
	for _, statement := range []string{fmt.Sprintf("select setval('%s_id', %d)", l.table, count+1), "vacuum (analyze)"} {
		if _, err := db.Pool().Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// dropIndexes drops the indexes of a table but for the key, and returns what creates
// them again.
func dropIndexes(ctx context.Context, pool *pgxpool.Pool, table string) (restore func(context.Context) error, err error) {
	rows, err := pool.Query(ctx, "select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index where indrelid = $1::regclass and not indisprimary", table)
	if err != nil {
		return nil, err
	}
	type index struct{ Name, Definition string }
	indexes, err := pgx.CollectRows(rows, pgx.RowToStructByPos[index])
	if err != nil {
		return nil, err
	}
	for _, i := range indexes {
		if _, err := pool.Exec(ctx, "drop index "+i.Name); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context) error {
		return pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
			if _, err := conn.Exec(ctx, "set maintenance_work_mem = '1GB'"); err != nil {
				return err
			}
			for _, i := range indexes {
				if _, err := conn.Exec(ctx, strings.Replace(i.Definition, " ON ONLY ", " ON ", 1)); err != nil {
					return err
				}
			}
			return nil
		})
	}, nil
}
