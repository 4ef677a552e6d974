package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
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
	"officeconsole/queries/usage"
)

// fileWord is a word that one name in a number has.
func fileWord(oneIn int) string {
	return map[int]string{50: "결산", 1000: "특허출원", 10000: "합병검토"}[oneIn]
}

// benchFile makes up a file that was saved before a time.
func benchFile(random *rand.Rand, id int64, at time.Time) usage.File {
	kinds, ends := []string{"보고서", "회의록", "견적서", "제안서", "계약서", "명세서", "점검표"}, []string{"pdf", "pdf", "xlsx", "pptx"}
	name := kinds[random.IntN(len(kinds))]
	for _, oneIn := range []int{50, 1000, 10000} {
		if random.IntN(oneIn) == 0 {
			name += "_" + fileWord(oneIn)
		}
	}
	address := netip.AddrFrom4([4]byte{10, 0, byte(random.IntN(250)), 1})
	f := usage.File{
		CompanyID: 1, ID: id, SavedAt: at.Truncate(time.Microsecond), EventID: fmt.Sprint("f", id), UserID: 1 + random.Int64N(filePeople-100), DepartmentID: 1 + random.Int64N(63),
		Room: "프로젝트", Folder: "자료실", Name: fmt.Sprintf("%s_%s_%d.%s", name, at.Format("20060102"), random.IntN(1000), ends[random.IntN(len(ends))]), Size: random.Int64N(20 << 20),
		Sha256: strings.Repeat("ab", 32), Platform: usage.Platforms[min(random.IntN(8), 3)], Ip: &address, ReceivedAt: at.Truncate(time.Microsecond),
	}
	f.ReceiverIds = []int64{1 + random.Int64N(filePeople-100)}
	if id%20_000 == 19_999 {
		f.Name += "\u202efdp.exe"
	}
	return f
}

// filesDatabase returns the URL of a company with a number of saved files.
func (d *databases) filesDatabase(ctx context.Context, count int) (string, error) {
	return d.database(ctx, databasePrefix()+fmt.Sprint("files_", count), func(at string) error {
		if err := fill(ctx, at, demo.Options{Employees: filePeople}); err != nil {
			return err
		}
		db, err := areas.Open(ctx, at, time.Now)
		if err != nil {
			return err
		}
		defer db.Close()
		began := time.Now()
		if err := fillFiles(ctx, db, count, began); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "bench: created %d saved files in %s\n", count, time.Since(began).Round(time.Millisecond))
		return nil
	})
}

// fillFiles writes files of a year, and creates the indexes afterwards.
func fillFiles(ctx context.Context, db *areas.Areas, count int, now time.Time) error {
	first := now.AddDate(0, 0, -fileDays)
	if err := db.InTx(ctx, func(ctx context.Context, tx queries.Tx) error {
		return queries.New(tx).EnsurePartitionsFrom(ctx, first, now)
	}); err != nil {
		return err
	}
	restore, err := dropIndexes(ctx, db.Pool())
	if err != nil {
		return err
	}
	const batch = 10_000
	group, writing := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < count; from += batch {
		group.Go(func() error {
			random := rand.New(rand.NewPCG(7, uint64(from)))
			var rows usage.FileRows
			for id := from; id < min(from+batch, count); id++ {
				rows.Add(benchFile(random, int64(id)+1, first.Add(time.Duration(float64(now.Sub(first))*float64(id)/float64(count)))), time.UTC)
			}
			return db.InTx(writing, func(ctx context.Context, tx queries.Tx) error { return usage.LoadFiles(ctx, tx, 1, rows) })
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := restore(ctx); err != nil {
		return err
	}
	for _, statement := range []string{
		fmt.Sprintf("select setval('saved_files_id', %d)", count+1),
		"vacuum (analyze) saved_files, saved_file_receivers, saved_file_days",
	} {
		if _, err := db.Pool().Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// dropIndexes drops the indexes of saved files but for the key, and returns what
// creates them again.
func dropIndexes(ctx context.Context, pool *pgxpool.Pool) (restore func(context.Context) error, err error) {
	rows, err := pool.Query(ctx, "select indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index where indrelid = 'saved_files'::regclass and not indisprimary")
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
